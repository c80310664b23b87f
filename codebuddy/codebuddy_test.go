package codebuddy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

func reply(event, stdout, stderr string, exit int) schema.Reply {
	r, _ := New().DecodeReply(&schema.Hook{Handler: schema.HandlerCommand}, schema.View{Event: event, Tool: "Bash",
		Kind: schema.Shell},
		&process.Result{Stdout: []byte(stdout), Stderr: []byte(stderr), Exit: exit})
	return r
}

func word(s string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + s +
		`","permissionDecisionReason":"w"}}`
}

// unsaid is a block next to a permissionDecision.
func unsaid(decision string) string {
	return `{"hookSpecificOutput":{"permissionDecision":` + decision + `},"decision":"block","reason":"b"}`
}

const block = `{"decision":"block","reason":"b"}`

// TestAnswers checks the effect of a hook before a tool (observed 2.117.0).
func TestAnswers(t *testing.T) {
	for _, x := range []struct {
		stdout, stderr string
		exit           int
		want           schema.Verdict
		reason         string
	}{
		{"", "two\nlines", 2, schema.Deny, "two\nlines"},
		{"out", "err", 2, schema.Deny, "out"},
		{"", "", 2, schema.Deny, "Blocked by PreToolUse hook"},
		{block, "", 0, schema.Deny, "b"},
		{block, "", 1, schema.NoOpinion, ""},
		{"log\n" + block, "", 0, schema.NoOpinion, ""},
		{`{"continue":false,"stopReason":"halt"}`, "", 0, schema.Deny, "halt"},
		{`{"continue":true}`, "x", 2, schema.Deny, "x"},
		{"", "x", 127, schema.NoOpinion, ""},
		{word("deny"), "", 0, schema.Deny, "w"},
		{word("deny"), "", 1, schema.Deny, "w"},
		{word("allow"), "x", 2, schema.Allow, ""},
		{word("ask"), "", 0, schema.Ask, "w"},
		{word("ask"), "x", 2, schema.Deny, "w"},
		{`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"n"}}`, "", 0, schema.Deny,
			"n"},
		{`{"hookSpecificOutput":{"permissionDecision":"allow"}}`, "x", 2, schema.Deny, "x"},
		{`{"hookSpecificOutput":{"permissionDecision":"allow"}}`, "", 0, schema.NoOpinion, ""},
		{`{"decision":"deny"}`, "", 0, schema.NoOpinion, ""},
		{"[1]", "", 2, schema.Deny, "[1]"},
		{word("deny") + "\ufeff", "", 0, schema.Deny, "w"},
		{unsaid("null"), "", 0, schema.Deny, "b"},
		{unsaid(`""`), "", 0, schema.Deny, "b"},
		{unsaid("false"), "", 0, schema.Deny, "b"},
		{unsaid("0"), "", 0, schema.Deny, "b"},
		{unsaid("5"), "", 0, schema.NoOpinion, ""},
		{unsaid(`"bogus"`), "", 0, schema.NoOpinion, ""},
		{`{"decision":"block","reason":5}`, "", 0, schema.Deny, "5"},
		{`{"decision":"block","reason":["no"]}`, "", 0, schema.Deny, "no"},
		{`{"decision":"block","stopReason":5}`, "", 0, schema.Deny, "5"},
	} {
		if r := reply("PreToolUse", x.stdout, x.stderr, x.exit); r.Verdict != x.want || r.Reason != x.reason {
			t.Errorf("%q, %q, %d: %s %q, want %s %q", x.stdout, x.stderr, x.exit, r.Verdict, r.Reason, x.want,
				x.reason)
		}
	}
}

// TestFailures checks which hooks deny by failing (observed 2.117.0 for the time limit, the rest from its package).
func TestFailures(t *testing.T) {
	for _, x := range []struct {
		handler schema.Handler
		result  process.Result
		want    schema.Verdict
	}{
		{schema.HandlerCommand, process.Result{TimedOut: true}, schema.Deny},
		{schema.HandlerHTTP, process.Result{TimedOut: true}, schema.NoOpinion},
		{schema.HandlerCommand, process.Result{Exit: -1, Signal: "SIGKILL"}, schema.Deny},
		{schema.HandlerCommand, process.Result{Exit: 1}, schema.NoOpinion},
	} {
		h := schema.Hook{Handler: x.handler, Timeout: time.Second}
		r, _ := New().DecodeReply(&h, schema.View{Event: "PreToolUse", Tool: "Bash"}, &x.result)
		if r.Verdict != x.want || x.result.TimedOut && r.Verdict == schema.Deny &&
			r.Reason != "Hook timed out after 1000ms" {
			t.Errorf("%s %+v: %s %q", x.handler, x.result, r.Verdict, r.Reason)
		}
	}
}

