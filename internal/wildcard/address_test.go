package wildcard

import "testing"

// TestMatchAddress has pairs of an entry of allowedHttpHookUrls and a hook's address that were tried with Claude Code
// 2.1.328.
func TestMatchAddress(t *testing.T) {
	for _, tt := range []struct {
		pattern, address string
		want             bool
	}{
		{"*", "http://h:1/a", true},
		{"http://*", "http://h:1/a", true},
		{"http://*/a", "http://h:1/a", true},
		{"*://*/*", "http://h:1/a/b", true},
		{"https://h:1/*", "http://h:1/a", false},
		{"http://*.corp.com/*", "http://127.0.0.1/a?.corp.com/x", false},
		{"http://*.corp.com/*", "http://127.0.0.1/a#.corp.com/x", false},
		{"http://*.corp.com/*", "http://127.0.0.1/.corp.com/x", false},
		{"http://*.corp.com/*", "http://a.corp.com@127.0.0.1/x", false},
		{"http://*.corp.com/*", "http://a.corp.com/x", true},
		{"*corp*", "http://a.corp.com/x", false},
		{"http://h/*", "http://h:1/a", false},
		{"http://h:*", "http://h:1/a/b", true},
		{"http://h:*/*", "http://h:1/a", true},
		{"http://h:1", "http://h:1/a?x", true},
		{"http://h:1/", "http://h:1/a", false},
		{"http://h:1/", "http://h:1", true},
		{"http://h:1/a", "http://h:1/a#f", true},
		{"http://h:1/a", "http://h:1/b/../a", true},
		{"http://h:1/a", "http://h:1/a?x=1", false},
		{"http://h:1/a", "http://h:1/A", false},
		{"http://h:1/a", "http://u:p@h:01/a", true},
		{"http://h:1/a/*", "http://h:1/a/../b", false},
		{"http://h:1/a/*", "http://h:1/a/%2e%2E/b", false},
		{"http://h:1/a/*", "http://h:1/a/b", true},
		{"http://h:1/a?*", "http://h:1/a?x=1", true},
		{"http://h:1/%61", "http://h:1/a", false},
		{"http://h:1/*", "http://h:1//a", true},
		{"HTTP://H:1/*", "http://h:1/a", true},
		{"http://u@h:1/*", "http://h:1/a", true},
		{"h:1/*", "http://h:1/a", false},
		{"^http://.*", "http://h:1/a", false},
		{"http://*.0.0.1:1/*", "http://127.0.0.1:1/a/b", false},
		{"http://h:1*/*", "http://h:12/a/b", false},

		{"http://h/*", `http://h\@evil/a`, false}, // curl and the standard differ here
		{"http://h/*", "http://h/\ta", false},
		{"*", "file:///etc/passwd", false},
	} {
		if got := MatchAddress(tt.pattern, tt.address, true); got != tt.want {
			t.Errorf("%q for %s: %t", tt.pattern, tt.address, got)
		}
	}
	if MatchAddress("http://*", "http://h:1/a", false) || !MatchAddress("http://*", "http://h/a", false) {
		t.Error("without anyPort a pattern has the scheme's own port")
	}
	if a, ok := ParseAddress("HTTP://U@H.:080/a/./b/..?c#d"); !ok || a.String() != "http://U@h/a/?c" {
		t.Error(a, ok)
	}
}
