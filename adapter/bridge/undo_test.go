package bridge

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestUndo checks that a file's earlier content is computed from the edits made to it, and never guessed.
func TestUndo(t *testing.T) {
	for _, tt := range []struct {
		now   string
		edits []schema.TextEdit
		old   string
		was   bool
		ok    bool
	}{
		{"new\n", []schema.TextEdit{{New: "new\n"}}, "", false, true},
		{"a\nB\nC\n", []schema.TextEdit{{Old: "b", New: "B"}, {Old: "c", New: "C"}}, "a\nb\nc\n", true, true},
		{"a\nBB\n", []schema.TextEdit{{Old: "b", New: "B"}, {Old: "B", New: "BB"}}, "a\nb\n", true, true},
		{"a\nnew\nb\n", []schema.TextEdit{{New: "new"}}, "a\nb\n", true, true},
		{"B\nB\n", []schema.TextEdit{{Old: "b", New: "B"}}, "", true, false},
		{"a\n", []schema.TextEdit{{Old: "b"}}, "", true, false},
		{"formatted\n", []schema.TextEdit{{Old: "b", New: "B"}}, "", true, false},
	} {
		old, was, ok := undo(tt.now, tt.edits)
		if old != tt.old || was != tt.was || ok != tt.ok {
			t.Errorf("%q after %v: %q %v %v", tt.now, tt.edits, old, was, ok)
		}
	}
}
