package inspect

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDeadConditions lists conditions and the agents under which check reports that they never hold. Each row was tried
// in the clients of Claude Code 2.1.328, CodeBuddy 2.117.0 and Qoder 1.1.52.
func TestDeadConditions(t *testing.T) {
	for _, tt := range []struct {
		condition string
		dead      []string // agents
	}{
		{"Bash(git commit*)", nil},
		{"Bash", nil},
		{"Bash(git commit*) or Bash(git push*)", []string{"claude", "qoder"}},
		{"Bash(git commit*)|Bash(git push*)", []string{"claude", "qoder"}},
		{"Bash(git commit*), Bash(git push*)", []string{"claude", "qoder"}},
		{"Bash(git commit*); Bash(x)", []string{"claude", "qoder"}},
		{"git commit", []string{"claude", "qoder"}},
		{"'Bash(git commit*)'", []string{"claude", "qoder"}},
		{"Bash (git commit*)", []string{"claude"}},
		{"Bash(git commit*", []string{"claude"}},
		{"(git commit*)", []string{"claude"}},
		{"Bash|Write", []string{"claude"}},
		{"!Bash", []string{"claude", "qoder"}},
		{"Write(**/*.env)", []string{"claude", "codebuddy", "qoder"}},
		{"bash(git commit*)", []string{"claude", "codebuddy", "qoder"}},
		{"NotYetKnown(x)", []string{"claude", "codebuddy", "qoder"}},
		{"Agent(Explore)", []string{"claude", "codebuddy", "qoder"}},
		{"mcp__a", []string{"claude", "codebuddy", "qoder"}},
	} {
		for _, name := range []string{"claude", "codebuddy", "qoder"} {
			d, _ := adapter.Find(name)
			h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand,
				Command: "true", Matcher: "Bash", HasMatcher: true, Condition: tt.condition, HasCondition: true}
			if got := deadCondition(d, &h); got != slices.Contains(tt.dead, name) {
				t.Errorf("%s: %s is reported: %t", name, tt.condition, got)
			}
		}
	}
}

