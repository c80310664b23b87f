package bridge

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestLateOutput checks that the output of a hook's child process counts even after the hook has ended, if the hook's
// agent waits for it. All but Qoder do (observed in the real clients): Claude Code for half a second, the others up to
// the timeout. A complete answer is neither delayed nor lost to the timeout.
func TestLateOutput(t *testing.T) {
	waits := map[string]string{"claude": "0.2", "cursor": "0.8", "codex": "0.8", "copilot": "0.8", "gemini": "0.8"}
	for name, after := range waits {
		for about, command := range map[string]string{
			"printed late":         "(sleep " + after + "; echo 'DENY') &",
			"printed, and a child": "sleep 8 & echo 'DENY'", // longer than the hook may run
		} {
			hooks, _ := adapter.Find(name)
			host, _ := adapter.Find("qoder")
			native := hooks.Profile().Generic(schema.PreTool)
			deny := hooks.AppendReply(nil, &schema.Call{Dialect: name, Event: schema.PreTool, Native: native},
				&schema.Reply{Verdict: schema.Deny, Reason: "late"})
			dir := t.TempDir()
			b := &Bridge{Host: host, Hooks: hooks, TempDir: dir, Now: time.Now,
				Single: &schema.Hook{Handler: schema.HandlerCommand, Event: schema.PreTool, Native: native,
					Command: strings.ReplaceAll(command, "DENY", string(deny)), Timeout: 4 * time.Second},
				Places: schema.Places{OS: "linux", Home: dir, Project: dir, Env: schema.Environ{"PATH=/usr/bin:/bin"}}}
			payload := `{"session_id":"s","cwd":"` + dir +
				`","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},` +
				`"permission_mode":"default"}`
			_, rep, err := b.Run(context.Background(), []byte(payload), "")
			if err != nil || rep.Reply.Verdict != schema.Deny || rep.Reply.Reason != "late" {
				t.Errorf("%s, %s: %v %v %q", name, about, err, rep.Reply.Verdict, rep.Reply.Reason)
			}
		}
	}
}

// TestLateReason checks a guard with exit code 2 whose stderr goes through a filter. hookbridge waits for it if the
// hooks' agent needs text on stderr for a denial (observed Codex 0.169.0, Gemini CLI 0.61.0). In other agents no child
// delays a denial without a reason.
func TestLateReason(t *testing.T) {
	for name, command := range map[string]string{
		"codex": "(sleep 0.6; echo late) >&2 & exit 2", "gemini": "(sleep 0.6; echo late) >&2 & exit 2",
		"claude": "sleep 8 & exit 2", "cursor": "sleep 8 & exit 2", "copilot": "sleep 8 & exit 2",
		"qoder": "sleep 8 & exit 2",
	} {
		host := "claude"
		if name == host {
			host = "qoder"
		}
		b := newBridge(t, host, name, command)
		b.Start = nil
		b.Single.Event, b.Single.Native, b.Single.Timeout = schema.PreTool, b.Hooks.Profile().Generic(schema.PreTool),
			5*time.Second
		payload := `{"session_id":"s","transcript_path":"","cwd":"` + b.Places.Project +
			`","hook_event_name":"PreToolUse",` +
			`"tool_name":"Bash","tool_input":{"command":"ls"},"permission_mode":"default"}`
		_, rep, err := b.Run(context.Background(), []byte(payload), "")
		if late := strings.Contains(command, "late"); err != nil || rep.Reply.Verdict != schema.Deny ||
			late && rep.Reply.Reason != "late" {
			t.Errorf("%s: %v %v %q %v", name, err, rep.Reply.Verdict, rep.Reply.Reason, rep.Diagnostics)
		}
	}
}

// TestAnswered checks that a denial by exit code is complete without its reason. The exception is an agent that reads
// the reason from children that outlive the hook (observed Claude Code 2.1.328: for half a second).
func TestAnswered(t *testing.T) {
	for name, want := range map[string]bool{"claude": false, "codex": false, "cursor": true, "copilot": true} {
		d, _ := adapter.Find(name)
		native := d.Profile().Generic(schema.PreTool)
		done := answered(&run{hooks: d, rules: d.Profile()}, &job{HookRun: HookRun{View: schema.View{Event: native},
			Hook: schema.Hook{Event: schema.PreTool, Native: native}}})
		if done(2, nil, nil) != want {
			t.Errorf("%s: without text on stderr %v", name, !want)
		}
		if !done(2, nil, []byte("why")) || !done(1, nil, []byte("x")) {
			t.Errorf("%s: isn't done with text on stderr", name)
		}
	}
}

