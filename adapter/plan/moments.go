package plan

import (
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Moments are what hooks meet at an event of an agent that its row says and that no answer shows: the agent raises the
// event at other moments, or doesn't wait for its hooks. Own is the row of the hooks' own event, which may say the
// same; nil: hooks of the agent itself, for which each is a note.
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

// Shown is the finding about how much of a result an agent shows the hooks of an event; none if it is all of it.
func Shown(to *dialect.Profile, row *schema.EventRow) (found []Finding) {
	if row.Event == schema.PostTool && to.ResultLimit != (dialect.Length{}) {
		found = append(found, Finding{Code: schema.CodeMemberLost, Severity: schema.Note, Message: to.Title +
			" shows hooks on " + row.Native + " the first " + to.ResultLimit.String() + " of a tool's result"})
	}
	return found
}

// moments are those of the target's events that run a hook.
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

// asUsual reports whether a row says nothing that Moments and Shown report.
func asUsual(to *dialect.Profile, row *schema.EventRow) bool {
	return !row.Beside && !row.Races && row.Only|row.More == 0 && to.ResultLimit == (dialect.Length{})
}

// raising is the target's event of an entry, if it stands for the hook's own; nil if an entry before it has the same.
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
