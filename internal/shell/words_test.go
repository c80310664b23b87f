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
	for _, line := range []string{"a $b", `"a $b"`, "a `b`", "a $(b)", "a; b", "a | b", "a && b", "a &", "a > b", "a < b", "a # b", "a *", "a ?", "a [b]", "a {b,c}",
		"a ~/b", "! a", "(a)", "{ a; }", "if a; then b; fi", "a\nb", "a \\\nb", "a 'b", `a "b`, `a\`, "a <<E\nE", "a $'b'"} {
		if words, ok := Words(line); ok {
			t.Errorf("%q is taken for words: %q", line, words)
		}
	}
}

func TestSpellings(t *testing.T) {
	for line, want := range map[string]string{
		`sh ./a.sh`:                          "a.sh",
		`"$DIR/x y.sh"`:                      "x y.sh",
		`bash -c 'cat lib/a.sh | sh'`:        "lib/a.sh",
		`x=$(cat name); sh $x`:               "name",
		`node "${ROOT}"/b.js`:                "b.js",
		`a >log.txt`:                         "a",
		`[[ a =~ (x|y) ]] && . @(c|d)/"e f"`: "e f", // not read by Parse
	} {
		if names := Spellings(line); !slices.Contains(names, want) || slices.Contains(names, "log.txt") {
			t.Errorf("%s: %q", line, names)
		}
	}
}
