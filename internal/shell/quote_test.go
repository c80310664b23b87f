package shell

import (
	"os/exec"
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"": "''", "a": "a", "-rf": "-rf", "/a/b.c@d:e=f,g+h_i-j": "/a/b.c@d:e=f,g+h_i-j", "é": "é",
		"\u0085": "'\u0085'", "a\u00a0": "'a\u00a0'", "\ufeff": "'\ufeff'", "\xff": "\xff",
		"a b": "'a b'", "it's": `'it'\''s'`, "$x`y`": "'$x`y`'", "~": "'~'", "a\nb": "'a\nb'", "#": "'#'", "*": "'*'",
	} {
		if got := Quote(s); got != want {
			t.Errorf("Quote(%q) = %s, want %s", s, got, want)
		}
	}
}

// FuzzQuote checks that a real shell reads the word unchanged.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a b", "it's", "''", "\\", "$(x)", "`x`", "~root", "a=b", "!", "é\u00a0", "\xff",
		"\r\n", "-e", "{a,b}", "[a-z]*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.IndexByte(s, 0) >= 0 {
			t.Skip()
		}
		sh, err := exec.LookPath("sh")
		if err != nil {
			t.Skip(err)
		}
		out, err := exec.Command(sh, "-c", "printf %s "+Quote("x"+s)+" "+Quote(s)).Output()
		if err != nil || string(out) != "x"+s+s {
			t.Errorf("%q became %q, %v", s, out, err)
		}
	})
}

func TestName(t *testing.T) {
	for s, want := range map[string]string{"": "", "A": "A", "_a1=x": "_a1", "1a": "", "a-b": "a", "é": "",
		"PATH": "PATH"} {
		if got := Name(s); got != want {
			t.Errorf("Name(%q) = %q, want %q", s, got, want)
		}
		if IsName(s) != (want == s && s != "") {
			t.Errorf("IsName(%q)", s)
		}
	}
}
