package schema

import (
	"strings"
	"testing"
)

// TestIsVersion checks that a version is an ordinary word to every shell and page.
func TestIsVersion(t *testing.T) {
	for _, s := range []string{"1", "2.4", "2.1.332", "2026.11.27", "0.50.0-preview.1", "1.2.3+build-7",
		"0.160.0-alpha.5"} {
		if !IsVersion(s) {
			t.Errorf("%q is a version", s)
		}
	}
	for _, s := range []string{"", "v1", "1.", ".1", "1..2", "1.2 ", " 1.2", "1.2\n", "0.50 $(touch pwn)",
		"0.160;touch pwn", "1`x`", "1|x", "1&x", "1'", "1\"", "1-$HOME", "1-a/../b", "1-é", "1rc1", "1>x", "1\x00",
		"1-\u202e", "1%0a", "1<script>", "1-" + strings.Repeat("a", 70)} {
		if IsVersion(s) {
			t.Errorf("%q is none", s)
		}
	}
}
