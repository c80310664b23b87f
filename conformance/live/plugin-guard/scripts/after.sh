#!/bin/sh
echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"The plugin saw the change."}}'
