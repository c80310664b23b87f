package qoder

import (
	"strings"
	"testing"
)

// TestQuoted checks how the client rewrites a text that isn't YAML (the function of the package 1.1.52, run with these
// texts). Each line keeps its place: empty ones replace those of a block.
func TestQuoted(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"description: a: b\nhooks:\n  Stop:\n  - type: command",
			"description: \"a: b\"\nhooks:\n  Stop:\n  - type: command"},
		{"description: @x\nkey: 'a' b",
			"description: \"@x\"\nkey: \"'a' b\""},
		{"a: |\n  one: 1\n\n  two\nb: c",
			"a: \"one: 1  two\"\nb: c"},
		{"a: >-\n  # no\n  x",
			"a: \"\"\n  # no\n  x"},
		{"a: |2\n\n b: \"c\"\n\td: *e",
			"a: \"b: \\\"c\\\" d: *e\""},
		{"- type: a: b\n  command: \"x\" # y",
			"- type: \"a: b\"\n  command: \"\\\"x\\\" # y\""},
		{"\"a: b\": c: d\n# e: f: g",
			"\"a: b\": \"c: d\"\n# e: f: g"},
		{"a: [b: c]\nb: 'd: e'\nc: f:",
			"a: \"[b: c]\"\nb: 'd: e'\nc: \"f:\""},
		{"a:\tb: c\t\td \r\nb: \"\\\"",
			"a: \"b: c    d\"\nb: \"\\\""},
		{"a: x\ny #z\n: |\n  b\nc: |\n  d",
			"a: x\ny #z\nc: \"b d\""},
	} {
		got := string(quoted([]byte(tt.text)))
		if strings.Count(got, "\n") != strings.Count(tt.text, "\n") {
			t.Errorf("%q: another number of lines: %q", tt.text, got)
		}
		if lines(got) != lines(tt.want) {
			t.Errorf("%q\n became %q\n    want %q", tt.text, got, tt.want)
		}
	}
}

// lines returns the lines that aren't empty.
func lines(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "\n")
}

// TestBrokenFrontMatter checks that a sub-agent's hooks count even if its description isn't YAML.
func TestBrokenFrontMatter(t *testing.T) {
	const hooks = "hooks:\n  Stop:\n  - hooks:\n    - type: command\n      command: x\n"
	for _, head := range []string{"description: helps: a lot\n", "description: @you\n",
		"a: |\n  b\n\n  c\nd: e: f\n"} {
		md := "---\nname: a\n" + head + hooks + "---\nHelp.\n"
		got, found, err := frontMatter.JSON([]byte(md), "hooks")
		want := strings.Count(md[:strings.Index(md, "Stop:")], "\n")
		before, _, named := strings.Cut(string(got), "Stop")
		if err != nil || !found || !named || strings.Count(before, "\n") != want {
			t.Errorf("%q: %q, %v, %v", md, got, found, err)
		}
	}
}
