package ordjson

import "testing"

func TestOffset(t *testing.T) {
	const text = "\ufeff" + ` [{"a": {"b/c": [1, 22]}}, 3]`
	for pointer, want := range map[string]string{
		"": "[{", "/0": `{"a"`, "/0/a": `{"b`, "/0/a/b~1c": "[1", "/0/a/b~1c/1": "22", "/1": "3",
		"/2": "[{", "/0/x": `{"a"`, "/0/a/b~1c/x": "[1", "/0/a/b~1c/-1": "[1", "/1/a": "3",
	} {
		if got := text[Offset([]byte(text), pointer):]; len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("%s: %q, want %q", pointer, got, want)
		}
	}
}
