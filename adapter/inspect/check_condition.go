package inspect

import (
	pathpkg "path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// condition looks for a condition that holds for no call that the matcher accepts. Parsers report conditions that never
// hold at an event.
func (c *checker) condition(h *schema.Hook) {
	p := c.own.p
	conditions, row := c.own.d.Abilities().Conditions, p.Row(h.Native)
	if h.Condition == "" || conditions == nil || row == nil || row.Match != schema.MatchTool || !row.Event.IsTool() {
		return
	}
	m, bad := p.Matcher(h)
	if bad != nil {
		return // the matcher has its own finding
	}

	path := h.MemberPath(p.MemberName(schema.HookCondition))
	if why := unreadable(c.own.d, h); why != nil {
		c.add(schema.CodeDeadCondition, plan.GuardSeverity(c.own.d, h), h, path,
			why.Error()+", so the hook never runs in "+p.Title, c.own.readableHint(h))
		return
	}

	ofServers := p.MCP.Prefix != "" && strings.Contains(h.Condition, p.MCP.Prefix) &&
		strings.Contains(h.Matcher, p.MCP.Prefix)
	if ofServers { // the tools of a server aren't known
		return
	}
	may := slices.ContainsFunc(c.own.someViews(h, m), func(v schema.View) bool {
		holds, err := conditions.MayHold(h, v)
		return m.Match(v.Target...) && (holds || err != nil)
	})
	if !may {
		c.add(schema.CodeDeadCondition, plan.GuardSeverity(c.own.d, h), h, path, "the condition "+
			plan.QuoteOr(h.Condition, "")+" holds for no tool that the matcher accepts, so the hook never runs in "+
			p.Title,
			"name the same tool in both")
		return
	}
	c.meantFor(h, m, path)
}

// readableHint returns the replacement for a condition that its agent can't read. It suggests a rule from the condition
// only if the rule has been tried.
func (v vocabulary) readableHint(h *schema.Hook) string {
	const inHook = "check the input in the hook"
	holds := func(condition, tool, subject string) bool {
		one := *h
		one.Matcher, one.HasMatcher, one.Condition = "", false, condition
		return answers(v.d, &one, tool, subject)
	}

	tool, argument, _ := strings.Cut(strings.Trim(h.Condition, "'\"` "), "(")
	tool = strings.TrimSpace(tool)
	written := tool + "(" + strings.TrimSuffix(argument, ")") + ")"
	if r, ok := readRule(written); ok && !strings.ContainsAny(argument, "(|") {
		r.kind = judgedKind(v.p.Tool(tool))
		for _, part := range r.alternatives() {
			if r.kind != 0 && holds(written, tool, r.meant(part)[0]) {
				return "write " + written + ", or " + inHook
			}
		}
	}

	shell := v.p.ToolOfKind(schema.Shell)
	switch {
	case shell == nil || !holds(shell.Name+"(git push*)", shell.Name, "git push x"):
		return inHook
	case strings.Count(h.Condition, "(") > 1:
		return "write one rule for each hook, or " + inHook
	}
	return "write a rule such as " + shell.Name + "(git push*), or " + inHook
}

// meantFor looks for a rule that holds for none of the calls that it is meant for. Its lists, expressions or paths
// follow another program's notation.
func (c *checker) meantFor(h *schema.Hook, m *matcher.Matcher, path string) {
	r, ok := readRule(strings.TrimSpace(h.Condition))
	tool := c.own.ownTool(r.tool)
	r.kind = judgedKind(c.own.p.Tool(tool))
	if !ok || r.kind == 0 || !m.Match(tool) {
		return
	}
	if !r.file() && strings.Contains(r.argument, `\`) { // agents differ in what the backslash escapes
		return
	}
	r.project = filepath.ToSlash(c.places.Project)
	parts := r.alternatives()
	holds := func(subject string) bool { return answers(c.own.d, h, tool, subject) }
	if file, other, misses := c.own.missesSpelling(h, tool, r); misses {
		c.misses(h, tool, r, path, c.own.p.Title+" compares a path as the model writes it: the condition "+
			plan.QuoteOr(h.Condition, "")+" holds for "+file+" and not for "+other)
		return
	}
	if len(parts) == 0 || slices.ContainsFunc(parts, func(part string) bool {
		return slices.ContainsFunc(r.meant(part), holds)
	}) {
		return
	}
	c.misses(h, tool, r, path, "the condition "+plan.QuoteOr(h.Condition, "")+
		" holds for none of the calls that it is meant for, such as "+plan.QuoteOr(r.meant(parts[0])[0], ""))
}

// misses reports a rule that doesn't hold for calls that it is meant for, and suggests a rule that does.
func (c *checker) misses(h *schema.Hook, tool string, r rule, path, why string) {
	fix, _ := c.own.ruleHint(c.text, h.Native, h.Group.Path, r)
	found := c.add(schema.CodeDeadCondition, plan.GuardSeverity(c.own.d, h), h, path, why, fix)
	r.tool = tool
	if better := bound(c.own.d, h, tool, r); len(better) == 1 && pointed(c.text, path) != nil {
		found.Edit = schema.Change{Path: path, Value: string(ordjson.AppendString(nil, better[0]))}
	}
}

// missesSpelling returns a path for which a rule holds, and another path of the same file for which it doesn't. ok is
// false if there are none.
func (v vocabulary) missesSpelling(h *schema.Hook, tool string, r rule) (file, other string, ok bool) {
	if v.p.CleansPaths || !r.file() {
		return "", "", false
	}
	for _, part := range r.alternatives() {
		for _, subject := range r.meant(part) {
			whole := pathpkg.Join(judgedProject, subject)
			if pathpkg.IsAbs(subject) {
				continue
			}
			switch fromRoot := answersAs(v.d, h, tool, whole); {
			case fromRoot == answersAs(v.d, h, tool, subject):
			case fromRoot:
				return whole, subject, true
			default:
				return subject, whole, true
			}
		}
	}
	return "", "", false
}

// holdsSome reports whether a hook's condition, which has a finding, holds for some of the calls that it is meant for.
func (v vocabulary) holdsSome(h *schema.Hook) bool {
	r, ok := readRule(strings.TrimSpace(h.Condition))
	tool := v.ownTool(r.tool)
	r.kind = judgedKind(v.p.Tool(tool))
	_, _, misses := v.missesSpelling(h, tool, r)
	return ok && misses
}

// unreadable returns why the agent never runs a hook with a condition in this form, nil if it does.
func unreadable(d dialect.Dialect, h *schema.Hook) error {
	conditions := d.Abilities().Conditions
	if h.Condition == "" || conditions == nil || !h.Event.IsTool() { // no condition holds without a tool
		return nil
	}
	_, err := conditions.MayHold(h, schema.View{Event: h.Native})
	return err
}

// someViews returns the calls of all known tools as hooks see them, and of the tools that the hook names.
func (v vocabulary) someViews(h *schema.Hook, m *matcher.Matcher) (views []schema.View) {
	p := v.p
	named, _, _ := strings.Cut(h.Condition, "(")
	names, _ := m.Plain()
	// a name that no agent has may be a new tool; the agent's own follow below
	if named = strings.TrimSpace(named); v.isName(named) && v.toolOf(named) == "" {
		names = append(slices.Clone(names), named)
	}
	for _, name := range append(names, p.PlainTools...) {
		views = append(views, schema.View{Event: h.Native, Tool: name, Target: []string{name}})
	}
	for _, t := range p.Tools {
		if !p.HasTool(&t) {
			continue
		}
		call := v.call(h.Native, &t)
		call.Tool.Aliases = t.Aliases
		views = append(views, v.d.Views(call)...)
	}
	return slices.DeleteFunc(views, func(shown schema.View) bool { return shown.Event != h.Native })
}
