package commandcode

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDecodeReply checks the effects of answers, exit codes and failures (observed 1.64.0).
func TestDecodeReply(t *testing.T) {
	const deny = `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`
	inString := func(text string) string { return string(ordjson.AppendString(nil, text)) }
	for _, row := range []struct {
		native, stdout, stderr string
		exit                   int
		closed                 bool
		want                   schema.Reply
	}{
		{"PreToolUse", "", "no", 2, false, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", "words", "", 2, false, schema.Reply{Verdict: schema.Deny, Reason: "words"}},
		{"PreToolUse", deny, "err", 2, false, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", deny, "", 0, false, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", deny, "", 1, false, schema.Reply{}},
		{"PreToolUse", `{"block":true,"reason":"no"}`, "", 0, false, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", `{"decision":"block","reason":"no"}`, "", 0, false, schema.Reply{}},
		{"PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"ask"}}`, "", 0, false, schema.Reply{}},
		{"PreToolUse", `{"hookSpecificOutput":{"updatedInput":{"command":"b"}}}`, "", 0, false, schema.Reply{}},
		{"PreToolUse", `{"hookSpecificOutput":{"additionalContext":"x"}}`, "", 0, false, schema.Reply{Context: "x"}},
		{"PreToolUse", `{"additionalContext":"x","block":true,"reason":"no"}`, "", 0, false,
			schema.Reply{Verdict: schema.Deny, Reason: "x"}},
		{"PreToolUse", "log\n" + deny, "", 0, false, schema.Reply{}},
		{"PreToolUse", "log\n" + deny, "", 0, true,
			schema.Reply{Verdict: schema.Deny, Reason: "Security hook failed (failClosed): unknown"}},
		{"PreToolUse", "", "broken", 1, true,
			schema.Reply{Verdict: schema.Deny, Reason: "Security hook failed (failClosed): broken"}},
		{"PreToolUse", "", "", 0, true, schema.Reply{}},
		{"PreToolUse", inString(deny), "", 0, false, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", inString(" \n" + deny), "", 0, false, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", "\ufeff" + inString(deny), "", 0, false, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", inString(deny), "words", 2, false, schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{"PreToolUse", inString(inString(deny)), "", 0, false, schema.Reply{}},
		{"PreToolUse", inString(deny) + "\ndone", "", 0, false, schema.Reply{}},
		{"PreToolUse", inString("[" + deny + "]"), "", 0, false, schema.Reply{}},
		{"PreToolUse", inString("{}"), "", 0, true, schema.Reply{}},
		{"PreToolUse", inString("x"), "", 0, true,
			schema.Reply{Verdict: schema.Deny, Reason: "Security hook failed (failClosed): unknown"}},
		{"PostToolUse", `{"decision":"block","reason":"lint"}`, "", 0, false, schema.Reply{Feedback: "lint"}},
		{"PostToolUse", `{"decision":"block","reason":"lint","additionalContext":"x"}`, "", 0, false,
			schema.Reply{Feedback: "x"}},
		{"PostToolUse", "", "lint", 2, false, schema.Reply{}},
		{"Stop", "", "go on", 2, false, schema.Reply{KeepGoing: "go on"}},
		{"Stop", `{"decision":"block","reason":"go on"}`, "", 0, false, schema.Reply{KeepGoing: "go on"}},
		{"SessionStart", `{"additionalContext":"x"}`, "", 0, false, schema.Reply{Context: "x"}},
	} {
		h := &schema.Hook{Handler: schema.HandlerCommand, Native: row.native}
		if row.closed {
			h.Fail = schema.FailClosed
		}
		got, _ := New().DecodeReply(h, schema.View{Event: row.native},
			&process.Result{Exit: row.exit, Stdout: []byte(row.stdout), Stderr: []byte(row.stderr)})
		if got.Verdict != row.want.Verdict || got.Reason != row.want.Reason || got.Context != row.want.Context ||
			got.Feedback != row.want.Feedback || got.KeepGoing != row.want.KeepGoing {
			t.Errorf("%s %d %s %s: %+v", row.native, row.exit, row.stdout, row.stderr, got)
		}
	}
}

// TestMatchers checks that matchers use other tool names than payloads, ignore case, and find a part of a name.
func TestMatchers(t *testing.T) {
	for _, row := range []struct {
		matcher, tool string
		takes         bool
	}{
		{"SHELL", "shell_command", true}, {"she", "shell_command", true}, {"Bash", "shell_command", false},
		{"shell_command", "shell_command", false}, {"Write|Edit", "edit_file", true}, {"^(?:READ)$", "read_file", true},
		{"^READ$", "read_multiple_files", false}, {"MCP__HB__ECHO", "mcp__hb__echo", true},
		{"mcp__my-srv", "mcp__my-srv__do", false}, {"mcp__my_srv", "mcp__my-srv__do", true}, {"[", "grep", false},
		{"*", "grep", true}, {"**", "grep", true},
	} {
		text := `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"` + row.tool +
			`","tool_input":{}}`
		c, _ := New().DecodeCall([]byte(text), nil)
		m, _ := New().Data.Matcher(&schema.Hook{Native: "PreToolUse", Matcher: row.matcher})
		takes := false
		for _, v := range New().Views(c) {
			takes = takes || m.Match(v.Target...)
		}
		if takes != row.takes {
			t.Errorf("%s takes %s: %v", row.matcher, row.tool, takes)
		}
	}
}

// TestCalls checks that the client's own payload is written as it came, and that a guard sees the values that the tool
// uses.
func TestCalls(t *testing.T) {
	const text = `{"session_id":"s","transcript_path":"","cwd":"/p","hook_event_name":"PreToolUse",` +
		`"permission_mode":"bypass","tool_use_id":"c","tool_name":"read_file","tool_display_name":"READ",` +
		`"tool_input":{"path":"b","file_path":"a"}}`
	c, _ := New().DecodeCall([]byte(text), nil)
	own, _ := ordjson.Parse(New().AppendCall(nil, c, New().Views(c)[0]))
	came, _ := ordjson.Parse([]byte(text))
	for _, m := range came {
		if !ordjson.Equal(own.Value(m.Name), m.Value) {
			t.Errorf("%s is %s", m.Name, own.Value(m.Name))
		}
	}
	if got := c.Tool.Input.Text(schema.RolePath); got != "a" {
		t.Errorf("the tool takes %q", got)
	}
}

// TestArguments checks which of several arguments the tool uses. It prefers its own name, then the first other name in
// the order of the call, then one with the mark of optional fields (package 1.64.0).
func TestArguments(t *testing.T) {
	for _, row := range []struct {
		tool, input string
		role        schema.Role
		want        string
	}{
		{"write_file", `{"path":"b","file_path":"a"}`, schema.RolePath, "a"},
		{"write_file", `{"absolute_path":"a","path":"b"}`, schema.RolePath, "a"},
		{"write_file", `{"path":"a","absolute_path":"b"}`, schema.RolePath, "a"},
		{"write_file", `{"file_path":"","filename":"a"}`, schema.RolePath, "a"},
		{"write_file", `{"file_path":null,"pathname":"a","path":"b"}`, schema.RolePath, "a"},
		{"write_file", `{"path":"","target_file":"a"}`, schema.RolePath, "a"},
		{"write_file", `{"file_path?":"a","path":"b"}`, schema.RolePath, "a"},
		{"write_file", `{"path*":"b","filename":"a"}`, schema.RolePath, "a"},
		{"write_file", `{"path*":"a"}`, schema.RolePath, "a"},
		{"write_file", `{"file":"b","path":"a"}`, schema.RolePath, "a"},
		{"write_file", `{"x":"b"}`, schema.RolePath, ""}, {"write_file", `{"body":"a"}`, schema.RoleContent, "a"},
		{"read_file", `{"file":"a","path":"b"}`, schema.RolePath, "a"},
		{"read_file", `{"filename":"b","path":"a"}`, schema.RolePath, "a"},
		{"edit_file", `{"from":"a","old":"b"}`, schema.RoleOldText, "a"},
		{"edit_file", `{"to":"b","new_string":"a"}`, schema.RoleNewText, "a"},
		{"shell_command", `{"script":"a","cmd":"b"}`, schema.RoleCommand, "a"},
		{"shell_command", `{"command*":"a"}`, schema.RoleCommand, "a"},
		{"shell_command", `{"bash":"rm","args":["x"]}`, schema.RoleCommand, "rm x"},
		{"monitor_command", `{"commandLine":"a"}`, schema.RoleCommand, "a"},
		{"web_fetch", `{"page":"a"}`, schema.RoleURL, "a"},
	} {
		c, _ := New().DecodeCall([]byte(`{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"`+
			row.tool+`","tool_display_name":"`+displayed(row.tool)+`","tool_input":`+row.input+`}`), nil)
		n := 0
		for _, a := range c.Tool.Input {
			if a.Role == row.role {
				n++
			}
		}
		if got := c.Tool.Input.Text(row.role); got != row.want || n > 1 {
			t.Errorf("%s %s: the tool takes %q of %d", row.tool, row.input, got, n)
		}
	}
	for _, name := range []string{"cwd", "directory", "dir", "working_directory", "workdir", "folder"} {
		c, _ := New().DecodeCall([]byte(`{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"`+
			`shell_command","tool_display_name":"SHELL","tool_input":{"command":"ls","`+name+`":"sub"}}`), nil)
		if c.Cwd != "/p/sub" {
			t.Errorf("%s: the command runs in %s", name, c.Cwd)
		}
	}
}

// TestConfig checks what a mistake in an entry drops (package 1.64.0).
func TestConfig(t *testing.T) {
	for _, row := range []struct {
		group string
		hooks int
	}{
		{`{"hooks":[{"type":"command","command":"a"}]}`, 1},
		{`{"hooks":[{"command":"a"},{"type":"prompt","prompt":"a"},{"type":"command","command":"b"}]}`, 1},
		{`{"matcher":"[","hooks":[{"type":"command","command":"a"}]}`, 0},
		{`{"hooks":[{"type":"command","command":"a","timeout":600}]}`, 1},
		{`{"hooks":[{"type":"command","command":"a","timeout":601},{"type":"command","command":"b","timeout":0}]}`, 0},
	} {
		d, _ := New().At("1.64.0")
		cfg, _ := d.ParseConfig([]byte(`{"hooks":{"PreToolUse":[`+row.group+`]}}`), schema.Source{})
		if len(cfg.Hooks) != row.hooks {
			t.Errorf("%s: %d hooks", row.group, len(cfg.Hooks))
		}
	}
	cfg, _ := New().ParseConfig([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"a",`+
		`"failClosed":true,"async":true,"timeout":5}]}]}}`), schema.Source{})
	h := cfg.Hooks[0]
	if h.Fail != schema.FailClosed || !h.Async || h.Timeout != 5*time.Second {
		t.Errorf("%+v", h)
	}
}

// TestEnvironment checks which variables hooks don't get (package 1.64.0).
func TestEnvironment(t *testing.T) {
	s, err := New().Spec(&schema.Hook{Command: "a", Native: "Stop"}, &schema.Call{Cwd: "/p"},
		schema.Places{Env: schema.Environ{"HOME=/h", "X_API_KEY=1", "GITHUB_TOKEN=1", "SSH_AUTH_SOCK=/s",
			"AUTHOR=ann"}})
	env := schema.Environ(s.Env)
	if err != nil || env.Get("X_API_KEY")+env.Get("GITHUB_TOKEN")+env.Get("SSH_AUTH_SOCK") != "" ||
		env.Get("AUTHOR") != "ann" || env.Get("COMMANDCODE_HOOK_EVENT") != "Stop" {
		t.Errorf("%v, %v", s.Env, err)
	}
}

// TestSplit checks that a guard sees each file of a call that reads several.
func TestSplit(t *testing.T) {
	for input, want := range map[string]string{
		`{"file_path":"/p/.env"}`:                              "",
		`{"paths":["/p/a","b","~/c"],"target_directory":"/q"}`: "/p/a /q/b ~/c",
		`{"file_path":["/p/a","/p/.env"]}`:                     "/p/a /p/.env",
		`{"path":"[\"/p/a\", \"b\"]","include":["/p/c"]}`:      "/p/a /p/b /p/c",
		`{"paths":[]}`: "", `{"files":["/p/a","/p/b/../.env"]}`: "/p/a /p/.env",
		`{"file_path":"/p/a","file_paths":"b"}`:         "/p/a /p/b",
		`{"paths?":["/p/a","b"],"base_directory":"/q"}`: "/p/a /q/b",
		`{"paths":null,"patterns":["/p/a"],"path":7}`:   "/p/a",
		`{"filepath":"/p/a","absolute_path":"/p/.env"}`: "",
	} {
		c, _ := New().DecodeCall([]byte(`{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse",`+
			`"tool_use_id":"c","tool_name":"read_file","tool_display_name":"READ","tool_input":`+input+`}`), nil)
		var got []string
		for _, parts := range New().Split(c) {
			for _, p := range parts {
				got = append(got, p.Tool.Input.Text(schema.RolePath))
			}
		}
		if joined := strings.Join(got, " "); joined != want {
			t.Errorf("%s: %s, want %s", input, joined, want)
		}
	}
}

// TestHoles checks that every way around a guard before a tool is listed, and no other.
func TestHoles(t *testing.T) {
	var got []string
	for _, l := range New().Profile().LessOn("PreToolUse") {
		if l.Never || l.Effects&schema.EffectDeny != 0 {
			got = append(got, l.Command)
		}
	}
	want := []string{"command-code --plan", "a sub-agent of Command Code",
		"a file call with file_path and filePath, without mods"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
