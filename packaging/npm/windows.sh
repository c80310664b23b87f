#!/bin/sh
# Installs the npm packages for Windows by npm under Windows' node, and runs what is installed. scripts/windows calls
# it, with node.exe and with the command that starts a program in Wine. Nothing is fetched.
#
#   packaging/npm/windows.sh NODE COMMAND...
set -eu
node=$1
shift
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=0.0.1 dist=$work/dist
mkdir -p "$dist" "$work/project" "$work/bin"
CGO_ENABLED=0 GOOS=windows go build -ldflags "-s -w -X $(go list -m)/internal/command/cli.version=v$version" \
	-o "$dist/hookbridge.exe" ./cmd/hookbridge
cp LICENSE "$dist"
cp LICENSE "$dist/THIRD_PARTY_LICENSES"
(cd "$dist" && python3 -m zipfile -c "hookbridge_${version}_windows_amd64.zip" hookbridge.exe LICENSE THIRD_PARTY_LICENSES)
URL=https://home.invalid/hookbridge NPM=hookbridge SCOPE=@hookbridge-test \
	packaging/npm/build.sh "$version" "$dist" "$work/packages" windows/amd64
sed -i '/"optionalDependencies"/d' "$work/packages/hookbridge/package.json" # packages that are in no registry yet
(cd "$work" && npm pack --silent ./packages/win32-x64 ./packages/hookbridge >/dev/null)
cp -rL "$(npm root -g)/npm" "$work/npm"
ln "$node" "$work/bin/node.exe" 2>/dev/null || cp "$node" "$work/bin/node.exe"

echo '{"private":true}' >"$work/project/package.json"
cd "$work/project"
named() { echo "Z:$1" | tr / '\\'; }
cat >"$work/install.cmd" <<END
@set PATH=$(named "$work/bin");%PATH%
@node "$(named "$work/npm/bin/npm-cli.js")" install --silent --offline --no-audit --no-fund $(
	named "$work/hookbridge-test-win32-x64-$version.tgz") $(named "$work/hookbridge-$version.tgz")
END
timeout 300 "$@" cmd /c "$(named "$work/install.cmd")"
# what npm has made starts the node.exe beside it
ln "$work/bin/node.exe" node_modules/.bin/node.exe
[ "$(timeout 60 "$@" cmd /c 'node_modules\.bin\hookbridge.cmd' version | tr -d '\r')" = "hookbridge v$version" ]
status=0
timeout 60 "$@" cmd /c 'node_modules\.bin\hookbridge.cmd' frob 2>/dev/null || status=$?
[ "$status" = 64 ]
echo "ok  	npm's packages for Windows, under its node"
