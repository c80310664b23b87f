package bridge

import "testing"

func TestAllowedURL(t *testing.T) {
	for _, tt := range []struct {
		url      string
		patterns []string
		want     string
	}{
		{"http://h/a", nil, "http://h/a"},
		{"file:///etc/passwd", nil, ""},
		{"http://h/a", []string{}, ""},
		{"http://127.0.0.1/a?.corp.com/x", []string{"http://*.corp.com/*"}, ""},
		{"HTTP://H:80/a/../b#c", []string{"http://h/*"}, "http://h/b"},
		{`http://h\@evil/a`, []string{"*"}, ""},
		{"ftp://h/a", []string{"*"}, ""},
	} {
		got, ok := allowedURL(tt.url, tt.patterns, true)
		if ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%s with %q: %q, %t", tt.url, tt.patterns, got, ok)
		}
	}
}
