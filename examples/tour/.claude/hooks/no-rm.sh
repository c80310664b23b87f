#!/bin/sh
# Refuses shell commands that delete recursively.
case "$(cat)" in
*'"command":"rm -rf '*)
	echo "rm -rf is not allowed in this repository; name the files." >&2
	exit 2
	;;
esac
