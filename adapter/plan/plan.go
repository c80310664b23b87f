// Package plan works out, from the dialects' tables, where the hooks of one agent
// run under another: which events need an entry, which tools and values a matcher
// still meets there, and what never occurs.
package plan

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// RunsInstead says where a hook runs that has not all events that it needs.
func RunsInstead(entries []schema.Entry) string {
	if len(entries) == 0 {
		return "the hook would never run"
	}
	names := lists.Map(entries, func(e schema.Entry) string { return e.Native })
	return "the hook runs at " + strings.Join(names, " and ") + " only"
}

// An Outcome is what becomes of a hook under the target. The zero Outcome is that of a hook without a place there.
type Outcome struct {
	// Own are the entries at which the hook is run: on the corresponding event, and on events for special cases of it,
	// such as a failed command. Through hookbridge, which checks each payload, also on events that correspond only
	// sometimes. Events that the target's version doesn't have are left out.
	Own []schema.Entry
	// Record are the entries at which no hook runs: hookbridge gets there what the payloads of the others lack.
	Record []schema.Entry
	// Later is the first event of a session at which hookbridge delivers context that none of Own takes; "": none.
	Later string
	// Found is what the hook loses, or why it never runs. Every command that judges hooks reports it.
	Found []Finding
}

// Entries are all of them.
func (o *Outcome) Entries() []schema.Entry { return slices.Concat(o.Own, o.Record) }

// RunsAt reports whether the hook is run at an event of the target; others only record what a later call needs.
func (o *Outcome) RunsAt(native string) bool {
	return slices.ContainsFunc(o.Own, func(e schema.Entry) bool { return e.Native == native })
}

// Outcome works out what becomes of a hook; bridged: it runs through hookbridge, not as a copy.
func (p *Planner) Outcome(h *schema.Hook, bridged bool) (o Outcome) {
	o.Own = p.own(h, bridged)
	o.Found = p.findings(h, o.Own)
	if !bridged || len(o.Own) == 0 {
		return o
	}
	o.Record, o.Later = p.recordOnly(h, o.Own), p.laterGate(h, o.Own)
	if !adapter.SameAgent(p.from, p.to) {
		o.Found = append(o.Found, unset(p.from, h)...)
	}
	return o
}

// recordOnly are the entries at which hookbridge gets what the payload of the hook's own event lacks.
func (p *Planner) recordOnly(h *schema.Hook, own []schema.Entry) (out []schema.Entry) {
	extra := []schema.Entry{{Native: p.editGate(h)}, {Native: p.saidGate(h)}, p.contextGate(h, own)}
	for _, native := range p.refusalGates(h) {
		extra = append(extra, schema.Entry{Native: native})
	}
	for _, e := range extra {
		known := slices.ContainsFunc(own, func(x schema.Entry) bool { return x.Native == e.Native })
		if e.Native != "" && !known {
			e.Pointer, e.Exact = p.to.Profile().EventsAt+"/"+e.Native, true
			out = append(out, e)
		}
	}
	return out
}

// contextGate is the entry after the call, where the agent gets the context that a hook adds before it; without
// an event if the agent gets it at once, or never.
func (p *Planner) contextGate(h *schema.Hook, own []schema.Entry) schema.Entry {
	from, to := p.from.Profile().Row(h.Native), p.to.Profile()
	after := to.Row(to.Generic(schema.PostTool))
	addsContext := h.Event == schema.PreTool && from != nil && from.Honors&schema.EffectContext != 0
	takenAfter := after != nil && to.Has(after) && after.Honors&schema.EffectContext != 0
	if !addsContext || !takenAfter {
		return schema.Entry{}
	}
	for _, e := range own {
		row := to.Row(e.Native)
		if row == nil || row.Event != schema.PreTool || row.Honors&schema.EffectContext != 0 {
			continue
		}
		at := *h
		at.Event = schema.PostTool
		if sel, some := narrowed(p.reach(h), row.Kinds()); row.Gate != nil && some && sel.Search == "" {
			e = p.to.Plan(&at, sel)[0]
		}
		return schema.Entry{Native: after.Native, Matcher: e.Matcher}
	}
	return schema.Entry{}
}

