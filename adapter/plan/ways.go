package plan

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// Ways reports the ways to start an agent in which it doesn't raise an event, or ignores its hooks' decisions. Own is
// the row of the hooks' own event. If it is nil, the hooks are the agent's own, and each way is a note.
func Ways(to *dialect.Profile, row, own *schema.EventRow) (found []Finding) {
	severity, fix := schema.Loss, ""
	switch {
	case own == nil:
		own, severity = row, schema.Note
	case own.Decides()&(schema.EffectDeny|schema.EffectKeepGoing) == 0:
	case own.Event == schema.PreTool: // no other event is earlier
		severity, fix = schema.Weaker, "accept this for "
	default:
		severity, fix = schema.Weaker, "guard what matters before the tool runs, or accept this for "
	}

	for _, l := range to.LessOn(row.Native) {
		way, otherwise := "`"+l.Command+"`", ", so the hook runs only where "+to.Title+" is started otherwise"
		if strings.HasPrefix(l.Command, "a ") { // a part of the agent, or a kind of call
			way, otherwise = l.Command, ", so the hook doesn't run there"
		}
		f := Finding{Code: schema.CodeWayLacks, Severity: severity}
		if fix != "" {
			f.Fix = fix + way
		}
		switch {
		case l.Never:
			f.Message = way + " never raises " + row.Native + otherwise
		case l.Effects&own.Decides() != 0:
			f.Message = way + " ignores what a hook on " + row.Native + " decides"
		default:
			continue
		}
		found = append(found, f)
	}

	return found
}

// OwnLimits reports, as notes, the limits of an agent's own hook at its event that its answers don't show.
func OwnLimits(of *dialect.Profile, h *schema.Hook) (found []Finding) {
	row := of.Row(h.Native)
	if row == nil {
		return nil
	}
	return slices.DeleteFunc(append(Moments(of, row, nil), Ways(of, row, nil)...), func(f Finding) bool {
		return f.Code == schema.CodeMoreCalls || f.Code == schema.CodeNotAwaited && h.Async
	})
}

// ways reports the ways to start the target in which a hook's entries do less.
func (r *Route) ways(entries []schema.Entry) (found []Finding) {
	own, to := r.from.Profile().Row(r.h.Native), r.to.Profile()
	if own == nil || adapter.SameAgent(r.from, r.to) {
		return nil
	}
	for i := range entries {
		if row := r.raising(entries, i); row != nil {
			found = append(found, Ways(to, row, own)...)
		}
	}
	return found
}

// serverNames reports a hook for MCP servers that only its agent names after a plugin or a connector; the zero Finding
// if it names none.
func serverNames(own, to *dialect.Profile, h *schema.Hook) Finding {
	forms := own.MCP.FormsIn(h.Matcher+" "+h.Condition, &to.MCP)
	if len(forms) == 0 {
		return Finding{}
	}
	of := lists.Map(forms, func(f dialect.ServerForm) string { return f.Of })
	return Finding{Code: schema.CodeServerName, Severity: schema.Note, Message: to.Title +
		" doesn't call the servers of " + strings.Join(of, " and ") + " as " + own.Title +
		" does; the hook runs there for servers of the plain name"}
}
