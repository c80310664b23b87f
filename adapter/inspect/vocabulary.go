package inspect

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// A vocabulary has an agent's names for its events and tools, and translates other agents' names to them.
type vocabulary struct {
	d dialect.Dialect
	p *dialect.Profile
}

func vocabularyOf(d dialect.Dialect) vocabulary { return vocabulary{d, d.Profile()} }

// reaches reports whether a hook's matcher matches a tool of its agent.
func (v vocabulary) reaches(h *schema.Hook) bool {
	row := v.p.Row(h.Native)
	m, err := v.p.Matcher(h)
	return err == nil && row != nil && row.Match == schema.MatchTool && v.fitsOwn(h.Native, m)
}

// spelling returns how matchers of an event spell the agent's own tool with a name in any case, "" if there is none.
func (v vocabulary) spelling(native, name string) string {
	for _, t := range v.p.Tools {
		if !v.p.HasTool(&t) {
			continue
		}
		called := append([]string{t.Name}, t.Aliases...)
		if i := slices.IndexFunc(called, func(s string) bool { return strings.EqualFold(s, name) }); i >= 0 {
			for _, s := range append([]string{called[i]}, called...) {
				if v.matches(native, s) {
					return s
				}
			}
		}
	}
	return ""
}

// matches reports whether a name as a whole matcher matches a tool of the agent at an event.
func (v vocabulary) matches(native, name string) bool {
	m, err := matcher.Compile(v.p.GrammarOf(native), name)
	return err == nil && v.fitsOwn(native, m)
}

// toolNames returns all names that the agent has for its own tools.
func (v vocabulary) toolNames() []string {
	names := slices.Clone(v.p.PlainTools)
	for _, t := range v.p.Tools {
		names = append(append(names, t.Name), t.Aliases...)
	}
	return names
}

// toolOf returns the title of the dialect that has a tool with the name, this one first.
func (v vocabulary) toolOf(name string) string {
	for _, d := range append([]dialect.Dialect{v.d}, adapter.Dialects()...) {
		if d.Profile().Tool(name) != nil || slices.Contains(d.Profile().PlainTools, name) {
			return d.Profile().Title
		}
	}
	return ""
}

// ownTool returns the agent's own name for another agent's tool with the name, "" if none.
func (v vocabulary) ownTool(name string) string {
	if v.toolOf(name) == v.p.Title {
		return name
	}
	t, _ := sample.ToolCalled(v.d, name)
	kind, p := t.Kind(), v.p
	call := &schema.Call{Event: schema.PreTool, Tool: schema.Tool{Name: name, Kinds: []schema.Kind{kind}}}
	shown := lists.Find(v.d.Views(call), func(is *schema.View) bool { return is.Tool != "" && kind != schema.Other })
	own := p.ToolOfKind(kind)
	switch {
	case own == nil && (shown == nil || p.Tool(shown.Tool) == nil):
		return ""
	case own == nil:
		return shown.Tool
	// for example if commands do the same
	case shown != nil && shown.Tool != own.Name && p.Tool(shown.Tool) != nil &&
		!slices.Contains(p.Tool(shown.Tool).Kinds, kind):
		return shown.Tool + "|" + own.Name
	}
	return own.Name
}

// call returns a call of one of the agent's own tools at an event.
func (v vocabulary) call(native string, t *schema.ToolRow) *schema.Call {
	kinds := t.Kinds
	if len(kinds) == 0 {
		kinds = []schema.Kind{schema.Other}
	}
	return &schema.Call{Dialect: v.p.Name, Event: v.p.Row(native).Event, Native: native,
		Tool: schema.Tool{Name: t.Name, Kinds: kinds}}
}

// fitsOwn reports whether a tool of the agent matches a matcher, or each of several, at an event.
func (v vocabulary) fitsOwn(native string, all ...*matcher.Matcher) bool {
	p := v.p
	fit := func(names ...string) bool {
		return !slices.ContainsFunc(all, func(m *matcher.Matcher) bool { return !m.Match(names...) })
	}
	plain := func(name string) bool { return fit(name) }
	return slices.ContainsFunc(p.PlainTools, plain) || slices.ContainsFunc(p.Tools, func(t schema.ToolRow) bool {
		call := v.call(native, &t)
		if p.Row(native).Spares(call.Tool.Kinds) || !p.HasTool(&t) {
			return false
		}
		return slices.ContainsFunc(v.d.Views(call), func(shown schema.View) bool {
			return shown.Event == native && fit(shown.Target...)
		})
	})
}

// servers returns another agent whose names of MCP tools begin like an alternative, nil if there is none, or if the
// agent's own begin so.
func (v vocabulary) servers(name string) dialect.Dialect {
	best := v.d
	for _, d := range adapter.Dialects() {
		prefix := d.Profile().MCP.Prefix
		if strings.HasPrefix(name, prefix) && len(prefix) > len(best.Profile().MCP.Prefix) {
			best = d
		}
	}
	if best == v.d || !strings.HasPrefix(name, best.Profile().MCP.Prefix) {
		return nil
	}
	return best
}

// mayBeMCP reports whether a name may belong to a tool of an MCP server.
func (v vocabulary) mayBeMCP(name string) bool {
	const server, tool = "SERVER", "TOOL"
	prefix, _, _ := strings.Cut(plan.NameOfMCP(v.d, server, tool), tool)
	prefix, _, _ = strings.Cut(prefix, server)
	return len(v.p.MCP.Splits(name)) > 0 || prefix != "" && strings.HasPrefix(name, prefix)
}

// isName reports whether a tool of the agent may have a name, judging by the characters in its known names.
func (v vocabulary) isName(name string) bool {
	ofServer := "" // also in the names of MCP tools
	if v.mayBeMCP(name) {
		ofServer = plan.NameOfMCP(v.d, "", "")
	}
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		usual := strings.ContainsRune("_-.0123456789"+ofServer, r) || 'a' <= r|0x20 && r|0x20 <= 'z'
		return !usual && !slices.ContainsFunc(v.toolNames(), func(own string) bool {
			return strings.ContainsRune(own, r)
		})
	}) < 0
}

// constant returns the event that compares matchers with a constant word, unrelated to the call, nil if none.
func (v vocabulary) constant(word string) *schema.EventRow {
	return lists.Find(v.p.Events, func(row *schema.EventRow) bool {
		return row.MatchConst != "" && row.MatchConst == word
	})
}
