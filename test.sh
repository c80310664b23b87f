#!/bin/sh
# What a change has to pass, in less than five minutes of processor time: formatting, vet and the tests, with smaller
# samples of the long ones. ./test.sh all is what CI runs, in less than 25: the other systems' vet, everything in full,
# the race detector where goroutines are, each fuzz target for two seconds (FUZZTIME=60s ./test.sh all: for a minute),
# the tests for Windows in Wine, and twenty mutants. The processor time is printed at the end.
set -eu
cd "$(dirname "$0")"

case ${1:-} in
"" | all) ;;
*)
	echo "usage: ./test.sh [all]" >&2
	exit 64
	;;
esac

ended() {
	echo "processor time, user and system: of this script, of all else"
	times
}

cgo=$(go env CGO_ENABLED)
. scripts/goenv.sh

echo "formatting"
unformatted=$(gofmt -s -l $(git ls-files '*.go' 2>/dev/null || find . -name '*.go'))
if [ -n "$unformatted" ]; then
	echo "gofmt -s: $unformatted" >&2
	exit 1
fi
# Many tests wait for processes, so two packages for each processor are tested at a time.
parallel=$((2 * $(getconf _NPROCESSORS_ONLN)))
test="go test -vet=off -ldflags=-w -timeout 2h -p $parallel"
if [ -z "${1:-}" ]; then
	echo "vet"
	go vet ./...
	go -C tools vet ./...
	echo "tests, short"
	$test -short ./...
	(cd tools && $test -short ./...)
	ended
	exit
fi
for os in linux darwin windows; do
	echo "vet $os"
	GOOS=$os go vet ./...
done
go -C tools vet ./...
echo "tests"
$test ./...
(cd tools && $test ./...)
if [ "$cgo" = 1 ] && command -v gcc >/dev/null; then
	echo "race detector"
	export CGO_ENABLED=1
	go test -race -short ./internal/process ./internal/state
	# of the bridge, those where it starts something beside itself: its watch, several agents, calls at once
	go test -race -short -run 'Watch|Patience|Several|Parallel|Caller|RunAsync|Transcript' ./adapter/bridge
fi
export CGO_ENABLED=0
echo "fuzz targets"
scripts/fuzz.sh "${FUZZTIME:-2s}"
echo "Windows"
if [ -f "${XDG_CACHE_HOME:-$HOME/.cache}/hookbridge-wine/ready" ]; then
	WINDOWS_LIMIT=${WINDOWS_LIMIT:-8m} scripts/windows
else
	echo "Windows: not tested, Wine isn't set up: scripts/windows does that"
fi
echo "mutants"
go run ./scripts/mutants -n 20 -least 50 # lists the survivors; so few killed would be a fault of the run itself
ended
