package qoder

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

func out(stdout string) *process.Result { return &process.Result{Stdout: []byte(stdout)} }

func status(n int, stdout, stderr string) *process.Result {
	return &process.Result{Exit: n, Stdout: []byte(stdout), Stderr: []byte(stderr)}
}

func specific(event, rest string) *process.Result {
	return out(`{"hookSpecificOutput":{"hookEventName":"` + event + `",` + rest + `}}`)
}

var command = &schema.Hook{Handler: schema.HandlerCommand, Path: "/hooks/X/0/hooks/0"}

func viewOf(native string) schema.View {
	v := schema.View{Event: native}
	if row := profile.Row(native); row.Event.IsTool() {
		v.Tool, v.Kind = "Bash", schema.Shell
	}
	return v
}

func TestDecodeReply(t *testing.T) {
	deny := func(reason string) schema.Reply { return schema.Reply{Verdict: schema.Deny, Reason: reason} }
	none := schema.Reply{}
	for _, tt := range []struct {
		event string
		res   *process.Result
		want  schema.Reply
		code  schema.Code // of the only finding; "": none
	}{
		// Exit status 2.
		{"PreToolUse", status(2, `{"decision":"approve"}`, " no \n"), deny("no"), ""},
		{"PreToolUse", status(2, "", ""), deny("Hook blocked with exit code 2"), ""},
		{"PostToolUse", status(2, "", "bad"), schema.Reply{Feedback: "bad"}, ""},
		{"PostToolUseFailure", status(2, "", "bad"), schema.Reply{Feedback: "bad"}, ""},
		{"UserPromptSubmit", status(2, "", "no"), deny("no"), ""},
		{"Stop", status(2, "", "more"), schema.Reply{KeepGoing: "more"}, ""},
		{"TeammateIdle", status(2, "", "more"), schema.Reply{KeepGoing: "more"}, ""},
		{"PreCompact", status(2, "", "no"), deny("no"), ""},
		{"Elicitation", status(2, "", "no"), schema.Reply{Verdict: schema.Deny}, ""},
		{"TaskCreated", status(2, "", "no"), deny("no"), ""},
		{"PermissionRequest", status(2, "", "no"), none, schema.CodeIgnoredEffect},
		{"SessionStart", status(2, "", "no"), none, schema.CodeIgnoredEffect},
		// Other ends.
		{"PreToolUse", status(1, `{"decision":"block"}`, "oops"), none, schema.CodeHookFailed},
		{"PreToolUse", &process.Result{Exit: -1, TimedOut: true}, none, schema.CodeTimedOut},
		{"PreToolUse", &process.Result{Exit: -1, Err: errors.New("gone")}, none, schema.CodeNotStarted},
		{"PreToolUse", &process.Result{Exit: -1, Signal: "SIGKILL",
			Stdout: []byte(`{"decision":"block","reason":"sig"}`)}, deny("sig"), ""},
		// PreToolUse fails closed.
		{"PreToolUse", out(`{"decision": `), deny("PreToolUse hook printed malformed JSON"), schema.CodeBadAnswer},
		{"PreToolUse", out(`{} trailing`), deny("PreToolUse hook printed malformed JSON"), schema.CodeBadAnswer},
		{"PreToolUse", out(`"unfinished`), deny("PreToolUse hook printed malformed JSON"), schema.CodeBadAnswer},
		{"PreToolUse", out(`{"decision":"maybe"}`), deny("PreToolUse hook printed an invalid answer"),
			schema.CodeBadSchema},
		{"PreToolUse", out(`{"async":false}`), deny("PreToolUse hook printed an invalid answer"), schema.CodeBadSchema},
		{"PreToolUse", out(`{"systemMessage":null}`), deny("PreToolUse hook printed an invalid answer"),
			schema.CodeBadSchema},
		{"PreToolUse", out(`{"hookSpecificOutput":{"permissionDecision":"allow"}}`),
			deny("PreToolUse hook printed an invalid answer"), schema.CodeBadSchema},
		{"PreToolUse", specific("Nope", `"a":1`), deny("PreToolUse hook printed an invalid answer"),
			schema.CodeBadSchema},
		{"PreToolUse", specific("PreToolUse", `"updatedInput":[]`), deny("PreToolUse hook printed an invalid answer"),
			schema.CodeBadSchema},
		// Text.
		{"PreToolUse", out("no! {\"decision\":\"block\"}"), none, schema.CodeIgnoredEffect},
		{"PreToolUse", out(" \n"), none, ""},
		{"Stop", out("hello"), none, ""},
		{"UserPromptSubmit", out("hello\n"), schema.Reply{Context: "hello"}, ""},
		{"SessionStart", out(`{"a": `), schema.Reply{Context: `{"a":`}, schema.CodeBadAnswer},
		{"PreCompact", out("keep x"), schema.Reply{Context: "keep x"}, ""},
		{"UserPromptSubmit", out(`"just text"`), schema.Reply{Context: `"just text"`}, ""},
		{"PostToolUse", out(`{"continue":"no"}`), none, schema.CodeBadSchema},
		// Decisions.
		{"PreToolUse", out(`{"decision":"deny","reason":"r"}`), deny("r"), ""},
		{"PreToolUse", out(`{"decision":"block"}`), deny("No reason provided"), ""},
		{"PreToolUse", out(`"{\"decision\":\"block\",\"reason\":\"r\"}"`), deny("r"), ""},
		{"PreToolUse", out(`{"decision":"approve","decision":"block","reason":"r"}`), deny("r"), ""},
		{"PreToolUse", out(`{"decision":"approve"}`), schema.Reply{Verdict: schema.Allow}, ""},
		{"PreToolUse", specific("PreToolUse", `"permissionDecision":"ask","permissionDecisionReason":"sure?"`),
			schema.Reply{Verdict: schema.Ask, Reason: "sure?"}, ""},
		{"PreToolUse", specific("PreToolUse", `"permissionDecision":"defer"`), none, schema.CodeIgnoredEffect},
		{"PreToolUse", specific("Stop", `"permissionDecision":"deny"`), none, ""},
		{"PreToolUse", specific("SessionStart", `"additionalContext":"c"`), schema.Reply{Context: "c"}, ""},
		{"PreToolUse", out(`{"permission":"deny","user_message":"x"}`), none, ""},
		{"Stop", out(`{"decision":"approve"}`), none, schema.CodeIgnoredEffect},
		{"PostToolUse", out(`{"decision":"block","reason":"r"}`), schema.Reply{Feedback: "r"}, ""},
		// The end of the turn.
		{"PreToolUse", out(`{"continue":false,"stopReason":"done"}`), schema.Reply{Verdict: schema.Deny, Reason: "done",
			EndTurn: true, EndReason: "done"}, ""},
		{"PostToolUse", out(`{"continue":false}`), schema.Reply{EndTurn: true}, ""},
		{"Stop", out(`{"continue":false,"decision":"block","reason":"r"}`), schema.Reply{EndTurn: true}, ""},
		{"PreCompact", out(`{"continue":false,"stopReason":"s"}`), deny("s"), ""},
		{"TeammateIdle", out(`{"continue":false,"stopReason":"s"}`), schema.Reply{KeepGoing: "s"}, ""},
		{"SessionStart", out(`{"continue":false}`), none, schema.CodeIgnoredEffect},
		// Further effects.
		{"PostToolUse", specific("PostToolUse", `"updatedToolOutput":{"stdout":""}`),
			schema.Reply{Output: []byte(`{"stdout":""}`)}, ""},
		{"PostToolUse", specific("PostToolUse", `"updatedMCPToolOutput":"x"`), none, ""},
		{"Stop", specific("PostToolUse", `"additionalContext":"x"`), none, schema.CodeIgnoredEffect},
		{"Stop", specific("Stop", `"clearContext":true`), none, schema.CodeEffectLost},
		{"UserPromptSubmit", specific("UserPromptSubmit", `"prompt":"x"`), schema.Reply{Prompt: "x"},
			schema.CodeIgnoredEffect},
		{"UserPromptSubmit", out(`{"systemMessage":"m"}`), schema.Reply{Notice: "m"}, ""},
		{"PreToolUse", out(`{"async":true,"decision":"block"}`), none, schema.CodeReleased},
		{"PermissionRequest", specific("PermissionRequest", `"decision":{"behavior":"deny","message":"m"}`), deny("m"),
			""},
		{"PermissionRequest", out(`{"decision":"block"}`), none, schema.CodeIgnoredEffect},
		{"PermissionRequest", specific("PermissionRequest", `"decision":{"behavior":"maybe"}`), none,
			schema.CodeBadSchema},
		{"Elicitation", specific("Elicitation", `"action":"decline"`), schema.Reply{Verdict: schema.Deny}, ""},
		{"WorktreeCreate", out(""), deny("the hook named no folder for the worktree"), ""},
	} {
		got, ds := New().DecodeReply(command, viewOf(tt.event), tt.res)
		got.Extra = nil
		if strings.HasPrefix(got.Reason, "PreToolUse hook printed") {
			got.Reason, _, _ = strings.Cut(got.Reason, ":")
		}
		if len(got.Others) == 0 {
			got.Others = nil
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s %q %d: %+v\nwant %+v", tt.event, tt.res.Stdout, tt.res.Exit, got, tt.want)
		}
		code := schema.Code("")
		if len(ds) > 0 {
			code = ds[0].Code
		}
		if code != tt.code || len(ds) > 1 {
			t.Errorf("%s %q: findings %v, want %q", tt.event, tt.res.Stdout, ds, tt.code)
		}
	}
}

