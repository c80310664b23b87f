#!/bin/sh
# Packs the npm packages for this system, installs the packed files into an empty
# folder and runs what is installed, with and without install scripts. Nothing is
# fetched: the packages for other systems are left out. The program comes from a
# release in DIST, or from a build of this folder.
#
#   packaging/npm/test.sh [VERSION DIST]
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=${1:-0.0.1} dist=${2:-$work/dist} target=$(go env GOHOSTOS)_$(go env GOHOSTARCH)
if [ $# = 0 ]; then
	mkdir -p "$dist"
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X $(go list -m)/internal/command/cli.version=v$version" -o "$dist/hookbridge" ./cmd/hookbridge
	go run scripts/sbom.go -form texts -o "$dist/THIRD_PARTY_LICENSES" "$dist/hookbridge"
	cp LICENSE "$dist"
	tar -czf "$dist/hookbridge_${version}_$target.tar.gz" -C "$dist" hookbridge LICENSE THIRD_PARTY_LICENSES
fi
URL=https://home.invalid/hookbridge NPM=hookbridge SCOPE=@hookbridge-test packaging/npm/build.sh "$version" "$dist" "$work/packages" "$(echo "$target" | tr _ /)"
os=$(node -p 'process.platform + "-" + process.arch')

# What is packed names packages of other systems that are in no registry yet;
# npm leaves out optional ones that it cannot get, and is not asked to try.
node -e '
const fs = require("fs"), f = process.argv[1] + "/hookbridge/package.json", p = JSON.parse(fs.readFileSync(f));
if (Object.keys(p.optionalDependencies).length !== 6) throw new Error("not six systems");
p.optionalDependencies = {};
fs.writeFileSync(f, JSON.stringify(p));' "$work/packages"
for p in "$os" hookbridge; do
	(cd "$work" && npm pack --silent "./packages/$p")
done
ls "$work"
tar -tzf "$work/hookbridge-$version.tgz" | grep -qx package/README.md # what its page in the registry shows

for scripts in true false; do
	dir=$work/project-$scripts
	mkdir "$dir"
	(cd "$dir" && echo '{"private":true}' > package.json &&
		npm install --silent --offline --no-audit --no-fund --ignore-scripts=$([ $scripts = true ] && echo false || echo true) \
			"$work/hookbridge-test-$os-$version.tgz" "$work/hookbridge-$version.tgz")
	echo "with install scripts: $scripts"
	(cd "$dir" && npx --offline hookbridge version)
	[ "$(cd "$dir" && npx --offline hookbridge version)" = "hookbridge v$version" ]
	answer=$("$dir/node_modules/.bin/hookbridge" run --project examples/guard < examples/guard/cursor-payload.json)
	case $answer in '{"permission":"deny"'*) ;; *) echo "answer: $answer" >&2; exit 1 ;; esac
	status=0
	"$dir/node_modules/.bin/hookbridge" frob 2> /dev/null || status=$?
	[ "$status" = 64 ]
	printf 'the command is: '
	head -c 2 "$dir/node_modules/hookbridge/bin/hookbridge" | grep -q '#!' && echo "the start script" || echo "the program itself"
done
echo "npm: ok"
