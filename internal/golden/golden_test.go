package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A failing is a test that records whether it failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Failed() bool          { return f.failed }
func (f *failing) Errorf(string, ...any) { f.failed = true }

const twoParts = "== a\n1\n== b\n2\n"

// TestCompare checks when each comparison fails, and that it passes after -update.
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	var sums Digests
	fmt.Fprint(sums.Of("a"), "some text")
	for about, tt := range map[string]struct {
		compare   func(testing.TB)
		has       string
		different bool
	}{
		"the same":               {func(t testing.TB) { File(t, file, "a\n") }, "a\n", false},
		"another text":           {func(t testing.TB) { File(t, file, "a\n") }, "b\n", true},
		"the same lines":         {func(t testing.TB) { Lines(t, file, "a\nb\n") }, "a\nb\n", false},
		"another line":           {func(t testing.TB) { Lines(t, file, "a\nb\n") }, "a\nc\n", true},
		"a line once more":       {func(t testing.TB) { Lines(t, file, "a\na\n") }, "a\nb\n", true},
		"the same parts":         {func(t testing.TB) { Parts(t, file, twoParts) }, twoParts, false},
		"a part with other text": {func(t testing.TB) { Parts(t, file, twoParts) }, "== a\n1\n== b\n3\n", true},
		"another sum":            {func(t testing.TB) { sums.Compare(t, file) }, "a 0000000000000000\n", true},
	} {
		if err := os.WriteFile(file, []byte(tt.has), 0o644); err != nil {
			t.Fatal(err)
		}
		f := failing{TB: t}
		if tt.compare(&f); f.failed != tt.different {
			t.Errorf("%s: failed %v", about, f.failed)
		}

		was := *Update
		*Update = true
		tt.compare(t)
		*Update = was
		if !was {
			tt.compare(t)
		}
	}
}
