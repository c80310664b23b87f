#!/bin/sh
# Sends the agent back to work, once a turn, while the tests fail: a hook as one writes
# it for Claude Code. It knows nothing of hookbridge.
case "$(cat)" in
*'"stop_hook_active":true'*) exit 0 ;;
esac
cd "$CLAUDE_PROJECT_DIR" || exit 0
out=$(sh ./run-tests.sh 2>&1) && exit 0
echo "the tests fail: $out" >&2
exit 2
