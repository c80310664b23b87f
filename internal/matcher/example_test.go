package matcher

import (
	"slices"
	"strings"
	"testing"
)

func TestExamples(t *testing.T) {
	for pattern, want := range map[string]string{
		"mcp__(github|linear)__.*(write|create).*": "mcp__github__write mcp__github__create mcp__linear__write " +
			"mcp__linear__create",
		"Bash|mcp__memory__.*":               "Bash mcp__memory__",
		"^(?:mcp__a__b|c)$":                  "mcp__a__b c",
		`mcp__[a-z]+__\w+`:                   "mcp__a__x",
		`mcp__x\.y__(get)_?[^a]{1,3}\d`:      "mcp__x.y__getx1",
		"a(?!b).b?c*?":                       "a_",
		"(a|b)(c|d)(e|f)":                    "ace acf ade adf",
		strings.Repeat("(a|b)", 99) + "{2,3": "",
	} {
		got := Examples(pattern, "")
		if want != "" && strings.Join(got, " ") != want {
			t.Errorf("Examples(%q) = %q, want %q", pattern, got, want)
		}
		for _, text := range got {
			if m, err := Compile(Anywhere, pattern); want != "" && (err != nil || !m.Match(text)) {
				t.Errorf("%q doesn't match its example %q (%v)", pattern, text, err)
			}
		}
	}
	for _, broken := range []string{"a)b", "", "[", `\`, "(", "|", "(|)"} {
		if got := strings.Join(Examples(broken, ""), ""); got != "" {
			t.Errorf("Examples(%q) = %q", broken, got)
		}
	}
	if got := Examples("mcp__.*__delete_.*", "any"); !slices.Equal(got, []string{"mcp__any__delete_any"}) {
		t.Error(got)
	}
}