// TestUnreadableConditions checks that a condition that check reports as unreadable is also unreadable at the call.
// Under another agent such a hook runs for every call that its matcher accepts.
func TestUnreadableConditions(t *testing.T) {
	texts := []string{"*", "", "Bash", "Bash(ls*)", "Bash(a*) or Bash(b*)", "Bash(a*)|Bash(b*)", "Bash(a*), Write(b)",
		"git commit", "'Bash(x)'", "Bash (x)", "Bash(x", "(x)", "A|B", "(", "^rm", "[", "a(?=b)", `\`}
	for _, d := range adapter.Dialects() {
		conditions := d.Abilities().Conditions
		if conditions == nil {
			continue
		}
		p, unread := d.Profile(), 0
		native := p.Generic(schema.PreTool)
		tool := p.ToolOfKind(schema.Shell)
		c := &schema.Call{Dialect: p.Name, Event: schema.PreTool, Native: native,
			Tool: schema.Tool{Name: tool.Name, Kinds: tool.Kinds}}
		for _, text := range texts {
			h := schema.Hook{Event: schema.PreTool, Native: native, Condition: text, HasCondition: true}
			if unreadable(d, &h) == nil {
				continue
			}
			unread++
			for _, v := range d.Views(c) {
				if _, err := conditions.Holds(&h, c, v, "/home"); err == nil {
					t.Errorf("%s reads the condition %q at a call", p.Name, text)
				}
			}
		}
		t.Logf("%s: %d of %d can't be read", p.Name, unread, len(texts))
	}
}

// TestReadableHint checks the suggested replacement for an unreadable condition: it is a rule that the agent reads, and
// mentions several rules only if there are several.
func TestReadableHint(t *testing.T) {
	for _, d := range adapter.Dialects() {
		p, tried := d.Profile(), 0
		shell := p.ToolOfKind(schema.Shell)
		if d.Abilities().Conditions == nil || shell == nil {
			continue
		}
		name := shell.Name
		for condition, want := range map[string]string{
			name + "(a*) or " + name + "(b*)": "one rule", name + "(a*)|" + name + "(b*)": "one rule",
			"git commit": "a rule such as", "(x)": "a rule such as", name + "|Other": "a rule such as",
			"'" + name + "(x y)'": name + "(x y)", name + " (x y)": name + "(x y)", name + "(x y": name + "(x y)",
		} {
			h := schema.Hook{Event: schema.PreTool, Native: p.Generic(schema.PreTool), Handler: schema.HandlerCommand,
				Command: "true", Condition: condition, HasCondition: true}
			if unreadable(d, &h) == nil {
				continue
			}
			fix := vocabularyOf(d).readableHint(&h)
			rules := p.Name != "droid" // its conditions are expressions
			if tried++; strings.HasPrefix(fix, "write "+want+",") != (rules && strings.Contains(want, "(")) ||
				rules && !strings.Contains(fix, want) || !rules && strings.HasPrefix(fix, "write") {
				t.Errorf("%s: %s: %s", p.Name, condition, fix)
			}
			advised, _, _ := strings.Cut(strings.TrimPrefix(fix, "write "), ", or ")
			advised = strings.TrimPrefix(advised, "a rule such as ")
			if h.Condition = advised; strings.Contains(advised, "(") && unreadable(d, &h) != nil {
				t.Errorf("%s: %s: what is advised can't be read: %s", p.Name, condition, fix)
			}
		}
		t.Logf("%s: %d", p.Name, tried)
	}
}

// TestLiveConditions checks that a condition is never reported if the tables can't decide about it.
func TestLiveConditions(t *testing.T) {
	d, _ := adapter.Find("claude")
	for _, tt := range [][2]string{{"", "NotYetKnown(x)"}, {"*", "NotYetKnown(x)"}, {"NotYetKnown", "NotYetKnown(x)"},
		{"mcp__a__.*", "mcp__a__b"}, {"mcp__a__b", "mcp__a__b"}, {"Edit|Write", "Write(src/**)"},
		{"Agent", "Task"}, {"Notebook.*", "NotebookEdit"}} {
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand, Command: "true",
			Matcher: tt[0], HasMatcher: tt[0] != "", Condition: tt[1], HasCondition: true}
		if deadCondition(d, &h) {
			t.Errorf("%q with %q is reported", tt[1], tt[0])
		}
	}
	// Claude Code 2.1.332 runs no hook for these, although they are in its documentation of permission rules.
	for _, tt := range [][2]string{{"mcp__a__.*", "mcp__a"}, {"mcp__a__.*", "mcp__a__*"}, {"Agent", "Task(Explore)"},
		{"WebFetch", "WebFetch(domain:example.com)"}, {"mcp__a__b", "mcp__a__b(x)"}, {"Skill", "Skill(x)"}} {
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand, Command: "true",
			Matcher: tt[0], HasMatcher: true, Condition: tt[1], HasCondition: true}
		if !deadCondition(d, &h) {
			t.Errorf("%q with %q isn't reported", tt[1], tt[0])
		}
	}
	droid, _ := adapter.Find("droid")
	for matcher, want := range map[string]bool{"Execute": false, "Read": true, "": false} {
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand, Command: "true",
			Matcher: matcher, HasMatcher: matcher != "", Condition: "^rm", HasCondition: true}
		if got := deadCondition(droid, &h); got != want {
			t.Errorf("droid, %q: %t", matcher, got)
		}
	}
}

func deadCondition(d adapter.Dialect, h *schema.Hook) bool {
	return slices.ContainsFunc(NeverRuns(d, h, nil), func(f schema.Diagnostic) bool {
		return f.Code == schema.CodeDeadCondition && f.Severity == schema.Weaker
	})
}

// TestRuleNotations checks agents that read permission rules as conditions. A rule in another program's notation is
// reported, its suggested replacement works, and rules that hold aren't reported.
func TestRuleNotations(t *testing.T) {
	tried := 0
	for _, d := range adapter.Dialects() {
		shell, write := d.Profile().ToolOfKind(schema.Shell), d.Profile().ToolOfKind(schema.Write)
		if shell == nil || write == nil || d.Profile().MemberName(schema.HookCondition) == "" {
			continue
		}
		usual := schema.Hook{Event: schema.PreTool, Native: d.Profile().Generic(schema.PreTool), Matcher: shell.Name,
			HasMatcher: true, Condition: shell.Name + "(git push:*)"}
		if d.Abilities().Conditions == nil || !answers(d, &usual, shell.Name, "git push x") ||
			answers(d, &usual, shell.Name, "git status") {
			continue // its conditions aren't rules
		}
		tried++
		for _, c := range []struct {
			tool, argument, subject string // subject: the advice holds for it; "": the rule itself is right
		}{
			{shell.Name, "git push:*", ""}, {shell.Name, "git push*", ""}, {shell.Name, "git push", ""},
			{shell.Name, "command:*", ""}, {shell.Name, "rm -rf /", ""}, {shell.Name, "rm -rf {a,b}", ""},
			{shell.Name, "*--force*", ""}, {shell.Name, `sed s/a\.b/c/ *`, ""}, {shell.Name, "cp .* x", ""},
			{write.Name, "*.ts", ""}, {write.Name, "**/*.ts", ""},
			{write.Name, "**/src/**", ""},

			{shell.Name, "^git push", "git push x"}, {shell.Name, "/git push/", "git push"},
			{shell.Name, `"git push"`, "git push"}, {shell.Name, "command:git push*", "git push x"},
			{shell.Name, "git push*|rm *", "git push x"}, {write.Name, "*.ts|*.tsx", "/project/a.ts"},
			{write.Name, "*.ts,*.tsx", "/project/a.ts"}, {write.Name, "*.{ts,tsx}", "/project/a.ts"},
			{write.Name, `\.ts$`, "/project/a.ts"}, {write.Name, "file_path:*.ts", "/project/a.ts"},
			{write.Name, "$CLAUDE_PROJECT_DIR/src/**", "/project/src/a"}, {write.Name, `src\**`, "/project/src/a"},
		} {
			if d.Profile().Name == "codebuddy" && (c.argument == "*.{ts,tsx}" || c.argument == `src\**`) {
				c.subject = "" // it reads this (observed 2.117.0)
			}
			if d.Profile().Name == "qoder" && strings.HasPrefix(c.argument, "**/") {
				c.subject = "/project/src/a.ts" // not for paths relative to the project (observed 1.1.52)
			}
			h := usual
			h.Matcher, h.Handler, h.Command, h.HasCondition = c.tool, schema.HandlerCommand, "true", true
			h.Condition = c.tool + "(" + c.argument + ")"
			n, fixes := found(t, d, h, schema.CodeDeadCondition)
			if (n == 1) != (c.subject != "") {
				t.Errorf("%s: %s: %d findings", d.Profile().Name, h.Condition, n)
			}
			if c.subject == "" {
				continue
			}
			_, advice, _ := strings.Cut(fixes, c.tool+"(")
			argument, _, _ := strings.Cut(advice, ")")
			if h.Condition = c.tool + "(" + argument + ")"; !answers(d, &h, c.tool, c.subject) {
				t.Errorf("%s: %s: the advice %q doesn't hold for %s", d.Profile().Name, c.argument, fixes, c.subject)
			}
		}
	}
	if tried < 3 {
		t.Errorf("only %d agents were tried", tried)
	}
}

// TestSpellingsOfPaths checks rules that hold for only one spelling of a file's path, if the agent compares the model's
// spelling (Qoder 1.1.52). Such a rule is reported, and its replacement holds for both spellings.
func TestSpellingsOfPaths(t *testing.T) {
	for _, name := range []string{"claude", "codebuddy", "qoder"} {
		d, _ := adapter.Find(name)
		for argument, misses := range map[string]bool{"**/src/*": true, "src/*": true, "src/.env": true,
			"*src/*": false, "*.env": false, "/etc/*": false} {
			h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Matcher: "Write",
				Condition: "Write(" + argument + ")"}
			if got := vocabularyOf(d).holdsSome(&h); got != (misses && name == "qoder") {
				t.Errorf("%s, %s: misses a spelling: %t", name, argument, got)
			}
			if n, fixes := found(t, d, h, schema.CodeDeadCondition); misses && name == "qoder" {
				_, advised, _ := strings.Cut(fixes, `"if": "`)
				h.Condition, _, _ = strings.Cut(advised, `"`)
				if left, _ := found(t, d, h, schema.CodeDeadCondition); n != 1 || left != 0 || h.Condition == "" {
					t.Errorf("%s: %d findings, advised %q, which has %d", argument, n, h.Condition, left)
				}
			}
		}
	}
}
