package edits

import (
	"strconv"
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
		{"repeated lines", "x\nx\nx\n", "x\nx\n", schema.TextEdit{Old: "x\nx", New: "x"}},
		{"a line that stands elsewhere too", "}\na\n}\nb\n", "}\na\n};\nb\n",
			schema.TextEdit{Old: "a\n}", New: "a\n};"}},
	}
	for _, tt := range tests {
		got := diff(tt.old, tt.new)
		if d := cmp.Diff([]schema.TextEdit{tt.want}, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestSeveralHunks checks how changes in several places are shown: everything removed and added, and nothing else if
// the form allows that.
func TestSeveralHunks(t *testing.T) {
	const old, new = "top\n}\nb\n}\nc\n", "top\n}\nB\n}\nc\nend\n"
	tests := []struct {
		kind schema.Kind
		want []schema.TextEdit
	}{
		{schema.Write, []schema.TextEdit{{Old: "b", New: "B"}, {New: "end"}}},
		{schema.Edit, []schema.TextEdit{{Old: "b", New: "B"}, {New: "end"}}},
		{schema.MultiEdit, []schema.TextEdit{{Old: "b", New: "B"}, {Old: "c", New: "c\nend"}}},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, As(tt.kind, old, new)); d != "" {
			t.Errorf("%v (-want +got):\n%s", tt.kind, d)
		}
	}
	if d := cmp.Diff(schema.TextEdit{Old: "b", New: "B\nend"}, One(As(schema.Edit, old, new))); d != "" {
		t.Errorf("in one edit (-want +got):\n%s", d)
	}
}

// FuzzDiff checks that the hunks lead from the old text to the new one. The edits must do so too, or be only the
// changed lines.
func FuzzDiff(f *testing.F) {
	for _, s := range []string{"a\nb\nc\n", "a\nB\nc\n", "", "x", "\n\n", "a\n\nb", "a\nb\nx\nb\na\n",
		strings.Repeat("same\n", 2000) + "a\n" + strings.Repeat("x\ny\n", 800)} {
		f.Add(s, "a\nb\nc\n")
		f.Add("a\nb\nc\n", s)
	}
	f.Fuzz(func(t *testing.T, old, new string) {
		a, b := SplitLines(old), SplitLines(new)
		var got []string
		at := 0
		for _, h := range Hunks(a, b) {
			if h.A0 == h.A1 && h.B0 == h.B1 {
				t.Fatalf("hunks(%q, %q): an empty one", old, new)
			}
			got = append(append(got, a[at:h.A0]...), b[h.B0:h.B1]...)
			at = h.A1
		}
		if s := strings.Join(append(got, a[at:]...), ""); s != new {
			t.Fatalf("hunks(%q, %q) lead to %q", old, new, s)
		}
		if es := diff(old, new); Apply(old, es) != new && !cmp.Equal(es, Lines(old, new)) {
			t.Fatalf("diff(%q, %q) = %+v", old, new, es)
		}
	})
}

// TestLargeDiff checks that a large file is compared by the lines that occur once, and that a few changes in it are
// found.
func TestLargeDiff(t *testing.T) {
	var old, new strings.Builder
	for i := range 20000 {
		line := "line " + strconv.Itoa(i) + "\n}\n"
		old.WriteString(line)
		if i == 100 || i == 15000 {
			line = "changed\n}\n"
		}
		new.WriteString(line)
	}
	want := []schema.TextEdit{{Old: "line 100", New: "changed"}, {Old: "line 15000", New: "changed"}}
	if d := cmp.Diff(want, Lines(old.String(), new.String())); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
