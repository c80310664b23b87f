package letta

import (
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDecodeReply checks that only exit code 2 denies, and which other parts of an answer count (observed 0.32.18).
func TestDecodeReply(t *testing.T) {
	for _, row := range []struct {
		native, stdout, stderr string
		exit                   int
		want                   schema.Reply
	}{
		{"PreToolUse", "", "no", 2, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", "", "", 2, schema.Reply{Verdict: schema.Deny}},
		{"PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, "", 0, schema.Reply{}},
		{"PreToolUse", `{"decision":"block","reason":"no"}`, "", 0, schema.Reply{}},
		{"PreToolUse", `{"continue":false}`, "", 0, schema.Reply{}},
		{"PreToolUse", `{"hookSpecificOutput":{"additionalContext":"x"}}`, "", 0, schema.Reply{}},
		{"PreToolUse", "", "no", 1, schema.Reply{}},
		{"PostToolUse", `{"hookSpecificOutput":{"additionalContext":"x"}}`, "", 0, schema.Reply{Context: "x"}},
		{"PostToolUse", `{"additionalContext":"x"}`, "", 0, schema.Reply{Context: "x"}},
		{"PostToolUse", "", "lint", 2, schema.Reply{Feedback: "lint"}},
		{"PostToolUseFailure", "", "lint", 2, schema.Reply{Feedback: "lint"}},
		{"PostToolUse", "", "boom\n", 1, schema.Reply{Feedback: "Hook error: boom"}},
		{"PostToolUseFailure", "", "boom", 127, schema.Reply{Feedback: "Hook error: boom"}},
		{"PostToolUse", "out", "", 1, schema.Reply{}},
		{"UserPromptSubmit", `{"a":1}`, "", 0, schema.Reply{Context: `{"a":1}`}},
		{"Stop", "", "go on", 2, schema.Reply{KeepGoing: "go on"}},
	} {
		h := &schema.Hook{Handler: schema.HandlerCommand, Native: row.native, Command: "g"}
		got, _ := New().DecodeReply(h, schema.View{Event: row.native},
			&process.Result{Exit: row.exit, Stdout: []byte(row.stdout), Stderr: []byte(row.stderr)})
		if got.Verdict != row.want.Verdict || got.Reason != row.want.Reason || got.Context != row.want.Context ||
			got.Feedback != row.want.Feedback || got.KeepGoing != row.want.KeepGoing {
			t.Errorf("%s %d %s: %+v", row.native, row.exit, row.stdout, got)
		}
	}
}

// TestLate checks what the model sees of a hook after a tool that timed out (observed 0.32.18).
func TestLate(t *testing.T) {
	for _, row := range []struct{ native, stderr, want string }{
		{"PostToolUse", "", "Hook error: Hook timed out after 1000ms"}, {"PostToolUse", "slow", "Hook error: slow"},
		{"PreToolUse", "slow", ""},
	} {
		h := &schema.Hook{Handler: schema.HandlerCommand, Native: row.native, Command: "g", Timeout: time.Second}
		got, _ := New().DecodeReply(h, schema.View{Event: row.native},
			&process.Result{Exit: -1, TimedOut: true, Stderr: []byte(row.stderr)})
		if got.Feedback != row.want {
			t.Errorf("%s %q: %+v", row.native, row.stderr, got)
		}
	}
}

// TestTimeouts checks that timeouts are milliseconds, both ways.
func TestTimeouts(t *testing.T) {
	for raw, want := range map[string]time.Duration{"10": 10 * time.Millisecond, "5000": 5 * time.Second,
		"1000": time.Second} {
		file := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"a","timeout":` + raw + `}]}]}}`
		cfg, ds := New().ParseConfig([]byte(file), schema.Source{})
		if got := cfg.Hooks[0].Timeout; got != want || len(ds) > 0 {
			t.Errorf("%s: %v, %v", raw, got, ds)
		}
		value, _ := New().WriteHook(schema.Entry{Native: "PreToolUse"}, &cfg.Hooks[0])
		if !strings.Contains(string(value), `"timeout":`+raw+"}") {
			t.Errorf("%s is written as %s", raw, value)
		}
	}
}

// TestDisabled checks which file's switch counts: the user's, or else any (package 0.32.18, observed for the
// project's).
func TestDisabled(t *testing.T) {
	const hook = `"PreToolUse":[{"hooks":[{"type":"command","command":"a"}]}]`
	for _, row := range []struct {
		local, project, user string
		hooks                int
	}{
		{"", "", "", 1}, {"", "true", "", 0}, {"true", "", "", 0}, {"false", "true", "", 0}, {"", "true", "false", 1},
		{"", "", "true", 0},
	} {
		var cfgs []*schema.Config
		add := func(scope schema.Scope, off, more string) {
			if off != "" && more != "" {
				more = "," + more
			}
			if off != "" {
				more = `"disabled":` + off + more
			}
			cfg, ds := New().ParseConfig([]byte(`{"hooks":{`+more+`}}`), schema.Source{Scope: scope,
				File: scope.String()})
			if len(ds) > 0 {
				t.Errorf("%+v: %v", row, ds)
			}
			cfgs = append(cfgs, cfg)
		}
		add(schema.ScopeLocal, row.local, "")
		add(schema.ScopeProject, row.project, "")
		add(schema.ScopeUser, row.user, hook)
		hooks, ds := New().Resolve(cfgs)
		if len(hooks) != row.hooks || (len(ds) > 0) != (row.hooks == 0) {
			t.Errorf("%+v: %d hooks, %v", row, len(hooks), ds)
		}
	}
}

// TestCalls checks that a payload is written as it came, and that a failed result isn't a call of a hook's own agent.
func TestCalls(t *testing.T) {
	for _, text := range []string{
		`{"event_type":"PreToolUse","working_directory":"/p","tool_name":"Bash","tool_input":{"command":"ls"},` +
			`"tool_call_id":"c","agent_id":"a"}`,
		`{"event_type":"PostToolUseFailure","working_directory":"/p","tool_name":"Bash",` +
			`"tool_input":{"command":"ls"},"tool_call_id":"c",` +
			`"error_message":"[{\"type\":\"text\",\"text\":\"Exit code: 3\\nbad\"}]",` +
			`"error_type":"tool_error","agent_id":"a"}`,
	} {
		c, _ := New().DecodeCall([]byte(text), nil)
		own, _ := ordjson.Parse(New().AppendCall(nil, c, New().Views(c)[0]))
		came, _ := ordjson.Parse([]byte(text))
		for _, m := range came {
			if !ordjson.Equal(own.Value(m.Name), m.Value) {
				t.Errorf("%s is %s, was %s", m.Name, own.Value(m.Name), m.Value)
			}
		}
		if c.Event == schema.PostToolFailure && c.Str(schema.FieldError) != "bad" {
			t.Errorf("error %q", c.Str(schema.FieldError))
		}
	}
}

// TestFailedCall checks that hooks of both events get another agent's failed call, each with the payload of its event
// (observed 0.32.18).
func TestFailedCall(t *testing.T) {
	c := &schema.Call{Dialect: "claude", Event: schema.PostToolFailure, Cwd: "/p", Tool: schema.Tool{Name: "Bash",
		Kinds: []schema.Kind{schema.Shell}, Input: schema.Args{{Role: schema.RoleCommand, Raw: []byte(`"exit 3"`)}},
		Output: schema.Args{{Role: schema.RoleExitCode, Raw: []byte("3")}}}}
	want := map[string]string{"PostToolUseFailure": `,"error_message":"[{\"type\":\"text\",\"text\":\"Exit code: 3\\n` +
		`(Command completed with no output)\"}]"`,
		"PostToolUse": `,"tool_result":{"status":"error","output":"Exit code: 3\n(Command completed with no output)"}`}
	for _, v := range New().Views(c) {
		payload := string(New().AppendCall(nil, c, v))
		if !strings.Contains(payload, want[v.Event]) || !strings.Contains(payload, `"event_type":"`+v.Event+`"`) {
			t.Errorf("%s: %s", v.Event, payload)
		}
		delete(want, v.Event)
	}
	if len(want) > 0 {
		t.Errorf("no view for %v", want)
	}
}
