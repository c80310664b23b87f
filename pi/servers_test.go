package pi

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestServers checks that the project's servers come first, without the entries that only change the user's.
func TestServers(t *testing.T) {
	files := map[string]string{
		filepath.FromSlash("/p/.pi/mcp.json"): `{"mcpServers":{"a":{"command":"mine","args":["x"]},` +
			`"b":{"enabled":false}}}`,
		filepath.FromSlash("/h/.pi/agent/mcp.json"): `{"mcpServers":{"a":{"command":"other"},` +
			`"b":{"url":"https://b.example"}}}`,
	}
	got := New().Servers(schema.Places{Project: filepath.FromSlash("/p"), Home: filepath.FromSlash("/h")},
		func(file string) ([]byte, error) { return []byte(files[file]), nil })
	want := []schema.Server{{Name: "a", Command: "mine", Args: []string{"x"}}, {Name: "a", Command: "other"},
		{Name: "b", URL: "https://b.example"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
