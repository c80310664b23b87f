package inspect

import (
	"cmp"
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
		} else if _, live := plan.Unsent(c.d, c.d, h); !live {
			sent := plan.SentValues(c.d, row)
			found := c.add(schema.CodeDeadMatcher, plan.GuardSeverity(c.d, h), h, path, plan.NeverSent(c.d, h, nil),
				"write "+plan.Listed(sent, "or"))
			found.Edit = c.matcherEdit(path, suggest.Nearest(h.Matcher, sent))
		}
	case schema.MatchTool:
		if row.Gate == nil {
			c.toolMatcher(h, m, path)
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

// toolMatcher looks at the names that a matcher lists one by one.
func (c *checker) toolMatcher(h *schema.Hook, m *matcher.Matcher, path string) {
	if c.deadParts(h, path) {
		return
	}

	for _, d := range adapter.Dialects() {
		if s := d.Profile().ServerIn(h.Matcher); s != "" && d.Profile().MCP.Prefix != "" &&
			c.d.Profile().ServerIn(h.Matcher) == "" {
			c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "this is how "+d.Profile().Title+" names MCP tools; "+
				c.d.Profile().Title+"'s names don't contain the server", "match the tool's own name")
			return
		}
	}

	fits := c.fitsOwn(h.Native, m) || plan.TakesMCP(c.d, m, h.Matcher)
	if !fits && (c.misspelt(h, path) || c.notAName(h, m, path)) {
		return
	}

	title, known := c.d.Profile().Title, c.d.Profile().TitleChecked()
	for _, name := range wholeNames(h.Matcher) {
		owner := c.toolOf(name)
		if c.matches(h.Native, name) && !c.misses(m, name, owner) {
			continue
		}
		sev := schema.Weaker
		if fits && !c.matches(h.Native, name) { // the others still match
			sev = schema.Note
		}
		if constant := c.constant(name); constant != nil && owner == "" {
			c.add(schema.CodeDeadMatcher, sev, h, path, "no tool is called "+name+", which matchers on "+
				constant.Native+" are compared with", "move the hook to "+constant.Native)
			continue
		}
		if near := suggest.Slip(name, c.toolNames()); owner == "" && near != "" {
			c.add(schema.CodeDeadMatcher, sev, h, path, known+" doesn't know the tool "+name, "did you mean "+near+"?").
				Edit = c.matcherEdit(path, swapped(h.Matcher, name, near))
		}
		if owner == "" {
			continue
		}
		what, fix := known+" has no tool "+name+"; that is its name in "+owner, "remove it"
		own := c.ownTool(name)
		if owner == title {
			what, own = "on "+h.Native+" no tool is called "+name, c.spelling(h.Native, name)
		}
		t := c.d.Profile().Tool(name)
		if owner == title && t != nil && t.Programs != nil && !c.d.Profile().HasTool(t) {
			what, own = "only the programs "+plan.Listed(t.Programs, "and")+" of "+known+" have the tool "+name,
				c.d.Profile().ToolName(name)
		}
		if own != "" {
			fix = "write " + own
		} else if row := c.d.Profile().Row(h.Native); owner == title && row.Spares(c.d.Profile().Tool(name).Kinds) {
			what = known + " never raises " + h.Native + " for " + name
		}
		c.add(schema.CodeDeadMatcher, sev, h, path, what, fix).Edit = c.matcherEdit(path, swapped(h.Matcher, name, own))
	}
	c.unknownNames(h, m, path)
}

// deadParts reports each alternative of a matcher that no name of a tool can fit, however many others do, and whether
// none is left.
func (c *checker) deadParts(h *schema.Hook, path string) (all bool) {
	grammar := c.d.Profile().GrammarOf(h.Native)
	whole, _ := matcher.Compile(grammar, h.Matcher)
	parts, exact := whole.Plain()
	if !whole.Lists() || !exact {
		parts = alternatives(h.Matcher)
	}

	dead := 0
	for _, part := range parts {
		ofServer := c.d.Profile().MCP.Prefix != "" && strings.Contains(part, c.d.Profile().MCP.Prefix)
		if !ofServer && !strings.ContainsAny(part, "(/") { // a name, which may be of a tool that no table has
			continue
		}
		m, err := matcher.Compile(grammar, part)
		if err != nil || c.fitsOwn(h.Native, m) {
			continue
		}
		if why, fix, edit := c.neverAName(h, part, path, whole.Lists() || isAnchored(part)); why != "" {
			dead++
			c.addPart(h, path, why, fix, edit)
		}
	}
	return dead == len(parts)
}

// reaches reports whether a hook's matcher fits a tool of its agent.
func (c *checker) reaches(h *schema.Hook) bool {
	row := c.d.Profile().Row(h.Native)
	m, err := c.d.Profile().Matcher(h)
	return err == nil && row != nil && row.Match == schema.MatchTool && c.fitsOwn(h.Native, m)
}

// addPart adds a finding about one of several alternatives.
func (c *checker) addPart(h *schema.Hook, path, why, fix string, edit schema.Change) {
	d := c.ds.AddSeverity(schema.CodeDeadMatcher, schema.Weaker, "", why)
	d.OfHook(h)
	d.Path, d.Fix, d.Edit = path, fix, edit
	if line, col, ok := placeOf(c.text, path); ok {
		d.Line, d.Col = line, col
	}
}

