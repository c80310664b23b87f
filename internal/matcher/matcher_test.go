package matcher

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/internal/jsregexp"
	"github.com/hookbridge/hookbridge/schema"
)

// The grammars of several agents.
var (
	Names           = Grammar{All: "*", Names: "_|-, ", Expression: schema.JavaScript}
	NamesOnly       = Grammar{All: "*", Names: "_|", Expression: schema.JavaScript}
	Regexp          = Anywhere
	RegexpOrEqual   = Grammar{Trim: true, All: "*", Expression: schema.JavaScript, Equal: true}
	Values          = Grammar{Trim: true, All: "*", Values: true, Expression: schema.JavaScript, Equal: true}
	Exact           = Grammar{Trim: true, All: "*"}
	NamesOrLinear   = Grammar{All: "*", Names: "_|", Expression: schema.Linear}
	Anchored        = Grammar{Expression: schema.JavaScript, Whole: true}
	NamesOrAnchored = Grammar{Trim: true, All: "* **", Names: "_|", Expression: schema.JavaScript, Whole: true,
		First: true}
	Aliases = Grammar{Trim: true, All: "* .*", Entries: true, Expression: schema.JavaScript, First: true}
	Search  = Grammar{Expression: schema.JavaScript}
	Servers = Grammar{All: ".*", Expression: schema.JavaScript, Servers: "mcp:"}
)