// TestMerge checks which of several decisions counts (observed 2.117.0).
func TestMerge(t *testing.T) {
	for _, x := range []struct {
		answers []string
		want    schema.Verdict
	}{
		{[]string{word("deny"), word("allow")}, schema.Allow},
		{[]string{word("allow"), word("deny")}, schema.Deny},
		{[]string{block, word("allow")}, schema.Allow},
		{[]string{word("allow"), block}, schema.Allow},
		{[]string{word("ask"), block}, schema.Deny},
		{[]string{block, block}, schema.Deny},
		{[]string{word("allow"), word("ask")}, schema.Ask},
	} {
		var rs []schema.Reply
		for _, a := range x.answers {
			rs = append(rs, reply("PreToolUse", a, "", 0))
		}
		if got := New().Merge(rs); got.Verdict != x.want || got.InputView.Event != "" {
			t.Errorf("%q: %s, want %s", x.answers, got.Verdict, x.want)
		}
	}
}

// TestEffects checks the effects of answers on other events (observed 2.117.0; Stop, the permission request and
// compaction from its package).
func TestEffects(t *testing.T) {
	for _, x := range []struct {
		event, stdout string
		exit          int
		want          string
	}{
		{"PreToolUse", `{"hookSpecificOutput":{"updatedInput":{"command":"x"},"additionalContext":"c"}}`, 1, "input"},
		{"PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","modifiedInput":{"command":"x"}}}`, 0, ""},
		{"PostToolUse", block, 0, ""},
		{"PostToolUse", "x", 2, ""},
		{"PostToolUse", `{"hookSpecificOutput":{"additionalContext":"c"}}`, 0, ""},
		{"PostToolUse", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c"}}`, 0, "context"},
		{"UserPromptSubmit", `{"continue":false}`, 0, "deny,reason"},
		{"UserPromptSubmit", "text", 1, "context"},
		{"UserPromptSubmit", "x", 2, "deny,reason"},
		{"SessionStart", "text", 0, "context"},
		{"SessionStart", `{"hookSpecificOutput":{"additionalContext":"c","watchPaths":["/x"]}}`, 0,
			"context,watch-paths"},
		{"Stop", `{"continue":false,"reason":"r"}`, 0, "keep-going"},
		{"Stop", `{"continue":false}`, 0, ""},
		{"Stop", "x", 2, "keep-going"},
		{"PermissionRequest", `{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{}}}}`, 0,
			"allow,input"},
		{"PermissionRequest", `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"m"}}}`, 0,
			"deny,reason"},
		{"PreCompact", "x", 0, "context"},
	} {
		if got := reply(x.event, x.stdout, "", x.exit); got.Uses().String() != x.want {
			t.Errorf("%s: %s at %d uses %s, want %s", x.event, x.stdout, x.exit, got.Uses(), x.want)
		}
	}
}

// TestQuiet checks that an answer without context isn't used as context, as all output on some events is (observed
// 2.117.0).
func TestQuiet(t *testing.T) {
	for event, want := range map[string]string{"UserPromptSubmit": `{"suppressOutput":true}`,
		"SessionStart": `{"suppressOutput":true}`, "PreToolUse": `{}`} {
		if got := string(New().AppendReply(nil, &schema.Call{Native: event}, &schema.Reply{})); got != want {
			t.Errorf("%s: %s", event, got)
		}
	}
	const context = `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"c"}}`
	if got := string(New().AppendReply(nil, &schema.Call{Native: "SessionStart"},
		&schema.Reply{Context: "c"})); got != context {
		t.Error(got)
	}
}

// TestMatchers checks the grammar (observed 2.117.0).
func TestMatchers(t *testing.T) {
	for pattern, want := range map[string]bool{"Bash": true, "as": true, "^Bash$": true, "Bas.*": true,
		"Edit|Bash": true, "*": true, "": true, "^(Bash)$": true,
		"bash": false, "(?i)BASH": false, "Bash,Edit": false, "Bash(touch:*)": false, " Bash ": false, "[": false,
		"^(?!Bash$)": false} {
		if m, _ := matcher.Compile(New().Profile().Grammar, pattern); m.Match("Bash") != want {
			t.Errorf("%q: not %v", pattern, want)
		}
	}
}

