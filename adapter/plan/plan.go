// Package plan computes, from the dialects' tables, where the hooks of one agent run under another: which events need
// an entry, which tools and values still match a matcher, and what never occurs.
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

// RunsInstead returns where a hook runs if some of its events are missing.
func RunsInstead(entries []schema.Entry) string {
	if len(entries) == 0 {
		return "the hook would never run"
	}
	names := lists.Map(entries, func(e schema.Entry) string { return e.Native })
	return "the hook runs at " + strings.Join(names, " and ") + " only"
}

// An Outcome is the result of planning a hook for the target. The zero Outcome means that the hook has no place there.
type Outcome struct {
	// Own has the entries that run the hook: on the corresponding event, and on events for special cases of it, such as
	// a failed command. Through hookbridge, which checks each payload, they include events that correspond only
	// sometimes. Events that the target's version doesn't have are left out.
	Own []schema.Entry
	// Record has the entries that run no hook: they give hookbridge what the other payloads lack.
	Record []schema.Entry
	// Later is the first event of a session at which hookbridge delivers context that none of Own accepts; "": none.
	Later string
	// Found is what the hook loses, or why it never runs. Every command that evaluates hooks reports it.
	Found []Finding
}

// Entries returns all entries.
func (o *Outcome) Entries() []schema.Entry { return slices.Concat(o.Own, o.Record) }

// RunsAt reports whether the hook runs at an event of the target; other events only record what a later call needs.
func (o *Outcome) RunsAt(native string) bool {
	return slices.ContainsFunc(o.Own, func(e schema.Entry) bool { return e.Native == native })
}

// Outcome plans a hook; bridged: it runs through hookbridge, not as a copy.
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

// recordOnly returns the entries that give hookbridge what the payload of the hook's own event lacks.
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

// contextGate returns the entry after the call, where the agent gets context that a hook adds before it. It has no
// event if the agent gets the context at once, or never.
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

// Honors reports whether an agent's program honors an effect at an event. Without a named program it is the agent's
// first.
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

// laterGate returns the target's first event of a session that accepts context, for a hook at the session's start whose
// events accept none; else "". Otherwise nothing would deliver the hook's context.
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

// own returns the entries that run the hook; none if its matcher accepts no value that the target ever sends.
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
		return row != nil && (!to.Profile().Has(row) || r.unshown(row, sel) || r.unsaid(row))
	})
	if len(entries) < all && wide {
		entries = append(entries, gates(to, r.h, r.kindsOf(), entries)...)
	}
	return entries
}

// unsaid reports whether a hook for the agent's messages gets none at the target's event, neither in the payload nor in
// a transcript that hookbridge reads.
func (r *Route) unsaid(row *schema.EventRow) bool {
	return r.h.Event == schema.AgentResponse && row.Event != schema.AgentResponse &&
		!slices.Contains(row.Fields, schema.FieldLastMessage) && r.to.Abilities().Transcripts == nil
}

// unshown reports whether none of the target's failures of the selected tools is an event of the hook. The hook's agent
// may show the failure of an MCP tool as a result.
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

// within returns the entries under another version or program of the hook's own agent: at the same event, or at events
// for single calls if the version doesn't have it yet.
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

// renamed returns the hook's matcher with the target's names for the same tools.
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

// editGate returns the target's event that reports the edits of a file, for hooks after an edit if the generic event
// shows only the whole file; "" if there is none or the hook doesn't need it.
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

// saidGate returns the target's event with the agent's last message, for hooks at the end of the turn; "" if there is
// none or the end's own event has the message.
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

// refusalGates returns the target's events at which hookbridge denies a session that the hook denied at its start. They
// are its prompts, and also its tool calls if the target sends the first prompt before that hook has ended. There are
// none if the target ends the session at once.
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

// kindsOf returns what a hook selects, with every kind of tool that its expression accepts.
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

// gates returns entries on the target's events for single calls, for a hook whose own event the target's version
// doesn't have: hookbridge applies the hook's matcher.
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

// late returns the event that the hook needs and the target's version doesn't have yet, or "".
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

// planned returns the plan for the newest version of the target.
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

// narrowed returns a selection of tools of some kinds, and whether it selects any.
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

// never reports whether the target never raises its event for e with a selected tool.
func never(to *dialect.Profile, e schema.Event, sel schema.Selection) bool {
	row := schema.RowFor(to.Events, e)
	return row != nil && !sel.All && sel.Search == "" &&
		row.Spares(lists.Map(sel.Picks, func(p schema.Pick) schema.Kind { return p.Kind }))
}
