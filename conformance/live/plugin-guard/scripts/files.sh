#!/bin/sh
# Refuses changes of secret.txt, by the path that Claude Code names.
case $(cat) in
*'"file_path":"'*'/secret.txt"'*)
	echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"secret.txt is not for agents"}}'
	;;
esac
