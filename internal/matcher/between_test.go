package matcher

import (
	"slices"
	"strings"
	"testing"
)

// TestBetween holds that for every pattern one of the names makes a text that it
// matches.
func TestBetween(t *testing.T) {
	never := func(string) bool { return false }
	for _, pattern := range []string{
		"mcp__gh__do", "mcp__gh__.*", "^mcp__gh__do$", "mcp__(gh|lab)__do", "mcp__gh.*__do", "mcp__.+_prod__do", "mcp__gh[a-z]+__do", `mcp__gh\d__do`,
		"mcp__no__x|mcp__gh__do", "Bash|mcp__my-srv__do", "mcp__(?!no)gh__do", "mcp__grün__do",
	} {
		m, err := Compile(Names, pattern)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(Between(pattern, "mcp__", "__", never), func(s string) bool { return m.Match("mcp__" + s + "__do") }) {
			t.Errorf("%s: %q", pattern, Between(pattern, "mcp__", "__", never))
		}
	}
	if got := Between("mcp__gh__do|Bash", "mcp__", "__", func(s string) bool { return s == "Bash" }); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "Bash") }) {
		t.Errorf("%q", got)
	}
	if got := Between("Bash", "mcp__", "__", never); got != nil {
		t.Errorf("%q", got)
	}
}
