package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
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
	return lists.Find(d.Profile().Events, func(row *schema.EventRow) bool { return slices.Contains(row.Also, schema.PermissionDenied) })
}

// unasked reports, before a tool call, a guard that its own agent would run when it asks
// its user about the call: the host has no such event, or may not raise it for this one.
func (r selector) unasked(h *schema.Hook) {
	if h.Event != schema.PermissionRequest || r.call.Event != schema.PreTool || plan.GuardSeverity(r.Hooks, h) < schema.Weaker || dialect.Related(r.Hooks, r.Host) {
		return
	}
	asked := *r.call
	asked.Event, asked.Native = schema.PermissionRequest, ""
	quiet := *r.scene
	quiet.log = &log{}
	if _, ok := (selector{stage{&quiet, &asked}}).viewFor(h, r.Hooks.Views(&asked)); !ok {
		return
	}
	f := plan.Finding{Code: schema.CodeNoEvent, Message: plan.NoPlace(r.Hooks, r.Host, h)}
	if r.Host.Profile().Generic(schema.PermissionRequest) != "" {
		row := plan.RaisedFewer(r.Hooks, r.Host, h)
		if row == nil || !row.Asked && !slices.ContainsFunc(r.call.Tool.Kinds, func(k schema.Kind) bool { return slices.Contains(row.Never, k) }) {
			return
		}
		f = plan.Fewer(r.Hooks, r.Host, h, row)
	}
	r.log.hookNote(f.Code, h, f.Message)
}
