#!/bin/sh
# Makes the image for linux/amd64 and linux/arm64 as an OCI archive, from the archives in DIST. It needs buildah, but
# neither a daemon nor a network. To publish it:
#
#   packaging/container/build.sh VERSION DIST OUT.tar
#   skopeo copy --all oci-archive:OUT.tar docker://REGISTRY/hookbridge:VERSION
set -eu
version=$1 dist=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../home.env"
[ -n "$URL" ] || homeless build.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
buildah() { command buildah --root "$work/root" --runroot "$work/run" --storage-driver vfs "$@"; }

for arch in amd64 arm64; do
	mkdir "$work/linux_$arch"
	tar -xzf "$dist/hookbridge_${version}_linux_$arch.tar.gz" -C "$work/linux_$arch" hookbridge LICENSE THIRD_PARTY_LICENSES
	buildah build --quiet --isolation chroot --platform "linux/$arch" --build-arg TARGETARCH=$arch \
		--timestamp "${SOURCE_DATE_EPOCH:-0}" --manifest hookbridge \
		--label org.opencontainers.image.title=hookbridge --label org.opencontainers.image.version="$version" \
		--label org.opencontainers.image.source="$URL" --label org.opencontainers.image.licenses=Apache-2.0 \
		-f "$here/Containerfile" "$work" > /dev/null
done
rm -f "$out"
buildah manifest push --quiet --all hookbridge "oci-archive:$out:$version"
