package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// A Finding is what a hook loses under a host although it has entries there, or why it never runs.
type Finding struct {
	Code     schema.Code
	Severity schema.Severity
	Never    bool           // the hook doesn't run
	Member   schema.Feature // the hook's setting that it is about; 0: none
	Message  string
	Fix      string
}

// findings lists the tables' findings on a hook with these entries.
func (r *Route) findings(entries []schema.Entry) (found []Finding) {
	guard, to := GuardSeverity(r.from, r.h), r.to.Profile()
	native := r.late()
	switch {
	case native != "":
		found = append(found, Finding{schema.CodeNoEvent, guard, len(entries) == 0, 0,
			"this version of " + to.Title + " has no " + native + " yet; " + RunsInstead(entries),
			"update " + to.Title})
	case len(entries) == 0:
		found = append(found, Finding{Code: schema.CodeNoEvent, Severity: guard, Never: true,
			Message: NoPlace(r.from, r.to, r.h)})
	}
	if len(entries) == 0 {
		return found
	}

	if code, severity, message := r.absence(); severity != 0 {
		found = append(found, Finding{Code: code, Severity: severity, Never: code == schema.CodeNoEvent,
			Member: schema.HookMatcher, Message: message})
	}
	if severity, message := CutShort(r.from, r.to, r.h); severity != 0 {
		found = append(found, Finding{schema.CodeNoFeature, severity, false, schema.HookTimeout, message,
			"make the hook faster, or start what takes long in the background"})
	}

	found = append(found, r.blockLost(), r.fewer(), r.more(entries), loopCut(r.from.Profile(), to, r.h),
		serverNames(r.from.Profile(), to, r.h))
	found = append(found, r.moments(entries)...)
	found = append(found, r.ways(entries)...)
	if dead, _ := Unsent(r.from, r.to, r.h); len(dead) > 0 {
		found = append(found, Finding{Code: schema.CodeDeadValue, Severity: schema.Note, Member: schema.HookMatcher,
			Message: NeverSent(r.to, r.h, dead) + "; the hook runs for the other values"})
	}

	return slices.DeleteFunc(found, func(f Finding) bool { return f.Code == "" })
}

// loopCut reports a stop hook's own limit if the target stops the hook earlier; else it returns the zero Finding.
func loopCut(from, to *dialect.Profile, h *schema.Hook) Finding {
	most, own := to.StopBlocks, from.StopBlocks
	if h.LoopLimit == nil || most == 0 || h.Event != schema.Stop && h.Event != schema.SubagentStop {
		return Finding{}
	}
	n := *h.LoopLimit
	limitKept, ownLimitKept := n >= 0 && n <= most, n < 0 && own > 0 && own <= most
	if limitKept || ownLimitKept {
		return Finding{}
	}
	return Finding{Code: schema.CodeKeepGoLost, Severity: schema.Weaker, Member: schema.HookLoopLimit,
		Message: to.Title + " lets stop hooks block a turn's end at most " + strconv.Itoa(most) +
			"× in a row, whatever limit a hook has",
		Fix: "let the hook give up earlier"}
}

