package opencode

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestPatchForms checks that guards see the file of a patch in each form that OpenCode accepts (observed 1.18.33), and
// that a patch without a file is malformed.
func TestPatchForms(t *testing.T) {
	for text, path := range map[string]string{
		"*** Begin Patch\n*** Add File:.env\n+x\n*** End Patch":                    "/p/.env",
		"*** Begin Patch\n*** Add File: .env\nsee\n+x\n*** End Patch":              "/p/.env",
		"*** Begin Patch\n*** Add File: \t.env \n+x\n*** End Patch":                "/p/.env",
		"Here:\n*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch\nthat's it": "/p/.env",
		"hello": "",
	} {
		c, ds := New().DecodeCall([]byte(`{"session_id":"s","cwd":"/p","worktree":"/p","hook_event_name":"PreToolUse",`+
			`"tool_name":"apply_patch","tool_use_id":"c",`+
			`"tool_input":{"more":1,"patchText":`+string(ordjson.AppendString(nil, text))+`}}`), nil)
		if c.Malformed != (path == "") {
			t.Errorf("%q: malformed %v", text, c.Malformed)
		}
		if path == "" {
			if len(ds) != 1 || ds[0].Path != "/tool_input/patchText" {
				t.Errorf("%q: %v", text, ds)
			}
			continue
		}
		found := New().Split(c)
		if len(found) != 1 || len(found[0]) != 1 || found[0][0].Tool.Input.Text(schema.RolePath) != path {
			t.Errorf("%q: %v", text, found)
		} else if content := found[0][0].Tool.Input.Text(schema.RoleContent); content != "x\n" {
			t.Errorf("%q: content %q", text, content)
		}
	}
}
