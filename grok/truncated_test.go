package grok

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTruncatedInput checks that a guard sees the fields before the place where the client cut a long input (recorded
// 1.0.41: a write of 150,000 bytes).
func TestTruncatedInput(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"file_path":"/p/.env","content":"abc [truncated]`, `{"file_path":"/p/.env","content":"abc"}`},
		{`{"file_path":"/p/.env","content":"a\ [truncated]`, `{"file_path":"/p/.env","content":"a"}`},
		{`{"file_path":"/p/.env","content":"a\u00 [truncated]`, `{"file_path":"/p/.env","content":"a"}`},
		{`{"file_path":"/p/.env","content":"a\\ [truncated]`, `{"file_path":"/p/.env","content":"a\\"}`},
		{`{"a":{"b":[1,2],"c":"}"},"n":12 [truncated]`, `{"a":{"b":[1,2],"c":"}"}}`},
		{`{"a":"x","b":{"c":"y [truncated]`, `{"a":"x"}`},
		{`{"content":"abc [truncated]`, ""},
		{`{"a":1,"b":2}`, ""},
		{` [truncated]`, ""},
	} {
		got, ok := uncut(ordjson.AppendString(nil, c.text))
		if string(got) != c.want || ok != (c.want != "") {
			t.Errorf("%s: %s %v, want %s", c.text, got, ok, c.want)
		}
	}

	long := strings.Repeat("x", inputLimit)
	text := string(ordjson.AppendString(nil, `{"file_path":"/p/.env","content":"`+long+" [truncated]"))
	payload := `{"hookEventName":"pre_tool_use","hook_event_name":"PreToolUse","session_id":"s","cwd":"/p",` +
		`"workspaceRoot":"/p/","toolName":"write","tool_name":"write","toolInput":` + text + `,"tool_input":` + text +
		`,"toolInputTruncated":true}`
	c, ds := New().DecodeCall([]byte(payload), nil)
	if c == nil || c.Tool.Input.Text(schema.RolePath) != "/p/.env" {
		t.Fatalf("%v %v", c, ds)
	}
	if content := c.Tool.Input.Text(schema.RoleContent); content != long {
		t.Errorf("%d bytes of the content", len(content))
	}
	if !slices.ContainsFunc(ds, func(d schema.Diagnostic) bool {
		return d.Code == schema.CodeOddInput && d.Severity == schema.Weaker
	}) || !c.Malformed {
		t.Errorf("the cut isn't reported: %v", ds)
	}
}
