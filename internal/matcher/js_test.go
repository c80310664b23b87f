package matcher

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// TestJavaScript compares with answers of Node.js 20; testdata/js.mjs writes them.
func TestJavaScript(t *testing.T) {
	src, err := os.ReadFile("testdata/js.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Targets []string
		Table   []struct {
			Pattern string
			Invalid string
			Matches []string
		}
	}
	if err := json.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Table) < 200 {
		t.Fatalf("only %d patterns", len(doc.Table))
	}
	for _, row := range doc.Table {
		m, err := Compile(Regexp, row.Pattern)
		if row.Pattern == "*" || row.Pattern == "" {
			t.Fatalf("pattern %q is no regular expression in any grammar", row.Pattern)
		}
		if (err != nil) != (row.Invalid != "") {
			t.Errorf("Compile(%q): error %v; JavaScript says %q", row.Pattern, err, row.Invalid)
			continue
		}
		for _, target := range doc.Targets {
			want := slices.Contains(row.Matches, target)
			if got := m.Match(target); got != want {
				t.Errorf("%q matches %q: %t; JavaScript says %t", row.Pattern, target, got, want)
			}
			if err != nil {
				continue
			}
			// The short cuts must agree with the engine they avoid.
			program, err := translate(row.Pattern)
			if err != nil {
				t.Fatalf("translate(%q): %v, yet Compile took it", row.Pattern, err)
			}
			e := &Matcher{kind: engine, program: program, limit: timeLimit}
			if got := e.Match(target); got != want {
				t.Errorf("%q by the engine matches %q: %t; JavaScript says %t", row.Pattern, target, got, want)
			}
		}
		if m.TimedOut() {
			t.Errorf("%q: gave up", row.Pattern)
		}
	}
}
