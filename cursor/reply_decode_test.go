package cursor

import (
	"errors"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// An answer is a hook's result at an event.
type answer struct {
	event, out, err, version, signal string
	exit                             int
	closed, mcp, timedOut, unstarted bool
}

func decode(t testing.TB, a answer) (schema.Reply, schema.Diagnostics) {
	t.Helper()
	res := &process.Result{Stdout: []byte(a.out), Stderr: []byte(a.err), Exit: a.exit, Signal: a.signal,
		TimedOut: a.timedOut}
	if a.signal != "" || a.timedOut {
		res.Exit = -1
	}
	if a.unstarted {
		res.Err = errors.New("no such file")
	}
	h := &schema.Hook{Path: "/hooks/x/0"}
	if a.closed {
		h.Fail = schema.FailClosed
	}
	v := schema.View{Event: a.event, Kind: schema.Shell, Tool: "Shell"}
	if a.mcp {
		v.Kind, v.Tool = schema.MCP, "do_it"
	}
	return at(a.version).DecodeReply(h, v, res)
}

// outcome describes the effect on the call in one word.
func outcome(r schema.Reply) string {
	switch {
	case r.EndTurn:
		return "stop"
	case r.KeepGoing != "":
		return "go"
	}
	return r.Verdict.String()
}

// classes are events that treat a hook's result alike: the table in section 3 of the facts, and the differences in 2.4
// (documented).
var classes = []struct {
	events  []string
	refusal string // outcome of a denial
	garbage string // of an unreadable answer, without failClosed
	old     string // of any failure in 2.4
	oldBad  string // of an unreadable answer in 2.4
}{
	{[]string{"preToolUse", "subagentStart", "beforeShellExecution", "beforeTabFileRead"}, "deny", "deny", "none",
		"none"},
	{[]string{"beforeMCPExecution", "beforeReadFile"}, "deny", "deny", "deny", "deny"},
	{[]string{"beforeSubmitPrompt"}, "deny", "none", "none", "none"},
	{[]string{"sessionStart"}, "stop", "none", "none", "none"},
	{[]string{"stop", "subagentStop", "sessionEnd", "postToolUse", "postToolUseFailure", "afterShellExecution",
		"afterMCPExecution", "afterFileEdit", "afterTabFileEdit",
		"afterAgentResponse", "afterAgentThought", "preCompact", "workspaceOpen"}, "none", "none", "none", "none"},
}

func TestClasses(t *testing.T) {
	n := 0
	for _, c := range classes {
		n += len(c.events)
	}
	same(t, "events in classes", n, len(events))
	for _, c := range classes {
		for _, e := range c.events {
			for _, row := range []struct {
				name                    string
				a                       answer
				open, closed, old, code string
			}{
				{"object", answer{out: `{}`}, "none", "none", "none", ""},
				{"empty", answer{out: " \n"}, "none", c.refusal, "none", ""},
				{"text", answer{out: "hello"}, c.garbage, c.refusal, c.oldBad, "HB303"},
				{"array", answer{out: "[1]"}, c.garbage, c.refusal, c.oldBad, "HB303"},
				{"status 2", answer{exit: 2}, c.refusal, c.refusal, c.refusal, ""},
				{"status 1", answer{exit: 1, out: `{"permission":"deny","continue":false}`}, "none", c.refusal, c.old,
					"HB305"},
				{"status 127", answer{exit: 127}, "none", c.refusal, c.old, "HB305"},
				{"killed", answer{signal: "SIGKILL"}, "none", c.refusal, c.old, "HB305"},
				{"killed after garbage", answer{signal: "SIGKILL", out: "x"}, c.garbage, c.refusal, c.oldBad, ""},
				{"time out", answer{timedOut: true, out: `{"permission":"deny"}`}, "none", c.refusal, c.old, "HB302"},
				{"not started", answer{unstarted: true}, "none", c.refusal, c.old, "HB301"},
			} {
				row.a.event = e
				for _, mode := range []struct{ name, want, version string }{{"open", row.open, ""},
					{"closed", row.closed, ""}, {"old", row.old, "2.4.21"}} {
					a := row.a
					a.closed, a.version = mode.name == "closed", mode.version
					r, ds := decode(t, a)
					if got := outcome(r); got != mode.want {
						t.Errorf("%s: %s, %s: %s, want %s", e, row.name, mode.name, got, mode.want)
					}
					if row.code != "" && (len(ds) != 1 || string(ds[0].Code) != row.code ||
						ds[0].Path != "/hooks/x/0") {
						t.Errorf("%s: %s, %s: findings %v, want %s", e, row.name, mode.name, ds, row.code)
					}
				}
			}
		}
	}
}

func long(n int) string { return `{"additional_context":"` + strings.Repeat("é", n) + `"}` }

func TestAnswers(t *testing.T) {
	input := schema.View{Event: "preToolUse", Kind: schema.Shell, Tool: "Shell"}
	deny := schema.Reply{Verdict: schema.Deny}
	for _, row := range []struct {
		a    answer
		want schema.Reply // hookbridge's own texts are left out
		code schema.Code
	}{
		{answer{event: "preToolUse", out: `{"permission":"deny","user_message":"u","agent_message":"a"}`},
			schema.Reply{Verdict: schema.Deny, Reason: "a", UserReason: "u"}, ""},
		{answer{event: "preToolUse", out: `{"permission":"deny","user_message":"u"}`},
			schema.Reply{Verdict: schema.Deny, Reason: "u"}, ""},
		{answer{event: "preToolUse", out: `{"user_message":"u"}`}, schema.Reply{}, ""},
		{answer{event: "preToolUse", out: `{"permission":"ask"}`}, schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "beforeShellExecution", out: `{"permission":"ask"}`}, schema.Reply{Verdict: schema.Ask}, ""},
		{answer{event: "beforeMCPExecution", out: `{"permission":"ask"}`}, schema.Reply{Verdict: schema.Ask}, ""},
		{answer{event: "subagentStart", out: `{"permission":"ask"}`}, deny, ""},
		{answer{event: "beforeReadFile", out: `{"permission":"ask"}`}, deny, schema.CodeBadSchema},
		{answer{event: "beforeTabFileRead", out: `{"permission":"ask"}`}, deny, schema.CodeBadSchema},
		{answer{event: "beforeReadFile", out: `{"permission":"ask"}`, version: "2.4"}, deny, schema.CodeBadSchema},
		{answer{event: "beforeReadFile", out: `{"permission":"allow"}`}, schema.Reply{Verdict: schema.Allow}, ""},
		{answer{event: "preToolUse", out: `{"permission":null}`}, deny, schema.CodeBadSchema},
		{answer{event: "preToolUse", out: `{"user_message":null}`}, deny, schema.CodeBadSchema},
		{answer{event: "preToolUse", out: `{"agent_message":7}`}, deny, schema.CodeBadSchema},
		{answer{event: "subagentStart", out: `{"agent_message":7,"additional_context":5,"updated_input":5}`},
			schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "preToolUse", out: `{"updated_input":[]}`}, deny, schema.CodeBadSchema},
		{answer{event: "preToolUse", out: `{"additional_context":5}`}, deny, schema.CodeBadSchema},
		{answer{event: "preToolUse", out: `{"additionalContext":5,"continue":"x","env":5,"followup_message":5,` +
			`"pluginPaths":5}`}, schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "preToolUse", out: `{"permission":"deny","permission":"allow"}`},
			schema.Reply{Verdict: schema.Allow}, ""},
		{answer{event: "preToolUse", out: "\ufeff{\"permission\":\"deny\"}\u2028\ufeff"}, deny, ""},
		{answer{event: "preToolUse", out: "{\"permission\":\"allow\"}\u0085"}, deny, schema.CodeBadAnswer},
		{answer{event: "preToolUse", out: `log {"permission":"allow"}{"permission":"deny"} `}, deny, ""},
		{answer{event: "preToolUse", out: `{"permission":"allow"}}`}, deny, schema.CodeBadAnswer},
		{answer{event: "preToolUse", out: `{"permission":"allow"} done`}, deny, schema.CodeBadAnswer},
		{answer{event: "preToolUse", out: `{"permission":"allow"}`, signal: "SIGKILL"},
			schema.Reply{Verdict: schema.Allow}, ""},
		{answer{event: "preToolUse", out: `{"permission":"deny","additional_context":"c"}`},
			schema.Reply{Verdict: schema.Deny, Context: "c"}, ""},
		{answer{event: "preToolUse", out: `{"updated_input":{"command":"ls"}}`},
			schema.Reply{Input: schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte(`"ls"`)}},
				InputView: input}, ""},
		{answer{event: "preToolUse", out: `{"updated_input":{}}`}, schema.Reply{Input: schema.Args{}, InputView: input},
			""},
		{answer{event: "beforeShellExecution", out: `{"continue":false,"permission":"allow"}`},
			schema.Reply{Verdict: schema.Allow}, schema.CodeIgnoredEffect},
		{answer{event: "beforeShellExecution", out: `{"updated_input":5,"additional_context":"c"}`}, schema.Reply{},
			schema.CodeIgnoredEffect},
		{answer{event: "preToolUse", out: long(10000)}, schema.Reply{Context: strings.Repeat("é", 10000)}, ""},
		{answer{event: "preToolUse", out: long(10001)}, schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "preToolUse", out: `{"additional_context":"` + strings.Repeat("😀", 5001) + `"}`}, schema.Reply{},
			schema.CodeIgnoredEffect},
		{answer{event: "preToolUse", out: long(10001), closed: true}, deny, schema.CodeBadSchema},
		{answer{event: "postToolUse", out: long(10001), closed: true}, schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "postToolUse", out: `{"additionalContext":"c"}`}, schema.Reply{Context: "c"}, ""},
		{answer{event: "postToolUse", out: `{"additionalContext":"c","additional_context":"s"}`},
			schema.Reply{Context: "s"}, ""},
		{answer{event: "postToolUse", out: `{"additional_context":"s","user_message":5}`}, schema.Reply{},
			schema.CodeBadSchema},
		{answer{event: "postToolUse", out: `{"additional_context":"s","permission":5}`}, schema.Reply{Context: "s"},
			""},
		{answer{event: "postToolUse", out: `{"updated_mcp_tool_output":[1]}`, mcp: true},
			schema.Reply{Output: []byte("[1]")}, ""},
		{answer{event: "postToolUse", out: `{"updated_mcp_tool_output":[1]}`}, schema.Reply{},
			schema.CodeIgnoredEffect},
		{answer{event: "postToolUseFailure", out: `{"updated_mcp_tool_output":[1]}`, mcp: true}, schema.Reply{},
			schema.CodeIgnoredEffect},
		{answer{event: "beforeSubmitPrompt", out: `{"continue":false,"user_message":"u"}`},
			schema.Reply{Verdict: schema.Deny, Reason: "u"}, ""},
		{answer{event: "beforeSubmitPrompt", out: `{"continue":false,"continue":false,"permission":5}`}, deny, ""},
		{answer{event: "beforeSubmitPrompt", out: `{"continue":"no"}`}, schema.Reply{}, schema.CodeBadSchema},
		{answer{event: "beforeSubmitPrompt", out: `{"continue":false,"agent_message":5}`}, schema.Reply{},
			schema.CodeBadSchema},
		{answer{event: "beforeSubmitPrompt", out: `{"permission":"deny"}`}, schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "stop", out: `{"permission":"deny"}`}, schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "beforeSubmitPrompt", out: `{"permission":"deny","continue":false}`},
			schema.Reply{Verdict: schema.Deny}, ""},
		{answer{event: "beforeShellExecution", out: `{"updated_input":{"command":"ls"}}`}, schema.Reply{},
			schema.CodeIgnoredEffect},
		{answer{event: "preToolUse", out: `{"env":{"A":"b"}}`}, schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "sessionStart", out: `{"continue":false,"user_message":"u"}`},
			schema.Reply{EndTurn: true, EndReason: "u"}, ""},
		{answer{event: "sessionStart", out: `{"env":{"A":"1"},"additional_context":"c","user_message":"u"}`},
			schema.Reply{Env: []schema.EnvVar{{Name: "A", Value: "1"}}, Context: "c"}, ""},
		{answer{event: "sessionStart", out: `{"env":{"A":1}}`}, schema.Reply{}, schema.CodeBadSchema},
		{answer{event: "stop", out: `{"followup_message":"f"}`}, schema.Reply{KeepGoing: "f"}, ""},
		{answer{event: "stop", out: `{"followup_message":" \n"}`}, schema.Reply{}, ""},
		{answer{event: "preToolUse", out: `{"permission":"deny","user_message":" ","agent_message":"\t"}`},
			schema.Reply{Verdict: schema.Deny}, ""},
		{answer{event: "stop", out: `{"followup_message":5}`}, schema.Reply{}, schema.CodeBadSchema},
		{answer{event: "preCompact", out: `{"user_message":"u"}`}, schema.Reply{Notice: "u"}, ""},
		{answer{event: "workspaceOpen", out: `{"pluginPaths":["/a"]}`},
			schema.Reply{Others: []schema.Effect{{Feature: schema.EffectPluginPaths, Raw: []byte(`["/a"]`)}}}, ""},
		{answer{event: "workspaceOpen", out: `{"pluginPaths":["/a",""]}`}, schema.Reply{}, schema.CodeBadSchema},
		{answer{event: "preToolUse", exit: 2, out: ` {"a":1} `, err: "e"},
			schema.Reply{Verdict: schema.Deny, Reason: `{"a":1}`}, ""},
		{answer{event: "preToolUse", exit: 2, err: " e "},
			schema.Reply{Verdict: schema.Deny, Reason: "Hook blocked with message: e"}, ""},
		{answer{event: "stop", exit: 2, out: "x"}, schema.Reply{}, schema.CodeIgnoredEffect},
		{answer{event: "preToolUse", out: `{"decision":"deny","reason":"r"}`, version: "2.4"},
			schema.Reply{Verdict: schema.Deny, Reason: "r"}, ""},
		{answer{event: "preToolUse", out: `{"decision":"deny","permission":"allow"}`, version: "2.4"}, deny, ""},
		{answer{event: "subagentStart", out: `{"decision":"deny","reason":"r"}`, version: "2.4"},
			schema.Reply{Verdict: schema.Deny, Reason: "r"}, ""},
		{answer{event: "preToolUse", out: `{"decision":"deny","reason":"r"}`},
			schema.Reply{Verdict: schema.Deny, Reason: "r"}, schema.CodeOldAnswer},
		{answer{event: "preToolUse", out: `{"reason":"r","decision":"deny"}`, version: "3.15.19"},
			schema.Reply{Verdict: schema.Deny, Reason: "r"}, schema.CodeOldAnswer},
		{answer{event: "preToolUse", out: `{"permission":"allow","decision":"deny"}`},
			schema.Reply{Verdict: schema.Deny}, schema.CodeOldAnswer},
		{answer{event: "preToolUse", out: `{"decision":"allow","reason":"r"}`}, schema.Reply{}, ""},
		{answer{event: "preToolUse", out: `{"decision":"maybe"}`}, schema.Reply{}, ""},
		{answer{event: "subagentStart", out: `{"decision":"deny","reason":"r"}`},
			schema.Reply{Verdict: schema.Deny, Reason: "r"}, schema.CodeOldAnswer},
		{answer{event: "beforeShellExecution", out: `{"decision":"deny"}`, version: "2.4"},
			schema.Reply{Verdict: schema.Deny}, schema.CodeOldAnswer},
		{answer{event: "beforeShellExecution", out: `{"permission":"deny","userMessage":"u","agentMessage":"a"}`},
			schema.Reply{Verdict: schema.Deny, Reason: "a", UserReason: "u"}, schema.CodeOldAnswer},
		{answer{event: "beforeShellExecution", out: `{"permission":"deny","user_message":"n","userMessage":"u"}`},
			schema.Reply{Verdict: schema.Deny, Reason: "n"}, ""},
		{answer{event: "beforeShellExecution", out: `{"permission":"allow","userMessage":"u"}`},
			schema.Reply{Verdict: schema.Allow}, ""},
		{answer{event: "beforeSubmitPrompt", out: `{"continue":false,"userMessage":"u"}`},
			schema.Reply{Verdict: schema.Deny, Reason: "u"}, schema.CodeOldAnswer},
		{answer{event: "stop", out: `{"decision":"deny","reason":"r"}`}, schema.Reply{}, ""},
	} {
		r, ds := decode(t, row.a)
		name := row.a.event + " " + row.a.version + " " + row.a.out[:min(len(row.a.out), 90)]
		r.Extra = nil
		if row.want.Reason == "" {
			r.Reason = ""
		}
		same(t, name, r, row.want)
		if got := codes(ds); got != string(row.code) {
			t.Errorf("%s: findings %q, want %q", name, got, row.code)
		}
	}
}

