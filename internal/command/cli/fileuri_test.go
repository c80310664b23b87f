package cli

import "testing"

func TestFileURI(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{".cursor/hooks.json", ".cursor/hooks.json"},
		{"a b/ä#.json", "a%20b/%C3%A4%23.json"},
		{"/p/x.json", "file:///p/x.json"},
	} {
		if got := fileURI(c.path); got != c.want {
			t.Errorf("%s: %s", c.path, got)
		}
	}
}
