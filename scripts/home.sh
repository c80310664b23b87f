#!/bin/sh
# Gives the project its home: sets every name under which it is found, in the code, the
# packages and the pages. Run it once, on a clean tree, when you own all of them.
#
#   scripts/home.sh MODULE NPM SCOPE TAP
#   scripts/home.sh github.com/OWNER/hookbridge @OWNER/hookbridge @OWNER OWNER/tap
set -eu
cd "$(dirname "$0")/.."
[ $# -eq 4 ] || { sed -n 's/^#   //p' "$0" >&2; exit 64; }
module=$1 npm=$2 scope=$3 tap=$4 url=https://$1
owner=${module%/*} winget=${owner##*/}.hookbridge
for word; do
	case $word in
	*[!A-Za-z0-9@._/-]* | '') echo "home.sh: \"$word\" is no name" >&2; exit 64 ;;
	esac
done
old=$(sed -n 's/^module //p' go.mod)

edit() { # SCRIPT FILE: sed -i, as every sed has it
	sed "$1" "$2" > "$2.home"
	cat "$2.home" > "$2"
	rm "$2.home"
}

# The module path, wherever it is imported.
grep -rlF "$old" --include='*.go' --include=go.mod . | while read -r file; do
	edit "s|$old|$module|g" "$file"
done
edit "s|^const Home = .*|const Home = \"$url\"|" adapter/launcher/launcher.go
edit "s|NPM    = .*|NPM    = \"$npm\"|; s|Tap    = .*|Tap    = \"$tap\"|; \
s|WinGet = .*|WinGet = \"$winget\"|" internal/command/cli/release.go
edit "s|{URL:=[^}]*}|{URL:=$url}|; s|{NPM:=[^}]*}|{NPM:=$npm}|; s|{SCOPE:=[^}]*}|{SCOPE:=$scope}|; s|{TAP:=[^}]*}|{TAP:=$tap}|; s|{WINGET:=[^}]*}|{WINGET:=$winget}|" packaging/home.env
edit "/^  github:/,/^  draft:/s|owner: .*|owner: ${owner##*/}|" .goreleaser.yaml

# The pages: what stands between the marks is replaced.
replace() { # FILE TEXT
	awk -v text="$2" '/home: begin/ { print; print text; skip = 1 } /home: end/ { skip = 0 } !skip' "$1" > "$1.home"
	cat "$1.home" > "$1"
	rm "$1.home"
}
replace README.md "hookbridge is one binary for Linux, macOS and Windows:

    go install $module/cmd/hookbridge@latest
    npm install --global $npm
    brew install $tap/hookbridge
    curl -fsSL $url/releases/latest/download/install.sh | sh
    irm $url/releases/latest/download/install.ps1 | iex       # Windows

There are packages for Debian, RPM, Alpine and Arch beside each [release]($url/releases), an image for containers, and
entries for the AUR, Nix, mise, asdf, Scoop and winget. \`hookbridge upgrade\`
prints the command that upgrades an installation."
for page in docs/ci.md docs/team.md; do
	replace $page "      - run: go install $module/cmd/hookbridge@latest"
done
edit 's|^No version is released yet\. `go install ./cmd/hookbridge` in a clone builds it\.|`go install '"$module"'/cmd/hookbridge@latest` builds the main branch.|' CHANGELOG.md
gofmt -w $(grep -rlF "$module" --include='*.go' .)
echo "home.sh: $module, $npm, $scope, $tap"
echo "now: go mod tidy && ./test.sh, then edit the first section of docs/releasing.md"
