#!/bin/sh
# Takes trailing blanks out of a file that the agent has edited: a hook as one
# writes it for Cursor. It knows nothing of hookbridge.
file=$(sed -n 's/.*"file_path":"\([^"]*\)".*/\1/p')
[ -f "$file" ] || exit 0
sed 's/[[:blank:]]*$//' "$file" > "$file.formatted" && cat "$file.formatted" > "$file"
rm -f "$file.formatted"
