package convert

import (
	"github.com/hookbridge/hookbridge/schema"
)

// fitTimeout makes a time limit one that the target keeps, and reports a stated one
// that it shortens or can only state longer.
func (c *converter) fitTimeout(h, out *schema.Hook) {
	to := c.to.Profile()
	member := c.from.Profile().MemberName(schema.HookTimeout)
	if most := to.Timeout(out); out.Timeout > most {
		out.Timeout = most
		return
	}
	if stated := to.Stated(out.Timeout); h.Timeout > 0 && stated != out.Timeout {
		c.report(schema.CodeNoFeature, schema.Note, h, member,
			to.Title+" can't state less than "+to.TimeoutUnit.String()+", so the timeout of "+out.Timeout.String()+" becomes "+stated.String())
	}
}

// plainTimeout writes the time limit out where the default is another one.
func (c *converter) plainTimeout(h *schema.Hook) {
	if limit := c.from.Profile().Timeout(h); h.Timeout == 0 {
		other := *h
		if c.to.Profile().Timeout(&other) != limit {
			h.Timeout = limit
		}
	}
}

// plainLoopLimit writes out how often a stop hook may continue the turn where the
// default is another one and the target has a member for it.
func (c *converter) plainLoopLimit(h *schema.Hook) {
	stops := h.Event == schema.Stop || h.Event == schema.SubagentStop
	limit := c.from.Profile().LoopLimit
	if stops && h.LoopLimit == nil && limit != c.to.Profile().LoopLimit && c.to.Profile().MemberName(schema.HookLoopLimit) != "" {
		h.LoopLimit = &limit
	}
}
