package ordjson

import "testing"

func TestIndex(t *testing.T) {
	for _, src := range []string{"", "a", "\n", "ab\ncd\n\nü{", "\ufeff{\n}", "x\r\ny"} {
		x := NewIndex([]byte(src))
		for off := -1; off <= len(src)+1; off++ {
			if bom := len(src) - len(TrimBOM([]byte(src))); off > 0 && off < bom {
				continue // inside the mark
			}
			line, col := x.Position(off)
			wantLine, wantCol := Position([]byte(src), off)
			if line != wantLine || col != wantCol {
				t.Errorf("%q at %d: %d:%d, want %d:%d", src, off, line, col, wantLine, wantCol)
			}
		}
	}
}