// Honors reports whether an agent's program, or its first where none is named, acts upon an effect at an event.
func Honors(agent *dialect.Profile, native string, effect schema.Feature) bool {
	program := agent.Program
	if program == nil && len(agent.Programs) > 0 {
		program = &agent.Programs[0]
	}
	row := agent.Row(native)
	if row == nil || !agent.Has(row) || row.Honors&effect == 0 {
		return false
	}
	return program == nil || program.On(native).Effects&effect == 0
}

// laterGate is the target's first event of a session at which the agent takes context, if it takes none
// at the events of a hook that runs when a session starts; else "". Without it, nothing would deliver what
// the hook says.
func (p *Planner) laterGate(h *schema.Hook, own []schema.Entry) string {
	to := p.to.Profile()
	takes := func(native string) bool { return Honors(to, native, schema.EffectContext) }
	row := p.from.Profile().Row(h.Native)
	if h.Event != schema.SessionStart || row == nil || row.Honors&schema.EffectContext == 0 ||
		slices.ContainsFunc(own, func(e schema.Entry) bool { return takes(e.Native) }) {
		return ""
	}
	for _, event := range []schema.Event{schema.PromptSubmit, schema.PreTool, schema.PostTool} {
		if native := to.Generic(event); takes(native) {
			return native
		}
	}
	return ""
}

// own are the entries at which the hook is run. There are none if its matcher
// accepts no value that the target ever sends.
func (p *Planner) own(h *schema.Hook, wide bool) []schema.Entry {
	if _, live := Unsent(p.from, p.to, h); !live {
		return nil
	}
	if adapter.SameAgent(p.from, p.to) {
		return p.within(h, wide)
	}
	sel, to := p.reach(h), p.to
	if !wide { // a copy keeps its matcher
		sel.Picks = lists.Map(sel.Picks, func(pick schema.Pick) schema.Pick {
			pick.AnyForm = false
			return pick
		})
	}
	entries := planned(p.from, to, h, sel, wide)
	all := len(entries)
	entries = slices.DeleteFunc(entries, func(e schema.Entry) bool {
		row := to.Profile().Row(e.Native)
		return row != nil && (!to.Profile().Has(row) || p.unshown(h, row, sel))
	})
	if len(entries) < all && wide {
		entries = append(entries, gates(to, h, p.kindsOf(h), entries)...)
	}
	return entries
}

// unshown reports whether the target's failures of the tools that a hook selects aren't an event
// of the hook's, whose agent may take the failure of a server's tool for a result.
func (p *Planner) unshown(h *schema.Hook, row *schema.EventRow, sel schema.Selection) bool {
	unnamed := sel.All || sel.Search != "" || len(sel.Picks) == 0
	if unnamed || h.Event != schema.PostToolFailure || !row.Raises(h.Event) {
		return false
	}
	return !slices.ContainsFunc(sel.Picks, func(pick schema.Pick) bool {
		c := &schema.Call{Dialect: familyOf(p.to).Profile().Name, Event: h.Event, Native: row.Native,
			Tool: schema.Tool{Name: pick.Name, Server: pick.Server, Kinds: []schema.Kind{pick.Kind}}}
		return slices.ContainsFunc(p.from.Views(c), func(v schema.View) bool { return v.Event == h.Native })
	})
}

// within are the entries under another version or program of the hook's own agent: at the same
// event or, where that isn't there yet, at those about single calls that show it.
func (p *Planner) within(h *schema.Hook, wide bool) []schema.Entry {
	to := p.to.Profile()
	if row := to.Row(h.Native); row != nil && to.Has(row) {
		return []schema.Entry{{Native: h.Native, Pointer: ordjson.Pointer(to.EventsAt, h.Native), Matcher: p.renamed(h),
			Exact: true}}
	}
	if !wide || h.Inline {
		return nil
	}
	return gates(p.to, h, p.kindsOf(h), nil)
}