// The rows for Names and Bash are observations of Claude Code 2.1.328.
func TestMatch(t *testing.T) {
	long := "(?:(?:a{1000}){1000}){1000}"
	tests := []struct {
		g        Grammar
		pattern  string
		yes, no  string // names, separated by blanks unless quoted below
		wantFail bool
	}{
		{g: Names, pattern: "", yes: "Bash Write x"},
		{g: Names, pattern: "*", yes: "Bash Write x"},
		{g: Names, pattern: "Bash|Write", yes: "Bash Write", no: "bash Bas TodoWrite BashWrite"},
		{g: Names, pattern: "Bash, Write", yes: "Bash Write"},
		{g: Names, pattern: " Bash ", yes: "Bash"},
		{g: Names, pattern: "|Bash", yes: "Bash", no: "Write"},
		{g: Names, pattern: "Bash,", yes: "Bash", no: "Write"},
		{g: Names, pattern: "bash", no: "Bash"},
		{g: Names, pattern: "Ba", no: "Bash"},
		{g: Names, pattern: "Bash Write", no: "Bash Write"},
		{g: Names, pattern: "any", no: "Bash"},
		{g: Names, pattern: "Shell", no: "Bash"},
		{g: Names, pattern: "|", no: "Bash"},
		{g: Names, pattern: "my-tool", yes: "my-tool", no: "my-tools"},
		{g: Names, pattern: "mcp__srv", yes: "mcp__srv", no: "mcp__srv__tool"},
		{g: Names, pattern: "^Ba", yes: "Bash"},
		{g: Names, pattern: "B.*", yes: "Bash"},
		{g: Names, pattern: "B*", yes: "Bash Write"},
		{g: Names, pattern: "(?!Write)Bash", yes: "Bash"},
		{g: Names, pattern: "(?<x>Ba)sh", yes: "Bash"},
		{g: Names, pattern: `\bBash\b`, yes: "Bash", no: "BashOutput"},
		{g: Names, pattern: "(Bash)", yes: "Bash"},
		{g: Names, pattern: "Bash|*", no: "Bash", wantFail: true},
		{g: Names, pattern: "[", no: "Bash [", wantFail: true},
		{g: Names, pattern: "**", no: "Bash **", wantFail: true},
		{g: Names, pattern: "(?i)bash", no: "Bash bash", wantFail: true},
		{g: Names, pattern: "Bash(echo *)", no: "Bash"},
		{g: Names, pattern: "mcp__*", yes: "mcp__srv__tool"},
		{g: Names, pattern: "MCP:tool", no: "mcp__srv__tool"},
		{g: Names, pattern: "^Task$", yes: "Task", no: "Agent TaskOutput"},
		{g: Names, pattern: "mcp__memory__.*", yes: "mcp__memory__get", no: "mcp__mem"},

		{g: NamesOnly, pattern: "envrc|lock", yes: "envrc lock", no: ".envrc"},
		{g: NamesOnly, pattern: "rate-limit", yes: "rate-limit rate-limits"},
		{g: NamesOnly, pattern: ".envrc|.env", yes: ".envrc .env xenv", no: "env"},
		{g: NamesOnly, pattern: `\.env`, yes: ".env .envrc", no: "xenv"},

		{g: Regexp, pattern: "", yes: "Shell"},
		{g: Regexp, pattern: "*", yes: "Shell"},
		{g: Regexp, pattern: "Write", yes: "Write TodoWrite", no: "write"},
		{g: Regexp, pattern: "MCP:do_it", yes: "MCP:do_it MCP:do_it_all"},
		{g: Regexp, pattern: "Shell|", yes: "Shell Write"},
		{g: Regexp, pattern: "^(?:Edit|Write)$", yes: "Edit Write", no: "TodoWrite"},
		{g: Regexp, pattern: "^(?!MCP:)", yes: "Shell", no: "MCP:do_it"},
		{g: Regexp, pattern: "[", no: "[", wantFail: true},
		{g: Regexp, pattern: " Shell ", no: "Shell"},

		{g: RegexpOrEqual, pattern: " * ", yes: "Bash"},
		{g: RegexpOrEqual, pattern: "  ", yes: "Bash"},
		{g: RegexpOrEqual, pattern: " Bash ", yes: "Bash BashOutput"},
		{g: RegexpOrEqual, pattern: "\ufeffBash\u2028", yes: "Bash BashOutput"},
		{g: RegexpOrEqual, pattern: "Bash\u0085", no: "Bash"},
		{g: RegexpOrEqual, pattern: "ash", yes: "Bash"},
		{g: RegexpOrEqual, pattern: "Read|Bash|", yes: "Bash Write"},
		{g: RegexpOrEqual, pattern: "Bash, Edit", no: "Bash Edit"},
		{g: RegexpOrEqual, pattern: "Edit", yes: "Edit NotebookEdit"},
		{g: RegexpOrEqual, pattern: "(?i)bash", yes: "(?i)bash", no: "Bash bash", wantFail: true},
		{g: RegexpOrEqual, pattern: "**", yes: "**", no: "Bash", wantFail: true},

		{g: Values, pattern: "startup", yes: "startup", no: "startups"},
		{g: Values, pattern: "startup|resume", yes: "startup resume", no: "start"},
		{g: Values, pattern: "^start", yes: "startup", no: "restart"},
		{g: Values, pattern: "start.*|clear", yes: "restart clear", no: "resume"},
		{g: Values, pattern: "a-b", yes: "a-b", no: "a-bc"},
		{g: Values, pattern: "[", yes: "[", no: "x", wantFail: true},

		{g: Exact, pattern: "startup", yes: "startup", no: "startups"},
		{g: Exact, pattern: " startup ", yes: "startup", no: "resume"},
		{g: Exact, pattern: "startup|resume", yes: "startup|resume", no: "startup resume"},
		{g: Exact, pattern: "*", yes: "startup resume"},

		{g: NamesOrLinear, pattern: " Bash ", no: "Bash"}, // observed: Codex 0.169.0, Grok Build 1.0.41
		{g: NamesOrLinear, pattern: " ", no: "Bash"},
		{g: NamesOrLinear, pattern: "Bash, Edit", no: "Bash Edit"},

		{g: Servers, pattern: "", yes: "view mcp:echo_hb"},
		{g: Servers, pattern: ".*", yes: "view mcp:echo_hb"},
		{g: Servers, pattern: "*", no: "view mcp:echo_hb", wantFail: true},
		{g: Servers, pattern: ".+", yes: "view", no: "mcp:echo_hb"},
		{g: Servers, pattern: "view|echo", yes: "view preview", no: "mcp:echo_hb"},
		{g: Servers, pattern: "mcp:*", yes: "mcp:echo_hb", no: "view"},
		{g: Servers, pattern: "mcp:echo", yes: "mcp:echo_hb mcp:xecho", no: "view echo mcp:hb"},

		{g: Regexp, pattern: long, no: "x"},
	}
	for _, tt := range tests {
		m, err := Compile(tt.g, tt.pattern)
		if (err != nil) != tt.wantFail {
			t.Errorf("Compile(%v, %q): error %v, want one: %t", tt.g, tt.pattern, err, tt.wantFail)
		}
		for _, name := range strings.Fields(tt.yes) {
			if !m.Match(name) {
				t.Errorf("grammar %v: %q does not match %q", tt.g, tt.pattern, name)
			}
		}
		for _, name := range strings.Fields(tt.no) {
			if m.Match(name) {
				t.Errorf("grammar %v: %q matches %q", tt.g, tt.pattern, name)
			}
		}
		if !m.Match() {
			t.Errorf("grammar %v: %q does not match an event without a target", tt.g, tt.pattern)
		}
		if m.TimedOut() {
			t.Errorf("grammar %v: %q gave up", tt.g, tt.pattern)
		}
	}
	deep, err := Compile(Names, strings.Repeat("(", 300)+strings.Repeat(")", 300))
	if err == nil || !deep.Match("x") || !deep.TimedOut() {
		t.Errorf("a pattern too deep to be read must match and say so: %v", err)
	}
	if m, _ := Compile(Names, "Bash Write"); !m.Match("x", "Bash Write") || m.Match("Bash", "Write") {
		t.Error("a member with a blank inside is one name")
	}
}