func isAnchored(part string) bool {
	return strings.HasPrefix(part, "^") && strings.HasSuffix(part, "$")
}

// neverAName says why no tool can have a name that an alternative of a matcher fits, and what to write instead; "" if
// one may.
func (c *checker) neverAName(h *schema.Hook, part, path string, exact bool) (why, fix string, edit schema.Change) {
	if r, ok := readRule(part); ok && (c.toolOf(r.tool) != "" || c.toolOf(r.argument) != "") {
		fix, edit = c.ruleHint(h.Native, h.Group.Path, r)
		if part != h.Matcher { // the group is for other tools too
			edit = schema.Change{}
		}
		return part + " is a permission rule, not a matcher, and matches no tool", fix, edit
	}
	if inner, ok := literalForm(part); ok {
		if c.matches(h.Native, inner) {
			fix, edit = "write "+inner, c.matcherEdit(path, swapped(h.Matcher, part, inner))
		}
		return "the slashes of " + part + " are a part of the name that it looks for", fix, edit
	}

	mcp := c.d.Profile().MCP
	name := strings.TrimSuffix(strings.TrimPrefix(part, "^"), "$")
	server, ok := strings.CutPrefix(name, mcp.Prefix)
	server, between := strings.CutSuffix(server, mcp.Between)
	isName := strings.Trim(server, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	lacksTool := between || !strings.Contains(server, mcp.Between)
	named := mcp.Prefix != "" && mcp.Between != "" && isName
	if ok && exact && named && lacksTool {
		all := mcp.Prefix + server + mcp.Between + ".*"
		return "no tool is called " + name + ": the names of MCP tools end with the tool's own name, and this one is " +
			"compared as a whole", "write " + all, c.matcherEdit(path, swapped(h.Matcher, name, all))
	}
	return "", "", schema.Change{}
}

// literalForm is the text between the slashes of a JavaScript regular expression as it is written in a program.
func literalForm(part string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(part, "/")
	inner, flags, closed := cutLast(inner, "/")
	return inner, ok && closed && inner != "" && strings.Trim(flags, "dgimsuvy") == ""
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// constant is the event whose matchers are compared with a word that says nothing of the call, nil if none.
func (c *checker) constant(word string) *schema.EventRow {
	return lists.Find(c.d.Profile().Events, func(row *schema.EventRow) bool {
		return row.MatchConst != "" && row.MatchConst == word
	})
}

// notAName looks at a matcher that fits none of the known tools and that no name can fit:
// each of its alternatives needs a character that names don't have. It is meant for the
// tool's input.
func (c *checker) notAName(h *schema.Hook, m *matcher.Matcher, path string) bool {
	parts, plain := m.Plain()
	if !plain {
		parts = alternatives(h.Matcher)
	}
	for _, part := range parts {
		if !strings.ContainsAny(part, " \"'=&<>;") && !strings.Contains(part, `\s`) && !strings.HasPrefix(part, "!") {
			return false
		}
	}
	fix := "match the tool, and check its input in the hook"
	if member := c.d.Profile().MemberName(schema.HookCondition); member != "" {
		fix = "match the tool, and check its input in the hook or by \"" + member + "\""
	}
	c.add(schema.CodeDeadMatcher, schema.Weaker, h, path,
		"matchers are compared with the tool's name, and no name fits this one", fix)
	return true
}

// alternatives splits an expression at each | that is in no group.
func alternatives(text string) (parts []string) {
	depth, start := 0, 0
	for i, r := range text {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '|':
			if depth == 0 {
				parts, start = append(parts, text[start:i]), i+1
			}
		}
	}
	return append(parts, text[start:])
}

// wholeNames are the names that a matcher lists one by one: its alternatives, also those in a group around all of them.
// Alternatives inside a name, as in mcp__x__(create|delete), don't count.
func wholeNames(text string) (names []string) {
	parts := alternatives(text)
	if len(parts) > 1 {
		for _, part := range parts {
			names = append(names, wholeNames(part)...)
		}
		return names
	}
	name := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "^"), "$"))
	inner, opened := strings.CutPrefix(name, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if opened && closed && !strings.ContainsAny(inner, "()") {
		return wholeNames(strings.TrimPrefix(inner, "?:"))
	}
	return []string{name}
}

// misspelt looks at a matcher that fits none of the known tools: it may be a list
// of another grammar, or tools' names in other letters.
func (c *checker) misspelt(h *schema.Hook, path string) bool {
	names := strings.FieldsFunc(h.Matcher, func(r rune) bool { return r == '|' || r == ',' || r == ' ' })
	list, known := strings.ContainsAny(h.Matcher, ", "), false
	var own []string
	for _, name := range names {
		spelling := c.spelling(h.Native, name)
		if spelling == "" && list {
			spelling = c.ownTool(name)
		}
		known = known || spelling != ""
		if spelling == "" && (!list || strings.ContainsAny(name, `.*+?()[]{}^$\`)) {
			return false
		}
		if spelling = cmp.Or(spelling, name); !slices.Contains(own, spelling) {
			own = append(own, spelling)
		}
	}
	if !known {
		return false
	}
	better := strings.Join(own, "|")
	c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "this matcher matches no tool", "write "+better).
		Edit = c.matcherEdit(path, better)
	return true
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
