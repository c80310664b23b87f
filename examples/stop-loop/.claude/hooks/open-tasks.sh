#!/bin/sh
# Sends the agent back to work while TODO.md has open tasks, once a turn: a hook
# as one writes it for Claude Code. It knows nothing of hookbridge.
case "$(cat)" in
*'"stop_hook_active":true'*) exit 0 ;;
esac
task=$(sed -n 's/^- \[ \] //p' "$CLAUDE_PROJECT_DIR/TODO.md" | head -n 1)
[ -z "$task" ] && exit 0
echo "TODO.md has an open task: $task" >&2
exit 2
