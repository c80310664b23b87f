package bridge

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestServerNames checks that a configuration decides which server a tool with an ambiguous name belongs to. A project
// that may not be trusted doesn't: a repository could give a server a name that no guard matches.
func TestServerNames(t *testing.T) {
	for _, tt := range []struct {
		about, file string
		home, trust bool
		want        string
	}{
		{"the user's file", ".copilot/mcp-config.json", true, false, "my-srv"},
		{"the user's file, trust required", ".copilot/mcp-config.json", true, true, "my-srv"},
		{"the project's file", ".mcp.json", false, false, "my-srv"},
		{"the project's file, trust required", ".mcp.json", false, true, ""},
	} {
		b := newBridge(t, "copilot", "claude", "true")
		b.RequireTrust, b.Places.Home, b.Places.Project = tt.trust, t.TempDir(), t.TempDir()
		root := b.Places.Project
		if tt.home {
			root = b.Places.Home
		}
		file := filepath.Join(root, tt.file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`{"mcpServers":{"my-srv":{"command":"run"}}}`), 0o600); err != nil {
			t.Fatal(err)
		}

		r, c := staged(t, b, `{"session_id":"s","cwd":"`+b.Places.Project+`","hook_event_name":"PreToolUse",`+
			`"tool_name":"my-srv-do","tool_input":{}}`)
		unchanged(t, r, c)
		tool := withServer(r, c, []schema.Hook{{Event: schema.PreTool, Native: "PreToolUse"}}).Tool
		if tool.Server != tt.want || tt.want != "" && (tool.Name != "do" || tool.Servers != nil) {
			t.Errorf("%s: %q of %q or %q", tt.about, tool.Name, tool.Server, tool.Servers)
		}
		unknown := []schema.Code{schema.CodeServerUnknown}
		if got := codesOf(r.log.ds); (tt.want == "") != slices.Equal(got, unknown) {
			t.Errorf("%s: %v", tt.about, got)
		}
	}
}

// TestUnjudged checks what may have kept a guard from judging a call.
func TestUnjudged(t *testing.T) {
	guard := []schema.Hook{{Event: schema.PreTool}}
	for _, tt := range []struct {
		about   string
		native  string
		blind   bool
		unknown []schema.UnknownWord
		hooks   []schema.Hook
		want    string // of the reason
	}{
		{"nothing", "PreToolUse", false, nil, guard, ""},
		{"no input", "PreToolUse", true, nil, guard, "without"},
		{"no input, and no guard", "PreToolUse", true, nil, []schema.Hook{{Event: schema.Stop}}, ""},
		{"a word of any event", "PreToolUse", false, []schema.UnknownWord{{}}, nil, "word"},
		{"a word of this event", "PreToolUse", false, []schema.UnknownWord{{Event: schema.PreTool}}, nil, "word"},
		{"a word of another event", "PreToolUse", false, []schema.UnknownWord{{Event: schema.Stop}}, nil, ""},
		{"a newer event", "PreToolUse", false, []schema.UnknownWord{{Name: "BeforeThought"}}, nil, "word"},
		{"another agent's event", "PreToolUse", false, []schema.UnknownWord{{Name: "beforeShellExecution"}}, nil, ""},
		{"an event that refuses nothing", "SessionEnd", true, []schema.UnknownWord{{}}, guard, ""},
		{"an event that no table knows", "Nothing", true, []schema.UnknownWord{{}}, guard, ""},
	} {
		r, c := staged(t, newBridge(t, "claude", "cursor", ""), claudeShell)
		c.Native = tt.native
		r.from.unknown = tt.unknown
		got := unjudged(r, c, tt.hooks, tt.blind)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
}

// TestLifted checks when an earlier hook's denial ends a sequence of hooks. It doesn't if the hooks' agent always goes
// on, or lets a later hook lift a denial with exit code 0.
func TestLifted(t *testing.T) {
	lifting := 0
	for _, own := range adapter.WithHooks() {
		host, payload := "cursor", cursorShell
		if own.Profile().Name == host {
			host, payload = "claude", claudeShell
		}
		native := own.Profile().Generic(schema.PreTool)
		for exit := range 3 {
			b := newBridge(t, host, own.Profile().Name, "")
			r, c := staged(t, b, payload)
			views := own.Views(c)
			at := slices.IndexFunc(views, func(v schema.View) bool { return v.Event == native })
			if at < 0 {
				continue
			}

			ran := 0
			res := process.Result{Exit: exit, Stdout: own.Refuse(nil, native, "no"), Stderr: []byte("no")}
			b.Start = func(*schema.Hook, process.Spec) standIn {
				ran++
				return func(context.Context) process.Result { return res }
			}
			h := schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand, Command: "guard",
				Sequential: true}
			did, _ := execute(r, c, []pick{{h, views[at]}, {h, views[at]}})

			lifts := own.Profile().Lifts(schema.PreTool)
			refused := did.runs[0].Reply.Verdict == schema.Deny
			if refused && lifts {
				lifting++
			}
			want := 2
			if refused && own.Profile().Line != dialect.PassesInput && (!lifts || exit != 0) {
				want = 1
			}
			if ran != want {
				t.Errorf("%s, exit code %d: %d hooks ran, want %d", own.Profile().Name, exit, ran, want)
			}
		}
	}
	if lifting < 2 {
		t.Errorf("only %d refusals can be lifted", lifting)
	}
}

