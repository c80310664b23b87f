package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// noteRefused reports hooks that don't run for a denied call: their own agent sends
// its failure event for it, and the host sends none. They don't run at the denied event
// instead, because a hook that hangs would delay the denial until the host times out.
func (r *rememberer) noteRefused(hooks []schema.Hook, reply *schema.Reply) {
	if r.call.Event != schema.PreTool || reply.Verdict != schema.Deny || tellsRefused(r.Host) != nil {
		return
	}
	row := tellsRefused(r.Hooks)
	if row == nil {
		return
	}
	c := r.call.Clone()
	c.Event = schema.PermissionDenied
	for _, v := range r.Hooks.Views(c) {
		for i := range hooks {
			h := hooks[i]
			if h.Native != row.Native || v.Event != row.Native {
				continue
			}
			if _, ok := (selector{r.stage}).viewFor(&h, []schema.View{v}); ok {
				d := r.log.ds.AddSeverity(schema.CodeNoEvent, schema.Note, "", r.Host.Profile().Title+" sends no event for a denied call, so the hook on "+h.Native+" doesn't run for it")
				d.OfHook(&h)
			}
		}
	}
}

// tellsRefused is the row of the event that a dialect raises for failed and
// refused calls alike, nil if it has none.
func tellsRefused(d dialect.Dialect) *schema.EventRow {
	rows := d.Profile().Events
	for i := range rows {
		if slices.Contains(rows[i].Also, schema.PermissionDenied) {
			return &rows[i]
		}
	}
	return nil
}
