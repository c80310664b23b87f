package gemini

import (
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

func TestPlan(t *testing.T) {
	pick := func(p ...schema.Pick) schema.Selection { return schema.Selection{Picks: p, Exact: true} }
	for _, row := range []struct {
		event schema.Event
		sel   schema.Selection
		want  string
	}{
		{schema.PreTool, schema.Selection{All: true, Exact: true}, "BeforeTool "},
		{schema.PreTool, pick(schema.Pick{Kind: schema.Shell}, schema.Pick{Kind: schema.Grep}),
			"BeforeTool ^(?:run_shell_command|grep_search|search_file_content)$"},
		{schema.PreTool, pick(schema.Pick{Kind: schema.MCP, Server: "a b", Name: "c"}), "BeforeTool ^(?:mcp_a_b_c)$"},
		{schema.PreTool, pick(schema.Pick{Kind: schema.MCP, Server: "db"}), "BeforeTool ^(?:mcp_db_.*)$"},
		{schema.PreTool, pick(schema.Pick{Name: "Odd.Tool"}), `BeforeTool ^(?:Odd\.Tool)$`},
		{schema.PostToolFailure, pick(schema.Pick{Kind: schema.Edit}), "AfterTool ^(?:replace)$"},
		{schema.SessionStart, schema.Selection{Words: []string{"startup", "resume", "compact"}, Exact: true},
			"SessionStart startup, SessionStart resume"},
		{schema.PreCompact, schema.Selection{All: true, Exact: true}, "PreCompress manual"},
		{schema.PreCompact, schema.Selection{Words: []string{"auto"}, Exact: true}, ""},
		{schema.PromptSubmit, schema.Selection{All: true, Exact: true}, "BeforeAgent "},
		{schema.SubagentStop, schema.Selection{All: true}, ""},
	} {
		var got []string
		for _, e := range New().Plan(&schema.Hook{Event: row.event}, row.sel) {
			s := e.Native + " " + e.Matcher
			if !e.Exact {
				s += " wider"
			}
			got = append(got, s)
		}
		same(t, row.event.String(), strings.Join(got, ", "), row.want)
	}
}

func TestSelect(t *testing.T) {
	mcp := schema.Pick{Kind: schema.MCP}
	for _, row := range []struct {
		native, matcher string
		want            schema.Selection
	}{
		{tool, "", schema.Selection{All: true, Exact: true}},
		{tool, "^run_shell_command$", schema.Selection{Picks: []schema.Pick{{Kind: schema.Shell}}, Exact: true}},
		{tool, "shell", schema.Selection{Picks: []schema.Pick{mcp}, Search: "shell", Exact: true}},
		{tool, ".*", schema.Selection{All: true, Exact: true}},
		{tool, "^r[a-z]+_file", schema.Selection{Search: "^r[a-z]+_file", Exact: true}},
		{tool, "[", schema.Selection{Picks: []schema.Pick{{Name: "["}}, Exact: true}},
		{tool, "^mcp_db_query$", schema.Selection{Picks: []schema.Pick{mcp}, Exact: true}},
		{prompt, "x", schema.Selection{All: true, Exact: true}},
		{"SessionEnd", "exit", schema.Selection{Words: []string{"prompt-exit"}, Exact: true}},
	} {
		got := New().Select(&schema.Hook{Native: row.native, Matcher: row.matcher})
		same(t, row.native+" "+row.matcher, got, row.want)
	}
}

// TestWriteHook checks that commands keep their meaning although the client replaces variables in their text, and that
// times fit its timer.
func TestWriteHook(t *testing.T) {
	for _, row := range []struct{ command, want string }{
		{`"$CLAUDE_PROJECT_DIR"/x`, `"${CLAUDE_PROJECT_DIR}"/x`},
		{`$CLAUDE_PROJECT_DIR/x`, `$CLAUDE_PROJECT_DIR/x`},
		{`sh -c 'echo "$CLAUDE_PROJECT_DIR"'`, `sh -c 'echo "$''CLAUDE_PROJECT_DIR"'`},
		{`"${CLAUDE_PROJECT_DIR}" "\$GEMINI_CWD" "$GEMINI_CWDS"`,
			`"${CLAUDE_PROJECT_DIR}" "\$GEMINI_CWD" "$GEMINI_CWDS"`},
		{`echo \"$GEMINI_CWD`, `echo \"$GEMINI_CWD`},
	} {
		same(t, row.command, guarded(row.command), row.want)
	}
	v, _ := New().WriteHook(schema.Entry{Matcher: "m"}, &schema.Hook{Command: "x", Timeout: 90 * time.Second,
		Sequential: true, Env: []schema.EnvVar{{Name: "A", Value: "b"}}})
	same(t, "group", string(v), `{"matcher":"m","sequential":true,"hooks":[{"type":"command","command":"x",`+
		`"timeout":90000,"env":{"A":"b"}}]}`)
	v, _ = New().WriteHook(schema.Entry{}, &schema.Hook{Command: "x", Timeout: 1000 * time.Hour})
	same(t, "longest", string(v), `{"hooks":[{"type":"command","command":"x","timeout":2147483647}]}`)
}

func TestSpec(t *testing.T) {
	h := &schema.Hook{Command: `"$CLAUDE_PROJECT_DIR/h.sh" ${extensionPath} $GEMINI_SESSION_ID`,
		Source: schema.Source{Plugin: "/e"}, Env: []schema.EnvVar{{Name: "FOO", Value: "1"}}}
	c := &schema.Call{Project: "/a b"}
	c.SetStr(schema.FieldSession, "s")
	s, err := New().Spec(h, c, schema.Places{OS: "linux", Home: "/h", Env: schema.Environ{"GEMINI_CWD=/old"}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "argv", s.Argv, []string{"bash", "-c", `"'/a b'/h.sh" /e s`})
	same(t, "dir", s.Dir, "/a b")
	same(t, "env", []string(s.Env), []string{"GEMINI_PROJECT_DIR=/a b", "GEMINI_CWD=/a b",
		"GEMINI_PLANS_DIR=/h/.gemini/tmp/a b/s/plans", "GEMINI_SESSION_ID=s", "CLAUDE_PROJECT_DIR=/a b", "FOO=1"})
}
