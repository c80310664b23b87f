package redact

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	a := strings.Repeat("a1B2", 12)
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"nothing to see, max_tokens: 100, task-management-and-more-of-it", ""},
		{"key AKIAIOSFODNN7EXAMPLE.", "key [redacted]."},
		{"ghp_" + a, "[redacted]"},
		{"x ghp_" + a + " y sk-ant-" + a, "x [redacted] y [redacted]"},
		{"ghp_short", ""},
		{"xoxb-1234567890-abcdef", "[redacted]"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def", "[redacted]"},
		{"curl -H 'Authorization: Bearer abcdef123456' x", "curl -H 'Authorization: Bearer [redacted]' x"},
		{"Authorization: token abcdef1234, x", "Authorization: token [redacted]"},
		{`"Authorization":"secret-thing"`, `"Authorization":"[redacted]"`},
		{"Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]"},
		{"postgres://joe:hunter22@db/x?y=1", "postgres://joe:[redacted]@db/x?y=1"},
		{"http://example.org/a:b@c", ""},
		{"DB_PASSWORD=hunter22 make", "DB_PASSWORD=[redacted] make"},
		{`{"apiKey":"hunter22","n":1}`, `{"apiKey":"[redacted]","n":1}`},
		{`{\"client_secret\": \"hunter22\"}`, `{\"client_secret\": \"[redacted]\"}`},
		{"login --password hunter22 --user joe", "login --password [redacted] --user joe"},
		{"PASSWORD=$OTHER", ""},
		{"DB_PASS=hunter22 SMTP_PWD: hunter22 PWD=/home/joe pass: five",
			"DB_PASS=[redacted] SMTP_PWD: [redacted] PWD=/home/joe pass: five"},
		{"curl -H 'Cookie: session=abcdef; x=1'", "curl -H 'Cookie: [redacted]'"},
		{"--" + a + "-token hunter22", "--" + a + "-token [redacted]"},
		{`"token": null`, ""},
		{"the token expired", ""},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nx",
			"-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\nx"},
		{"-----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----[redacted]"},
		{`{"private_key":"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"}`,
			`{"private_key":"-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\n"}`},
		{"-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQ", "-----BEGIN PGP PRIVATE KEY BLOCK-----[redacted]"},
		{`PASSWORD='two words' make`, `PASSWORD='[redacted]' make`},
		{`{"password": "a\"b c"}`, `{"password": "[redacted]"}`},
		{`"{\"command\":\"PASSWORD=\\\"two words\\\" make\"}"`, `"{\"command\":\"PASSWORD=\\\"[redacted]\\\" make\"}"`},
		{`{"name":"API_TOKEN","value":"hunter22"}`, `{"name":"API_TOKEN","value":"[redacted]"}`},
		{"<password>hunter22</password> token => hunter22", "<password>[redacted]</password> token => [redacted]"},
		{"curl -u joe:hunter22 x --user 'joe:hunter22' -ujoe:hunter22",
			"curl -u joe:[redacted] x --user 'joe:[redacted]' -ujoe:[redacted]"},
		{"sort -u a:b && sudo -u joe", ""},
		{"machine h login joe password hunter22", "machine h login joe password [redacted]"},
		{"https://0123456789abcdefghij@host/x ssh://git@host/x", "https://[redacted]@host/x ssh://git@host/x"},
		{"db://joe:a@b@host/x", "db://joe:[redacted]@host/x"},
		{"https://hooks.slack.com/services/T00000000/B00000000/" + a, "https://[redacted]"},
		{`line\nghp_` + a, `line\n[redacted]`},
	} {
		if tt.want == "" {
			tt.want = tt.in
		}
		if got := Text(tt.in); got != tt.want {
			t.Errorf("Text(%q)\n got %q\nwant %q", tt.in, got, tt.want)
		}
	}
}

// TestTextLong checks that a long text is read once: the host waits for the log to be written. Going back for every
// name would take hours here.
func TestTextLong(t *testing.T) {
	size := 8 << 20
	if testing.Short() {
		size = 1 << 20
	}
	for _, word := range []string{"token", "--token", "token\\", "secret--", "://a:", "bearer a "} {
		in := strings.Repeat(word, size/len(word))
		if got := Text(in); got != in {
			t.Errorf("%q: changed", word)
		}
	}
}

// FuzzText checks that nothing panics, that a second pass finds nothing more, and that a token never survives.
func FuzzText(f *testing.F) {
	f.Add("password: x", "=")
	f.Add(`"secret":"`, `"`)
	f.Fuzz(func(t *testing.T, before, after string) {
		const token = "ghp_0123456789abcdefABCDEF0123456789abcd"
		if strings.Contains(before+after, token[:12]) {
			t.Skip()
		}
		once := Text(before + " " + token + " " + after)
		if strings.Contains(once, token) {
			t.Errorf("left: %q", once)
		}
		if twice := Text(once); len(twice) > len(once)+64 && strings.Contains(twice, token) {
			t.Errorf("%q, then %q", once, twice)
		}
	})
}