// TestInvalidAnswerShown checks that the model sees an answer that breaks the rules (observed 1.1.52).
func TestInvalidAnswerShown(t *testing.T) {
	got, _ := New().DecodeReply(&schema.Hook{Handler: schema.HandlerCommand}, viewOf("PreToolUse"),
		&process.Result{Stdout: []byte(`{"decision":"Deny","reason":"no force push"}`)})
	if !strings.Contains(got.Reason, "no force push") {
		t.Error(got.Reason)
	}
}

func TestDecodeOthers(t *testing.T) {
	for _, tt := range []struct {
		event string
		res   *process.Result
		f     schema.Feature
		want  string
	}{
		{"WorktreeCreate", out("/a b\n"), schema.EffectWorktree, `"/a b"`},
		{"WorktreeCreate", specific("WorktreeCreate", `"worktreePath":"/x"`), schema.EffectWorktree, `"/x"`},
		{"FileChanged", specific("FileChanged", `"watchPaths":["/x"]`), schema.EffectWatchPaths, `["/x"]`},
		{"PermissionDenied", specific("PermissionDenied", `"retry":true`), schema.EffectRetry, "true"},
		{"UserPromptSubmit", specific("UserPromptSubmit", `"sessionTitle":"t"`), schema.EffectSessionTitle, `"t"`},
		{"Elicitation", specific("Elicitation", `"action":"accept","content":{"a":1}`), schema.EffectElicit,
			`{"action":"accept","content":{"a":1}}`},
		{"PostToolUse", out(`{"suppressOutput":true,"systemMessage":"hidden"}`), schema.EffectQuiet, "true"},
	} {
		got, _ := New().DecodeReply(command, viewOf(tt.event), tt.res)
		if raw, _ := got.Other(tt.f); string(raw) != tt.want || got.Notice != "" {
			t.Errorf("%s: %s, want %s (%+v)", tt.event, raw, tt.want, got)
		}
	}
	// The IDE reads JSON at status 2 too, and answers permission requests like tool calls.
	got, _ := at("ide").DecodeReply(command, viewOf("PreToolUse"), status(2, `{"reason":"why"}`, ""))
	if got.Verdict != schema.Deny || got.Reason != "why" {
		t.Errorf("%+v", got)
	}
	got, ds := at("ide").DecodeReply(command, viewOf("PostToolUse"), out(`{"updatedToolOutput":"x"}`))
	if string(got.Output) != `"x"` || len(ds) > 0 {
		t.Errorf("an output at the top: %+v %v", got, ds)
	}
	got, ds = at("ide").DecodeReply(command, viewOf("Stop"), out(`{"continueWithPrompt":"more"}`))
	if got.KeepGoing != "more" || len(ds) > 0 {
		t.Errorf("a prompt to continue with: %+v %v", got, ds)
	}
	got, ds = at(earlyIDE).DecodeReply(command, viewOf("Stop"), out(`{"continueWithPrompt":"more"}`))
	if got.KeepGoing != "" || len(ds) != 1 || ds[0].Code != schema.CodeIgnoredEffect {
		t.Errorf("a prompt to continue with in the early IDE: %+v %v", got, ds)
	}
	got, _ = at("ide").DecodeReply(command, viewOf("PermissionRequest"),
		specific("PermissionRequest", `"permissionDecision":"deny","permissionDecisionReason":"r"`))
	if got.Verdict != schema.Deny || got.Reason != "r" {
		t.Errorf("%+v", got)
	}
	http := &schema.Hook{Handler: schema.HandlerHTTP}
	if got, _ = New().DecodeReply(http, viewOf("UserPromptSubmit"), out(`{"a":`)); got.Context != "" {
		t.Errorf("%+v", got)
	}
}

