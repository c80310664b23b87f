#!/bin/sh
# Tries every way to install hookbridge that can be tried without publishing:
# packages for Linux, the manifests, go install, and from a signed release that scripts/release makes of HEAD the
# installer, the action, the asdf plugin, the AUR package, the image and npm. Nothing is left in the folder.
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

echo "== packages for Linux, installers, manifests"
if [ -z "${NFPM:-}" ]; then
	GOBIN=$work/tools go install github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2
	NFPM=$work/tools/nfpm
fi
NFPM=$NFPM go test ./cmd/hookbridge -count=1 -run 'TestLinuxPackages|TestInstaller|TestWindowsManifests|TestUnixManifests|TestProvenance|TestSchemaStore'

goreleaser=${GORELEASER:-$(command -v goreleaser || true)}
if [ -z "$goreleaser" ]; then
	echo "== a release: goreleaser isn't here, left out (GORELEASER=/path/to/goreleaser)"
else
	echo "== a release, signed, that isn't published"
	ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/key"
	export GORELEASER="$goreleaser" HOOKBRIDGE_SIGNING_KEY="$work/key"
	SIGNER=$(cat "$work/key.pub") URL=https://home.invalid/acme/hookbridge
	export SIGNER URL
	version=0.0.1 dist=$work/release/dist
	scripts/release --try $version "$work/release" > "$work/release.log" 2>&1 || { cat "$work/release.log"; exit 1; }
	cat "$dist/checksums.txt"
	[ "$(grep -c 'hookbridge_'$version'_.*\(tar\.gz\|\.zip\)$' "$dist/checksums.txt")" -eq 6 ]
	[ "$(ls "$dist"/*.cdx.json | wc -l)" -eq 6 ]
	[ "$(grep -c '  hookbridge_linux_.*\.\(deb\|rpm\|apk\|pkg\.tar\.zst\)$' "$dist/checksums.txt")" -eq 8 ]
	tar -tzf "$dist"/*_linux_amd64.tar.gz
	tar -tzf "$dist"/*_linux_amd64.tar.gz | grep -qx THIRD_PARTY_LICENSES

	echo "== provenance"
	echo "hookbridge-release namespaces=\"hookbridge-release\" $SIGNER" > "$work/signers"
	for file in checksums.txt checksums.txt.intoto.json; do
		ssh-keygen -Y verify -f "$work/signers" -I hookbridge-release -n hookbridge-release -s "$dist/$file.sig" < "$dist/$file"
	done

	echo "== formula, AUR, Nix, asdf"
	if command -v ruby > /dev/null; then ruby -c "$work/release/unix/hookbridge.rb"; fi
	if command -v nix-instantiate > /dev/null; then nix-instantiate --parse "$work/release/unix/hookbridge.nix" > /dev/null; fi
	mkdir -p "$work/site/latest" "$work/site/download" "$work/tampered/latest"
	cp -R "$dist" "$work/site/download/v$version"
	HOOKBRIDGE_RELEASES=file://$work/site ASDF_INSTALL_VERSION=$version ASDF_INSTALL_PATH=$work/asdf "$work/release/unix/asdf/bin/install"
	"$work/asdf/bin/hookbridge" version
	if command -v makepkg > /dev/null && [ "$(id -u)" != 0 ]; then # makepkg refuses to run as root
		mkdir "$work/aur"
		cp "$work/release/unix/PKGBUILD" "$dist"/*_linux_*.tar.gz "$work/aur"
		(cd "$work/aur" && PKGDEST=$work/aur makepkg --nodeps)
	fi

	echo "== image"
	if command -v skopeo > /dev/null && [ -f "$work/release/image.tar" ]; then
		skopeo inspect --raw "oci-archive:$work/release/image.tar" | grep -c '"architecture"'
	fi

	echo "== installer"
	cp -R "$dist" "$work/site/latest/download"
	HOOKBRIDGE_RELEASES=file://$work/site HOOKBRIDGE_DIR=$work/installed "$dist/install.sh"
	cp -R "$dist" "$work/tampered/latest/download"
	sed -i.bak '1s/^./0/; 2s/^./1/' "$work/tampered/latest/download/checksums.txt"
	if HOOKBRIDGE_RELEASES=file://$work/tampered HOOKBRIDGE_DIR=$work/no "$dist/install.sh"; then
		echo "changed checksums pass" >&2
		exit 1
	fi

	echo "== action, from a release"
	mkdir -p "$work/releases/v$version"
	cp "$dist"/*.tar.gz "$dist"/*.zip "$dist"/checksums.txt* "$work/releases/v$version"
	HOOKBRIDGE_VERSION=v$version HOOKBRIDGE_RELEASES=file://$work/releases packaging/action/install.sh "$work/released"
	[ -f "$work/released/hookbridge.1" ]
	sed -i.bak 's/^[0-9a-f]/x/' "$work/releases/v$version/checksums.txt"
	if HOOKBRIDGE_VERSION=$version HOOKBRIDGE_RELEASES=file://$work/releases packaging/action/install.sh "$work/forged" 2> "$work/err"; then
		echo "a wrong checksum passes" >&2
		exit 1
	fi
	cat "$work/err"

	echo "== built again in another folder, the same bytes"
	git clone -q . "$work/again"
	(cd "$work/again" && git tag -f v$version > /dev/null && packaging/prepare.sh && GOCACHE=$work/cache GOOS=linux GOARCH=amd64 \
		"$goreleaser" build --clean --single-target > "$work/again.log" 2>&1) || { cat "$work/again.log"; exit 1; }
	cmp "$dist"/hookbridge_linux_amd64*/hookbridge "$work/again"/dist/hookbridge_linux_amd64*/hookbridge

	echo "== npm, from the release"
	packaging/npm/test.sh "$version" "$dist"
	exit
fi

echo "== npm"
packaging/npm/test.sh
