package shell

import "testing"

// TestParseEnds holds that short hostile lines are read to an end, without a panic.
func TestParseEnds(t *testing.T) {
	for _, line := range []string{
		"a <<X\n\x00\nX\n", "a <<X\nb\x00\nX\n", "a <<-X\n\t\x00\nX\n", "\"\x00\"", "$'\\", "$'",
		"a $'x\\", "$\"\\", "`\x00`", "${\x00", "$((\x00", "$(\x00",
	} {
		Parse(line)
	}
	if s, ok := Parse("a <<X\n\x00b\nX\n"); !ok || len(s.Items) != 1 {
		t.Errorf("a NUL in a here-document: %v, %v", s, ok)
	}
}