func TestAppendReply(t *testing.T) {
	for _, tt := range []struct {
		event string
		reply schema.Reply
		want  string
	}{
		{"PreToolUse", schema.Reply{}, `{}`},
		{"PreToolUse", schema.Reply{Verdict: schema.Deny, Reason: "r"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
				`"permissionDecisionReason":"r"}}`},
		{"PreToolUse", schema.Reply{Verdict: schema.Deny, Reason: "r", UserReason: "u"},
			`{"systemMessage":"u","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
				`"permissionDecisionReason":"r"}}`},
		{"PreToolUse", schema.Reply{Input: schema.Args{arg(schema.RoleCommand, `"x"`)}, Context: "c"},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"x"},` +
				`"additionalContext":"c"}}`},
		{"PostToolUseFailure", schema.Reply{Feedback: "f"},
			`{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"f"}}`},
		{"UserPromptSubmit", schema.Reply{Verdict: schema.Deny, Reason: "r", UserReason: "u"},
			`{"decision":"block","reason":"u"}`},
		{"Stop", schema.Reply{KeepGoing: "more"}, `{"decision":"block","reason":"more"}`},
		{"Stop", schema.Reply{EndTurn: true, EndReason: "e"}, `{"continue":false,"stopReason":"e"}`},
		{"SessionStart", schema.Reply{Context: "c"},
			`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"c"}}`},
		{"PermissionRequest", schema.Reply{Verdict: schema.Ask, Reason: "m"},
			`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny",` +
				`"message":"m"}}}`},
		{"Elicitation", schema.Reply{Verdict: schema.Deny},
			`{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"decline"}}`},
		{"WorktreeCreate", schema.Reply{Others: []schema.Effect{{Feature: schema.EffectWorktree, Raw: []byte(`"/x"`)}}},
			`{"hookSpecificOutput":{"hookEventName":"WorktreeCreate","worktreePath":"/x"}}`},
	} {
		c := &schema.Call{Dialect: "qoder", Native: tt.event}
		if viewOf(tt.event).Kind == schema.Shell {
			c.Tool = schema.Tool{Name: "Bash", Kinds: []schema.Kind{schema.Shell}}
		}
		if got := string(New().AppendReply(nil, c, &tt.reply)); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.event, got, tt.want)
		}
	}
	c := &schema.Call{Dialect: "qoder", Version: "ide", Native: "PostToolUse"}
	if got := string(New().AppendReply(nil, c, &schema.Reply{Feedback: "f"})); got !=
		`{"hookSpecificOutput":{"hookEventName":"PostToolUse","feedback":"f"}}` {
		t.Errorf("IDE: %s", got)
	}
}

