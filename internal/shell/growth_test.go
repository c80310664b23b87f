package shell

import (
	"runtime"
	"strings"
	"testing"
)

// TestGrowth counts the bytes that are allocated for lines of growing length, which must
// not grow much faster than the lines.
func TestGrowth(t *testing.T) {
	for _, unit := range []string{
		"cd a;", "cd a && ", "(cd a;", "a;", "a|", "a <<E\nx\nE\n", "$(a) ", "`a` ", "'a' ", `"a" `, "a\\\n", "{ ",
		"if a; then ", "case a in ", "a=b ",
		"env ", "xargs ", "bash -c 'a' ", "bash -c \"", "find . -exec ", "eval a ", "x() {", "((", "[[ ", "<<E ",
		"# a\n", "for a in b; do ", "&", "\\"} {
		spent := func(n int) uint64 {
			line := strings.Repeat(unit, n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			Runs(line)
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if one, eight := spent(4000), spent(32000); eight > 16*one+4<<20 {
			t.Errorf("%q: %d bytes for 4,000, %d for 32,000", unit, one, eight)
		}
	}
}
