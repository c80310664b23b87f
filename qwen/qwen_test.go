package qwen

import (
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTimeouts checks that numbers from 1000 on are milliseconds (observed 0.24.4: 3 and 3000 both end after 3 s).
func TestTimeouts(t *testing.T) {
	for raw, want := range map[string]time.Duration{"3": 3 * time.Second, "3000": 3 * time.Second,
		"999": 999 * time.Second, `"30"`: 30 * time.Second,
		"0.5": 500 * time.Millisecond, "0": 0, "-5": 0, "true": 0, `"x"`: 0} {
		c, _ := New().ParseConfig([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":`+
			raw+`}]}]}}`), schema.Source{})
		if len(c.Hooks) != 1 || c.Hooks[0].Timeout != want {
			t.Errorf("%s: %+v, want %s", raw, c.Hooks, want)
		}
	}
	for d, want := range map[time.Duration]string{3 * time.Second: "3", time.Hour: "3600000", 0: ""} {
		h := schema.Hook{Timeout: d}
		if got := string(writeTimeout(&h)); got != want {
			t.Errorf("%s is written as %s, want %s", d, got, want)
		}
		back := schema.Hook{}
		if readTimeout(&back, writeTimeout(&h)); back.Timeout != d {
			t.Errorf("%s comes back as %s", d, back.Timeout)
		}
	}
}

// TestMatchers checks the grammar (observed 0.24.4 for all but the last four).
func TestMatchers(t *testing.T) {
	shell := append([]string{"run_shell_command"}, New().Tool("run_shell_command").Aliases...)
	for pattern, want := range map[string]bool{
		"": true, "*": true, ".*": true, "run_shell_command": true, "Bash": true, "Shell": true, "ShellTool": true,
		"shell": true, "run_.*": true,
		"Bash|Write": true, " Bash ": true, "Edit|MultiEdit": false, "^Bash$": false, "(Bash|Write)": false,
		"Write|Ba.*": false, "bash": false, "BASH": false,
		"Bash, Write": false, "^shell": false, "^(run_shell_command)$": true, "[": false, "Bash|[": true, "|": false,
		"Write| Bash |": true, "a[|]b|Bash": true} {
		m, _ := matcher.Compile(aliases, pattern)
		if got := m.Match(shell...); got != want {
			t.Errorf("%q: %v, want %v", pattern, got, want)
		}
		var p matcher.Patience
		if got := p.Match(m, shell...); got != want {
			t.Errorf("%q with a time limit: %v, want %v", pattern, got, want)
		}
	}
}

// TestAnswers checks the effect of a hook before a tool (observed 0.24.4).
func TestAnswers(t *testing.T) {
	const deny = `{"decision":"deny","reason":"no"}`
	for _, x := range []struct {
		stdout, stderr string
		exit           int
		want           schema.Verdict
	}{
		{"", "", 2, schema.NoOpinion}, {"", "no", 2, schema.Deny}, {deny, "", 2, schema.NoOpinion},
		{"", `{"reason":"no"}`, 2, schema.NoOpinion}, {"", deny, 2, schema.Deny},
		{deny, "", 3, schema.Deny}, {"", deny, 0, schema.Deny}, {"", deny, 1, schema.Deny},
		{"x", deny, 0, schema.NoOpinion}, {"", "broken", 1, schema.NoOpinion},
		{`"{\"decision\":\"deny\"}"`, "", 0, schema.Deny}, {"\ufeff" + deny, "", 0, schema.Deny},
		{"log\n" + deny, "", 0, schema.NoOpinion}, {deny[:10], "", 0, schema.NoOpinion},
		{"[1]", "", 0, schema.NoOpinion}, {`{"continue":false}`, "", 0, schema.Deny},
		{`{"decision":"ask"}`, "", 0, schema.Ask}, {`{"decision":"approve"}`, "", 0, schema.NoOpinion},
		{`{"decision":"deny","hookSpecificOutput":{"permissionDecision":"allow"}}`, "", 0, schema.NoOpinion},
		{`{"hookSpecificOutput":{"permissionDecision":"deny"}}`, "", 0, schema.Deny},
	} {
		got, _ := reply(t, "PreToolUse", x.stdout, x.stderr, x.exit)
		if merged := New().Merge([]schema.Reply{got}); got.Verdict != x.want || merged.Verdict != x.want {
			t.Errorf("%q, %q, %d: %s, want %s", x.stdout, x.stderr, x.exit, got.Verdict, x.want)
		}
	}
}

func reply(t *testing.T, event, stdout, stderr string, exit int) (schema.Reply, schema.Diagnostics) {
	t.Helper()
	return New().DecodeReply(&schema.Hook{}, schema.View{Event: event, Tool: "run_shell_command", Kind: schema.Shell},
		&process.Result{Stdout: []byte(stdout), Stderr: []byte(stderr), Exit: exit})
}

// TestMerge checks that the last permissionDecision counts, before any decision (observed 0.24.4).
func TestMerge(t *testing.T) {
	word := func(s string) string { return `{"hookSpecificOutput":{"permissionDecision":"` + s + `"}}` }
	const top, allow = `{"decision":"deny","reason":"no"}`, `{"decision":"allow"}`
	for _, x := range []struct {
		answers []string
		want    schema.Verdict
	}{
		{[]string{word("deny"), word("allow")}, schema.NoOpinion}, {[]string{word("allow"), word("deny")}, schema.Deny},
		{[]string{top, allow}, schema.Deny}, {[]string{top, word("allow")}, schema.NoOpinion},
		{[]string{word("allow"), top}, schema.NoOpinion},
		{[]string{word("deny"), word("ask")}, schema.Ask}, {[]string{word("ask"), top}, schema.Ask},
		{[]string{top, top}, schema.Deny}} {
		var rs []schema.Reply
		for _, a := range x.answers {
			r, _ := reply(t, "PreToolUse", a, "", 0)
			rs = append(rs, r)
		}
		if got := New().Merge(rs); got.Verdict != x.want || got.InputView.Event != "" {
			t.Errorf("%q: %s, want %s", x.answers, got.Verdict, x.want)
		}
	}
}

// TestWrongFields checks the effect of a wrong field on a denial (observed 0.24.4).
func TestWrongFields(t *testing.T) {
	for fields, reason := range map[string]string{`"reason":5`: "5", `"reason":["no"]`: "no", `"reason":0`: noReason,
		`"stopReason":5`: "5", `"reason":"r","continue":"x"`: "r", `"reason":"r","systemMessage":5`: "r",
		`"reason":"r","hookSpecificOutput":{"permissionDecision":5}`: "r", `"reason":"r","hookSpecificOutput":[]`: "r",
		`"reason":"r","hookSpecificOutput":""`: "r", `"reason":"r","hookSpecificOutput":0`: "r",
		`"reason":"r","hookSpecificOutput":"x"`: "", `"reason":"r","hookSpecificOutput":5`: "",
		`"reason":"r","hookSpecificOutput":true`: ""} {
		r, _ := reply(t, "PreToolUse", `{"decision":"block",`+fields+`}`, "", 0)
		if denied := r.Verdict == schema.Deny; denied != (reason != "") || r.Reason != reason {
			t.Errorf("%s: %s %q, want %q", fields, r.Verdict, r.Reason, reason)
		}
	}
}

// TestEffects checks the effects of answers on other events (observed 0.24.4).
func TestEffects(t *testing.T) {
	for _, x := range []struct{ event, stdout, want string }{
		{"PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"x"},` +
			`"additionalContext":"c"}}`, ""},
		{"PostToolUse", `{"decision":"block","reason":"r"}`, ""},
		{"PostToolUse", `{"continue":false,"stopReason":"r"}`, "output"},
		{"PostToolUse", `{"hookSpecificOutput":{"additionalContext":"c"}}`, "context"},
		{"PostToolBatch", `{"decision":"block"}`, "output"},
		{"UserPromptSubmit", `{"continue":false}`, "deny,reason"}, {"UserPromptSubmit", "text", "context"},
		{"Stop", `{"continue":false}`, "keep-going"},
		{"Stop", `{"decision":"block","systemMessage":"m"}`, "keep-going,notice"},
		{"SessionStart", `{"decision":"block"}`, ""}, {"PreCompact", `{"decision":"block"}`, ""},
		{"PermissionRequest", `{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{"command":"x"}}}}`,
			"allow,input"},
		{"PermissionRequest", `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"m","interrupt":true}}}`,
			"deny,reason,interrupt"},
	} {
		r, _ := reply(t, x.event, x.stdout, "", 0)
		if got := r.Uses().String(); got != x.want {
			t.Errorf("%s: %s uses %s, want %s", x.event, x.stdout, got, x.want)
		}
	}
}

// TestDenial checks that another hook's allow doesn't lift a denial.
func TestDenial(t *testing.T) {
	got := string(New().AppendReply(nil, &schema.Call{Native: "PreToolUse"},
		&schema.Reply{Verdict: schema.Deny, Reason: "no"}))
	const want = `{"continue":false,"stopReason":"no","hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"permissionDecision":"deny","permissionDecisionReason":"no"}}`
	if got != want {
		t.Error(got)
	}
}

// TestConfig checks what the client skips (observed 0.24.4).
func TestConfig(t *testing.T) {
	for text, want := range map[string]string{
		`{"hooks":{"PreToolUse":[{"matcher":5,"hooks":[{"type":"command","command":"a"}]},` +
			`{"hooks":[{"type":"command","command":"b"}]}],` +
			`"Stop":[{"hooks":[{"type":"command","command":"c"}]}]}}`: "c",
		`{"hooks":{"PreToolUse":[{"matcher":null,"hooks":[{"type":"command","command":"a","if":"Bash(ls)"}]}],` +
			`"BeforeTool":[],"preToolUse":[]}}`: "a",
		`{"hooks":{"PreToolUse":[{"hooks":[{"command":"a"},{"type":"agent","prompt":"p"},{"type":"command",` +
			`"command":"b"}]},null,{"matcher":"x"}],"enabled":true}}`: "b",
		`{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}`: ""} {
		c, _ := New().ParseConfig([]byte(text), schema.Source{})
		hooks, _ := New().Resolve([]*schema.Config{c.AsKnown()})
		got := ""
		for _, h := range hooks {
			got += h.Command
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestTrust checks that a project's hooks need a trusted folder if the user's settings require that.
func TestTrust(t *testing.T) {
	for _, x := range []struct {
		settings, folders string
		scope             schema.Scope
		want              dialect.TrustState
	}{
		{`{}`, `{"/w":"DO_NOT_TRUST"}`, schema.ScopeProject, dialect.TrustNotNeeded},
		{`{"security":{"folderTrust":{"enabled":true}}}`, `{}`, schema.ScopeProject, dialect.FolderUnlisted},
		{`{"security":{"folderTrust":{"enabled":true}}}`, `{"/w":"DO_NOT_TRUST"}`, schema.ScopeProject,
			dialect.FolderUntrusted},
		{`{"security":{"folderTrust":{"enabled":true}}}`, `{"/":"DO_NOT_TRUST","/w/x":"TRUST_PARENT"}`,
			schema.ScopeProject, dialect.Trusted},
		{`{"security":{"folderTrust":{"enabled":true}}}`, `{"/w":"DO_NOT_TRUST"}`, schema.ScopeUser,
			dialect.TrustNotNeeded},
	} {
		read := func(file string) ([]byte, error) {
			if strings.HasSuffix(file, "trustedFolders.json") {
				return []byte(x.folders), nil
			}
			return []byte(x.settings), nil
		}
		h := schema.Hook{Source: schema.Source{Scope: x.scope}}
		if got := New().Trust(&h, schema.Places{Home: "/h", Project: "/w"}, read); got != x.want {
			t.Errorf("%+v: %d", x, got)
		}
	}
}

// TestPayloads checks that recorded payloads are written as they came.
func TestPayloads(t *testing.T) {
	for _, p := range material.Payloads(t, "qwen") {
		name, text := p.Name, p.Text
		c, ds := New().DecodeCall(text, nil)
		if c == nil || len(ds) > 0 {
			t.Errorf("%s: %v", name, ds)
			continue
		}
		v := New().Views(c)
		if got := New().AppendCall(nil, c, v[0]); !sameMembers(t, got, text) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func sameMembers(t *testing.T, a, b []byte) bool {
	t.Helper()
	x, err := ordjson.Parse(a)
	y, _ := ordjson.Parse(b)
	for _, m := range y {
		if raw, ok := x.Get(m.Name); !ok || !ordjson.Equal(raw, m.Value) {
			return false
		}
	}
	return err == nil && len(x) == len(y)
}

// TestShell checks that a command's result and a failure are parsed into the form of other agents.
func TestShell(t *testing.T) {
	const text = `"Command: x\nDirectory: (root)\nOutput: out\nError: (none)\nExit Code: 3\nSignal: (none)\nProcess ` +
		`Group PGID: (none)"`
	out := readResult(schema.Shell, nil, []byte(`{"llmContent":`+text+`,"returnDisplay":"out"}`))
	if got := out.Text(schema.RoleStdout); got != "out" {
		t.Errorf("the output is %q", got)
	}
	c, _ := New().DecodeCall([]byte(`{"hook_event_name":"PostToolUseFailure","tool_name":"run_shell_command",`+
		`"tool_input":{"command":"x"},"error":`+text+`}`), nil)
	if code, _ := c.Tool.Output.Get(schema.RoleExitCode); string(code) != "3" {
		t.Errorf("the exit code is %s", code)
	}
	if got := c.Str(schema.FieldError); got != "out" {
		t.Errorf("the error is %q", got)
	}
	if got := string(New().AppendCall(nil, c, New().Views(c)[0])); !strings.Contains(got, text) {
		t.Errorf("it is written as %s", got)
	}
}
