#!/bin/sh
# What a change has to pass, in five minutes: formatting, vet and the tests, with
# smaller samples of the long ones. ./test.sh all is what CI runs: the other systems'
# vet, everything in full, the race detector where goroutines are, each fuzz target for
# three seconds (FUZZTIME=60s ./test.sh all: for a minute).
set -eu
cd "$(dirname "$0")"
export GOFLAGS=-mod=readonly

unformatted=$(gofmt -s -l $(git ls-files '*.go' 2>/dev/null || find . -name '*.go'))
if [ -n "$unformatted" ]; then
	echo "gofmt -s: $unformatted" >&2
	exit 1
fi
# Most tests wait for processes, so two packages for each processor are tested at a time.
parallel=$((2 * $(getconf _NPROCESSORS_ONLN)))
case ${1:-} in
"")
	go vet ./...
	exec go test -short -vet=off -timeout 20m -p $parallel ./...
	;;
all) ;;
*)
	echo "usage: ./test.sh [all]" >&2
	exit 64
	;;
esac
for os in linux darwin windows; do
	echo "vet $os"
	GOOS=$os go vet ./...
done
go test -vet=off -timeout 20m -p $parallel ./...
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v gcc >/dev/null; then
	# the laws of the bridge, which take longest, start nothing beside themselves
	go test -race -short -skip 'Law|SameTranslations|NeverWeaker' ./internal/process ./internal/state ./adapter/bridge
fi
scripts/fuzz.sh "${FUZZTIME:-3s}"
