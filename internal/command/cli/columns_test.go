package cli

import (
	"slices"
	"testing"
)

// TestWrapped checks that no word and no quoted part of a command is broken, and that blanks inside a line stay.
func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want []string
	}{
		{"", 10, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"  a   b\nc", 20, []string{"a   b c"}},
		{"incomprehensible word", 5, []string{"incomprehensible", "word"}},
		{"ends at the edge", 11, []string{"ends at the", "edge"}},
	} {
		if got := Wrapped(c.text, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q", c.text, got)
		}
	}
	for _, c := range []struct {
		text string
		most int
		want []string
	}{
		{"hookbridge doctor", 17, []string{"hookbridge doctor"}},
		{"fix: hookbridge install --host cursor", 22, []string{`fix: hookbridge \`, `  install --host \`, "  cursor"}},
		{"fix: hookbridge x 'a b c d e f g h i'", 20, []string{`fix: hookbridge x \`, "  'a b c d e f g h i'"}},
	} {
		if got := wrappedCommand(c.text, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}