// TestNamesOrAnchored: only a list of plain names is compared with every name of the target (observed Copilot 1.0.102).
func TestNamesOrAnchored(t *testing.T) {
	for pattern, want := range map[string]bool{"bash": true, "view|bash": true, "bash|mcp_x": true,
		"create|bash|": true,
		"bash|hb-echo": false, "Bash|hb-echo": true, "view|bash|hb.echo": false, " bash | view ": false, " Bash": true,
		"\t": true, " .* ": true, "* ": true, " x": false} {
		m, err := Compile(NamesOrAnchored, pattern)
		if err != nil || m.Match("Bash", "bash") != want {
			t.Errorf("%q: %v, %v", pattern, !want, err)
		}
	}
}

func TestCompileError(t *testing.T) {
	tests := []struct {
		g             Grammar
		pattern, want string
	}{
		{Names, "Bash|*", `matcher "Bash|*" is not a JavaScript regular expression: * has nothing to repeat at ` +
			`character 6, so it never matches`},
		{Names, "(?i)bash", `matcher "(?i)bash" is not a JavaScript regular expression: JavaScript has no group (?i ` +
			`at character 1, so it never matches`},
		{RegexpOrEqual, "[", `matcher "[" is not a JavaScript regular expression: a [ without a ] at character 1, ` +
			`so it is compared as plain text`},
		{Regexp, "a{2,1}", `matcher "a{2,1}" is not a JavaScript regular expression: { } has its numbers out of ` +
			`order at character 2, so it never matches`},
	}
	for _, tt := range tests {
		_, err := Compile(tt.g, tt.pattern)
		if err == nil || err.Error() != tt.want {
			t.Errorf("Compile(%v, %q):\n%v\nwant\n%s", tt.g, tt.pattern, err, tt.want)
		}
	}
}

func TestShape(t *testing.T) {
	tests := []struct {
		g               Grammar
		pattern         string
		all             bool
		plain, contains []string
	}{
		{g: Names, pattern: "*", all: true},
		{g: Names, pattern: " Edit |, Write", plain: []string{"Edit", "Write"}},
		{g: Names, pattern: "^(?:Edit|Write)$", plain: []string{"Edit", "Write"}},
		{g: Names, pattern: "^Edit$|^Write$", plain: []string{"Edit", "Write"}},
		{g: Names, pattern: "^Edit"},
		{g: Names, pattern: ".*", all: true},
		{g: Regexp, pattern: "Edit|Write", contains: []string{"Edit", "Write"}},
		{g: Regexp, pattern: "^MCP:.*"},
		{g: Regexp, pattern: `^\.env$`, plain: []string{".env"}},
		{g: Regexp, pattern: "Edit|", all: true},
		{g: Regexp, pattern: "(Edit)"},
		{g: Regexp, pattern: "["},
		{g: RegexpOrEqual, pattern: "[", plain: []string{"["}},
		{g: Values, pattern: "a|b", plain: []string{"a", "b"}},
	}
	for _, tt := range tests {
		m, _ := Compile(tt.g, tt.pattern)
		if m.All() != tt.all {
			t.Errorf("%q: All = %t", tt.pattern, m.All())
		}
		plain, ok := m.Plain()
		if ok != (tt.plain != nil) || !cmp.Equal(plain, tt.plain) {
			t.Errorf("%q: Plain = %q, %t", tt.pattern, plain, ok)
		}
		contains, ok := m.Contains()
		if ok != (tt.contains != nil) || !cmp.Equal(contains, tt.contains) {
			t.Errorf("%q: Contains = %q, %t", tt.pattern, contains, ok)
		}
	}
}

// A guard whose pattern is slow must run.
func TestTimeLimit(t *testing.T) {
	m, err := Compile(Names, `^(?:(\w+)\1?)+$`)
	if err != nil {
		t.Fatal(err)
	}
	m.limit = 50 * time.Millisecond
	start := time.Now()
	if !m.Match(strings.Repeat("a", 64)+"!", "b") {
		t.Error("a slow pattern does not match")
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("the limit took %v", d)
	}
	if !m.TimedOut() {
		t.Error("TimedOut does not say so")
	}
}

func TestConcurrent(t *testing.T) {
	m, err := Compile(Names, `^(?!Write)\w+$`)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if !m.Match("Bash") || m.Match("Write") {
				t.Error("wrong answer")
			}
		})
	}
	wg.Wait()
}

func TestPlainPathAllocs(t *testing.T) {
	for _, pattern := range []string{"Bash", "Edit|Write|Bash", "*", "", "^(?:Edit|Bash)$", "mcp__.*|Ba"} {
		m, err := Compile(Names, pattern)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { m.Match("Bash", "Shell") }); n != 0 {
			t.Errorf("%q: %v allocations", pattern, n)
		}
	}
}

