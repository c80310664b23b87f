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
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// matcher looks for a matcher that fits nothing that its agent has.
func (c *checker) matcher(h *schema.Hook) {
	row := c.d.Profile().Row(h.Native)
	if row == nil || h.Matcher == "" || row.Match == 0 {
		return
	}

	path, grammar := h.MemberPath("matcher"), c.d.Profile().GrammarOf(h.Native)
	m, err := matcher.Compile(grammar, h.Matcher)
	if err != nil {
		reported := func(d schema.Diagnostic) bool { return d.Path == path && d.File == h.Source.File }
		never := !m.Unread() && (!grammar.Equal || row.Match == schema.MatchTool)
		if never && !slices.ContainsFunc(c.ds, reported) {
			c.add(schema.CodeDeadMatcher, plan.GuardSeverity(c.d, h), h, path, err.Error(), "").
				Edit = c.matcherEdit(path, anyMatcher(grammar, h.Matcher))
		}
		return
	}
	if m.All() {
		return
	}

	switch row.Match {
	case schema.MatchConst:
		if !m.Match(row.MatchConst) {
			c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "on "+row.Native+" matchers are compared with "+
				row.MatchConst+", not with the subject of the event",
				"remove the matcher, and check the payload in the hook")
		}
	case schema.MatchField:
		if row.Gate != nil && c.toolOf(h.Matcher) != "" {
			c.add(schema.CodeOddMatcher, schema.Weaker, h, path, "on "+row.Native+
				" matchers are compared with the tool's input, not with its name", "remove the matcher")
		} else {
			c.fieldMatcher(h, m, path)
		}
	case schema.MatchTool:
		if row.Gate == nil {
			c.toolMatcher(h, m, path)
		}
	}
}

// fieldMatcher reports each alternative of a matcher that fits no value of a field which the agent sends; a note if
// others do.
func (c *checker) fieldMatcher(h *schema.Hook, m *matcher.Matcher, path string) {
	sent := plan.SentValues(c.d, c.d.Profile().Row(h.Native))
	add := func(severity schema.Severity, part *schema.Hook, name string) {
		near := suggest.Nearest(name, sent)
		found := c.addPart(h, path, severity, plan.NeverSent(c.d, part, nil), "write "+plan.Listed(sent, "or"))
		if found.Edit = c.matcherEdit(path, swapped(h.Matcher, name, near)); near == "" {
			found.Edit = schema.Change{}
		}
	}

	if _, live := plan.Unsent(c.d, c.d, h); !live {
		add(plan.GuardSeverity(c.d, h), h, h.Matcher)
		return
	}
	for _, p := range c.parts(h, m) {
		part := *h
		part.Matcher = p.text
		if _, live := plan.Unsent(c.d, c.d, &part); !live {
			add(schema.Note, &part, p.name)
		}
	}
}

// anyMatcher is a matcher of every name in the place of *, which is none in an agent that reads expressions alone.
func anyMatcher(g matcher.Grammar, text string) string {
	const all = ".*"
	if _, err := matcher.Compile(g, all); text == "*" && err == nil {
		return all
	}
	return ""
}

// toolMatcher reports each alternative of a matcher by which the agent runs the hook for none of its tools, however
// many others do. A name that no table has may still be a tool's: that is a note.
func (c *checker) toolMatcher(h *schema.Hook, m *matcher.Matcher, path string) {
	some := c.fitsOwn(h.Native, m) || plan.TakesMCP(c.d, m, h.Matcher)
	if better := c.respelt(h); !some && better != "" {
		c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "this matcher matches no tool", "write "+better).
			Edit = c.matcherEdit(path, better)
		return
	}

	before := len(c.ds)
	for _, part := range c.parts(h, m) {
		f := c.flaw(h, m, part, some)
		byParser := slices.ContainsFunc(c.ds[:before], func(d schema.Diagnostic) bool {
			return d.Code == schema.CodeDeadMatcher && d.Path == path && strings.Contains(d.Message, part.name)
		})
		if f.why == "" || byParser {
			continue
		}
		d := c.addPart(h, path, f.severity, f.why, f.fix)
		if d.Edit = f.edit; f.write != "" {
			d.Edit = c.matcherEdit(path, swapped(h.Matcher, part.name, f.write))
		}
	}
}

