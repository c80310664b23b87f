package matcher

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func TestMayTake(t *testing.T) {
	for _, tt := range []struct {
		g       Grammar
		pattern string
		want    bool
	}{
		{Names, "", true}, {Names, "*", true}, {Names, "Edit|Write", false}, {Names, "Edit|mcp__a__x", true},
		{Names, "Edit|mcp", false},
		{Names, "^Edit", false}, {Names, "^mcp", true}, {Names, "^mcp__a__.*", true}, {Names, "^mcp$", false},
		{Names, "Edit.*", true}, {Names, "Edit$", true},
		{Names, "^Ed(it|x)", false}, {Names, "^(?:Edit|Write).*", false}, {Names, "^(?:Edit|m.*)", true},
		{Names, "^(Edit|Write)?", true}, {Names, "^(?=Edit)", true},
		{Names, "^Edit[|]x", false}, {Names, `^Edit\|mcp`, false}, {Names, "^Edit|m+", true}, {Names, "^E?dit", true},
		{Names, "^m?[a-z]", true}, {Names, "^[^m]x", true},
		{Names, "^((Edit)|(Read)).*", false}, {Names, "^Edit(x)?$|^Wr[i]te", false}, {Names, "(", false},
		{Regexp, "Write", true}, {Regexp, "^Write", false}, {RegexpOrEqual, "(", false},
	} {
		m, _ := Compile(tt.g, tt.pattern)
		if got := m.MayTake("mcp__"); got != tt.want {
			t.Errorf("%v %q: %v", tt.g, tt.pattern, got)
		}
	}
}

func TestMayTakeOf(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		want    bool
	}{
		{"mcp__hb__.*xy", true}, {"mcp__hb__", true}, {"x.*xy", true},
		{"mcp__other__", false}, {"mcp__other__.*xy", false},
	} {
		m, err := Compile(Regexp, tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.MayTakeOf("mcp__hb__read", "mcp__"); got != tt.want {
			t.Errorf("%s: %v", tt.pattern, got)
		}
	}
}

// FuzzMayTake: if it returns false, no such name matches.
func FuzzMayTake(f *testing.F) {
	for _, s := range []string{"^(?:Edit|m.*)", "^E?mcp", `^\mcp`, "^(m|E)c", "^[m]cp", "^Edit|^(?:a|(mc)p)",
		"^a\x8e|^ ", "^a|mcp__x", "mcp__[x", "^mcp__x", "E", "^E\x8e"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, pattern, rest string) {
		for _, g := range []Grammar{Names, Regexp, RegexpOrEqual, {Expression: schema.JavaScript, Fold: true},
			{Expression: schema.JavaScript, Whole: true},
			{Trim: true, Entries: true, Expression: schema.JavaScript, First: true},
			{Expression: schema.JavaScript, Servers: "mcp__"}, {Expression: schema.JavaScript, Servers: "m"},
			{Expression: schema.Linear}} {
			m, _ := Compile(g, pattern)
			if !m.MayTake("mcp__") && m.Match("mcp__"+rest) {
				t.Errorf("%v %q matches %q", g, pattern, "mcp__"+rest)
			}
		}
	})
}

func TestUnion(t *testing.T) {
	for _, tt := range []struct {
		names        []string
		search, want string
	}{{nil, "", ""}, {[]string{"A"}, "", "^(?:A)$"}, {nil, "B.*", "B.*"},
		{[]string{"A", Escape("a.b")}, "B.*", `^(?:A|a\.b)$|B.*`}} {
		if got := Union(tt.names, tt.search); got != tt.want {
			t.Errorf("%q %q: %q", tt.names, tt.search, got)
		}
	}
}

func TestBegins(t *testing.T) {
	for pattern, want := range map[string]bool{"mcp__a__.*|mcp__b__.*": true, "^mcp__": true, "mcp__(a|b)__.*": true,
		"^(?:mcp__a|mcp__b).*": true, "(mcp__a)?": false,
		"mcp__a|Bash": false, "": false, "mcp_": false, ".*mcp__": false, "(?=mcp__)": false, "mcp__|": false,
		"mcp__?": false} {
		if Begins(pattern, "mcp__") != want {
			t.Errorf("%q: %v", pattern, !want)
		}
	}
}

// TestLiteralHead: the text before the first operator, without what the operator makes optional.
func TestLiteralHead(t *testing.T) {
	for s, want := range map[string]string{"": "", "a": "a", "ab c-d_e:f1": "ab c-d_e:f1", "ab?": "a", "ab*": "a",
		"ab{2}": "a",
		"ab+":   "ab", "ab.": "ab", "?": "", "*": "", "{": "", "a|b": "a", `a\d`: "a", "ab(c)": "ab", "ä": ""} {
		if got := literalHead(s); got != want {
			t.Errorf("%q begins with %q, want %q", s, got, want)
		}
	}
}
