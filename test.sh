#!/bin/sh
# Formatting, vet on every system that is supported, tests, the race detector
# where goroutines are; the fuzz targets run their seeds.
set -eu
cd "$(dirname "$0")"
export GOFLAGS=-mod=readonly

unformatted=$(gofmt -s -l $(git ls-files '*.go' 2>/dev/null || find . -name '*.go'))
if [ -n "$unformatted" ]; then
	echo "gofmt -s: $unformatted" >&2
	exit 1
fi
for os in linux darwin windows; do
	echo "vet $os"
	GOOS=$os go vet ./...
done
# Most tests wait for processes, so two packages for each processor are tested at a time.
go test -p $((2 * $(getconf _NPROCESSORS_ONLN))) ./...
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v gcc >/dev/null; then
	go test -race -short ./internal/process ./internal/state ./adapter/bridge
fi
# Each fuzz target for a while: FUZZTIME=60s ./test.sh
if [ -n "${FUZZTIME:-}" ]; then
	for dir in $(grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do
		for f in $(grep -rhoE '^func Fuzz[A-Za-z0-9]+' "$dir"/*_test.go | sed 's/func //'); do
			go test "$dir" -run '^$' -fuzz "^$f\$" -fuzztime "$FUZZTIME" -fuzzminimizetime 5x
		done
	done
fi
