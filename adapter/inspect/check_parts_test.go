package inspect

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// found returns the number of findings with a code about a hook of d before a tool, and their fixes.
func found(t *testing.T, d dialect.Dialect, h schema.Hook, code schema.Code) (n int, fixes string) {
	t.Helper()
	native := d.Profile().Generic(schema.PreTool)
	h.Event, h.Native, h.Handler, h.Command = schema.PreTool, native, schema.HandlerCommand, "exit 2"
	h.HasMatcher = h.Matcher != ""
	at := d.Profile().EventsAt + "/" + native
	value, _ := d.WriteHook(schema.Entry{Native: native, Pointer: at, Matcher: h.Matcher}, &h)
	c := convert.Conversion{Entries: []convert.Placed{{Pointer: at, Value: value}}}
	text := c.Document(d)
	cfg, ds := d.ParseConfig(text, schema.Source{File: "hooks.json", Scope: schema.ScopeProject})
	for _, f := range Check(d, cfg, text, ds, schema.Places{}) {
		if f.Code == code && f.Severity >= schema.Weaker {
			n++
			fixes += f.Fix + "\n"
		}
	}
	return n, fixes
}

// TestDeadParts checks, for all agents that compare matchers with names of tools, the alternatives that can't match any
// tool.
func TestDeadParts(t *testing.T) {
	tried := 0
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		shell := p.ToolOfKind(schema.Shell)
		row := p.Row(p.Generic(schema.PreTool))
		if p.HostOnly != "" || shell == nil || row == nil || row.Match != schema.MatchTool {
			continue
		}
		tool := shell.NameAt(p.AsOf)
		if n, _ := found(t, d, schema.Hook{Matcher: tool}, schema.CodeDeadMatcher); n != 0 {
			continue // it reads matchers in another way
		}
		tried++
		for _, c := range []struct {
			matcher string
			dead    int
		}{
			{"/" + tool + "/", 1},
			{"/^" + tool + "$/i", 1},
			{tool + "(rm *)", 1},
			{"Tool(" + tool + ")", 1},
			{tool + "|/" + tool + "/", 1},
			{tool + "|" + tool + "(rm *)|" + tool + "(dd *)", 2},
			{"!" + tool, 1},
			{"/" + tool + "/|git push|" + tool + "(dd *)", 3},
			{"SomeNewTool", 0},
			{tool + "|SomeNewTool", 0},
		} {
			if n, _ := found(t, d, schema.Hook{Matcher: c.matcher}, schema.CodeDeadMatcher); n != c.dead {
				t.Errorf("%s, %s: %d findings, want %d", p.Name, c.matcher, n, c.dead)
			}
		}
		for _, form := range []string{"%", "^%$", "%|" + tool} {
			matcher := strings.ReplaceAll(form, "%", plan.NameOfMCP(d, "github", "create"))
			h := schema.Hook{Event: schema.PreTool, Native: row.Native, Handler: schema.HandlerCommand,
				Matcher: matcher, HasMatcher: true}
			if ds := NeverRuns(d, &h, nil); len(ds) > 0 {
				t.Errorf("%s, %s: the name of a server's tool is reported: %v", p.Name, matcher, ds)
			}
		}
		for _, other := range adapter.Dialects() { // another agent's form of names for the tools of servers
			prefix := other.Profile().MCP.Prefix
			own := p.MCP.Prefix
			alike := own != "" && (strings.HasPrefix(prefix, own) || strings.HasPrefix(own, prefix))
			if prefix == "" || alike {
				continue
			}
			if n, _ := found(t, d, schema.Hook{Matcher: prefix + ".*"}, schema.CodeDeadMatcher); n == 0 {
				t.Errorf("%s, %s.*: no finding", p.Name, prefix)
			}
		}
		if p.MCP.Prefix == "" || p.MCP.Between == "" {
			continue
		}
		server := p.MCP.Prefix + "github"
		for matcher, dead := range map[string]int{"^" + server + p.MCP.Between + "$": 1,
			server + p.MCP.Between + ".*": 0, "^" + server + p.MCP.Between + "create$": 0} {
			if n, _ := found(t, d, schema.Hook{Matcher: matcher}, schema.CodeDeadMatcher); n != dead {
				t.Errorf("%s, %s: %d findings, want %d", p.Name, matcher, n, dead)
			}
		}
	}
	if tried < 8 {
		t.Errorf("only %d agents were tried", tried)
	}
}

