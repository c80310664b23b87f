#!/bin/sh
# Every fuzz target for a while, one after another, with a table of what came of it:
#   scripts/fuzz.sh [TIME [PATTERN]]      (60s, all)
# An input that fails is kept below the package's testdata/fuzz, where each test run tries it again.
set -u
cd "$(dirname "$0")/.."
root=$(pwd)
time=${1:-60s}
pattern=${2:-.}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
echo "| package | target | executions | result |"
echo "|---|---|---|---|"
for dir in $(grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do
	targets=$(grep -rhoE '^func Fuzz[A-Za-z0-9]+' "$dir"/*_test.go | sed "s|func |$dir |" | sort | grep -E "$pattern")
	[ -n "$targets" ] || continue
	if ! go test -c -fuzz . -o "$tmp/fuzz.test" "$dir"; then # one program for all targets of the package
		failed=1
		continue
	fi
	for f in $(printf '%s\n' "$targets" | cut -d' ' -f2); do
		out=$(cd "$dir" && "$tmp/fuzz.test" -test.run '^$' -test.fuzz "^$f\$" -test.fuzztime "$time" \
			-test.fuzzminimizetime 5x -test.parallel 1 -test.fuzzcachedir "$tmp/cache" 2>&1)
		result=$([ $? = 0 ] && echo pass || echo FAIL)
		# go test fails where a worker is slow at the end of the time, without any input
		if [ "$result" = FAIL ] && printf '%s\n' "$out" | grep -q 'context deadline exceeded' &&
			! printf '%s\n' "$out" | grep -q -e 'Failing input' -e 'panic'; then
			result=pass
		fi
		execs=$(printf '%s\n' "$out" | grep -oE 'execs: [0-9]+' | tail -1 | cut -d' ' -f2)
		echo "| ${dir#./} | $f | ${execs:-0} | $result |"
		if [ "$result" = FAIL ]; then
			failed=1
			printf '%s\n' "$out" | tail -30 >&2
		fi
	done
done
cd "$root" && exit $failed
