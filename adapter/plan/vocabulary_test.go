package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Every dialect with a vocabulary for a field spells all canonical words of the others' vocabularies, unless no payload
// may show them. A word that a dialect sends is read back unchanged.
func TestVocabularies(t *testing.T) {
	var built []string
	for _, d := range adapter.Dialects() {
		for _, v := range d.Profile().Vocabularies {
			for _, w := range v.Words {
				if strings.HasPrefix(w.Canonical, "builtin/") && !slices.Contains(built, w.Canonical) {
					built = append(built, w.Canonical)
				}
				if w.Native == "" || w.WriteOnly {
					continue
				}
				raw := ordjson.AppendString(nil, w.Native)
				if got := v.Out(v.In(raw)); string(got) != string(raw) {
					t.Errorf("%s: %s comes back as %s", d.Profile().Name, raw, got)
				}
			}
		}
	}
	for _, d := range adapter.Dialects() {
		v := d.Profile().Vocabularies.For(schema.SubagentStop, schema.FieldAgentType)
		if v == nil { // has no sub-agents
			continue
		}
		for _, w := range built {
			if v.Spell(w) == w {
				t.Errorf("%s does not spell %s", d.Profile().Name, w)
			}
		}
	}
}

func TestUnsent(t *testing.T) {
	for _, x := range []struct {
		hooks, host, native, matcher string
		dead                         string
		live                         bool
	}{
		{"claude", "cursor", "SessionStart", "resume|clear|compact", "resume clear compact", false},
		{"claude", "cursor", "SessionStart", "^(re|cl)", "resume clear", false},
		{"claude", "cursor", "SessionStart", "startup|clear", "clear", true},
		{"claude", "cursor", "SessionStart", "", "", true},
		{"claude", "cursor", "SessionEnd", "logout|clear", "clear logout", false},
		{"claude", "cursor", "SessionEnd", "other", "", true},
		{"claude", "cursor", "StopFailure", "rate_limit", "rate_limit", false},
		{"claude", "cursor", "StopFailure", "unknown", "", true},
		{"claude", "cursor", "SubagentStop", "Explore", "", true},
		{"claude", "cursor", "PreToolUse", "Nothing", "", true},
		{"claude", "qoder", "SessionStart", "fork", "fork", false},
		{"claude", "qoder", "Notification", "agent_completed|idle_prompt", "agent_completed", true},
		{"qoder", "claude", "SessionStart", "new", "new", false},
		{"qoder", "cursor", "SessionEnd", "prompt_input_exit", "", true},
		{"claude", "claude@2.0.45", "SessionStart", "fork", "fork", false},
	} {
		hooks, _ := adapter.Find(x.hooks)
		host, _ := adapter.Find(x.host)
		row := hooks.Profile().Row(x.native)
		h := &schema.Hook{Event: row.Event, Native: x.native, Matcher: x.matcher}
		dead, live := Unsent(hooks, host, h)
		if strings.Join(dead, " ") != x.dead || live != x.live {
			t.Errorf("%s hook of %s on %q under %s: %v, %v", x.hooks, x.native, x.matcher, x.host, dead, live)
		}
	}
}

// TestPlainTools checks the findings on matchers for tools that do no common kind of work.
func TestPlainTools(t *testing.T) {
	for _, tt := range []struct {
		hooks, host, matcher string
		code                 schema.Code
	}{
		{"claude", "codex", "Skill", schema.CodeNoEvent},
		{"claude", "gemini", "ExitPlanMode|AskUserQuestion", schema.CodeNoEvent},
		{"claude", "copilot", "Bash|Skill", schema.CodeDeadValue},
		{"claude", "cursor", "TodoWrite", ""}, // has one of that name
		{"claude", "qoder", "Skill", ""},
		{"cursor", "claude", "TodoWrite", ""},
		{"gemini", "claude", "write_todos", schema.CodeNoEvent},
		{"claude", "codex", "OwnTool", schema.CodeDeadValue}, // in no table
		{"claude", "codex", "Bash|OwnTool", schema.CodeDeadValue},
		{"claude", "codex", "Bash|mcp__own__tool", ""},
		{"droid", "codex", "Execute|OwnTool", schema.CodeDeadValue},
		{"codex", "claude", "OwnTool", schema.CodeDeadValue},
		{"codex", "claude", "Edit", ""},
		{"codex", "claude", "bash", ""}, // misspelt
		// an unknown name is no reason to think that the hook runs
		{"claude", "codex", "Skill|OwnTool", schema.CodeNoEvent},
		{"claude", "codex", "Skill|mcp__hb__echo", schema.CodeDeadValue},
		{"claude", "cursor", "Skill|TodoWrite", schema.CodeDeadValue},
		{"claude", "gemini", "Shell$", schema.CodeNoEvent},
		{"claude", "gemini", "Shell$|mcp__.*", schema.CodeDeadValue},
		{"copilot", "claude", "(?!view).*", ""}, // at this event Copilot has no other name for view
		{"copilot", "claude", "Task|Skill", ""},
		{"claude", "codex", "^Exit.*", schema.CodeNoEvent},
		{"claude", "codex", "^(Exit|Ba).*", ""},
	} {
		hooks, _ := adapter.Find(tt.hooks)
		host, _ := adapter.Find(tt.host)
		row := schema.RowFor(hooks.Profile().Events, schema.PreTool)
		h := &schema.Hook{Event: row.Event, Native: row.Native, Matcher: tt.matcher, HasMatcher: true,
			Handler: schema.HandlerCommand, Command: "x"}
		if code, severity, text := New(hooks, host).Route(h).absence(); code != tt.code {
			t.Errorf("%s under %s: %s: %s %s %s", tt.hooks, tt.host, tt.matcher, code, severity, text)
		}
	}
}

