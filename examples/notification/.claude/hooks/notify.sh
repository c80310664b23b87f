#!/bin/sh
# Rings and notes when the agent waits for its user: a hook as one writes it for Claude
# Code. It knows nothing of hookbridge.
message=$(sed -n 's/.*"message":"\([^"]*\)".*/\1/p')
printf '%s\n' "${message:-the agent waits}" >> "${TMPDIR:-/tmp}/agent-notifications.log"
if command -v notify-send >/dev/null 2>&1; then notify-send "Agent" "$message" || true; fi
