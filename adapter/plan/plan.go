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
	r := p.Route(h)
	o.Own = r.own(bridged)
	o.Found = r.findings(o.Own)
	if !bridged || len(o.Own) == 0 {
		return o
	}
	o.Record, o.Later = r.recordOnly(o.Own), r.laterGate(o.Own)
	if !adapter.SameAgent(p.from, p.to) {
		o.Found = append(o.Found, unset(p.from, h)...)
	}
	return o
}

// recordOnly are the entries at which hookbridge gets what the payload of the hook's own event lacks.
func (r *Route) recordOnly(own []schema.Entry) (out []schema.Entry) {
	extra := []schema.Entry{{Native: r.editGate()}, {Native: r.saidGate()}, r.contextGate(own)}
	for _, native := range r.refusalGates() {
		extra = append(extra, schema.Entry{Native: native})
	}
	for _, e := range extra {
		known := slices.ContainsFunc(own, func(x schema.Entry) bool { return x.Native == e.Native })
		if e.Native != "" && !known {
			e.Pointer, e.Exact = r.to.Profile().EventsAt+"/"+e.Native, true
			out = append(out, e)
		}
	}
	return out
}

// contextGate is the entry after the call, where the agent gets the context that a hook adds before it; without
// an event if the agent gets it at once, or never.
func (r *Route) contextGate(own []schema.Entry) schema.Entry {
	from, to := r.from.Profile().Row(r.h.Native), r.to.Profile()
	after := to.Row(to.Generic(schema.PostTool))
	addsContext := r.h.Event == schema.PreTool && from != nil && from.Honors&schema.EffectContext != 0
	takenAfter := after != nil && to.Has(after) && after.Honors&schema.EffectContext != 0
	if !addsContext || !takenAfter {
		return schema.Entry{}
	}
	for _, e := range own {
		row := to.Row(e.Native)
		if row == nil || row.Event != schema.PreTool || row.Honors&schema.EffectContext != 0 {
			continue
		}
		at := *r.h
		at.Event = schema.PostTool
		if sel, some := narrowed(r.reach(), row.Kinds()); row.Gate != nil && some && sel.Search == "" {
			e = r.to.Plan(&at, sel)[0]
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
func (r *Route) laterGate(own []schema.Entry) string {
	to := r.to.Profile()
	takes := func(native string) bool { return Honors(to, native, schema.EffectContext) }
	row := r.from.Profile().Row(r.h.Native)
	if r.h.Event != schema.SessionStart || row == nil || row.Honors&schema.EffectContext == 0 ||
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
func (r *Route) own(wide bool) []schema.Entry {
	if _, live := Unsent(r.from, r.to, r.h); !live {
		return nil
	}
	if adapter.SameAgent(r.from, r.to) {
		return r.within(wide)
	}
	sel, to := r.reach(), r.to
	if !wide { // a copy keeps its matcher
		sel.Picks = lists.Map(sel.Picks, func(pick schema.Pick) schema.Pick {
			pick.AnyForm = false
			return pick
		})
	}
	entries := planned(r.from, to, r.h, sel, wide)
	all := len(entries)
	entries = slices.DeleteFunc(entries, func(e schema.Entry) bool {
		row := to.Profile().Row(e.Native)
		return row != nil && (!to.Profile().Has(row) || r.unshown(row, sel))
	})
	if len(entries) < all && wide {
		entries = append(entries, gates(to, r.h, r.kindsOf(), entries)...)
	}
	return entries
}

// unshown reports whether the target's failures of the tools that a hook selects aren't an event
// of the hook's, whose agent may take the failure of a server's tool for a result.
func (r *Route) unshown(row *schema.EventRow, sel schema.Selection) bool {
	unnamed := sel.All || sel.Search != "" || len(sel.Picks) == 0
	if unnamed || r.h.Event != schema.PostToolFailure || !row.Raises(r.h.Event) {
		return false
	}
	return !slices.ContainsFunc(sel.Picks, func(pick schema.Pick) bool {
		c := &schema.Call{Dialect: familyOf(r.to).Profile().Name, Event: r.h.Event, Native: row.Native,
			Tool: schema.Tool{Name: pick.Name, Server: pick.Server, Kinds: []schema.Kind{pick.Kind}}}
		return slices.ContainsFunc(r.from.Views(c), func(v schema.View) bool { return v.Event == r.h.Native })
	})
}

// within are the entries under another version or program of the hook's own agent: at the same
// event or, where that isn't there yet, at those about single calls that show it.
func (r *Route) within(wide bool) []schema.Entry {
	to := r.to.Profile()
	if row := to.Row(r.h.Native); row != nil && to.Has(row) {
		return []schema.Entry{{Native: r.h.Native, Pointer: ordjson.Pointer(to.EventsAt, r.h.Native),
			Matcher: r.renamed(), Exact: true}}
	}
	if !wide || r.h.Inline {
		return nil
	}
	return gates(r.to, r.h, r.kindsOf(), nil)
}

// renamed is the hook's matcher with the names that the target has for the same tools.
func (r *Route) renamed() string {
	own, err := r.from.Profile().Matcher(r.h)
	there, bad := r.to.Profile().Matcher(r.h)
	row := r.to.Profile().Row(r.h.Native)
	if row.Match != schema.MatchTool || own.All() || err != nil || bad != nil {
		return r.h.Matcher
	}

	takes := func(d dialect.Dialect, m *matcher.Matcher, c *schema.Call) bool {
		return slices.ContainsFunc(d.Views(c), func(v schema.View) bool {
			return v.Event == r.h.Native && m.Match(v.Target...)
		})
	}
	var more []string
	version := adapter.AsWritten(r.to, r.from).Profile().Version
	for _, t := range r.to.Profile().Tools {
		c := &schema.Call{Dialect: r.to.Profile().Agent(), Version: version, Event: r.h.Event, Native: r.h.Native,
			Gate: r.h.Gate, Tool: schema.Tool{Name: t.NameAt(r.to.Profile().AsOf), Kinds: t.Kinds}}
		if len(t.Kinds) == 0 {
			c.Tool.Kinds = []schema.Kind{schema.Other}
		}
		if r.to.Profile().HasTool(&t) && takes(r.from, own, c) && !takes(r.to, there, c) {
			more = append(more, c.Tool.Name)
		}
	}

	all := strings.Join(append([]string{r.h.Matcher}, more...), "|")
	if m, err := matcher.Compile(r.to.Profile().GrammarOf(r.h.Native), all); err == nil && m.Lists() {
		return all
	}
	return matcher.Union(lists.Map(more, matcher.Escape), r.h.Matcher)
}

// editGate is the target's event that reports the edits of a file, for hooks after
// an edit where the generic event shows the whole file only; "" if there is none
// or the hook does not care.
func (r *Route) editGate() string {
	sel := r.reach()
	edits := sel.All || slices.ContainsFunc(sel.Picks, func(p schema.Pick) bool {
		return p.Kind == schema.Edit || p.Kind == schema.MultiEdit
	})
	if r.h.Event != schema.PostTool || !edits || adapter.SameAgent(r.from, r.to) {
		return ""
	}
	return r.nativeOf(func(row *schema.EventRow) bool {
		return row.Gate != nil && !row.Inline() && row.Event == schema.PostTool && row.Kinds()[0] == schema.Edit
	})
}

// saidGate is the target's event that has the agent's last message, for hooks at the
// end of the turn; "" if there is none or the event at that end has it.
func (r *Route) saidGate() string {
	if r.h.Event != schema.Stop || !r.from.Profile().Sends(schema.Stop, schema.FieldLastMessage) ||
		r.to.Profile().Sends(schema.Stop, schema.FieldLastMessage) {
		return ""
	}
	return r.nativeOf(func(row *schema.EventRow) bool { return row.Event == schema.AgentResponse && !row.Inline() })
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
func (r *Route) refusalGates() (names []string) {
	to := r.to.Profile()
	own, start := r.from.Profile().Row(r.h.Native), to.Row(to.Generic(schema.SessionStart))
	if r.h.Event != schema.SessionStart || own == nil || own.Honors&schema.EffectEndTurn == 0 {
		return nil
	}
	if start == nil || Channels(r.to, start, 0)&schema.EffectEndTurn != 0 {
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
func (r *Route) kindsOf() schema.Selection {
	sel := r.reach()
	for _, k := range r.Kinds() {
		addPick(&sel, schema.Pick{Kind: k})
	}
	if m, err := r.from.Profile().Matcher(r.h); err == nil &&
		TakesMCP(r.from, m, r.h.Matcher) {
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
func (r *Route) late() string {
	if row := r.to.Profile().Row(r.h.Native); adapter.SameAgent(r.from, r.to) && row != nil {
		if row.At(r.to.Profile().AsOf) {
			return ""
		}
		return r.h.Native
	}
	for _, e := range planned(r.from, r.to, r.h, r.reach(), false) {
		if row := r.to.Profile().Row(e.Native); row != nil && !r.to.Profile().Has(row) {
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
		alone := row.AlsoAs == schema.AlsoNamed || row.AlsoAs == schema.AlsoForeign
		stands := alone && slices.Contains(row.Also, h.Event)
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