// TestPermissionTools checks that a permission hook isn't reported as having no tool if it runs before the tools of an
// agent without such an event.
func TestPermissionTools(t *testing.T) {
	for _, d := range adapter.Dialects() {
		row, shell := schema.RowFor(d.Profile().Events, schema.PermissionRequest), d.Profile().ToolOfKind(schema.Shell)
		if row == nil || row.Match != schema.MatchTool || shell == nil {
			continue
		}
		h := &schema.Hook{Event: row.Event, Native: row.Native, Matcher: shell.Name, HasMatcher: true,
			Handler: schema.HandlerCommand, Command: "x"}
		for _, host := range adapter.Dialects() {
			if code, _, text := New(d, host).Route(h).absence(); code != "" {
				t.Errorf("%s under %s: %s %s", d.Profile().Name, host.Profile().Name, code, text)
			}
		}
	}
}

const longTool = "read_the_documentation_of_a_very_long_tool_that_has_a_name_of_85_characters_in_all_xy"

// TestServerSpelling checks that a matcher for a server's tools accepts the host's name of the server.
func TestServerSpelling(t *testing.T) {
	for _, tt := range []struct{ from, to, matcher, tool string }{
		{"claude", "codex", "mcp__brave-search__.*", "mcp__brave_search__web"},
		{"claude", "codex", "mcp__brave-search__web", "mcp__brave_search__web"},
		{"codex", "claude", "mcp__brave_search__.*", "mcp__brave-search__web"},
		{"codex", "claude", "mcp__brave_search__web", "mcp__brave-search__web"},
		{"claude", "copilot", "mcp__my_srv__do_it", "my-srv-do-it"},
		{"claude", "gemini", "mcp__my_srv__do_it", "mcp_my.srv_do.it"},
		{"gemini", "codex", `mcp_my\.srv_do`, "mcp__my_srv__do"},
		{"claude", "qoder", "mcp__brave-search__.*", "mcp__brave-search__web"},
		{"claude", "copilot", "mcp__hb__" + longTool,
			"hb-read_the_documentation_of_a_very_long_tool_that_has_a_name_of"},
		{"claude", "droid", "mcp__hb__" + longTool,
			"hb___read_the_documentation_of_a_very_long_tool_that_ha_382ed375"},
		{"claude", "qwen", "mcp__hb__" + longTool,
			"mcp__hb__read_the_documentation_of_a_very_long_tool_tha_1rt9isz"},
		{"claude", "qwen", "mcp__hb__.*xy", "mcp__hb__read_the_documentation_of_a_very_long_tool_tha_1rt9isz"},
		{"claude", "kimi", "mcp__a_b__" + longTool,
			"mcp__a_b__read_the_documentation_of_a_very_long_tool_th_10abc879"},
		{"claude", "kimi", "mcp__x_y__" + longTool,
			"mcp__x_y__read_the_documentation_of_a_very_long_tool_t_-18060c21"}} {
		from, _ := adapter.Find(tt.from)
		to, _ := adapter.Find(tt.to)
		row := schema.RowFor(from.Profile().Events, schema.PreTool)
		h := &schema.Hook{Event: row.Event, Native: row.Native, Matcher: tt.matcher, HasMatcher: true,
			Handler: schema.HandlerCommand, Command: "x"}
		entries := New(from, to).Outcome(h, true).Own
		if !slices.ContainsFunc(entries, func(e schema.Entry) bool {
			m, err := matcher.Compile(to.Profile().GrammarOf(e.Native), e.Matcher)
			return err == nil && m.Match(tt.tool)
		}) {
			t.Errorf("%s to %s: %s doesn't take %s: %+v", tt.from, tt.to, tt.matcher, tt.tool, entries)
		}
	}
}
