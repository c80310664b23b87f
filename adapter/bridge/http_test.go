package bridge

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestHeaderValue checks the values that Claude Code 2.1.328 and Qoder 1.1.52 were seen to send.
func TestHeaderValue(t *testing.T) {
	env := schema.Environ{"TOKEN=tok", "SECRET=sec", "lower=low", "A1=one"}
	h := &schema.Hook{EnvAllow: []string{"TOKEN", "lower", "A1"}}
	for in, want := range map[string]string{
		"plain": "plain", "$TOKEN": "tok", "${TOKEN}.": "tok.", "$TOKEN-$SECRET-": "tok--", "$TOKENx": "tokx",
		"$TOKEN$A1": "tokone",
		"a$5b":      "a$5b", "$$": "$$", "$": "$", "$lower": "$lower", "${TOKEN:-d}": "${TOKEN:-d}",
		"$ {TOKEN} $": "$ {TOKEN} $", `\$TOKEN`: `\tok`,
		"$A1$*": "one$*", "$(TOKEN)": "$(TOKEN)", "${}": "${}", "${ TOKEN }": "${ TOKEN }", "${TOKEN": "${TOKEN",
		"${$TOKEN}": "${tok}",
	} {
		if got := headerValue(h, in, env, nil); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

// TestCurlConfig checks that a hook's own headers replace the default ones, and that no header can add a second one.
func TestCurlConfig(t *testing.T) {
	h := &schema.Hook{URL: "http://x/", Headers: []schema.EnvVar{
		{Name: "content-type", Value: "text/x"}, {Name: "X-Empty", Value: "$NONE"},
		{Name: "X-Lines", Value: "a\r\nEvil: 1"},
		{Name: "Content-Length", Value: "3"},
	}}
	want := []string{`url = "http://x/"`, `header = "Expect:"`, `header = "Accept: application/json, text/plain, */*"`,
		`header = "content-type: text/x"`, `header = "X-Empty;"`, `header = "X-Lines: aEvil: 1"`, ""}
	if got := curlConfig(h, "http://x/", nil, nil); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
}