func BenchmarkMatchPlain(b *testing.B) {
	m, err := Compile(Names, "Edit|Write|Bash")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Match("Bash", "Shell")
	}
}

func BenchmarkCompilePlain(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Compile(Names, "Edit|Write|Bash")
	}
}

func BenchmarkCompileAndSearch(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		m, _ := Compile(Names, `^(?!mcp__)\w+$`)
		m.Match("Bash")
	}
}

// TestShortcuts: the shortcuts for plain words agree with the engine that they avoid.
func TestShortcuts(t *testing.T) {
	src, err := os.ReadFile("../jsregexp/testdata/js.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Targets []string
		Table   []struct{ Pattern string }
	}
	if err := json.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	for _, row := range doc.Table {
		m, err := Compile(Regexp, row.Pattern)
		program, invalid := jsregexp.Compile(row.Pattern)
		if (err != nil) != (invalid != nil) {
			t.Errorf("Compile(%q): %v; the engine says %v", row.Pattern, err, invalid)
		}
		if err != nil || invalid != nil {
			continue
		}
		e := &Matcher{kind: engine, program: program, limit: timeLimit}
		for _, target := range doc.Targets {
			if got := m.Match(target); got != e.Match(target) {
				t.Errorf("%q matches %q: %t, unlike the engine", row.Pattern, target, got)
			}
		}
	}
}

// TestNoGrammar checks that a matcher without a grammar always matches.
func TestNoGrammar(t *testing.T) {
	m, err := Compile(Grammar{}, "Bash")
	if err == nil || !m.Unread() || !m.Match("Write") {
		t.Errorf("%v, unread %v", err, m.Unread())
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"", "*", "Bash|Write", "a, b", "(?<n>a)\\k<n>", "[\\d-z]", "\\cA\\u0041", "a{,2}",
		"😀[😀]", "(?i)x", "^(?:a|b)$", ".*a|b$"} {
		f.Add(s, "Bash")
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 200 || len(name) > 100 {
			return
		}
		for _, g := range []Grammar{Names, NamesOnly, Regexp, RegexpOrEqual, Values, Exact, NamesOrLinear, Anchored,
			NamesOrAnchored, Aliases, Search, Servers} {
			m, err := Compile(g, pattern)
			m.limit = 20 * time.Millisecond
			if g == Names && isPlain(pattern, "_|-, ") {
				if _, plain := m.Plain(); err != nil || !plain && !m.All() {
					t.Errorf("%q is plain, yet: %v", pattern, err)
				}
			}
			got := m.Match(name)
			if m.All() && !got {
				t.Errorf("%q matches everything but %q", pattern, name)
			}
		}
		if _, ok := literals(pattern); !ok {
			return
		}
		m, err := Compile(Regexp, pattern)
		if err != nil {
			t.Fatalf("%q is made of literals, yet: %v", pattern, err)
		}
		program, err := jsregexp.Compile(pattern)
		if pattern == "*" || err != nil {
			t.Fatalf("%q is made of literals, yet: %v", pattern, err)
		}
		e := &Matcher{kind: engine, program: program, limit: timeLimit}
		if strings.ToValidUTF8(name, "") == name && e.Match(name) != m.Match(name) {
			t.Errorf("%q and %q: %t by words, not by the engine", pattern, name, m.Match(name))
		}
	})
}

// TestPatience checks that slow expressions together take no longer than two of them, and that skipped ones count as
// matches.
func TestPatience(t *testing.T) {
	var p Patience
	name := strings.Repeat("a", 60) + "!"
	p.spent = 2*timeLimit - 50*time.Millisecond
	for i := range 20 {
		m, err := Compile(Regexp, "^.*(a+)+b"+strconv.Itoa(i))
		if err != nil || !p.Match(m, name) || !m.TimedOut() {
			t.Errorf("%d: %v, timed out %v", i, err, m.TimedOut())
		}
	}
	if p.spent > 3*timeLimit {
		t.Errorf("took %v", p.spent)
	}
	if m, _ := Compile(Names, "Write"); p.Match(m, "Read") || !p.Match(m, "Write") {
		t.Error("a plain name needs no patience")
	}
}

// TestLong checks that an expression that is too long to read matches every name.
func TestLong(t *testing.T) {
	long := strings.Repeat("x.*y|", maxPattern/5) + "z.*"
	for _, g := range []Grammar{Names, NamesOrLinear, Regexp, RegexpOrEqual, Anchored} {
		m, err := Compile(g, long)
		if err == nil || !m.Unread() || !m.Match("Bash") || len(err.Error()) > 1000 {
			t.Errorf("%v: unread %v, %.100v", g, m.Unread(), err)
		}
	}
}
