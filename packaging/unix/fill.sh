#!/bin/sh
# Writes what package managers need of a release into OUT, from its checksums.txt: the formula for a Homebrew tap,
# PKGBUILD for the AUR, a Nix package, the entry for mise's registry, and the repository of an asdf plugin.
#
#   packaging/unix/fill.sh VERSION CHECKSUMS OUT
set -eu
version=$1 sums=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../home.env"
[ -n "$URL" ] || homeless fill.sh
script="s/@VERSION@/$version/g;s|@URL@|$URL|g;s|@SLUG@|${URL#https://*/}|g"
for target in darwin_arm64 darwin_amd64 linux_arm64 linux_amd64; do
	sum=$(awk -v f="hookbridge_${version}_$target.tar.gz" '$2 == f { print $1 }' "$sums")
	[ ${#sum} = 64 ] || { echo "fill.sh: $sums has no checksum for $target" >&2; exit 1; }
	script="$script;s/@$target@/$sum/"
done

mkdir -p "$out/asdf/bin"
for file in hookbridge.rb PKGBUILD hookbridge.nix hookbridge.toml asdf/bin/list-all asdf/bin/install; do
	sed "$script" "$here/$file.in" > "$out/$file"
done
"$here/../install/fill.sh" "$out/asdf/bin" # the plugin installs by it, so that it checks the release's signature
rm "$out/asdf/bin/install.ps1"
chmod +x "$out"/asdf/bin/*
