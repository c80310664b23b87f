package plan

import (
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Moments reports differences of an agent's event that its answers don't show: the agent raises it at other times, or
// doesn't wait for its hooks. Own is the row of the hooks' own event, which may have the same difference; nil: hooks of
// the agent itself, for which each is a note.
func Moments(to *dialect.Profile, row, own *schema.EventRow) (found []Finding) {
	loss, guard := schema.Loss, schema.Loss
	switch {
	case own == nil:
		own, loss, guard = &schema.EventRow{}, schema.Note, schema.Note
	case own.Decides() != 0:
		guard = schema.Weaker
	}
	add := func(code schema.Code, severity schema.Severity, what, fix string) {
		found = append(found, Finding{Code: code, Severity: severity, Message: to.Title + " " + what, Fix: fix})
	}

	if row.Beside && !own.Beside {
		add(schema.CodeNotAwaited, loss, "doesn't wait for hooks on "+row.Native+"; one that runs when the session "+
			"ends may be lost", "keep the hook short")
	}
	if row.Races && !own.Races {
		add(schema.CodeNotAwaited, guard, "asks its user while hooks on "+row.Native+
			" run, and the first answer counts", "guard what matters before the tool runs")
	}
	if row.Only != 0 && row.Only != own.Only {
		add(schema.CodeFewerCalls, guard, "raises "+row.Native+" only "+row.Only.String(), "")
	}
	if row.More != 0 && row.More != own.More {
		more := loss
		if row.More.Shown() {
			more = schema.Note
		}
		add(schema.CodeMoreCalls, more, "also raises "+row.Native+" "+row.More.String(), "")
	}
	return found
}

// Shown reports how much of a result an agent shows the hooks of an event; none if it shows everything.
func Shown(to *dialect.Profile, row *schema.EventRow) (found []Finding) {
	if row.Event == schema.PostTool && to.ResultLimit != (dialect.Length{}) {
		found = append(found, Finding{Code: schema.CodeMemberLost, Severity: schema.Note, Message: to.Title +
			" shows hooks on " + row.Native + " the first " + to.ResultLimit.String() + " of a tool's result"})
	}
	return found
}

// moments returns the findings of Moments and Shown for the target's events that run a hook.
func (r *Route) moments(entries []schema.Entry) (found []Finding) {
	own, to := r.from.Profile().Row(r.h.Native), r.to.Profile()
	if own == nil || adapter.SameAgent(r.from, r.to) {
		return nil
	}
	m, err := r.from.Profile().Matcher(r.h)
	takesAll := err != nil || m.All()
	for i := range entries {
		row := r.raising(entries, i)
		if row == nil || asUsual(to, row) {
			continue
		}
		for _, f := range append(Moments(to, row, own), Shown(to, row)...) {
			notSelected := f.Code == schema.CodeMoreCalls && row.More == schema.Deferred && !takesAll
			detached := f.Code == schema.CodeNotAwaited && r.h.Async
			if !notSelected && !detached {
				found = append(found, f)
			}
		}
	}
	return found
}

// asUsual reports whether Moments and Shown have no finding on a row.
func asUsual(to *dialect.Profile, row *schema.EventRow) bool {
	return !row.Beside && !row.Races && row.Only|row.More == 0 && to.ResultLimit == (dialect.Length{})
}

// raising returns the target's event of an entry, if it corresponds to the hook's own; nil if an earlier entry has the
// same.
func (r *Route) raising(entries []schema.Entry, i int) *schema.EventRow {
	for _, before := range entries[:i] {
		if before.Native == entries[i].Native {
			return nil
		}
	}
	if row := r.to.Profile().Row(entries[i].Native); row != nil && row.Raises(r.h.Event) {
		return row
	}
	return nil
}
