#!/bin/sh
# Refuses deployments, and makes each echo louder.
payload=$(cat)
case $payload in
*'"command":"sh deploy.sh'*)
	echo "no deployments from here" >&2
	exit 2
	;;
*'"command":"echo quiet'*)
	echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"echo LOUD"}}}'
	;;
esac
