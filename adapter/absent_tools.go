package adapter

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// absentTools lists the tools that a hook's matcher names and whose calls the host
// never makes; live is false if it names no other. seen is false if the host does
// what one of them does in a way that the hook isn't shown, as by a shell command.
func absentTools(hooks, host Dialect, h *schema.Hook) (names []string, live, seen bool) {
	row := hooks.Profile().Row(h.Native)
	m, err := matcher.Compile(hooks.Profile().GrammarOf(h.Native), h.Matcher)
	if row == nil || row.Match != schema.MatchTool || err != nil || m.All() || dialect.Related(hooks, host) || dialect.Related(host, hooks) {
		return nil, true, true
	}
	p := newPlanner(hooks, host)
	tools := p.tools(h, h.Event)
	plain, only := m.Plain()
	live, seen = !only, true
	for _, tool := range hooks.Profile().Tools {
		for _, name := range append([]string{tool.Name}, tool.Aliases...) {
			if len(tool.Kinds) == 0 || !m.Match(name) || p.made(tools, name) || p.selects(tools, m, tool.Kinds) {
				continue
			}
			names = append(names, name)
			seen = seen && !slices.Contains(tool.Kinds, schema.Delete) // a shell's command deletes everywhere
		}
	}
	for _, name := range plain {
		live = live || !slices.Contains(names, name)
	}
	return names, live || len(names) == 0, seen
}

// made reports whether the hooks' agent shows a call of the host's under the name.
func (p *planner) made(tools []shownTool, name string) bool {
	m, _ := matcher.Compile(schema.GrammarRegexp, matcher.Union([]string{matcher.Escape(name)}, ""))
	return slices.ContainsFunc(tools, func(t shownTool) bool {
		return slices.ContainsFunc(t.calls, func(views []schema.View) bool { return takes(m, views) })
	})
}

// selects reports whether a matcher accepts a call of the host's own tool of one of
// the kinds, under whatever name the hooks' agent shows it.
func (p *planner) selects(tools []shownTool, m *matcher.Matcher, kinds []schema.Kind) bool {
	for _, row := range p.to.Profile().Tools {
		if !slices.ContainsFunc(kinds, func(k schema.Kind) bool { return slices.Contains(row.Kinds, k) }) {
			continue
		}
		for _, t := range tools {
			if t.name == row.Name && slices.ContainsFunc(t.calls, func(views []schema.View) bool { return takes(m, views) }) {
				return true
			}
		}
	}
	return false
}

// absence says what the tools that the host lacks mean for a hook. severity is 0
// if it lacks none of them.
func absence(hooks, host Dialect, h *schema.Hook) (code schema.Code, severity schema.Severity, message string) {
	names, live, seen := absentTools(hooks, host, h)
	if len(names) == 0 {
		return "", 0, ""
	}
	message = host.Profile().Name + " has no tool for " + listed(names, "or")
	if !seen {
		message += ", and the matcher doesn't select the shell commands that delete files"
	}
	row := hooks.Profile().Row(h.Native)
	switch guards := row.Blocks != 0; {
	case !live && guards:
		return schema.CodeNoEvent, schema.Weaker, message + ", so this hook never runs there"
	case !live:
		return schema.CodeNoEvent, schema.Loss, message + ", so this hook never runs there"
	case !seen && guards:
		return schema.CodeDeadValue, schema.Weaker, message + "; the hook runs for the matcher's other tools"
	}
	return schema.CodeDeadValue, schema.Note, message + "; the hook runs for the matcher's other tools"
}