// TestContextRoom checks how much of the hooks' feedback and context fits into a host's limit for both.
func TestContextRoom(t *testing.T) {
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	row := host.Profile().Row("postToolUse")
	limit := host.Profile().ContextLimit(row.Event)
	for _, tt := range []struct{ feedback, context, feedbackLeft, contextLeft int }{
		{0, limit, 0, limit}, {0, limit + 1, 0, limit}, {limit, 0, limit, 0}, {limit + 1, 0, limit, 0},
		{limit - 11, 10, limit - 11, 10}, {limit - 10, 10, limit - 10, 9}, {limit - 2, 10, limit - 2, 1},
		{limit - 1, 10, limit - 1, 0}, {limit, 10, limit, 0}, {limit + 5, 10, limit, 0},
	} {
		c := &schema.Call{Dialect: "cursor", Event: row.Event, Native: row.Native}
		f := fitted{}
		f.reply = schema.Reply{Feedback: strings.Repeat("f", tt.feedback), Context: strings.Repeat("c", tt.context)}
		f = fitContext(&setting{host: host, rules: hooks.Profile(), call: c}, f)
		if len(f.reply.Feedback) != tt.feedbackLeft || len(f.reply.Context) != tt.contextLeft {
			t.Errorf("%d and %d: %d and %d are left, want %d and %d", tt.feedback, tt.context, len(f.reply.Feedback),
				len(f.reply.Context), tt.feedbackLeft, tt.contextLeft)
		}
	}
}

// TestSameHook checks that hooks are the same if they differ only in their place.
func TestSameHook(t *testing.T) {
	r, _ := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
	one := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Matcher: "Bash", Condition: "Bash(ls)",
		Command: "x", Handler: schema.HandlerCommand, Source: schema.Source{File: "/a", Plugin: "/p"}, Path: "/0"}
	for about, tt := range map[string]struct {
		change func(*schema.Hook)
		same   bool
	}{
		"nothing":   {func(*schema.Hook) {}, true},
		"place":     {func(h *schema.Hook) { h.Source.File, h.Path = "/b", "/1" }, true},
		"plugin":    {func(h *schema.Hook) { h.Source.Plugin = "/q" }, false},
		"event":     {func(h *schema.Hook) { h.Native = "PostToolUse" }, false},
		"matcher":   {func(h *schema.Hook) { h.Matcher = "Edit" }, false},
		"condition": {func(h *schema.Hook) { h.Condition = "" }, false},
		"command":   {func(h *schema.Hook) { h.Command = "y" }, false},
		"timeout":   {func(h *schema.Hook) { h.Timeout = time.Second }, false},
	} {
		other := one
		tt.change(&other)
		if sameHook(r, one, other) != tt.same || sameHook(r, other, one) != tt.same {
			t.Errorf("another %s: the same hook %v, want %v", about, !tt.same, tt.same)
		}
	}
}

// TestSameFile checks that only the last line end of a text is ignored.
func TestSameFile(t *testing.T) {
	for pair, same := range map[[2]string]bool{{"a", "a"}: true, {"a\n", "a"}: true, {"a", "a\n"}: true,
		{"a", "b"}: false, {"a\n\n", "a"}: false, {"", "\n"}: true} {
		if sameFile(pair[0], pair[1]) != same {
			t.Errorf("%q: %v", pair, !same)
		}
	}
}

// TestSkipsItself checks that an entry that calls hookbridge isn't run as a hook, and that the trace shows so.
func TestSkipsItself(t *testing.T) {
	b := newBridge(t, "cursor", "claude", "")
	b.Trace = true
	file := filepath.Join(b.Places.Project, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	const settings = `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"},` +
		`{"type":"command","command":"hookbridge run --host claude --hooks cursor"}]}]}}`
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	_, rep, err := b.Run(t.Context(), []byte(cursorShell), "")
	if err != nil || len(rep.Runs) != 1 || rep.Runs[0].Hook.Command != "true" {
		t.Fatalf("%v: %+v", err, rep.Runs)
	}
	if s := rep.Trace.Skipped; len(s) != 1 || s[0].Why != SkipBridge || s[0].Detail == "" {
		t.Errorf("skipped: %+v", s)
	}
}

// TestLack checks which calls of a known tool lack what it acts on, and which of them blind the hooks.
func TestLack(t *testing.T) {
	for _, tt := range []struct {
		tool, input string
		lacks       schema.Role
		blinds      bool
	}{
		{"Bash", `{"command":"ls"}`, 0, false},
		{"Bash", `{}`, schema.RoleCommand, true},
		{"Bash", `{"command":null}`, schema.RoleCommand, true},
		{"Bash", `{"script":"ls"}`, schema.RoleCommand, false},
		{"Unheard", `{}`, 0, false},
		{"mcp__a__b", `{}`, 0, false},
	} {
		host, _ := adapter.Find("claude")
		c, ds := host.DecodeCall([]byte(`{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"`+
			tt.tool+`","tool_input":`+tt.input+`}`), nil)
		if c == nil {
			t.Fatal(ds)
		}
		_, lacks := recognized(c, host.Profile())
		l := &log{}
		if lacks.report(l); lacks.subject != tt.lacks || lacks.blinds() != tt.blinds {
			t.Errorf("%s %s: %+v", tt.tool, tt.input, lacks)
		}
		if len(l.ds) > 0 != (tt.lacks != 0) || (l.ds.Max() == schema.Weaker) != tt.blinds {
			t.Errorf("%s %s is reported as %v", tt.tool, tt.input, l.ds)
		}
	}
}
