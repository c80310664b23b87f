package adapter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hookbridge/hookbridge/schema"
)

func TestDiff(t *testing.T) {
	tests := []struct {
		name, old, new string
		want           schema.TextEdit
	}{
		{"one line", "a\nb\nc\n", "a\nB\nc\n", schema.TextEdit{Old: "b", New: "B"}},
		{"inserted line keeps the one before", "a\nb\n", "a\nx\nb\n", schema.TextEdit{Old: "a", New: "a\nx"}},
		{"inserted at the start keeps the one after", "a\nb\n", "x\na\nb\n", schema.TextEdit{Old: "a", New: "x\na"}},
		{"removed line", "a\nb\nc\n", "a\nc\n", schema.TextEdit{Old: "b\n", New: ""}},
		{"everything", "a\n", "b\n", schema.TextEdit{Old: "a", New: "b"}},
		{"no line end", "a", "ab", schema.TextEdit{Old: "a", New: "ab"}},
		{"from empty", "", "a\n", schema.TextEdit{Old: "", New: "a\n"}},
		{"to empty", "a\n", "", schema.TextEdit{Old: "a\n", New: ""}},
		{"nothing", "a\n", "a\n", schema.TextEdit{Old: "a\n", New: "a\n"}},
		{"repeated lines", "x\nx\nx\n", "x\nx\n", schema.TextEdit{Old: "x\n", New: ""}},
	}
	for _, tt := range tests {
		got := diff(tt.old, tt.new)
		if d := cmp.Diff([]schema.TextEdit{tt.want}, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// FuzzDiff holds that the edit leads from the old text to the new one.
func FuzzDiff(f *testing.F) {
	for _, s := range []string{"a\nb\nc\n", "a\nB\nc\n", "", "x", "\n\n", "a\n\nb"} {
		f.Add(s, "a\nb\nc\n")
		f.Add("a\nb\nc\n", s)
	}
	f.Fuzz(func(t *testing.T, old, new string) {
		es := diff(old, new)
		if len(es) != 1 || !strings.Contains(old, es[0].Old) {
			t.Fatalf("diff(%q, %q) = %+v", old, new, es)
		}
		if es[0].Old == "" && old != "" {
			t.Fatalf("diff(%q, %q) replaces nothing", old, new)
		}
		// The text to replace may stand earlier in the file too; somewhere it
		// leads to the new text.
		for i := 0; ; i++ {
			j := strings.Index(old[i:], es[0].Old)
			if j < 0 {
				t.Fatalf("diff(%q, %q) = %+v does not lead there", old, new, es)
			}
			i += j
			if old[:i]+es[0].New+old[i+len(es[0].Old):] == new {
				return
			}
			if i >= len(old) {
				t.Fatalf("diff(%q, %q) = %+v does not lead there", old, new, es)
			}
		}
	})
}

func TestCut(t *testing.T) {
	long := strings.Repeat("y", 12000)
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 10, "short"},
		{long, 10000, strings.Repeat("y", 10000-len(cutMark)) + cutMark},
		{"😀😀😀", 4, "😀😀"},
		{"😀😀😀", 5, "😀😀"},
		{"abc", 0, ""},
	}
	for _, tt := range tests {
		if got := cut(tt.in, tt.limit); got != tt.want || utf16Len(got) > tt.limit {
			t.Errorf("cut(%.10q, %d) = %d units", tt.in, tt.limit, utf16Len(got))
		}
	}
}

func TestWildcard(t *testing.T) {
	tests := []struct {
		pattern, s string
		want       bool
	}{
		{"http://a/*", "http://a/b", true}, {"http://a/*", "http://ab/", false}, {"*", "x", true},
		{"http://*.org/*", "http://x.org/y", true}, {"http://a", "http://a", true}, {"http://a", "http://a/", false},
		{"a*a", "a", false}, {"a*b*c", "aXbYc", true}, {"a*b*c", "acb", false},
	}
	for _, tt := range tests {
		if got := wildcard(tt.pattern, tt.s); got != tt.want {
			t.Errorf("wildcard(%q, %q) = %v", tt.pattern, tt.s, got)
		}
	}
}
