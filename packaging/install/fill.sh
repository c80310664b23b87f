#!/bin/sh
# Writes the installers with the project's address and the key that signs its releases.
#
#   packaging/install/fill.sh OUT
set -eu
out=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../home.env"
[ -n "$URL" ] && [ -n "$SIGNER" ] || homeless fill.sh
mkdir -p "$out"
for file in install.sh install.ps1; do
	sed "s|@URL@|$URL|g; s|@SIGNER@|$SIGNER|" "$here/$file.in" > "$out/$file"
done
chmod +x "$out/install.sh"
