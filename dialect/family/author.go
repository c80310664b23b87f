package family

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Select returns the selection of a hook's matcher. A JavaScript expression stays one in the selection; any other
// matcher that isn't plain selects all.
func (a *Agent) Select(h *schema.Hook) schema.Selection {
	row := a.Row(h.Native)
	if row == nil || row.Match == schema.MatchNothing {
		return schema.Selection{All: true, Exact: true}
	}
	m, err := matcher.Compile(a.Data.GrammarOf(h.Native), h.Matcher)
	if m.All() {
		return schema.Selection{All: true, Exact: true}
	}

	names, plain := m.Plain()
	switch {
	case row.Match == schema.MatchConst:
		return schema.Selection{All: true, Exact: m.Match(row.MatchConst)}
	case row.Match != schema.MatchTool:
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		return schema.Selection{Words: a.words(row).Canonical(names), Exact: plain, All: !plain}
	case plain:
		s := schema.Selection{Exact: true}
		for _, n := range names {
			for _, p := range a.picks(n) {
				if !slices.Contains(s.Picks, p) {
					s.Picks = append(s.Picks, p)
				}
			}
		}
		return s
	case err != nil, a.Data.Grammar.Expression == schema.Linear,
		a.Data.Grammar.Entries && strings.Contains(h.Matcher, " "):
		return schema.Selection{All: true}
	}

	s := schema.Selection{Search: strings.TrimSpace(h.Matcher), Exact: true}
	if m.MayTake(a.Data.MCP.Prefix) {
		s.Picks = []schema.Pick{{Kind: schema.MCP}}
	}

	return s
}

func (a *Agent) words(row *schema.EventRow) *schema.Vocabulary {
	return a.Data.Vocabularies.For(row.Event, row.MatchField)
}

// picks returns the selection of a tool's name or alias. If the name of an MCP server can end in several places, the
// selection includes each.
func (a *Agent) picks(name string) (picks []schema.Pick) {
	for _, s := range a.Data.MCP.Splits(name) {
		p := schema.Pick{Kind: schema.MCP, Server: s[0], Name: s[1]}
		if p.Server != "" || p.Name != "" {
			p.Written = a.Data.MCP.NameRules
		}
		picks = append(picks, p)
	}
	for _, row := range a.Data.Tools { // several tools may share an alias
		if len(a.Data.MCP.Splits(name)) > 0 || row.Name != name && !slices.Contains(row.Aliases, name) {
			continue
		}
		for _, k := range row.Kinds {
			picks = append(picks, schema.Pick{Kind: k})
			if k == schema.Edit && a.ToolOf(schema.MultiEdit) == nil { // several edits in one call are shown as one
				picks = append(picks, schema.Pick{Kind: schema.MultiEdit})
			}
		}
	}
	if picks == nil {
		picks = []schema.Pick{{Name: name}}
	}
	return picks
}

// Plan lists the possible places of a hook for its event; none if there is no such event.
func (a *Agent) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	row := a.rowFor(h.Event, schema.Other)
	if row == nil || h.Inline {
		return nil
	}
	e := schema.Entry{Native: row.Native, Pointer: ordjson.Pointer(a.Data.EventsAt, row.Native), Exact: sel.Exact}
	switch {
	case sel.All:
	case row.Match == schema.MatchTool:
		e.Matcher = a.toolMatcher(row, sel)
		if most := a.Data.Grammar.Most; most > 0 && len(e.Matcher) > most {
			e.Matcher = "" // the agent no longer reads one
		}
		e.Exact = e.Exact && e.Matcher != ""
	case row.Match == schema.MatchField && len(sel.Words) > 0:
		values, exact := a.words(row).SpellAll(slices.Clone(sel.Words)), true
		if e.Matcher = strings.Join(values, "|"); a.Steps.Words != nil {
			e.Matcher, exact = a.Steps.Words(row, values)
		}
		e.Exact = e.Exact && exact
	default:
		e.Exact = false
	}
	return []schema.Entry{e}
}

// toolMatcher names the tools of a selection, as a list if the agent reads it as one; "" selects all, so it is never
// too narrow.
func (a *Agent) toolMatcher(row *schema.EventRow, sel schema.Selection) string {
	var list, names []string
	plain := sel.Search == ""
	add := func(name, expression string) {
		if !slices.Contains(names, expression) {
			list, names = append(list, name), append(names, expression)
		}
		plain = plain && name != ""
	}
	for _, p := range sel.Picks {
		tool := a.ToolOf(p.Kind)
		switch {
		case p.Kind == schema.MCP && (p.Server == "" || p.Name == ""):
			name, _ := a.Data.MCP.ExpressionOf(p)
			add("", name)
		case p.Kind == schema.MCP:
			name := a.Data.MCP.Join(p.Server, p.Name)
			if several, ok := a.Data.MCP.ExpressionOf(p); ok {
				add("", several)
			} else {
				add(name, matcher.Escape(name))
			}
		case p.Name != "":
			add(p.Name, matcher.Escape(p.Name))
			if tool = a.Tool(p.Name); tool != nil && a.Data.Grammar.Entries {
				add(tool.Name, matcher.Escape(tool.Name)) // expressions are compared only with this name
			}
		case tool != nil:
			add(tool.Name, matcher.Escape(tool.Name))
		case !a.OwnTools:
			return ""
		}
		for i := 0; a.KeepsAlias && tool != nil && i < len(tool.Aliases); i++ {
			add(tool.Aliases[i], matcher.Escape(tool.Aliases[i]))
		}
	}
	if len(names) == 0 && sel.Search == "" {
		return ""
	}

	m := strings.Join(list, "|")
	if !plain || !a.listed(row, m, list) {
		m = matcher.Union(names, anchored(a.Data.GrammarOf(row.Native), sel.Search))
	}
	// keep the agent from reading the expression as a name
	if sel.Search != "" && a.listed(row, m, nil) || strings.TrimSpace(m) != m {
		m = "(?:" + m + ")"
	}

	if _, err := matcher.Compile(a.Data.GrammarOf(row.Native), m); err != nil {
		return ""
	}
	return m
}

// listed reports whether the agent reads a matcher as a list of names, and exactly as these names, if any are given.
func (a *Agent) listed(row *schema.EventRow, m string, names []string) bool {
	read, err := matcher.Compile(a.Data.GrammarOf(row.Native), m)
	got, plain := read.Plain()
	if err != nil || !plain {
		return false
	}
	return names == nil && !strings.HasPrefix(m, "^") || slices.Equal(got, names)
}

// anchored turns an expression that may match anywhere in a name into one for a grammar that matches whole names.
func anchored(g schema.Grammar, search string) string {
	if search != "" && g.Whole {
		return ".*(?:" + search + ").*"
	}
	return search
}
