package matcher

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"
)

// newer tells what Node.js 20 refuses and later engines take: see TestNewer.
var newer = regexp.MustCompile(`\(\?[ims]*-?[ims]*:|\(\?<n>.*\(\?<n>|\(\?<m>.*\(\?<m>`)

// TestNewer holds what engines beyond Node.js 20 read, that of Claude Code among
// them (observed 2.1.328): refusing it would leave guards out.
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
		m, err := Compile(Names, tt.pattern)
		if (err != nil) != tt.invalid {
			t.Errorf("Compile(%q): %v", tt.pattern, err)
		}
		for _, s := range tt.yes {
			if !m.Match(s) {
				t.Errorf("%q does not match %q", tt.pattern, s)
			}
		}
		for _, s := range tt.no {
			if m.Match(s) {
				t.Errorf("%q matches %q", tt.pattern, s)
			}
		}
	}
}

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
		if err == nil && row.Invalid != "" && newer.MatchString(row.Pattern) {
			continue
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
			program, err := compile(row.Pattern)
			if err != nil {
				t.Fatalf("compile(%q): %v, yet Compile took it", row.Pattern, err)
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

// TestRandom compares with answers of Node.js 20 about expressions that nobody
// would write; testdata/random.mjs puts them together.
func TestRandom(t *testing.T) {
	file := os.Getenv("HOOKBRIDGE_RANDOM")
	if file == "" {
		file = "testdata/random.json"
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Pattern string
		Invalid bool
		Yes, No []string
	}
	if err := json.Unmarshal(src, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) < 500 {
		t.Fatalf("only %d expressions", len(rows))
	}
	for _, row := range rows {
		p, err := compile(row.Pattern)
		if err == nil && row.Invalid && newer.MatchString(row.Pattern) {
			continue
		}
		if (err != nil) != row.Invalid {
			t.Errorf("%q: error %v; JavaScript refuses it: %t", row.Pattern, err, row.Invalid)
		}
		if err != nil {
			continue
		}
		for i, text := range slices.Concat(row.Yes, row.No) {
			want := i < len(row.Yes)
			if got, sure := p.search(text, time.Now().Add(10*time.Second)); got != want || !sure {
				t.Errorf("%q matches %q: %t, sure %t; JavaScript says %t", row.Pattern, text, got, sure, want)
			}
		}
	}
}
