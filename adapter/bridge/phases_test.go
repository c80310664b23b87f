package bridge

import (
	"context"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/schema"
)

// TestPermissionPhase: Copilot runs permission hooks after those of preToolUse of the same call. They get the rewritten
// arguments, and don't run for a call that preToolUse hooks deny or allow (observed 1.0.102).
func TestPermissionPhase(t *testing.T) {
	for name, tt := range map[string]struct {
		pre, saw string
		denied   bool
	}{
		"no opinion": {`{}`, "ls", false},
		"rewritten":  {`{"modifiedArgs":{"command":"rm -rf x"}}`, "rm -rf x", true},
		"allowed":    {`{"permissionDecision":"allow"}`, "", false},
		"refused":    {`{"permissionDecision":"deny","permissionDecisionReason":"no"}`, "", true},
	} {
		for _, host := range []string{"claude", "qoder", "codex", "gemini", "cursor"} {
			b := newBridge(t, host, "copilot", "")
			saw := b.Places.Project + "/saw"
			b.Allow = cmdline.AllowApprove
			b.Inline = []byte(`{"version":1,"hooks":{
				"permissionRequest":[{"type":"command","bash":"jq -r .toolInput.command > ` + saw + `; grep -q rm ` +
				saw +
				` && echo '{\"behavior\":\"deny\",\"message\":\"no\"}'; true"}],
				"preToolUse":[{"type":"command","bash":"echo '` + strings.ReplaceAll(tt.pre, `"`, `\"`) + `'"}]}}`)
			call := &schema.Call{Dialect: host, Event: schema.PreTool, Native: b.Host.Profile().Generic(schema.PreTool),
				Tool: schema.Tool{Kinds: []schema.Kind{schema.Shell}}}
			call.Tool.Input = schema.Args{}.Set(schema.RoleCommand, "command", []byte(`"ls"`))
			call.Tool.Name = b.Host.Profile().ToolOfKind(schema.Shell).Name
			call.SetStr(schema.FieldSession, "s")
			views := b.Host.Views(call)
			_, rep, err := b.Run(context.Background(), b.Host.AppendCall(nil, call, views[0]), call.Native)
			if err != nil || (rep.Reply.Verdict == schema.Deny) != tt.denied {
				t.Errorf("%s under %s: %v %v %v", name, host, rep.Reply.Verdict, rep.Diagnostics, err)
			}
			if tt.saw != "" && strings.TrimSpace(readFile(t, saw)) != tt.saw || tt.saw == "" && len(rep.Runs) != 1 {
				t.Errorf("%s under %s: %d hooks ran", name, host, len(rep.Runs))
			}
		}
	}
}
