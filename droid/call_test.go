package droid

import (
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestPatchForms checks that guards see the file of a patch in each form that Droid accepts (program 0.225.2), and that
// a patch without a file is malformed.
func TestPatchForms(t *testing.T) {
	for text, path := range map[string]string{
		"*** Add File: .env\n+x\n":                                                 "/p/.env",
		"*** Begin Patch\n*** Add File: \t.env \n+x\n*** End Patch":                "/p/.env",
		"Here:\n*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch\nthat's it": "/p/.env",
		"hello": "",
	} {
		c, ds := New().DecodeCall([]byte(`{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse",`+
			`"tool_name":"ApplyPatch","tool_use_id":"c",`+
			`"tool_input":{"more":1,"input":`+string(ordjson.AppendString(nil, text))+`}}`), nil)
		if c.Malformed != (path == "") {
			t.Errorf("%q: malformed %v", text, c.Malformed)
		}
		if path == "" {
			if len(ds) != 1 || ds[0].Path != "/tool_input/input" {
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

// TestTimeouts checks which timeouts end a hook at once (observed 0.225.2).
func TestTimeouts(t *testing.T) {
	for text, want := range map[string]time.Duration{"0": dialect.LongestTimer, "8000": 8000 * time.Second,
		"-1": time.Nanosecond, "3600000": time.Nanosecond, "1e300": time.Nanosecond} {
		var h schema.Hook
		if readTimeout(&h, []byte(text)); h.Timeout != want {
			t.Errorf("%s: %v", text, h.Timeout)
		}
	}
}
