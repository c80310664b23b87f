package convert

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A part is the result of converting one hook.
type part struct {
	hook, out   *schema.Hook // as it was, and as the target runs it
	wrapped     bool
	entries     []schema.Entry
	own         []schema.Entry // the entries that run it
	left        schema.Feature // features that its entries don't carry
	first, last int            // its entries
	group       int            // number of its group, which one entry runs; 0: it has its own entries
	guard       bool           // it is a rule: where a refusal is final, the order doesn't matter
}

// joinParts joins entries of hooks if the target would use less of their answers than their own agent does, and reports
// hooks that can't be joined.
func (c *converter) joinParts() {
	groups, overrules := 0, c.overrules()
	for _, row := range c.to.Profile().Events {
		var here []*part
		for i := range c.parts {
			p := &c.parts[i]
			alike := len(here) == 0 || p.hook.Source.Scope == here[0].hook.Source.Scope
			if apart := p.guard && !overrules; !apart && alike && p.answersAt(row.Native) {
				here = append(here, p)
			}
		}
		if !c.plan.Together(row.Native, lists.Map(here, func(p *part) *schema.Hook { return p.hook })) {
			continue
		}
		groups++
		for _, p := range here {
			if p.wrapped {
				c.regroup(p, groups)
				continue
			}
			fix := "let one hook do what they do"
			if p.hook.Handler == schema.HandlerCommand {
				fix += ", or convert without --wrap never"
			}
			c.report(schema.CodeManyAnswers, schema.Weaker, p.hook, "", "several hooks answer at "+row.Native+", and "+
				c.to.Profile().Title+" merges their answers differently from "+c.from.Profile().Title).Fix = fix
		}
	}

	for i := range c.parts {
		p := &c.parts[i]
		// only a file can state these
		if p.group == 0 && p.wrapped && (p.left&schema.HookEnv != 0 || len(c.ofCommand(p.hook)) > 0) {
			groups++
			p.group = groups
		}
		if p.group != 0 {
			continue
		}
		for _, e := range p.entries {
			c.merged(p.hook, e, p.out)
		}
		if p.wrapped {
			c.lost(p.hook, p.left)
			c.leftBehind(p.hook)
		}
	}

	for g := range groups {
		c.join(g + 1)
	}

	c.Entries = slices.DeleteFunc(c.Entries, func(e Placed) bool { return e.Value == nil })
}

// ofCommand returns a hook's unmodeled fields that a guard may need.
func (c *converter) ofCommand(h *schema.Hook) (fields ordjson.Object) {
	for _, m := range h.Extra {
		if sev, known := c.from.Profile().IgnoredMember(m.Name); known && sev >= schema.Weaker {
			fields = append(fields, m)
		}
	}
	return fields
}

// withOwn adds the fields of ofCommand to an entry of the hook's own agent.
func (c *converter) withOwn(entry []byte, h *schema.Hook) []byte {
	at := ""
	if o, _ := ordjson.Parse(entry); o.Has("hooks") {
		at = "/hooks/0"
	}
	for _, m := range c.ofCommand(h) {
		if with, err := jsonedit.Set(entry, ordjson.Pointer(at, m.Name), m.Value); err == nil {
			entry = ordjson.AppendCompact(nil, with)
		}
	}
	return entry
}

// answersAt reports whether the target waits for the hook's answer at an event.
func (p *part) answersAt(native string) bool {
	return !p.hook.Async && !p.hook.Rewake && slices.ContainsFunc(p.own,
		func(e schema.Entry) bool { return e.Native == native })
}

// regroup moves a part and its whole group into another group.
func (c *converter) regroup(p *part, group int) {
	old := p.group
	for i := range c.parts {
		if o := &c.parts[i]; o == p || old != 0 && o.group == old {
			o.group = group
		}
	}
}

// join replaces the entries of a group by one entry per event. It carries the hooks inline, as a file of their agent.
func (c *converter) join(group int) {
	in := Installation{Host: c.to, Hooks: []dialect.Dialect{c.from}, Policy: c.policy, Narrow: true}
	var own Conversion
	var hooks []schema.Hook
	var paths []string
	var freed []int
	if c.joinRules(group) {
		return
	}

	for _, p := range c.parts {
		if p.group != group {
			continue
		}
		w := cmdline.Wrapping{Hook: *p.hook}
		c.fixPaths(&w.Hook, c.from, c.from, w.Source())
		e := schema.Entry{Native: p.hook.Native, Pointer: c.from.Profile().EventsAt + "/" + p.hook.Native,
			Matcher: p.hook.Matcher, Exact: true}
		value, says := c.from.WriteHook(e, &w.Hook)
		value = c.withOwn(value, p.hook)
		c.lost(p.hook, p.left&^says)
		c.leftBehind(p.hook, c.ofCommand(p.hook)...)
		own.Entries = append(own.Entries, Placed{Pointer: e.Pointer, Value: value})
		hooks, paths = append(hooks, *p.hook), append(paths, p.hook.Path)
		in.FailClosed = in.FailClosed || p.hook.Fail == schema.FailClosed
		if at := w.Source(); in.Flags == nil && at.Plugin != "" {
			in.Flags = []cmdline.Flag{{Name: "plugin-root", Value: at.Plugin}}
		}
		if p.hook.Source.Scope == schema.ScopeUser {
			in.Scope = schema.ScopeUser
		}
		for i := p.first; i < p.last; i++ {
			freed = append(freed, i)
		}
	}

	if len(hooks) == 0 {
		return
	}
	if c.from.Profile().Line != dialect.PassesInput {
		dialect.RunInOrder(hooks)
	}

	in.Flags = append(in.Flags, cmdline.Flag{Name: "inline", Value: string(ordjson.AppendCompact(nil,
		own.Document(c.from)))})
	joined, _ := in.Entries(hooks) // its findings are already reported
	for _, e := range joined {
		e.From = paths
		if at := slices.IndexFunc(freed, func(i int) bool { return c.Entries[i].Pointer == e.Pointer }); at >= 0 {
			c.Entries[freed[at]] = e
			freed = slices.Delete(freed, at, at+1)
		} else {
			c.Entries = append(c.Entries, e)
		}
	}

	for _, i := range freed {
		c.Entries[i].Value = nil
	}
}
