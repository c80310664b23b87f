package plan

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// absentTools lists the tools that a hook's matcher names and whose calls the host
// never makes; live is false if it accepts no others.
func absentTools(hooks, host dialect.Dialect, h *schema.Hook) (names []string, live bool) {
	row := hooks.Profile().Row(h.Native)
	m, err := matcher.Compile(hooks.Profile().GrammarOf(h.Native), h.Matcher)
	if row == nil || row.Match != schema.MatchTool || err != nil || m.All() || dialect.Related(hooks, host) || dialect.Related(host, hooks) {
		return nil, true
	}
	p := New(hooks, host)
	tools := p.tools(h, h.Event)
	for _, tool := range hooks.Profile().Tools {
		for _, name := range append([]string{tool.Name}, tool.Aliases...) {
			if len(tool.Kinds) > 0 && m.Match(name) && !p.made(tools, name) && !p.selects(tools, m, tool.Kinds) {
				names = append(names, name)
			}
		}
	}
	own := slices.DeleteFunc(slices.Clone(tools), func(t shownTool) bool { return host.Profile().Tool(t.name) == nil })
	plainTools := slices.DeleteFunc(p.plainTools(), func(name string) bool {
		return !m.Match(name) || slices.Contains(host.Profile().PlainTools, name) || p.made(own, name)
	})
	if plain, only := m.Plain(); only {
		names = append(names, plainTools...)
		return names, len(names) == 0 || slices.ContainsFunc(plain, func(name string) bool { return !slices.Contains(names, name) })
	}
	live = len(names)+len(plainTools) == 0 || m.Match(nameOfMCP(hooks, "server", "tool")) ||
		slices.ContainsFunc(tools, func(t shownTool) bool { return !slices.Contains(plainTools, t.name) && t.takenBy(m) })
	if !live { // else an expression may only happen to take them
		names = append(names, plainTools...)
	}
	return names, live
}

// plainTools are the names of the hooks' agent for tools that do no kind of work which
// other agents know.
func (p *Planner) plainTools() []string {
	names := slices.Clone(p.from.Profile().PlainTools)
	for _, row := range p.from.Profile().Tools {
		if len(row.Kinds)+len(row.Also) == 0 {
			names = append(append(names, row.Name), row.Aliases...)
		}
	}
	return names
}

// made reports whether the hooks' agent shows a call of the host's under the name.
func (p *Planner) made(tools []shownTool, name string) bool {
	m, _ := matcher.Compile(schema.GrammarRegexp, matcher.Union([]string{matcher.Escape(name)}, ""))
	return slices.ContainsFunc(tools, func(t shownTool) bool { return t.takenBy(m) })
}

// selects reports whether a matcher accepts a call of the host's own tool of one of
// the kinds, under whatever name the hooks' agent shows it.
func (p *Planner) selects(tools []shownTool, m *matcher.Matcher, kinds []schema.Kind) bool {
	for _, row := range p.to.Profile().Tools {
		if !slices.ContainsFunc(kinds, func(k schema.Kind) bool { return slices.Contains(row.Kinds, k) }) {
			continue
		}
		if slices.ContainsFunc(tools, func(t shownTool) bool { return t.name == row.Name && t.takenBy(m) }) {
			return true
		}
	}
	return false
}

// Absence says what the tools that the host lacks mean for a hook. severity is 0
// if it lacks none of them.
func Absence(hooks, host dialect.Dialect, h *schema.Hook) (code schema.Code, severity schema.Severity, message string) {
	names, live := absentTools(hooks, host, h)
	if len(names) == 0 {
		return "", 0, ""
	}
	message = host.Profile().Title + " has no tool for " + Listed(names, "or")
	if !live {
		return schema.CodeNoEvent, GuardSeverity(hooks, h), message + ", so this hook never runs there"
	}
	return schema.CodeDeadValue, schema.Note, message + "; the hook runs for the matcher's other tools"
}
