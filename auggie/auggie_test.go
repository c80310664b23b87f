package auggie

import (
	"errors"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestAnswers checks the effects of exit codes and answers before a tool (each row observed 0.36.0).
func TestAnswers(t *testing.T) {
	specific := func(members string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse",` + members + `}}`
	}
	denies := specific(`"permissionDecision":"deny","permissionDecisionReason":"r"`)
	d, h := New(), schema.Hook{Native: "PreToolUse", Event: schema.PreTool}
	for _, row := range []struct {
		res     process.Result
		verdict schema.Verdict
		reason  string
	}{
		{process.Result{Exit: 2, Stderr: []byte("no\n")}, schema.Deny, "[hook:PreToolUse]: no"},
		{process.Result{Exit: 2}, schema.Deny, "[hook:PreToolUse]: Hook blocked execution (no error message provided)"},
		{process.Result{Exit: 2, Stdout: []byte(`{"continue":true}`), Stderr: []byte("no")}, schema.NoOpinion, ""},
		{process.Result{Exit: 2, Stdout: []byte(specific(`"permissionDecision":"allow"`)), Stderr: []byte("no")},
			schema.Deny, "[hook:PreToolUse]: no"},
		{process.Result{Exit: 1, Stdout: []byte(denies)}, schema.NoOpinion, ""},
		{process.Result{Exit: -1, TimedOut: true, Stdout: []byte(denies)}, schema.NoOpinion, ""},
		{process.Result{Exit: -1, Err: errors.New("x")}, schema.NoOpinion, ""},
		{process.Result{Exit: -1, Signal: "SIGKILL", Stdout: []byte(denies)}, schema.Deny, "r"},
		{process.Result{Exit: -1, Signal: "SIGKILL", Stderr: []byte("no")}, schema.NoOpinion, ""},
		{process.Result{Exit: -1, Signal: "SIGKILL", TimedOut: true, Stdout: []byte(denies)}, schema.NoOpinion, ""},
		{process.Result{Stdout: []byte(denies)}, schema.Deny, "r"},
		{process.Result{Stdout: []byte("\ufeff " + denies + "\n")}, schema.Deny, "r"},
		{process.Result{Stdout: []byte("log\n" + denies)}, schema.NoOpinion, ""},
		{process.Result{Stdout: []byte(denies + denies)}, schema.NoOpinion, ""},
		{process.Result{Stdout: []byte(`{"continue":false,"stopReason":"s"}`)}, schema.Deny, ""},
		{process.Result{Stdout: []byte(`{"hookSpecificOutput":{"permissionDecision":"deny"}}`)}, schema.NoOpinion, ""},
		{process.Result{Stdout: []byte(specific(`"permissionDecision":"deny","updatedInput":7`))},
			schema.NoOpinion, ""},
		{process.Result{Stdout: []byte(specific(`"permissionDecision":"ask"`))}, schema.NoOpinion, ""},
		{process.Result{Stdout: []byte(`{"decision":"block","reason":"r"}`)}, schema.NoOpinion, ""},
	} {
		r, _ := d.DecodeReply(&h, schema.View{Event: "PreToolUse"}, &row.res)
		if r.Verdict != row.verdict || r.Reason != row.reason {
			t.Errorf("%d %s: %v %q", row.res.Exit, row.res.Stdout, r.Verdict, r.Reason)
		}
	}
}

// TestSplit checks how a command is split into words without a shell: quotes are honored, backslashes aren't.
func TestSplit(t *testing.T) {
	for command, want := range map[string][]string{
		"": {""}, "  a  b ": {"a", "b"}, `a "b c" 'd "e'`: {"a", "b c", `d "e`}, `a\ b`: {`a\`, "b"},
		`x"y z"w `: {"xy zw"},
	} {
		if got := split(command); !slices.Equal(got, want) {
			t.Errorf("%q: %q", command, got)
		}
	}
}

// TestShell checks which commands bash runs.
func TestShell(t *testing.T) {
	c := &schema.Call{Project: "/p", Event: schema.PreTool, Tool: schema.Tool{Name: "view"}}
	for command, shell := range map[string]bool{"exit 2": false, "X=1 ./guard": false, "ls *": false, "cd a && b": true,
		"echo $HOME": true, "~/guard": true, "a | b": true, "a `b`": true} {
		h := schema.Hook{Native: "PreToolUse", Command: command}
		s, err := New().Spec(&h, c, schema.Places{})
		if err != nil || (len(s.Argv) == 3 && s.Argv[1] == "-c") != shell || s.Dir != "/p" {
			t.Errorf("%q: %q %v", command, s.Argv, err)
		}
		for _, v := range []string{project + "=/p", eventVariable + "=PreToolUse", toolVariable + "=view"} {
			if !slices.Contains(s.Env, v) {
				t.Errorf("%q: no %s in %q", command, v, s.Env)
			}
		}
	}
}

// TestOnWindows checks what starts a command on Windows.
func TestOnWindows(t *testing.T) {
	for command, want := range map[string][]string{
		`guard.exe "a b"`:               {"guard.exe", "a b"},
		`"C:\my hooks\guard.exe" x`:     {`C:\my hooks\guard.exe`, "x"},
		"hooks/guard.sh x":              {"bash", "hooks/guard.sh", "x"},
		"hooks/guard.CMD x":             {"cmd.exe", "/c", "hooks/guard.CMD x"},
		`".hookbridge/run" || exit 2`:   {"cmd.exe", "/c", `".hookbridge/run" || exit 2`},
		"echo %PATH%":                   {"echo", "%PATH%"},
		`& "C:\my hooks\g.ps1"; exit 2`: {"cmd.exe", "/c", `& "C:\my hooks\g.ps1"; exit 2`},
	} {
		s, err := New().Spec(&schema.Hook{Native: "PreToolUse", Command: command}, &schema.Call{},
			schema.Places{OS: "windows"})
		if err != nil || !slices.Equal(s.Argv, want) {
			t.Errorf("%s: %q %v", command, s.Argv, err)
		}
	}
	h := schema.Hook{Native: "PreToolUse", Command: ".\\guard.ps1 -x"}
	if s, _ := New().Spec(&h, &schema.Call{}, schema.Places{OS: "windows"}); s.Argv[0] != "powershell" {
		t.Errorf("%q", s.Argv)
	}
}

// TestMistakes checks that one bad entry drops all hooks of its event in the file, before and after it, and no others.
func TestMistakes(t *testing.T) {
	const good = `{"hooks":[{"type":"command","command":"g"}]}`
	for _, bad := range []string{
		`{"matcher":"*","hooks":[{"type":"command","command":"b"}]}`, `{"hooks":[{"type":"prompt","prompt":"b"}]}`,
		`{"hooks":[{"type":"http","url":"b"}]}`, `{"type":"command","command":"b"}`,
		`{"hooks":[{"type":"command","command":"b","timeout":0}]}`,
		`{"hooks":[{"type":"command","command":"b","timeout":"5"}]}`,
	} {
		text := `{"hooks":{"PreToolUse":[` + good + `,` + bad + `,` + good + `],"Stop":[` + good + `]}}`
		cfg, ds := New().ParseConfig([]byte(text), schema.Source{File: "settings.json"})
		if cfg.Known != nil { // other agents run the readable part
			cfg = cfg.Known
		}
		if len(cfg.Hooks) != 1 || cfg.Hooks[0].Native != "Stop" || len(ds) == 0 {
			t.Errorf("%s: %v, %v", bad, cfg.Hooks, ds)
		}
	}
}

// TestMatchers checks which tools matchers select (observed 0.36.0).
func TestMatchers(t *testing.T) {
	for _, row := range []struct {
		matcher, tool string
		mcp, runs     bool
	}{
		{"", "launch-process", false, true}, {".*", "launch-process", false, true},
		{"launch", "launch-process", false, true},
		{"process$", "launch-process", false, true}, {"Launch-Process", "launch-process", false, false},
		{"launch-process, view", "view", false, false}, {"", "echo_hb", true, true}, {".*", "echo_hb", true, true},
		{".+", "echo_hb", true, false}, {"echo_hb", "echo_hb", true, false}, {"mcp:*", "echo_hb", true, true},
		{"mcp:echo", "echo_hb", true, true}, {"mcp:other", "echo_hb", true, false}, {"mcp:*", "view", false, false},
	} {
		mcp := "false"
		if row.mcp {
			mcp = "true"
		}
		c, _ := New().DecodeCall([]byte(`{"hook_event_name":"PreToolUse","conversation_id":"s",`+
			`"workspace_roots":["/p"],"tool_name":"`+row.tool+`","tool_input":{},"is_mcp_tool":`+mcp+`}`), nil)
		m, err := matcher.Compile(matchers, row.matcher)
		runs := false
		for _, v := range New().Views(c) {
			runs = runs || m.Match(v.Target...)
		}
		if err != nil || runs != row.runs {
			t.Errorf("%q on %s: %t %v", row.matcher, row.tool, runs, err)
		}
	}
}
