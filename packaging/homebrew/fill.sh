#!/bin/sh
# Writes the Homebrew formula of a release to stdout, from its checksums.txt.
#
#   packaging/homebrew/fill.sh VERSION CHECKSUMS
set -eu
version=$1 sums=$2
. "$(dirname "$0")/../home.env"
[ -n "$URL" ] || homeless fill.sh
script="s/@VERSION@/$version/g;s|@URL@|$URL|g"
for target in darwin_arm64 darwin_amd64 linux_arm64 linux_amd64; do
	sum=$(awk -v f="hookbridge_${version}_$target.tar.gz" '$2 == f { print $1 }' "$sums")
	[ ${#sum} = 64 ] || { echo "fill.sh: $sums has no checksum for $target" >&2; exit 1; }
	script="$script;s/@$target@/$sum/"
done
sed "$script" "$(dirname "$0")/hookbridge.rb.in"
