#!/bin/sh
# Makes the npm packages: one for each system with the program, and the one that
# people install, which brings the one that fits. The programs come from the
# archives in DIST, which goreleaser made.
#
#   packaging/npm/build.sh VERSION DIST OUT [GOOS/GOARCH...]
set -eu
version=$1 dist=$(cd "$2" && pwd) out=$3
shift 3
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
. packaging/home.env
[ -n "$URL" ] && [ -n "$NPM" ] && [ -n "$SCOPE" ] || homeless build.sh
mkdir -p "$out"
out=$(cd "$out" && pwd)
all="linux-x64 linux-arm64 darwin-x64 darwin-arm64 win32-x64 win32-arm64"

for target; do
	goos=${target%/*} goarch=${target#*/} file=hookbridge
	os=$goos cpu=$goarch
	[ "$goos" != windows ] || os=win32 file=hookbridge.exe
	[ "$goarch" != amd64 ] || cpu=x64
	dir=$out/$os-$cpu
	mkdir -p "$dir"
	archive=$dist/hookbridge_${version}_${goos}_${goarch}
	if [ "$goos" = windows ]; then
		unzip -qo "$archive.zip" "$file" LICENSE THIRD_PARTY_LICENSES -d "$dir"
	else
		tar -xzf "$archive.tar.gz" -C "$dir" "$file" LICENSE THIRD_PARTY_LICENSES
	fi
	cat > "$dir/package.json" <<END
{
  "name": "$SCOPE/$os-$cpu",
  "version": "$version",
  "description": "hookbridge for $goos on $goarch",
  "license": "Apache-2.0",
  "repository": { "type": "git", "url": "git+$URL.git" },
  "os": ["$os"],
  "cpu": ["$cpu"],
  "files": ["$file", "THIRD_PARTY_LICENSES"],
  "preferUnplugged": true
}
END
done

dir=$out/hookbridge
rm -rf "$dir"
cp -R "$here/hookbridge" "$dir"
cp LICENSE README.md "$dir/"
optional=
for p in $all; do
	optional="$optional${optional:+, }\"$SCOPE/$p\": \"$version\""
done
fill="s|@NPM@|$NPM|; s|@SCOPE@|$SCOPE|; s|@URL@|$URL|g"
sed "$fill" "$here/hookbridge/install.js" > "$dir/install.js"
sed -e "$fill" -e "/\"private\"/d" -e "s|\"version\": \"0.0.0\"|\"version\": \"$version\"|" -e "s|\"engines\"|\"optionalDependencies\": { $optional },\n  \"engines\"|" \
	"$here/hookbridge/package.json" > "$dir/package.json"
