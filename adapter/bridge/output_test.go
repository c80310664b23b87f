package bridge

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestLateOutput holds that an answer counts that a hook's child prints when the hook
// itself has ended, where the hook's agent waits for it. All but Qoder do (observed in
// the real clients): Claude Code for half a second, the others up to the timeout.
func TestLateOutput(t *testing.T) {
	waits := map[string]string{"claude": "0.2", "cursor": "0.8", "codex": "0.8", "copilot": "0.8", "gemini": "0.8"}
	for name, after := range waits {
		hooks, _ := adapter.Find(name)
		host, _ := adapter.Find("qoder")
		native := hooks.Profile().Generic(schema.PreTool)
		deny := hooks.AppendReply(nil, &schema.Call{Dialect: name, Event: schema.PreTool, Native: native}, &schema.Reply{Verdict: schema.Deny, Reason: "late"})
		dir := t.TempDir()
		b := &Bridge{Host: host, Hooks: hooks, TempDir: dir, Now: time.Now,
			Single: &schema.Hook{Handler: schema.HandlerCommand, Event: schema.PreTool, Native: native,
				Command: "(sleep " + after + "; echo '" + strings.ReplaceAll(string(deny), "'", "") + "') &"},
			Places: schema.Places{OS: "linux", Home: dir, Project: dir, Env: schema.Environ{"PATH=/usr/bin:/bin"}}}
		payload := `{"session_id":"s","cwd":"` + dir + `","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"permission_mode":"default"}`
		_, rep, err := b.Run(context.Background(), []byte(payload), "")
		if err != nil || rep.Reply.Verdict != schema.Deny || rep.Reply.Reason != "late" {
			t.Errorf("%s: %v %v %q", name, err, rep.Reply.Verdict, rep.Reply.Reason)
		}
	}
}
