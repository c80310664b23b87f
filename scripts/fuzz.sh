#!/bin/sh
# Every fuzz target for a while, one after another, with a table of what came of it:
#   scripts/fuzz.sh [TIME [PATTERN]]      (60s, all)
set -u
cd "$(dirname "$0")/.."
time=${1:-60s}
pattern=${2:-.}
failed=0
echo "| package | target | executions | result |"
echo "|---|---|---|---|"
for dir in $(grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do
	for f in $(grep -rhoE '^func Fuzz[A-Za-z0-9]+' "$dir"/*_test.go | sed 's/func //' | sort); do
		echo "$dir $f" | grep -qE "$pattern" || continue
		out=$(go test "$dir" -run '^$' -fuzz "^$f\$" -fuzztime "$time" -fuzzminimizetime 5x -parallel 2 2>&1)
		result=$([ $? = 0 ] && echo pass || echo FAIL)
		execs=$(printf '%s\n' "$out" | grep -oE 'execs: [0-9]+' | tail -1 | cut -d' ' -f2)
		echo "| ${dir#./} | $f | ${execs:-0} | $result |"
		if [ "$result" = FAIL ]; then
			failed=1
			printf '%s\n' "$out" | tail -30 >&2
		fi
	done
done
exit $failed