func TestHost(t *testing.T) {
	pre := &schema.Call{Dialect: "qoder", Native: "PreToolUse"}
	if New().Honors(pre, nil)&schema.EffectAsk == 0 {
		t.Error("a question is not heeded")
	}
	pre.SetStr(schema.FieldMode, "bypass")
	if f := New().Honors(pre, nil); f&schema.EffectAsk != 0 || f&schema.EffectDeny == 0 {
		t.Errorf("mode bypass: %s", f)
	}
	if f := New().Honors(&schema.Call{Dialect: "qoder", Native: "SessionStart"}, nil); f&schema.EffectEnv != 0 ||
		f&schema.EffectContext == 0 {
		t.Errorf("SessionStart: %s", f)
	}
	for _, tt := range []struct {
		given []schema.Reply
		want  schema.Reply
	}{
		{[]schema.Reply{{Verdict: schema.Deny, Reason: noReason}, {Verdict: schema.Deny, Reason: noReason}},
			schema.Reply{Verdict: schema.Deny, Reason: noReason}},
		{[]schema.Reply{{Verdict: schema.Deny, Reason: noReason}, {Verdict: schema.Allow, Reason: "fine"}},
			schema.Reply{Verdict: schema.Deny, Reason: "fine"}},
		{[]schema.Reply{{Verdict: schema.Deny, Reason: "no", Context: "a"}, {Context: "b"}},
			schema.Reply{Verdict: schema.Deny, Reason: "no"}},
	} {
		if got := New().Merge(tt.given); got.Verdict != tt.want.Verdict || got.Reason != tt.want.Reason ||
			got.Context != "" {
			t.Errorf("%+v", got)
		}
	}
	call := &schema.Call{Dialect: "qoder", Native: "PreToolUse", Event: schema.PreTool}
	if f := New().Honors(call, &schema.Reply{Verdict: schema.Deny}); f&schema.EffectContext != 0 {
		t.Error("context beside a refusal")
	}
	merged := New().Merge([]schema.Reply{{Verdict: schema.Allow, Reason: "fine"}, {Verdict: schema.Deny, Reason: "no"},
		{Verdict: schema.Ask}})
	if merged.Verdict != schema.Deny || merged.Reason != "fine\nno" {
		t.Errorf("%+v", merged)
	}
	// A denial denies at every event, as the dialect itself reads it.
	for i := range events {
		row := &events[i]
		text := New().Refuse(nil, row.Native, "because")
		got, ds := New().DecodeReply(command, viewOf(row.Native), &process.Result{Stdout: text})
		refused := got.Verdict == schema.Deny || got.Feedback != "" || got.Notice == "because" ||
			got.Context == "because"
		if !refused || ds.Max() > schema.Note {
			t.Errorf("%s: %s is %+v %v", row.Native, text, got, ds)
		}
		if row.Blocks == schema.EffectDeny && got.Verdict != schema.Deny {
			t.Errorf("%s: %s does not refuse", row.Native, text)
		}
	}
	if got := New().Refusal(command, viewOf("PreToolUse"), "r"); got.Verdict != schema.Deny || got.Reason != "r" {
		t.Errorf("Refusal: %+v", got)
	}
	for name, want := range map[string]bool{"QODER_HOOK_SOURCE": true, "QODER_ENV_FILE": true,
		"QODER_CONFIG_DIR": false, "CLAUDE_PROJECT_DIR": false, "PATH": false} {
		if profile.HostVariables.Has(name) != want {
			t.Errorf("HostVariables.Has(%s) is not %v", name, want)
		}
	}
}
