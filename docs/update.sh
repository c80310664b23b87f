#!/bin/sh
# Writes everything that is generated: the vectors that follow from tables, the layout of the suite and of its proofs, the
# digests and tables of what the deciding packages do, the JSON Schemas of the dialects, the tables of the pages, the tour
# and the guides (their commands are run), the manual page and the examples' vectors. The tests hold what this writes.
# Every generator runs; what failed is listed at the end.
set -eu
cd "$(dirname "$0")/.."
. scripts/goenv.sh
failed=''
write() {
	what=$1
	shift
	go test -short -count=1 -vet=off -ldflags=-w "$@" -update || failed="$failed $what"
}
dialects=$(grep -l '^func TestSchemas' ./*/*_test.go | xargs -n 1 dirname | sort -u)
write vectors ./conformance -run 'Test(Generated|LaidOut|EveryTool|Embedded|ProofLaidOut|Declared)$'
# shellcheck disable=SC2086 # one word a dialect
write digests ./adapter/bridge ./adapter/plan ./adapter/install ./adapter/simulate ./adapter \
	-run 'Test(Runs|Sessions|Ways|Fits|Translations|Patiences|UndoneEdits|Outcomes|Features|Lifecycles|Tasks|DrawnTasks|'\
'Played|Plays|Applied|OddDocuments|Grammars)$'
write schemas $dialects -run TestSchemas
write packed ./schema -run TestPacked
write pages ./cmd/hookbridge -run 'Test(Readme|Reference|Guides|Pages|ManPage|ExampleVectors)'
git --no-pager diff --stat
if [ -n "$failed" ]; then
	echo "docs/update.sh: failed:$failed" >&2
	exit 1
fi
