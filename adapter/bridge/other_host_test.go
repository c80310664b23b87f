package bridge

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestForeignMember checks that a field of another agent's payloads doesn't disable a guard on a tool that only the
// named host has.
func TestForeignMember(t *testing.T) {
	host, _ := adapter.Find("qoder")
	hooks, _ := adapter.Find("claude")
	own, _ := adapter.Find("codex")
	for _, extra := range []string{"", `"turn_id":"1",`} {
		payload := `{"session_id":"s","cwd":"/","permission_mode":"default","hook_event_name":"PreToolUse",` +
			`"model":"m",` +
			extra +
			`"tool_use_id":"t","tool_name":"Edit","tool_input":{"file_path":"/a","old_string":"a","new_string":"b"}}`
		b := Bridge{Host: host, Hooks: hooks, Now: time.Now, TempDir: t.TempDir(),
			Places: schema.Places{OS: "linux", Home: "/", Env: schema.Environ{"PATH=/usr/bin:/bin", "PWD=/"}},
			Single: &schema.Hook{Handler: schema.HandlerCommand, Event: schema.PreTool, Native: "PreToolUse",
				Matcher: "Edit", HasMatcher: true, Command: "echo no >&2; exit 2"}}
		out, _, err := b.Run(context.Background(), []byte(payload), "")
		if err != nil || !strings.Contains(string(out), `"deny"`) {
			t.Errorf("with %q: %s, %v", extra, out, err)
		}
		// Hooks of that other agent, found in a file: the call isn't read as that agent's.
		b.Hooks, b.Single = own, nil
		b.Inline = []byte(
			`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"echo no >&2; exit ` +
				`2"}]}]}}`)
		payload = strings.NewReplacer(`"Edit"`, `"Bash"`, `"file_path"`, `"command"`).Replace(payload)
		if out, _, err := b.Run(context.Background(), []byte(payload), ""); err != nil ||
			!strings.Contains(string(out), `"deny"`) {
			t.Errorf("Codex's hooks with %q: %s, %v", extra, out, err)
		}
	}
}
