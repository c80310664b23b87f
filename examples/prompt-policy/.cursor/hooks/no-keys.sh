#!/bin/sh
# Keeps access keys out of prompts: a hook as one writes it for Cursor. It knows
# nothing of hookbridge.
if grep -q 'AKIA[0-9A-Z]\{16\}'; then
	echo '{"continue":false,"user_message":"The prompt holds an access key. Take it out and send it again."}'
else
	echo '{"continue":true}'
fi
