#!/bin/sh
# Lets a database server only read: a hook as one writes it for Claude Code. It knows
# nothing of hookbridge.
case "$(cat | tr '[:lower:]' '[:upper:]')" in
*'"SQL":"SELECT '*) exit 0 ;;
esac
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the database is read-only for agents"}}'
