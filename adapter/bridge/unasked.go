package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

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