// TestConfig checks which hooks of a file the client runs (observed 2.117.0).
func TestConfig(t *testing.T) {
	const text = `{
		// a comment
		"disableAllHooks": true,
		"hooks": {"PreToolUse": [{"matcher": 7, "hooks": []}, {"hooks": [{"command": "a", "timeout": "1",
			"async": true}]}, {"hooks": [{"type": "command", "command": "b", "once": 1}]}]}
	}`
	c, ds := New().ParseConfig([]byte(text), schema.Source{})
	hooks, _ := New().Resolve([]*schema.Config{c})
	ofTimeout := func(d schema.Diagnostic) bool { return strings.HasSuffix(d.Path, "/timeout") }
	if slices.ContainsFunc(ds, ofTimeout) || len(hooks) != 2 || hooks[0].Timeout != time.Second || hooks[0].Async ||
		!hooks[1].Once {
		t.Errorf("%+v, %v", hooks, ds)
	}
}

// TestFailed checks that an error result is a failure with the command's output as its text, and is unchanged for the
// client's own hooks.
func TestFailed(t *testing.T) {
	for said, want := range map[string]string{`err\n`: "err",
		`Command: x\nStdout: out\n\nStderr: (empty)\nExit Code: 3\nSignal: (none)`: "out"} {
		src := `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"x"},` +
			`"tool_response":{"exitCode":3,"is_error":true,"error":"` + said + `"}}`
		c, _ := New().DecodeCall([]byte(src), nil)
		code, _ := c.Tool.Output.Get(schema.RoleExitCode)
		if c.Event != schema.PostToolFailure || c.Str(schema.FieldError) != want || string(code) != "3" {
			t.Errorf("%s: %s %q %s", said, c.Event, c.Str(schema.FieldError), code)
		}
		if got := string(New().AppendCall(nil, c, New().Views(c)[0])); !strings.Contains(got, said) ||
			strings.Contains(got, `},"error"`) {
			t.Error(got)
		}
	}
}

// TestLines checks that a file's text is shown with line numbers, and is read without them.
func TestLines(t *testing.T) {
	const text, shown = "alpha\nbeta\n", "   1→alpha\n   2→beta\n   3→" // observed 2.117.0
	if numbered(text) != shown || plain(shown) != text {
		t.Errorf("%q %q", numbered(text), plain(shown))
	}
}

// TestHost checks how CodeBuddy Code treats an answer, and a session's start (observed 2.117.0).
func TestHost(t *testing.T) {
	payload := func(event, mode string) *schema.Call {
		c, _ := New().DecodeCall([]byte(`{"hook_event_name":"`+event+`","permission_mode":"`+mode+
			`","tool_name":"Bash",`+`"tool_input":{"command":"x"}}`), schema.Environ{"CODEBUDDY_PROJECT_DIR=/w"})
		return c
	}
	call := payload("PreToolUse", "default")
	if f := New().Honors(call, nil); f&schema.EffectAllow != 0 || f&schema.EffectDeny == 0 {
		t.Errorf("honors %s: an allow would lift the denials of other hooks", f)
	}
	if _, whole := New().Replaces(call); whole {
		t.Error("a rewritten input keeps the other fields")
	}
	for mode, want := range map[string]bool{"default": true, "acceptEdits": true, "bypassPermissions": false} {
		if _, sure := New().Asks(payload("PreToolUse", mode)); sure != want {
			t.Errorf("%s: asks %v", mode, sure)
		}
	}
	if c := payload("SessionStart", "default"); c.Cwd != "/w" {
		t.Errorf("the session starts in %q", c.Cwd)
	}
}

// TestBadGroups checks the effect of a mistake in one file on the hooks of another (observed 2.117.0).
func TestBadGroups(t *testing.T) {
	const ok = `{"hooks":[{"type":"command","command":"a"}]}`
	for events, want := range map[string]int{
		`"PreToolUse":[` + ok + `]`: 2, `"PreToolUse":[` + ok + `,{}]`: 0, `"PreToolUse":[` + ok + `,{"hooks":{}}]`: 0,
		`"PreToolUse":[` + ok + `,null]`: 0, `"PreToolUse":null`: 0, `"PreToolUse":[` + ok + `],"Stop":[{}]`: 2,
		`"PreToolUse":[` + ok + `,{"hooks":[5]}]`:                          2,
		`"PreToolUse":[` + ok + `,{"hooks":[{"type":"x","command":"c"}]}]`: 3,
	} {
		var cfgs []*schema.Config
		for _, text := range []string{events, `"PreToolUse":[{"hooks":[{"type":"command","command":"b"}]}]`} {
			cfg, _ := New().ParseConfig([]byte(`{"hooks":{`+text+`}}`), schema.Source{})
			cfgs = append(cfgs, cfg.AsKnown())
		}
		if hooks, _ := New().Resolve(cfgs); len(hooks) != want {
			t.Errorf("%s: %d hooks, want %d", events, len(hooks), want)
		}
	}
}
