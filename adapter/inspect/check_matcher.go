package inspect

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// matcher looks for a matcher that matches nothing in its agent.
func (c *checker) matcher(h *schema.Hook) {
	row := c.own.p.Row(h.Native)
	if row == nil || h.Matcher == "" || row.Match == 0 {
		return
	}

	path, grammar := h.MemberPath("matcher"), c.own.p.GrammarOf(h.Native)
	m, err := matcher.Compile(grammar, h.Matcher)
	if err != nil {
		reported := func(d schema.Diagnostic) bool { return d.Path == path && d.File == h.Source.File }
		never := !m.Unread() && (!grammar.Equal || row.Match == schema.MatchTool)
		if never && !slices.ContainsFunc(c.ds, reported) {
			c.add(schema.CodeDeadMatcher, plan.GuardSeverity(c.own.d, h), h, path, err.Error(), "").
				Edit = matcherEdit(c.text, path, anyMatcher(grammar, h.Matcher))
		}
		return
	}
	if m.All() {
		return
	}

	switch row.Match {
	case schema.MatchConst:
		if why := "with " + row.MatchConst + ", not with the subject of the event"; !m.Match(row.MatchConst) {
			if row.MatchConst == "" {
				why = "with nothing, so that a hook with one never runs"
			}
			c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "on "+row.Native+" matchers are compared "+why,
				"remove the matcher, and check the payload in the hook")
		}
	case schema.MatchField:
		if row.Gate != nil && c.own.toolOf(h.Matcher) != "" {
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

// fieldMatcher reports each alternative of a matcher that matches none of the values that the agent sends in a field.
// It is a note if other alternatives match.
func (c *checker) fieldMatcher(h *schema.Hook, m *matcher.Matcher, path string) {
	sent := plan.SentValues(c.own.d, c.own.p.Row(h.Native))
	add := func(severity schema.Severity, part *schema.Hook, name string) {
		near := suggest.Nearest(name, sent)
		found := c.report(schema.CodeDeadMatcher, severity, h, path, plan.NeverSent(c.own.d, part, nil),
			"write "+plan.Listed(sent, "or"))
		if found.Edit = matcherEdit(c.text, path, swapped(h.Matcher, name, near)); near == "" {
			found.Edit = schema.Change{}
		}
	}

	if _, live := plan.Unsent(c.own.d, c.own.d, h); !live {
		if !c.reports(schema.CodeDeadMatcher, h, path) { // the parser's finding is more precise
			add(plan.GuardSeverity(c.own.d, h), h, h.Matcher)
		}
		return
	}
	for _, p := range c.own.parts(h, m) {
		part := *h
		part.Matcher = p.text
		if _, live := plan.Unsent(c.own.d, c.own.d, &part); !live {
			add(schema.Note, &part, p.name)
		}
	}
}

// anyMatcher returns an expression for any name as a replacement for *, which isn't a matcher in an agent that reads
// only expressions.
func anyMatcher(g matcher.Grammar, text string) string {
	const all = ".*"
	if _, err := matcher.Compile(g, all); text == "*" && err == nil {
		return all
	}
	return ""
}

// toolMatcher reports each alternative of a matcher that selects none of the agent's tools, no matter how many others
// do. A name that is in no table may still be a tool; that is a note.
func (c *checker) toolMatcher(h *schema.Hook, m *matcher.Matcher, path string) {
	some := c.own.fitsOwn(h.Native, m) || plan.TakesMCP(c.own.d, m, h.Matcher)
	if better := c.own.respelt(h); !some && better != "" {
		c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "this matcher matches no tool", "write "+better).
			Edit = matcherEdit(c.text, path, better)
		return
	}

	before := len(c.ds)
	for _, part := range c.own.parts(h, m) {
		f := part.flaw(c.text, some)
		byParser := slices.ContainsFunc(c.ds[:before], func(d schema.Diagnostic) bool {
			return d.Code == schema.CodeDeadMatcher && d.Path == path && strings.Contains(d.Message, part.name)
		})
		if f.why == "" || byParser {
			continue
		}
		d := c.report(schema.CodeDeadMatcher, f.severity, h, path, f.why, f.fix)
		if d.Edit = f.edit; f.write != "" {
			d.Edit = matcherEdit(c.text, path, swapped(h.Matcher, part.name, f.write))
		}
	}
}
