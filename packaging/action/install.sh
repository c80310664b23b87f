#!/usr/bin/env bash
# Installs hookbridge into a folder and puts the folder on PATH: a release, whose
# signature and checksum are checked, or built from source.
#
#   HOOKBRIDGE_VERSION=1.2.3|source packaging/action/install.sh DIR
set -euo pipefail
dir=$1
version=${HOOKBRIDGE_VERSION#v}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

if [ "$version" = source ]; then
	(cd "${HOOKBRIDGE_SOURCE:-$(dirname "$0")/../..}" && CGO_ENABLED=0 go build -trimpath -o "$dir/" ./cmd/hookbridge)
else
	case $(uname -s) in
	Linux) os=linux archive=tar.gz ;;
	Darwin) os=darwin archive=tar.gz ;;
	*) os=windows archive=zip ;;
	esac
	case $(uname -m) in
	arm64 | aarch64) arch=arm64 ;;
	*) arch=amd64 ;;
	esac
	. "$(dirname "$0")/../home.env"
	[ -n "${HOOKBRIDGE_RELEASES:-$URL}" ] || homeless "hookbridge action (use version: source)"
	from=${HOOKBRIDGE_RELEASES:-$URL/releases/download}/v$version
	file=hookbridge_${version}_${os}_$arch.$archive
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	curl -fsSL --retry 3 -o "$work/$file" "$from/$file"
	for list in checksums.txt checksums.txt.sig; do
		curl -fsSL --retry 3 -o "$work/$list" "$from/$list"
	done
	echo "hookbridge-release namespaces=\"hookbridge-release\" $SIGNER" > "$work/signers"
	if ! ssh-keygen -q -Y verify -f "$work/signers" -I hookbridge-release -n hookbridge-release \
		-s "$work/checksums.txt.sig" < "$work/checksums.txt" > /dev/null 2>&1; then
		echo "hookbridge: the signature of checksums.txt is wrong" >&2
		exit 1
	fi
	sum() { if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1; }
	want=$(awk -v f="$file" '$2 == f { print $1 }' "$work/checksums.txt")
	if [ -z "$want" ] || [ "$(sum "$work/$file")" != "$want" ]; then
		echo "hookbridge: $file is not what checksums.txt says" >&2
		exit 1
	fi
	if [ $archive = zip ]; then unzip -qo "$work/$file" -d "$dir"; else tar -xzf "$work/$file" -C "$dir"; fi
fi
[ -z "${GITHUB_PATH:-}" ] || echo "$dir" >> "$GITHUB_PATH"
"$dir/hookbridge" version