// renamed is the hook's matcher with the names that the target has for the same tools.
func (p *Planner) renamed(h *schema.Hook) string {
	own, err := p.from.Profile().Matcher(h)
	there, bad := p.to.Profile().Matcher(h)
	row := p.to.Profile().Row(h.Native)
	if row.Match != schema.MatchTool || own.All() || err != nil || bad != nil {
		return h.Matcher
	}

	takes := func(d dialect.Dialect, m *matcher.Matcher, c *schema.Call) bool {
		return slices.ContainsFunc(d.Views(c), func(v schema.View) bool {
			return v.Event == h.Native && m.Match(v.Target...)
		})
	}
	var more []string
	version := adapter.AsWritten(p.to, p.from).Profile().Version
	for _, t := range p.to.Profile().Tools {
		c := &schema.Call{Dialect: p.to.Profile().Agent(), Version: version, Event: h.Event, Native: h.Native,
			Gate: h.Gate, Tool: schema.Tool{Name: t.NameAt(p.to.Profile().AsOf), Kinds: t.Kinds}}
		if len(t.Kinds) == 0 {
			c.Tool.Kinds = []schema.Kind{schema.Other}
		}
		if p.to.Profile().HasTool(&t) && takes(p.from, own, c) && !takes(p.to, there, c) {
			more = append(more, c.Tool.Name)
		}
	}

	all := strings.Join(append([]string{h.Matcher}, more...), "|")
	if m, err := matcher.Compile(p.to.Profile().GrammarOf(h.Native), all); err == nil && m.Lists() {
		return all
	}
	return matcher.Union(lists.Map(more, matcher.Escape), h.Matcher)
}

// editGate is the target's event that reports the edits of a file, for hooks after
// an edit where the generic event shows the whole file only; "" if there is none
// or the hook does not care.
func (p *Planner) editGate(h *schema.Hook) string {
	sel := p.reach(h)
	edits := sel.All || slices.ContainsFunc(sel.Picks, func(p schema.Pick) bool {
		return p.Kind == schema.Edit || p.Kind == schema.MultiEdit
	})
	if h.Event != schema.PostTool || !edits || adapter.SameAgent(p.from, p.to) {
		return ""
	}
	return p.nativeOf(func(row *schema.EventRow) bool {
		return row.Gate != nil && !row.Inline() && row.Event == schema.PostTool && row.Kinds()[0] == schema.Edit
	})
}

// saidGate is the target's event that has the agent's last message, for hooks at the
// end of the turn; "" if there is none or the event at that end has it.
func (p *Planner) saidGate(h *schema.Hook) string {
	if h.Event != schema.Stop || !p.from.Profile().Sends(schema.Stop, schema.FieldLastMessage) ||
		p.to.Profile().Sends(schema.Stop, schema.FieldLastMessage) {
		return ""
	}
	return p.nativeOf(func(row *schema.EventRow) bool { return row.Event == schema.AgentResponse && !row.Inline() })
}

func (p *Planner) nativeOf(fits func(*schema.EventRow) bool) string {
	if row := lists.Find(p.to.Profile().Events, fits); row != nil {
		return row.Native
	}
	return ""
}

// refusalGates are the target's events where hookbridge denies a session that the hook
// refuses at its start: its prompts, and its tool calls too if the target sends the first
// prompt before that hook has ended. There are none if the target refuses it at once.
func (p *Planner) refusalGates(h *schema.Hook) (names []string) {
	to := p.to.Profile()
	own, start := p.from.Profile().Row(h.Native), to.Row(to.Generic(schema.SessionStart))
	if h.Event != schema.SessionStart || own == nil || own.Honors&schema.EffectEndTurn == 0 {
		return nil
	}
	if start == nil || Channels(p.to, start, 0)&schema.EffectEndTurn != 0 {
		return nil
	}
	for _, e := range []schema.Event{schema.PromptSubmit, schema.PreTool} {
		if row := to.Row(to.Generic(e)); row != nil && row.Honors&schema.EffectDeny != 0 &&
			(e == schema.PromptSubmit || start.Beside) {
			names = append(names, row.Native)
		}
	}
	return names
}

// kindsOf is what a hook selects, with every kind of tool that its expression accepts.
func (p *Planner) kindsOf(h *schema.Hook) schema.Selection {
	sel := p.reach(h)
	for _, k := range p.Kinds(h) {
		addPick(&sel, schema.Pick{Kind: k})
	}
	if m, err := p.from.Profile().Matcher(h); err == nil &&
		TakesMCP(p.from, m, h.Matcher) {
		addPick(&sel, schema.Pick{Kind: schema.MCP})
	}
	return sel
}