func codes(ds schema.Diagnostics) string {
	s := ""
	for _, d := range ds {
		s += string(d.Code)
	}
	return s
}

// TestNested reads answers in Claude Code's format, as tested in the SDK 1.0.32 with its option for them, which the
// editor and the CLI turn on.
func TestNested(t *testing.T) {
	denied := schema.Reply{Verdict: schema.Deny}
	for _, row := range []struct {
		event, out string
		want       schema.Reply
		code       schema.Code
	}{
		{"preToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
			`"permissionDecisionReason":"no"}}`, schema.Reply{Verdict: schema.Deny, Reason: "no"}, ""},
		{"preToolUse", `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, denied, ""},
		{"preToolUse", `{"hookSpecificOutput":{"hookEventName":"","permissionDecision":"deny",` +
			`"permissionDecisionReason":3}}`, denied, ""},
		{"preToolUse", `{"decision":"approve","hookSpecificOutput":{"permissionDecision":"deny"}}`, denied, ""},
		{"preToolUse", `{"hookSpecificOutput":{"hookEventName":"preToolUse","permissionDecision":"deny"}}`,
			schema.Reply{}, ""},
		{"preToolUse", `{"hookSpecificOutput":{"hookEventName":null,"permissionDecision":"deny"}}`, schema.Reply{}, ""},
		{"preToolUse", `{"hookSpecificOutput":{"permissionDecision":"defer"}}`, denied, schema.CodeBadSchema},
		{"preToolUse", `{"hookSpecificOutput":{"permissionDecision":null}}`, denied, schema.CodeBadSchema},
		{"preToolUse", `{"hookSpecificOutput":{"permissionDecision":"ask"}}`, schema.Reply{}, schema.CodeIgnoredEffect},
		{"preToolUse", `{"hookSpecificOutput":{"permissionDecision":"deny"},"user_message":"u"}`,
			schema.Reply{Reason: "u"}, ""},
		{"preToolUse", `{"hookSpecificOutput":{"permissionDecision":"deny","additionalContext":"n"},` +
			`"additional_context":"f"}`, schema.Reply{Verdict: schema.Deny, Context: "f"}, ""},
		{"preToolUse", `{"hookSpecificOutput":{"additionalContext":"n"},"user_message":"u"}`,
			schema.Reply{Reason: "u", Context: "n"}, ""},
		{"preToolUse", `{"hookSpecificOutput":{"updatedInput":"x","permissionDecision":"allow"}}`,
			schema.Reply{Verdict: schema.Allow}, ""},
		{"postToolUse", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"n"}}`,
			schema.Reply{Context: "n"}, ""},
		{"postToolUseFailure", `{"hookSpecificOutput":{"additionalContext":"n"}}`, schema.Reply{}, ""},
		{"beforeSubmitPrompt", `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"n"}}`,
			schema.Reply{Context: "n"}, ""},
		{"sessionStart", `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"n"}}`,
			schema.Reply{Context: "n"}, ""},
		{"beforeShellExecution", `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, schema.Reply{}, ""},
		{"subagentStart", `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, schema.Reply{}, ""},
		{"stop", `{"hookSpecificOutput":{"hookEventName":"Stop","decision":"block","reason":"r"}}`,
			schema.Reply{KeepGoing: "r"}, ""},
		{"stop", `{"hookSpecificOutput":{"decision":"block","reason":"r"},"decision":"approve","reason":"q"}`,
			schema.Reply{KeepGoing: "r"}, ""},
		{"stop", `{"hookSpecificOutput":{"decision":"block","reason":"r"},"decision":"block","reason":"q"}`,
			schema.Reply{KeepGoing: "q"}, ""},
		{"stop", `{"hookSpecificOutput":{"decision":"block"},"reason":"q"}`, schema.Reply{KeepGoing: "q"}, ""},
		{"stop", `{"hookSpecificOutput":{"decision":"block","reason":"r"},"followup_message":"f"}`,
			schema.Reply{KeepGoing: "f"}, ""},
		{"stop", `{"hookSpecificOutput":{"hookEventName":"SubagentStop","decision":"block","reason":"r"}}`,
			schema.Reply{}, ""},
		{"subagentStop", `{"hookSpecificOutput":{"decision":"block","reason":"r"}}`, schema.Reply{KeepGoing: "r"}, ""},
	} {
		r, ds := decode(t, answer{event: row.event, out: row.out})
		if len(ds) > 0 && ds[0].Code != row.code || row.code != "" && len(ds) == 0 {
			t.Errorf("%s %s: findings %v", row.event, row.out, ds)
		}
		if row.code == schema.CodeBadSchema {
			r.Reason = ""
		}
		r.Extra = nil
		same(t, row.event+" "+row.out, r, row.want)
		sdk, _ := decode(t, answer{event: row.event, out: row.out, version: "sdk"})
		if sdk.Verdict == schema.Deny {
			t.Errorf("%s %s: the SDK ignores it, got %+v", row.event, row.out, sdk)
		}
	}
	r, _ := decode(t, answer{event: "preToolUse", out: `{"hookSpecificOutput":{"updatedInput":{"command":"ls"}}}`})
	if got := r.Input.Text(schema.RoleCommand); got != "ls" {
		t.Errorf("rewritten command %q", got)
	}
}
