package bridge

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// several returns a bridge for the hooks of Claude Code and of Cursor under Codex. Each hook has a shell command that
// answers in its own agent's format.
func several(t *testing.T, event, claude, cursor string) *Bridge {
	t.Helper()
	b := newBridge(t, "codex", "claude", "")
	other, err := adapter.Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	b.Others = append(b.Others, other)
	names := map[string]string{"PreToolUse": "preToolUse", "SessionStart": "sessionStart", "PostToolUse": "postToolUse",
		"Stop": "stop"}
	quote := func(s string) string { return strings.ReplaceAll(s, `"`, `\"`) }
	for file, text := range map[string]string{
		".claude/settings.json": `{"hooks":{"` + event + `":[{"hooks":[{"type":"command","command":"` +
			quote(claude) + `"}]}]}}`,
		".cursor/hooks.json": `{"version":1,"hooks":{"` + names[event] + `":[{"command":"` + quote(cursor) + `"}]}}`,
	} {
		file = filepath.Join(b.Places.Project, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func payloadOf(b *Bridge, event, rest string) []byte {
	return []byte(`{"session_id":"s","transcript_path":null,"cwd":"` + b.Places.Project + `","hook_event_name":"` +
		event + `","model":"m","permission_mode":"default","turn_id":"t"` + rest + `}`)
}

const lsCall = `,"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"u"`

// TestSeveral merges the answers of two agents' hooks by the strictest rule.
func TestSeveral(t *testing.T) {
	deny := `echo '{"permission":"deny","user_message":"cursor says no"}'`
	for _, tt := range []struct {
		name, claude, cursor string
		closed               bool
		want                 string // of the answer; "": hookbridge fails
	}{
		{"both are silent", "true", "true", false, "{}"},
		{"the first denies", "echo no >&2; exit 2", "true", false, "deny"},
		{"the second denies", "true", deny, false, "cursor says no"},
		{"both deny", "echo claude says no >&2; exit 2", deny, false, `claude says no\ncursor says no`},
		{"one crashes", "exit 1", deny, false, "cursor says no"},
		{"one answers nonsense and the other denies", "echo '{'", deny, true, "cursor says no"},
	} {
		b := several(t, "PreToolUse", tt.claude, tt.cursor)
		b.FailClosed = tt.closed
		out, rep, err := b.Run(context.Background(), payloadOf(b, "PreToolUse", lsCall), "")
		if err != nil || !strings.Contains(string(out), tt.want) || len(rep.Runs) != 2 {
			t.Errorf("%s: %s, %d runs, %v %v", tt.name, out, len(rep.Runs), rep.Diagnostics, err)
		}
	}
}

// TestSeveralBroken: if one agent's file can't be read, a denial of the other's hooks stays, and there is no other
// answer.
func TestSeveralBroken(t *testing.T) {
	for _, tt := range []struct {
		cursor string
		closed bool
		want   string
	}{
		{"true", false, ""}, {"true", true, "deny"}, {"echo no >&2; exit 2", false, "deny"},
		{`echo '{"permission":"allow"}'`, false, ""}, {`echo '{"permission":"allow"}'`, true, "deny"},
	} {
		b := several(t, "PreToolUse", "true", tt.cursor)
		b.FailClosed = tt.closed
		if err := os.WriteFile(filepath.Join(b.Places.Project, ".claude/settings.json"), []byte(`{"hooks":`),
			0o644); err != nil {
			t.Fatal(err)
		}
		out, rep, err := b.Run(context.Background(), payloadOf(b, "PreToolUse", lsCall), "")
		if (err == nil) != (tt.want != "") || !strings.Contains(string(out), tt.want) ||
			rep.Diagnostics.Max() < schema.Error {
			t.Errorf("%+v: %s %v %v", tt, out, rep.Diagnostics, err)
		}
	}
}

// TestSeveralFailed: if the hooks of one agent didn't answer, everything from the others counts except an allow.
func TestSeveralFailed(t *testing.T) {
	for _, tt := range []struct{ says, want schema.Reply }{
		{schema.Reply{Verdict: schema.Allow, Reason: "fine"}, schema.Reply{}},
		{schema.Reply{Verdict: schema.Allow, Context: "c"}, schema.Reply{Context: "c"}},
		{schema.Reply{Verdict: schema.Ask, Reason: "sure?"}, schema.Reply{Verdict: schema.Ask, Reason: "sure?"}},
		{schema.Reply{Verdict: schema.Deny, Reason: "no"}, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
	} {
		merged, failed := strictest([]decision{{ok: true, reply: tt.says}, {}}, &Report{})
		if !failed || !reflect.DeepEqual(merged, tt.want) {
			t.Errorf("%+v: %+v", tt.says, merged)
		}
		if merged, failed = strictest([]decision{{ok: true, reply: tt.says}, {ok: true}}, &Report{}); failed ||
			merged.Verdict != tt.says.Verdict {
			t.Errorf("%+v and an answer: %+v", tt.says, merged)
		}
	}
}

// TestSeveralReplacements: a call that two agents' hooks rewrite in different ways is
// denied.
func TestSeveralReplacements(t *testing.T) {
	rewrite := func(command string) string {
		return `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow",` +
			`"updatedInput":{"command":"` + command + `"}}}'`
	}
	b := several(t, "PreToolUse", rewrite("ls -a"), `echo '{"permission":"allow","updated_input":{"command":"ls -b"}}'`)
	out, rep, err := b.Run(context.Background(), payloadOf(b, "PreToolUse", lsCall), "")
	if err != nil || !strings.Contains(string(out), "rewrite this call in different ways") {
		t.Errorf("%s %v %v", out, rep.Diagnostics, err)
	}
}
