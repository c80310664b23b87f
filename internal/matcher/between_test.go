package matcher

import (
	"slices"
	"strings"
	"testing"
)

// TestBetween checks for every pattern that one of the names makes a matching text.
func TestBetween(t *testing.T) {
	never := func(string, bool) bool { return false }
	for _, pattern := range []string{
		"mcp__gh__do", "mcp__gh__.*", "^mcp__gh__do$", "mcp__(gh|lab)__do", "mcp__gh.*__do", "mcp__.+_prod__do",
		"mcp__gh[a-z]+__do", `mcp__gh\d__do`,
		"mcp__no__x|mcp__gh__do", "Bash|mcp__my-srv__do", "mcp__(?!no)gh__do", "mcp__grün__do", ".*gh__do",
		"gh__.*|lab__.*"} {
		m, err := Compile(Names, pattern)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(Between(pattern, "mcp__", "__", false, never), func(s string) bool {
			return m.Match("mcp__" + s + "__do")
		}) {
			t.Errorf("%s: %q", pattern, Between(pattern, "mcp__", "__", false, never))
		}
	}
	for _, pattern := range []string{"mcp_gh_do", "^mcp_my_srv_do$", "my_srv_.*", "gh", "x|^mcp_(a|b)_do"} {
		m, _ := Compile(RegexpOrEqual, pattern)
		if names := Between(pattern, "mcp_", "_", true, never); !slices.ContainsFunc(names, func(s string) bool {
			return m.Match("mcp_" + s + "_do")
		}) {
			t.Errorf("%s: %q", pattern, names)
		}
	}
	if got := Between("mcp__gh__do|Bash", "mcp__", "__", false, func(s string, _ bool) bool {
		return s == "Bash"
	}); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "Bash") }) {
		t.Errorf("%q", got)
	}
	if got := Between("Bash", "mcp__", "__", false, func(_ string, behind bool) bool { return !behind }); got != nil {
		t.Errorf("%q", got)
	}
}
