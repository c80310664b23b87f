#!/bin/sh
# Refuses shell commands that delete recursively: a hook as one writes it for
# Claude Code. It knows nothing of hookbridge.
case "$(cat)" in
*'"tool_name":"Bash"'*'"command":"rm -rf '*)
	echo "rm -rf is not allowed in this repository; name the files." >&2
	exit 2
	;;
esac
