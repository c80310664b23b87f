package family

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// Select returns what a hook's matcher selects. A regular expression is tried on
// every known tool; as it may reach tools that are not known, it selects all unless
// it is plain.
func (a *Agent) Select(h *schema.Hook) schema.Selection {
	row := a.Row(h.Native)
	if row == nil || row.Match == schema.MatchNothing {
		return schema.Selection{All: true, Exact: true}
	}
	m, _ := matcher.Compile(a.Data.Grammar, h.Matcher)
	if m.All() {
		return schema.Selection{All: true, Exact: true}
	}
	names, plain := m.Plain()
	switch {
	case !plain:
		return schema.Selection{All: true}
	case row.Match != schema.MatchTool:
		return schema.Selection{Words: a.Data.Vocabularies.For(row.Event, row.MatchField).Canonical(names), Exact: true}
	}
	s := schema.Selection{Exact: true}
	for _, n := range names {
		for _, p := range a.picks(n) {
			if !slices.Contains(s.Picks, p) {
				s.Picks = append(s.Picks, p)
			}
		}
	}
	return s
}

// picks is what a tool's name or alias stands for.
func (a *Agent) picks(name string) (picks []schema.Pick) {
	if server, tool, ok := a.Data.MCP.Split(name); ok {
		return []schema.Pick{{Kind: schema.MCP, Server: server, Name: tool}}
	}
	if row := a.Tool(name); row != nil {
		for _, k := range row.Kinds {
			picks = append(picks, schema.Pick{Kind: k})
		}
	}
	if len(picks) == 0 {
		picks = []schema.Pick{{Name: name}}
	}
	return picks
}

// Plan lists where a hook for its event can stand; none if there is no such event.
func (a *Agent) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	row := schema.RowFor(a.Data.Events, h.Event)
	if row == nil || h.Inline {
		return nil
	}
	e := schema.Entry{Native: row.Native, Pointer: "/hooks/" + row.Native, Exact: sel.Exact}
	switch {
	case sel.All:
	case row.Match == schema.MatchTool:
		e.Matcher = a.toolMatcher(sel)
		e.Exact = e.Exact && e.Matcher != ""
	case row.Match == schema.MatchField && len(sel.Words) > 0:
		e.Matcher = strings.Join(a.Data.Vocabularies.For(row.Event, row.MatchField).SpellAll(sel.Words), "|")
	default:
		e.Exact = false
	}
	return []schema.Entry{e}
}

// toolMatcher names the tools of a selection; "" selects all, which is never
// narrower. Where names and the expression of another agent make no matcher of this
// one, it selects all too.
func (a *Agent) toolMatcher(sel schema.Selection) string {
	var names []string
	for _, p := range sel.Picks {
		name := matcher.Escape(p.Name)
		switch {
		case p.Kind == schema.MCP:
			name = matcher.Escape(a.Data.MCP.Prefix) + orWild(p.Server) + matcher.Escape(a.Data.MCP.Between) + orWild(p.Name)
		case p.Name == "":
			row := a.ToolOf(p.Kind)
			if row == nil {
				return ""
			}
			name = row.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 && sel.Search == "" {
		return ""
	}
	if sel.Search == "" {
		plain := strings.Join(names, "|")
		if m, err := matcher.Compile(a.Data.Grammar, plain); err == nil && isPlain(m) {
			return plain
		}
	}
	m := matcher.Union(names, sel.Search)
	got, err := matcher.Compile(a.Data.Grammar, m)
	switch {
	case err != nil:
		return ""
	case sel.Search != "" && isPlain(got): // an expression, and not a name as it looks
		return "(?:" + m + ")"
	}
	return m
}

func isPlain(m *matcher.Matcher) bool {
	_, plain := m.Plain()
	return plain
}

func orWild(s string) string {
	if s == "" {
		return ".*"
	}
	return matcher.Escape(s)
}
