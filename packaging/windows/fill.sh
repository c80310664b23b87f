#!/bin/sh
# Writes the manifests of a release for Scoop and winget into OUT, from its checksums.txt: hookbridge.json for a bucket,
# and three files for the winget repository.
#
#   packaging/windows/fill.sh VERSION CHECKSUMS OUT
set -eu
version=$1 sums=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../home.env"
[ -n "$URL" ] && [ -n "$WINGET" ] || homeless fill.sh
script="s/@VERSION@/$version/g;s|@URL@|$URL|g;s|@WINGET@|$WINGET|g;s|@PUBLISHER@|${WINGET%%.*}|g"
for arch in amd64 arm64; do
	sum=$(awk -v f="hookbridge_${version}_windows_$arch.zip" '$2 == f { print $1 }' "$sums")
	[ ${#sum} = 64 ] || { echo "fill.sh: $sums has no checksum for windows on $arch" >&2; exit 1; }
	script="$script;s/@$arch@/$sum/"
done
mkdir -p "$out"
sed "$script" "$here/hookbridge.json.in" > "$out/hookbridge.json"
for part in "" .installer .locale.en-US; do
	sed "$script" "$here/winget$part.yaml.in" > "$out/$WINGET$part.yaml"
done
