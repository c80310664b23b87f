package qoder

import "testing"

// TestFrontMatter lists first lines that begin front matter, and those that don't (observed 1.1.52).
func TestFrontMatter(t *testing.T) {
	const rest = "hooks: 1\n---\nx\n"
	for first, want := range map[string]bool{
		"---\n": true, "---\r\n": true, "--- \n": false, "\ufeff---\n": false, "---\u00a0\n": false, "----\n": false,
	} {
		if _, _, ok := New().Profile().FrontMatter.Extract([]byte(first + rest)); ok != want {
			t.Errorf("%q begins front matter: %v, want %v", first, ok, want)
		}
	}
}
