#!/bin/sh
# Builds hookbridge for every system, twice, in two folders and with two caches, and
# fails unless both gave the same bytes. Leaves in OUT the programs, what each is
# made of (CycloneDX), the licences of all that is linked in, and their checksums.
#
#   scripts/release.sh [-1] VERSION OUT
#
# -1 is for a trial: this system only.
set -eu
cd "$(dirname "$0")/.."
all="linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"
if [ "${1:-}" = -1 ]; then
	all=$(go env GOOS)/$(go env GOARCH)
	shift
fi
version=${1:?usage: scripts/release.sh [-1] VERSION OUT}
out=${2:?usage: scripts/release.sh [-1] VERSION OUT}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT

# A copy of what is under version control, so that the second build stands elsewhere.
mkdir "$work/copy"
git ls-files -z | xargs -0 tar cf - | tar xf - -C "$work/copy"

build() { # FOLDER CACHE TARGET FILE
	(cd "$1" && GOCACHE=$2 GOFLAGS=-mod=readonly CGO_ENABLED=0 GOOS=${3%/*} GOARCH=${3#*/} \
		go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$version" -o "$4" ./cmd/hookbridge)
}

go mod verify
for target in $all; do
	name=hookbridge_${version}_${target%/*}_${target#*/}
	file=$name
	[ "${target%/*}" = windows ] && file=$name.exe
	build . "$(go env GOCACHE)" "$target" "$out/$file"
	build "$work/copy" "$work/cache" "$target" "$work/again"
	if ! cmp "$out/$file" "$work/again"; then
		echo "release: $target is not reproducible" >&2
		exit 1
	fi
	go run scripts/sbom.go -version "$version" -o "$out/$name.cdx.json" "$out/$file"
	echo "$target: the same bytes twice"
done
go run scripts/sbom.go -form texts -o "$out/THIRD_PARTY_LICENSES" "$out/$file"
rm -f "$out/checksums.txt"
(cd "$out" && sha256sum -- *) > "$work/checksums.txt"
mv "$work/checksums.txt" "$out"
cat "$out/checksums.txt"