// addPart adds a finding about one of several alternatives.
func (c *checker) addPart(h *schema.Hook, path string, s schema.Severity, why, fix string) *schema.Diagnostic {
	d := c.ds.AddSeverity(schema.CodeDeadMatcher, s, "", why)
	d.OfHook(h)
	d.Path, d.Fix = path, fix
	if line, col, ok := placeOf(c.text, path); ok {
		d.Line, d.Col = line, col
	}
	return d
}

// reaches reports whether a hook's matcher fits a tool of its agent.
func (c *checker) reaches(h *schema.Hook) bool {
	row := c.d.Profile().Row(h.Native)
	m, err := c.d.Profile().Matcher(h)
	return err == nil && row != nil && row.Match == schema.MatchTool && c.fitsOwn(h.Native, m)
}

// spelling is how matchers of an event spell the agent's own tool that a name in
// whatever letters means, "" if there is none.
func (c *checker) spelling(native, name string) string {
	for _, t := range c.d.Profile().Tools {
		if !c.d.Profile().HasTool(&t) {
			continue
		}
		called := append([]string{t.Name}, t.Aliases...)
		if i := slices.IndexFunc(called, func(s string) bool { return strings.EqualFold(s, name) }); i >= 0 {
			for _, s := range append([]string{called[i]}, called...) {
				if c.matches(native, s) {
					return s
				}
			}
		}
	}
	return ""
}

// matches reports whether a name alone matches a tool of the agent at an event.
func (c *checker) matches(native, name string) bool {
	m, err := matcher.Compile(c.d.Profile().GrammarOf(native), name)
	return err == nil && c.fitsOwn(native, m)
}

// toolNames are all names that the agent has for its own tools.
func (c *checker) toolNames() []string {
	names := slices.Clone(c.d.Profile().PlainTools)
	for _, t := range c.d.Profile().Tools {
		names = append(append(names, t.Name), t.Aliases...)
	}
	return names
}

// toolOf names the dialect that has a tool of that name, this one first.
func (c *checker) toolOf(name string) string {
	for _, d := range append([]dialect.Dialect{c.d}, adapter.Dialects()...) {
		if d.Profile().Tool(name) != nil || slices.Contains(d.Profile().PlainTools, name) {
			return d.Profile().Title
		}
	}
	return ""
}

// ownTool is the own name of what another agent calls by that name, "" if none.
func (c *checker) ownTool(name string) string {
	if c.toolOf(name) == c.d.Profile().Title {
		return name
	}
	t, _ := sample.ToolCalled(c.d, name)
	kind, p := t.Kind(), c.d.Profile()
	call := &schema.Call{Event: schema.PreTool, Tool: schema.Tool{Name: name, Kinds: []schema.Kind{kind}}}
	shown := lists.Find(c.d.Views(call), func(v *schema.View) bool { return v.Tool != "" && kind != schema.Other })
	own := p.ToolOfKind(kind)
	switch {
	case own == nil && (shown == nil || p.Tool(shown.Tool) == nil):
		return ""
	case own == nil:
		return shown.Tool
	// such as what commands do
	case shown != nil && shown.Tool != own.Name && p.Tool(shown.Tool) != nil &&
		!slices.Contains(p.Tool(shown.Tool).Kinds, kind):
		return shown.Tool + "|" + own.Name
	}
	return own.Name
}

// fitsOwn reports whether a matcher fits a tool of the agent at an event.
func (c *checker) fitsOwn(native string, m *matcher.Matcher) bool {
	p := c.d.Profile()
	plain := func(name string) bool { return m.Match(name) }
	return slices.ContainsFunc(p.PlainTools, plain) || slices.ContainsFunc(p.Tools, func(t schema.ToolRow) bool {
		kinds := t.Kinds
		if len(kinds) == 0 {
			kinds = []schema.Kind{schema.Other}
		}
		if p.Row(native).Spares(kinds) || !p.HasTool(&t) {
			return false
		}
		call := &schema.Call{Dialect: p.Name, Event: p.Row(native).Event, Native: native,
			Tool: schema.Tool{Name: t.Name, Kinds: kinds}}
		return slices.ContainsFunc(c.d.Views(call), func(v schema.View) bool {
			return v.Event == native && m.Match(v.Target...)
		})
	})
}
