package schema

import (
	"strings"
	"testing"
)

func TestIsVersion(t *testing.T) {
	for s, want := range map[string]bool{
		"1": true, "2.4": true, "2.1.332": true, "2026.11.27": true, "0.50.0-preview.1": true, "1.2.3+build-7": true,
		"0.160.0-alpha.5": true,
		"":                false, "v1": false, "1.": false, ".1": false, "1..2": false, "1.2 ": false, " 1.2": false, "1.2\n": false,
		"0.50 $(touch pwn)": false, "0.160;touch pwn": false, "1`x`": false, "1|x": false, "1&x": false, "1'": false,
		"1\"": false, "1-$HOME": false, "1-a/../b": false, "1-é": false, "1rc1": false,
		"1-" + strings.Repeat("a", 70): false,
		"1>x":                          false, "1\x00": false, "1-\u202e": false, "1%0a": false, "1<script>": false,
	} {
		if IsVersion(s) != want {
			t.Errorf("%q: %t", s, !want)
		}
	}
}
