#!/bin/sh
# Keeps the agent out of .env files.
case "$(cat)" in
*'"file_path":"'*'/.env"'*)
	echo ".env holds secrets; ask the user to change it." >&2
	exit 2
	;;
esac