// blockLost reports that no corresponding event of the host honors a block by the hook; the zero Finding if one does.
func (r *Route) blockLost() Finding {
	row := r.from.Profile().Row(r.h.Native)
	if row == nil || row.Honors&row.Decides() == 0 {
		return Finding{}
	}
	at, honored := Raised(r.from, r.to, row)
	if honored&schema.EffectContext != 0 { // feedback goes there if it has no other place
		honored |= schema.EffectFeedback
	}
	decides := row.Decides()
	if decides == schema.EffectOutput && len(at) > 0 {
		for _, k := range r.Kinds() {
			honored &= Channels(r.to, at[0], k)
		}
	}

	lost := len(at) > 0 && honored&decides == 0
	if lost && decides == schema.EffectEndTurn && !at[0].Beside && r.refusalGates() != nil {
		return Finding{Code: schema.CodeEndTurn, Severity: schema.Note, Message: r.to.Profile().Title +
			" can't end a session on " + r.h.Native + "; if the hook does, hookbridge denies the session's prompts"}
	}
	if lost {
		for _, lost := range [...]struct {
			effect schema.Feature
			code   schema.Code
			text   string // with HOST and EVENT
		}{
			{schema.EffectDeny, schema.CodeDenyLost, "HOST ignores a block on EVENT"},
			{schema.EffectKeepGoing, schema.CodeKeepGoLost, "HOST can't be kept working by a hook on EVENT"},
			{schema.EffectOutput, schema.CodeOutputKept, "HOST can't replace the result that a hook on EVENT blocks"},
			{schema.EffectFeedback, schema.CodeContextLost,
				"HOST doesn't show its model the complaint of a hook on EVENT"},
			{schema.EffectEndTurn, schema.CodeEndTurn, "HOST can't end a turn or session on EVENT; if the hook does," +
				" hookbridge denies the calls that follow"},
		} {
			if decides&lost.effect != 0 {
				text := strings.NewReplacer("HOST", r.to.Profile().Title, "EVENT", r.h.Native).Replace(lost.text)
				return Finding{Code: lost.code, Severity: schema.Weaker, Message: text}
			}
		}
	}
	return Finding{}
}

// Kinds returns the kinds of the target's own tools for which a hook runs.
func (r *Route) Kinds() (kinds []schema.Kind) {
	m, err := r.from.Profile().Matcher(r.h)
	for _, row := range r.to.Profile().Tools {
		if err == nil && r.selects(r.tools(r.h.Event), m, row.Kinds) {
			kinds = append(kinds, row.Kinds...)
		}
	}
	return kinds
}

// ToolsFor returns the names of the target's own tools for which a hook runs.
func (r *Route) ToolsFor() (names []string) {
	m, err := r.from.Profile().Matcher(r.h)
	for _, t := range r.tools(r.h.Event) {
		if err == nil && r.to.Profile().Tool(t.name) != nil && t.takenBy(m) {
			names = append(names, t.name)
		}
	}
	return names
}

// Raised lists the host's events that correspond to one of the hooks' agent. It also returns the effects that they
// honor for an MCP tool, whose result most hosts can replace.
func Raised(hooks, host dialect.Dialect, row *schema.EventRow) (at []*schema.EventRow, honored schema.Feature) {
	if own := host.Profile().Row(row.Native); adapter.SameAgent(hooks, host) && own != nil && host.Profile().Has(own) {
		return []*schema.EventRow{own}, Channels(host, own, schema.MCP)
	}
	raised := row.Event
	if ride := hooks.Select(&schema.Hook{Native: row.Native, Event: row.Event}).Event; ride != 0 {
		raised = ride
	}
	for i := range host.Profile().Events {
		h := &host.Profile().Events[i]
		hidden := h.AlsoAs == schema.AlsoAlike && h.Event != raised
		if !host.Profile().Has(h) || !h.Raises(raised) || hidden {
			continue
		}
		if h.Inline() != row.Inline() || row.Gate != nil && !schema.KindsMeet(row, h) {
			continue
		}
		at = append(at, h)
		honored |= Channels(host, h, schema.MCP)
	}
	return at, honored
}

// Channels returns the effects that a host supports at an event, for a tool of the kind.
func Channels(host dialect.Dialect, row *schema.EventRow, k schema.Kind) schema.Feature {
	c := &schema.Call{Dialect: host.Profile().Name, Version: host.Profile().Version, Event: row.Event,
		Native: row.Native, Gate: row.Gate != nil}
	if row.Event.IsTool() && row.Gate == nil {
		c.Tool.Kinds = []schema.Kind{k}
	}
	f := host.Honors(c, &schema.Reply{})
	if e := host.Profile().EnvFile; e.Usable && e.For(c.Event) != "" {
		f |= schema.EffectEnv
	}
	return f
}