// gates are entries on the target's events about single calls, for a hook whose
// own event the target's version has not: hookbridge asks the hook's matcher.
func gates(to dialect.Dialect, h *schema.Hook, sel schema.Selection, have []schema.Entry) (out []schema.Entry) {
	for _, row := range to.Profile().Events {
		if row.Gate == nil || row.Inline() || row.Event != h.Event {
			continue
		}
		known := slices.ContainsFunc(have, func(e schema.Entry) bool { return e.Native == row.Native })
		if known || !to.Profile().Has(&row) {
			continue
		}
		meant := sel.All || slices.ContainsFunc(sel.Picks, func(p schema.Pick) bool {
			return slices.Contains(row.Kinds(), p.Kind)
		})
		if meant {
			out = append(out, schema.Entry{Native: row.Native, Pointer: to.Profile().EventsAt + "/" + row.Native})
		}
	}
	return out
}

// late returns the event of the target that the hook needs and that the target's
// version doesn't have yet, "" if that version has all events that it needs.
func (p *Planner) late(h *schema.Hook) string {
	if row := p.to.Profile().Row(h.Native); adapter.SameAgent(p.from, p.to) && row != nil {
		if row.At(p.to.Profile().AsOf) {
			return ""
		}
		return h.Native
	}
	for _, e := range planned(p.from, p.to, h, p.reach(h), false) {
		if row := p.to.Profile().Row(e.Native); row != nil && !p.to.Profile().Has(row) {
			return e.Native
		}
	}
	return ""
}

// planned is the plan for the newest version of the target.
func planned(from, to dialect.Dialect, h *schema.Hook, sel schema.Selection, wide bool) []schema.Entry {
	at := *h
	if sel.Event != 0 {
		at.Event = sel.Event
		return to.Plan(&at, sel)
	}

	entries := to.Plan(&at, sel)
	add := func(e schema.Event, s schema.Selection) {
		at.Event = e
		for _, more := range to.Plan(&at, s) {
			if !slices.ContainsFunc(entries, func(have schema.Entry) bool { return have.Native == more.Native }) {
				entries = append(entries, more)
			}
		}
	}

	own := from.Profile().Row(h.Native)
	if own != nil && own.AlsoAs != schema.AlsoForeign && (wide || own.Gate != nil) {
		for _, e := range own.Also {
			if s, ok := failing(own, e, sel); ok && !never(to.Profile(), e, s) {
				add(e, s)
			}
		}
	}
	for _, row := range to.Profile().Events {
		stands := row.AlsoAs != schema.AlsoAlike && slices.Contains(row.Also, h.Event)
		if wide && row.Event != h.Event && row.Gate == nil && stands {
			if s, ok := failing(&row, h.Event, sel); ok {
				add(row.Event, s)
			}
		}
	}

	return entries
}

// failing narrows a selection to the tools for which row can represent e.
func failing(row *schema.EventRow, e schema.Event, sel schema.Selection) (schema.Selection, bool) {
	if row.AlsoFor == nil || !slices.Contains(row.Also, e) {
		return sel, true
	}
	return narrowed(sel, row.AlsoFor)
}

// narrowed is a selection of tools of some kinds, and whether it is of any.
func narrowed(sel schema.Selection, kinds []schema.Kind) (schema.Selection, bool) {
	if sel.Search != "" {
		return sel, true
	}
	narrow := schema.Selection{Exact: sel.Exact}
	for _, k := range kinds {
		if sel.All {
			narrow.Picks = append(narrow.Picks, schema.Pick{Kind: k})
		}
	}
	for _, p := range sel.Picks {
		if slices.Contains(kinds, p.Kind) {
			narrow.Picks = append(narrow.Picks, p)
		}
	}
	return narrow, len(narrow.Picks) > 0
}

// never reports whether the target never raises its event for e of a tool in a selection.
func never(to *dialect.Profile, e schema.Event, sel schema.Selection) bool {
	row := schema.RowFor(to.Events, e)
	return row != nil && !sel.All && sel.Search == "" &&
		row.Spares(lists.Map(sel.Picks, func(p schema.Pick) schema.Kind { return p.Kind }))
}
