package cli

import (
	"encoding/json"
	"testing"
)

func TestEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"plain\tünï → 日本\n":            "plain\tünï → 日本\n",
		"dos\r\nline":                  "dos\r\nline",
		"over\rwrite":                  `over\u000dwrite`,
		"\x1b[2Jx\x07\x00\x7f\u009b":   `\u001b[2Jx\u0007\u0000\u007f\u009b`,
		"a\u202eb\u200bc\ufeffd\u2066": `a\u202eb\u200bc\ufeffd\u2066`,
		"\U000e0041":                   `\udb40\udc41`,
		"\x1b[32mok\x1b[0m":            `\u001b[32mok\u001b[0m`,
		"\xff\xfe":                     "\xff\xfe",
	} {
		if got := string(spelledOut([]byte(in), false)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := string(spelledOut([]byte("\x1b[32mok\x1b[0m\x1b[8mhidden"), true)); got !=
		"\x1b[32mok\x1b[0m\\u001b[8mhidden" {
		t.Errorf("marks: %q", got)
	}
	var s string
	const text = "a\u202e\U000e0041\u007f"
	if err := json.Unmarshal(spelledOut([]byte(`"`+text+`"`), false), &s); err != nil || s != text {
		t.Errorf("in JSON: %q, %v", s, err)
	}
}