// fewer reports that the host raises its event for fewer calls than the hook's own agent; the zero Finding if it
// doesn't.
func (r *Route) fewer() Finding {
	row := RaisedFewer(r.from, r.to, r.h)
	m, err := r.from.Profile().Matcher(r.h)
	told := TellsRefused(r.from)
	switch {
	case told != nil && told.Native == r.h.Native && TellsRefused(r.to) == nil:
		return Finding{Code: schema.CodeFewerCalls, Severity: GuardSeverity(r.from, r.h),
			Message: r.to.Profile().Title + " raises no event for a call that a hook denied"}
	case row == nil || err != nil:
		return Finding{}
	case row.Asked:
		return Fewer(r.from, r.to, r.h, row)
	}
	some, others := false, m.All() || m.Match(NameOfMCP(r.from, "server", "tool"))
	for _, k := range r.Kinds() {
		never := slices.Contains(row.Never, k)
		some, others = some || never, others || !never
	}
	if !some {
		return Finding{}
	}
	f := Fewer(r.from, r.to, r.h, row)
	if !others {
		f.Code, f.Never, f.Message = schema.CodeNoEvent, true, f.Message+", so this hook never runs there"
	}
	return f
}

// TellsRefused returns the row of the event that an agent raises for both failed and denied calls, nil if it has none.
func TellsRefused(d dialect.Dialect) *schema.EventRow {
	return lists.Find(d.Profile().Events,
		func(row *schema.EventRow) bool { return slices.Contains(row.Also, schema.PermissionDenied) })
}

// more reports that the host also raises its event for failed calls, which look like the others; the zero Finding if it
// doesn't.
func (r *Route) more(entries []schema.Entry) Finding {
	own, sel := r.from.Profile().Row(r.h.Native), r.reach()
	if own == nil || r.from.Profile().Name == r.to.Profile().Name {
		return Finding{}
	}
	for _, e := range entries {
		row := r.to.Profile().Row(e.Native)
		if row == nil || row.AlsoAs != schema.AlsoAlike || row.Event != r.h.Event {
			continue
		}
		concerned := slices.ContainsFunc(row.AlsoFor, func(k schema.Kind) bool {
			picked := slices.ContainsFunc(sel.Picks, func(x schema.Pick) bool { return x.Kind == k })
			selected := sel.All || sel.Search != "" || picked
			return selected && (own.Gate == nil || slices.Contains(own.Kinds(), k))
		})
		if concerned {
			return Finding{Code: schema.CodeMoreCalls, Severity: schema.Loss, Message: r.to.Profile().Title +
				" also runs " + row.Native + " hooks after failed " + KindNames(row.AlsoFor, "and") +
				" calls, and the payload doesn't show the failure"}
		}
	}
	return Finding{}
}

// RaisedFewer returns the host's event for a hook if the host raises it for fewer calls than the hook's own agent
// raises its event; else nil.
func RaisedFewer(hooks, host dialect.Dialect, h *schema.Hook) *schema.EventRow {
	own := hooks.Profile().Row(h.Native)
	related := dialect.Related(hooks, host) || dialect.Related(host, hooks)
	if own == nil || own.Decides() == 0 || related || hooks.Profile().Name == host.Profile().Name {
		return nil
	}
	at, _ := Raised(hooks, host, own)
	if len(at) == 0 || !at[0].Asked && len(at[0].Never) == 0 {
		return nil
	}
	return at[0]
}

// Fewer reports for which calls the host raises the event of row.
func Fewer(hooks, host dialect.Dialect, h *schema.Hook, row *schema.EventRow) Finding {
	f := Finding{Code: schema.CodeFewerCalls, Severity: GuardSeverity(hooks, h)}
	if before := hooks.Profile().Generic(schema.PreTool); before != "" {
		f.Fix = "add a hook on " + before + ", which sees every call"
	}
	if f.Message = host.Profile().Title + " raises " + row.Native +
		" only for calls that it asks its user about, and its own rules and mode decide which"; row.Asked {
		return f
	}
	f.Message = host.Profile().TitleChecked() + " never raises " + row.Native + " for the tools " +
		KindNames(row.Never, "and")
	return f
}
