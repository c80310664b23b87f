#!/bin/sh
# Makes what a release has beside the programs, in build: licenses, completions, the JSON Schemas for editors and the
# installers. goreleaser runs it before it builds.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
go build -o build/hookbridge ./cmd/hookbridge
go run scripts/sbom.go -form texts -o build/THIRD_PARTY_LICENSES build/hookbridge
for shell in bash zsh fish; do
	build/hookbridge completion $shell > build/completion.$shell
done
for schema in hookbridge-yaml scenarios; do
	build/hookbridge schema $schema > build/$schema.schema.json
done
packaging/install/fill.sh build