// TestFormsOfNames checks forms of each name that an agent has for its own tools: a form that matches no tool is
// reported. Agents differ in how they read a group or an anchor around the name.
func TestFormsOfNames(t *testing.T) {
	tried := 0
	for _, d := range adapter.Dialects() {
		row := d.Profile().Row(d.Profile().Generic(schema.PreTool))
		if d.Profile().HostOnly != "" || row == nil || row.Match != schema.MatchTool {
			continue
		}
		for _, tool := range d.Profile().Tools {
			for _, name := range append([]string{tool.Name}, tool.Aliases...) {
				for _, form := range []string{"%", "^%$", "(%)", "(%|Other)", "(?:%)", "^(?:%)$", "(%|%)|Other"} {
					h := schema.Hook{Event: schema.PreTool, Native: row.Native, Handler: schema.HandlerCommand,
						Matcher: strings.ReplaceAll(form, "%", name), HasMatcher: true}
					if vocabularyOf(d).reaches(&h) {
						continue
					}
					tried++
					if n, _ := found(t, d, schema.Hook{Matcher: h.Matcher}, schema.CodeDeadMatcher); n == 0 {
						t.Errorf("%s, %s: fits no tool, and isn't reported", d.Profile().Name, h.Matcher)
					}
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d matchers fit no tool", tried)
	}
}

// TestRuleAdvice checks the suggested replacements for a rule in a matcher: with them, the simulated agent runs the
// hook for the subject of the rule. A condition with alternatives in one rule is reported.
func TestRuleAdvice(t *testing.T) {
	d, _ := adapter.Find("claude")
	for _, c := range []struct {
		rule string
		want []string
	}{
		{"Bash(git push*)", []string{"Bash(git push*)"}},
		{"Bash(git push:*)", []string{"Bash(git push:*)"}},
		{"Bash(git )", []string{"Bash(git *)"}},
		{"Bash(git push*|gh pr create*)", []string{"Bash(git push*)", "Bash(gh pr create*)"}},
		{"Write(*.ts|*.tsx)", []string{"Write(*.ts)", "Write(*.tsx)"}},
	} {
		n, fixes := found(t, d, schema.Hook{Matcher: c.rule}, schema.CodeDeadMatcher)
		for _, want := range c.want {
			if !strings.Contains(fixes, want) {
				t.Errorf("%s: %d findings, %s", c.rule, n, fixes)
			}
		}
		r, _ := readRule(c.rule)
		for i, condition := range c.want {
			h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Matcher: r.tool, Condition: condition}
			r.kind = judgedKind(d.Profile().Tool(r.tool))
			if subject := r.meant(r.alternatives()[i])[0]; !answers(d, &h, r.tool, subject) {
				t.Errorf("%s doesn't hold for %q", condition, subject)
			}
		}
		n, _ = found(t, d, schema.Hook{Matcher: r.tool, Condition: c.rule}, schema.CodeDeadCondition)
		if dead := c.want[0] != c.rule; dead != (n == 1) {
			t.Errorf("%s as a condition: %d findings", c.rule, n)
		}
	}
}

// TestSubjectRules lists rules for addresses and sub-agents, and the agents in which they hold for nothing that they
// are meant for (each was tried in the clients).
func TestSubjectRules(t *testing.T) {
	for _, tt := range []struct {
		rule string
		dead []string // agents
	}{
		{"WebFetch", nil}, {"WebFetch(*)", nil},
		{"WebFetch(domain:example.com)", []string{"claude", "codebuddy", "qoder"}},
		{"WebFetch(https://example.com/*)", []string{"claude"}},
		{"WebFetch(example.com)", []string{"claude", "codebuddy", "qoder"}},
		{"WebFetch(*.example.com)", []string{"claude"}},
		{"WebFetch(*example.com*)", []string{"claude"}},
		{"WebFetch(url:https://example.com)", []string{"claude", "codebuddy", "qoder"}},
		{"Agent", nil}, {"Agent(*)", nil}, {"Agent(Explore)", []string{"claude", "codebuddy", "qoder"}},
		{"Agent(Exp*)", []string{"claude", "codebuddy", "qoder"}},
	} {
		tool, _, _ := strings.Cut(tt.rule, "(")
		for _, name := range []string{"claude", "codebuddy", "qoder"} {
			d, _ := adapter.Find(name)
			n, _ := found(t, d, schema.Hook{Matcher: tool, Condition: tt.rule}, schema.CodeDeadCondition)
			if dead := slices.Contains(tt.dead, name); dead != (n == 1) {
				t.Errorf("%s, %s: %d findings", name, tt.rule, n)
			}
		}
	}
}

// TestDeadValues checks, for all agents that compare matchers with a field of few values, that each alternative without
// a matching value is reported.
func TestDeadValues(t *testing.T) {
	tried := 0
	for _, d := range adapter.Dialects() {
		for i := range d.Profile().Events {
			row := &d.Profile().Events[i]
			values := plan.SentValues(d, row)
			h := schema.Hook{Event: row.Event, Native: row.Native, Matcher: "nosuchvalue", HasMatcher: true}
			if _, live := plan.Unsent(d, d, &h); live || len(values) == 0 || row.Gate != nil {
				continue
			}
			tried++
			for text, dead := range map[string]int{values[0]: 0, values[0] + "|nosuchvalue": 1,
				values[0] + "|nosuch|nosuchvalue": 2, "nosuchvalue": 1} {
				h.Matcher = text
				if _, err := d.Profile().Matcher(&h); err != nil {
					continue
				}
				if _, live := plan.Unsent(d, d, &h); !live { // in some agents a list is one text
					dead = 1
				}
				if found := NeverRuns(d, &h, nil); len(found) != dead {
					t.Errorf("%s, %s %s: %v", d.Profile().Name, row.Native, text, found)
				}
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d events were tried", tried)
	}
}
