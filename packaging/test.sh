#!/bin/sh
# Tries every way to install hookbridge that can be tried without publishing:
# goreleaser's configuration and a signed snapshot, the formula, the installer and the
# action from that snapshot, Debian and RPM packages, manifests for Windows, go install,
# and npm. Nothing is left in the folder.
#
#   [GORELEASER=/path/to/goreleaser] [NFPM=/path/to/nfpm] packaging/test.sh
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== go install"
GOBIN=$work/gobin CGO_ENABLED=0 go install ./cmd/hookbridge
"$work/gobin/hookbridge" version

echo "== action, from source"
HOOKBRIDGE_VERSION=source GITHUB_PATH=$work/path packaging/action/install.sh "$work/action"
grep -qx "$work/action" "$work/path"

echo "== Debian and RPM packages, installers, manifests"
if [ -z "${NFPM:-}" ]; then
	GOBIN=$work/tools go install github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4
	NFPM=$work/tools/nfpm
fi
NFPM=$NFPM go test ./cmd/hookbridge -count=1 -run 'TestLinuxPackages|TestInstaller|TestWindowsManifests|TestSchemaStore'

goreleaser=${GORELEASER:-$(command -v goreleaser || true)}
if [ -z "$goreleaser" ]; then
	echo "== goreleaser: not here, left out (GORELEASER=/path/to/goreleaser)"
else
	echo "== goreleaser check and a signed snapshot"
	ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/key"
	export HOOKBRIDGE_SIGNING_KEY=$work/key
	SIGNER=$(cat "$work/key.pub") URL=https://home.invalid/hookbridge WINGET=hookbridge.hookbridge
	export SIGNER URL WINGET
	git clone -q . "$work/clone" # goreleaser wants a repository with a remote
	cp .goreleaser.yaml "$work/clone"
	(cd "$work/clone" && "$goreleaser" check)
	(cd "$work/clone" && git tag -f v0.0.1 > /dev/null 2>&1 &&
		"$goreleaser" release --snapshot --clean --skip=publish > "$work/goreleaser.log" 2>&1) || { cat "$work/goreleaser.log"; exit 1; }
	dist=$work/clone/dist
	cat "$dist/checksums.txt"
	[ "$(grep -c '\.tar\.gz$\|\.zip$' "$dist/checksums.txt")" -eq 6 ]
	[ "$(ls "$dist"/*.cdx.json | wc -l)" -eq 6 ]
	[ "$(grep -c '  hookbridge_linux_.*\.\(deb\|rpm\)$' "$dist/checksums.txt")" -eq 4 ]
	tar -tzf "$dist"/*_linux_amd64.tar.gz
	tar -tzf "$dist"/*_linux_amd64.tar.gz | grep -qx THIRD_PARTY_LICENSES
	version=$(sed -n 's/.*hookbridge_\(.*\)_linux_amd64.tar.gz$/\1/p' "$dist/checksums.txt")

	echo "== formula"
	packaging/homebrew/fill.sh "$version" "$dist/checksums.txt" > "$work/hookbridge.rb"
	! grep '@' "$work/hookbridge.rb"
	if command -v ruby > /dev/null; then ruby -c "$work/hookbridge.rb"; fi

	packaging/windows/fill.sh "$version" "$dist/checksums.txt" "$work/windows"

	echo "== installer"
	mkdir -p "$work/site/latest" "$work/tampered/latest"
	cp -R "$dist" "$work/site/latest/download"
	HOOKBRIDGE_RELEASES=file://$work/site HOOKBRIDGE_DIR=$work/installed "$work/clone/build/install.sh"
	cp -R "$dist" "$work/tampered/latest/download"
	sed -i.bak '1s/^./0/; 2s/^./1/' "$work/tampered/latest/download/checksums.txt"
	if HOOKBRIDGE_RELEASES=file://$work/tampered HOOKBRIDGE_DIR=$work/no "$work/clone/build/install.sh"; then
		echo "changed checksums pass" >&2
		exit 1
	fi

	echo "== action, from a release"
	mkdir -p "$work/releases/v$version"
	cp "$dist"/*.tar.gz "$dist"/*.zip "$dist/checksums.txt" "$work/releases/v$version"
	HOOKBRIDGE_VERSION=v$version HOOKBRIDGE_RELEASES=file://$work/releases packaging/action/install.sh "$work/released"
	[ -f "$work/released/hookbridge.1" ]
	sed -i.bak 's/^[0-9a-f]/x/' "$work/releases/v$version/checksums.txt"
	if HOOKBRIDGE_VERSION=$version HOOKBRIDGE_RELEASES=file://$work/releases packaging/action/install.sh "$work/forged" 2> "$work/err"; then
		echo "a wrong checksum passes" >&2
		exit 1
	fi
	cat "$work/err"

	echo "== built again in another folder, the same bytes"
	git clone -q "$work/clone" "$work/again"
	cp .goreleaser.yaml "$work/again"
	(cd "$work/again" && GOCACHE=$work/cache GOOS=linux GOARCH=amd64 "$goreleaser" build --snapshot --single-target > "$work/again.log" 2>&1) || { cat "$work/again.log"; exit 1; }
	cmp "$dist"/hookbridge_linux_amd64*/hookbridge "$work/again"/dist/hookbridge_linux_amd64*/hookbridge

	echo "== npm, from the snapshot"
	packaging/npm/test.sh "$version" "$dist"
	exit
fi

echo "== npm"
packaging/npm/test.sh
