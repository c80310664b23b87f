package schema

import "testing"

func TestAn(t *testing.T) {
	for word, want := range map[string]string{"object": "an object", "agent": "an agent", "http": "an http",
		"mcp_tool": "an mcp_tool", "string": "a string", "": "a "} {
		if got := An(word); got != want {
			t.Errorf("An(%q) = %q, want %q", word, got, want)
		}
	}
}