// TestCannotRun checks that a hook that can't run denies as in its own agent if its failure blocks. The turn goes on,
// and a turn that ends is not kept going (observed Claude Code 2.1.328 with an HTTP hook and no server).
func TestCannotRun(t *testing.T) {
	for _, handler := range []string{`"type":"http","url":"http://127.0.0.1:9/"`,
		`"type":"mcp_tool","server":"s","tool":"t"`, `"type":"prompt","prompt":"p"`} {
		for event, want := range map[string]schema.Feature{
			`"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}`: schema.EffectDeny |
				schema.EffectReason,
			`"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{}`: schema.EffectFeedback,
			`"UserPromptSubmit","prompt":"p"`: schema.EffectDeny | schema.EffectReason,
			`"Stop","stop_hook_active":false`: 0,
			`"SubagentStop","stop_hook_active":false,"agent_id":"a","agent_type":"general-purpose"`: 0,
		} {
			native := strings.Split(event, `"`)[1]
			dir := t.TempDir()
			hooks, _ := adapter.Find("claude")
			host, _ := adapter.Find("qoder")
			b := &Bridge{Host: host, Hooks: hooks, TempDir: dir, Now: time.Now,
				Inline: []byte(`{"hooks":{"` + native + `":[{"hooks":[{` + handler + `,"onFailure":"block"}]}]}}`),
				Places: schema.Places{OS: "linux", Home: dir, Project: dir, Env: schema.Environ{"PATH=/usr/bin:/bin"}}}
			payload := `{"session_id":"s","cwd":"` + dir + `","permission_mode":"default","hook_event_name":` + event +
				`}`
			_, rep, err := b.Run(context.Background(), []byte(payload), "")
			if err != nil || rep.Reply.Uses() != want || len(rep.Diagnostics) == 0 {
				t.Errorf("%s at %s: %v, %v instead of %v", handler, native, err, rep.Reply.Uses(), want)
			}
		}
	}
}

// TestToolVariable checks that variables name a tool like the payload of the same hook.
func TestToolVariable(t *testing.T) {
	dir := t.TempDir()
	hooks, _ := adapter.Find("qoder@ide")
	host, _ := adapter.Find("claude")
	b := &Bridge{Host: host, Hooks: hooks, TempDir: dir, Now: time.Now,
		Single: &schema.Hook{Handler: schema.HandlerCommand, Event: schema.PreTool, Native: "PreToolUse",
			Command: `echo "$QODER_TOOL_NAME $QODER_TOOL_INPUT_FILE_PATH" >&2; exit 2`},
		Places: schema.Places{OS: "linux", Home: dir, Project: dir, Env: schema.Environ{"PATH=/usr/bin:/bin"}}}
	for tool, want := range map[string]string{
		`"Bash","tool_input":{"command":"ls"}`:                      "run_in_terminal ",
		`"Write","tool_input":{"file_path":"/srv/a","content":"x"}`: "create_file /srv/a",
	} {
		payload := `{"session_id":"s","transcript_path":"","cwd":"` + dir +
			`","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":` + tool + `}`
		if _, rep, err := b.Run(context.Background(), []byte(payload), ""); err != nil ||
			rep.Reply.Reason != strings.TrimSpace(want) {
			t.Errorf("%s: %v %q", tool, err, rep.Reply.Reason)
		}
	}
}

// TestManyParts checks that a call is denied if its parts together take the hooks longer than the host waits, although
// each part alone is fast enough.
func TestManyParts(t *testing.T) {
	dir := t.TempDir()
	hooks, _ := adapter.Find("cursor")
	host, _ := adapter.Find("claude")
	b := &Bridge{Host: host, Hooks: hooks, TempDir: dir, Now: time.Now, Timeout: time.Second,
		Single: &schema.Hook{Handler: schema.HandlerCommand, Event: schema.PreTool, Native: "preToolUse",
			Matcher: "^Delete$", Command: "sleep 0.5; echo '{}'"},
		Places: schema.Places{OS: "linux", Home: dir, Project: dir,
			Env: schema.Environ{"PATH=/usr/bin:/bin", "SHELL=/bin/sh"}}}
	const late = "The hooks for all parts of this call took longer than the host waits, so the call is denied."
	for files, want := range map[int]schema.Reply{1: {}, 20: {Verdict: schema.Deny, Reason: late}} {
		command := "rm" + strings.Repeat(" x", files)
		for i := range files {
			command = strings.Replace(command, " x", " "+string(rune('a'+i)), 1)
		}
		payload := `{"session_id":"s","transcript_path":"","cwd":"` + dir +
			`","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash",` +
			`"tool_input":{"command":"` +
			command + `"}}`
		if _, rep, err := b.Run(context.Background(), []byte(payload), ""); err != nil ||
			rep.Reply.Verdict != want.Verdict || rep.Reply.Reason != want.Reason || len(rep.Runs) == 0 {
			t.Errorf("%s: %v %v %q", command, err, rep.Reply.Verdict, rep.Reply.Reason)
		}
	}
}
