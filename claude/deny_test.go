package claude

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDenyHooks checks which rules have hooks that select the same calls, and that each hook's matcher and condition
// are for one tool.
func TestDenyHooks(t *testing.T) {
	for _, tt := range []struct {
		rule, tools string // "": the rule has no hooks
		beyond      bool
	}{
		{"Bash", "Bash", false}, {"Bash(rm *)", "Bash", false}, {"Bash(npm run test:*)", "Bash", false},
		{" Bash(*) ", "Bash", false}, {"Read", "Read", false},
		{"Read(.env)", "Read Write Edit MultiEdit NotebookEdit", true},
		{"Read(~/.ssh/**)", "Read Write Edit MultiEdit NotebookEdit", true},
		{"Edit", "Write Edit MultiEdit NotebookEdit", false},
		{"Edit(/src/**)", "Write Edit MultiEdit NotebookEdit", true}, {"Write(a)", "Write", false},
		{"WebFetch(domain:example.com)", "WebFetch", false}, {"WebSearch", "WebSearch", false},
		{"Agent(Explore)", "Agent", false}, {"Task(Explore)", "Task", false}, {"TodoWrite", "TodoWrite", false},
		{"mcp__github__delete_repo", "mcp__github__delete_repo", false},

		{"mcp__github", "mcp__github__.*", false}, {"mcp__github__*", "mcp__github__.*", false},
		{"mcp__a.b", `mcp__a\.b__.*`, false}, {"mcp__github__get_*", "mcp__github__get_.*", false},
		{"mcp__*", "mcp__.*", false}, {"mcp__plugin_p_s", "mcp__plugin_p_s__.*", false},

		{"", "", false}, {"*", "", false}, {"Bash(rm", "", false}, {"Bash(a),Read(b)", "", false},
		{"Web*", "", false}, {"mcp__", "", false}, {"mcp__git*", "", false}, {"mcp__*__delete", "", false},
		{"mcp__github__", "", false}, {"mcp__github__x(y)", "", false}, {"mcp__github(*)", "", false},
		{"mcp__github__*()", "", false}, {"Nothing", "", false}, {"bash", "", false},
		{"Read(!.env)", "", false}, {"Read(/)", "", false}, {"Edit(../**)", "", false}, {"Read(.)", "", false},
		{"Edit(x) ", "Write Edit MultiEdit NotebookEdit", true},
		{"WebFetch(example.com)", "", false}, {"Grep(x)", "", false}, {"TodoWrite(x)", "", false},
		{"PowerShell(rm *)", "", false}, {"Monitor(x)", "", false}, {"PowerShell", "PowerShell", false},
	} {
		hooks, beyond, err := New().DenyHooks(tt.rule)
		tools := strings.Join(lists.Map(hooks, func(h schema.Hook) string { return h.Matcher }), " ")
		if tools != tt.tools || (beyond != "") != tt.beyond || (err == nil) != (tt.tools != "") {
			t.Errorf("%q: hooks for %q, beyond %q, %v", tt.rule, tools, beyond, err)
		}
		for _, h := range hooks {
			tool := strings.NewReplacer(".*", "x", `\`, "").Replace(h.Matcher)
			v := schema.View{Event: h.Native, Tool: tool, Target: []string{tool}}
			if r, err := parseRule(h.Condition); err != nil || !r.of(v, "mcp__") {
				t.Errorf("%q: the condition %q holds for no call of %s: %v", tt.rule, h.Condition, h.Matcher, err)
			}
		}
	}
}
