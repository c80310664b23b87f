package shell

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		`a b  c `:                {"a", "b", "c"},
		`a 'b c' "d e"f g\ h ''`: {"a", "b c", "d ef", "g h", ""},
		`A=1 b "x\"y" 'it'\''s'`: {"A=1", "b", `x"y`, "it's"},
		`\é`:                     {"é"},
		``:                       nil,
	} {
		if words, ok := Words(line); !ok || !slices.Equal(words, want) {
			t.Errorf("%s: %q, %v", line, words, ok)
		}
	}
	for _, line := range []string{"a $b", `"a $b"`, "a `b`", "a $(b)", "a; b", "a | b", "a && b", "a &", "a > b",
		"a < b", "a # b", "a *", "a ?", "a [b]", "a {b,c}",
		"a ~/b", "! a", "(a)", "{ a; }", "if a; then b; fi", "a\nb", "a \\\nb", "a 'b", `a "b`, `a\`, "a <<E\nE",
		"a $'b'"} {
		if words, ok := Words(line); ok {
			t.Errorf("%q is taken for words: %q", line, words)
		}
	}
}
