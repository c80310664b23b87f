package bridge

import (
	"slices"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// lacks reports whether hooks get a field at an event and the call doesn't have it.
func lacks(r *run, c *schema.Call, e schema.Event, f schema.Field) bool {
	return r.foreignHooks() && r.rules.Sends(e, f) && c.Get(f) == nil
}

// withElapsed adds how long a session, a sub-agent or a call took, and whether a compaction is the first, if hookbridge
// was called at the beginning. A call's time includes its permission dialog.
func withElapsed(r *run, c *schema.Call) *schema.Call {
	var began time.Time
	known := false
	switch c.Event {
	case schema.PreCompact:
		return withFirst(r, c)
	case schema.SessionEnd, schema.SubagentStop, schema.PostTool, schema.PostToolFailure:
		if !lacks(r, c, c.Event, schema.FieldDuration) {
			return c
		}
	}
	switch {
	case c.Event == schema.SessionEnd:
		began, known = r.mem.Began().Get()
	case c.Event == schema.SubagentStop:
		began, known = r.mem.AgentBegan(c.Str(schema.FieldAgentID)).Get()
	case c.Event == schema.PostTool || c.Event == schema.PostToolFailure:
		began, known = r.mem.Call(c).Began().Get()
	}
	if passed := r.now.UnixMilli() - began.UnixMilli(); known && passed >= 0 {
		c = c.Clone()
		c.Set(schema.FieldDuration, strconv.AppendInt(nil, passed, 10))
	}
	return c
}

// withFirst adds whether a compaction is the first one of a session, if hookbridge was called at the session's start.
func withFirst(r *run, c *schema.Call) *schema.Call {
	if !lacks(r, c, schema.PreCompact, schema.FieldFirstCompaction) {
		return c
	}
	again := entry(r, c).Compacted().IsSet()
	_, seen := r.mem.Began().Get()
	if again || seen {
		c = c.Clone()
		c.Set(schema.FieldFirstCompaction, strconv.AppendBool(nil, !again))
	}
	return c
}

// rememberBegan keeps the start time of something, for hooks that get its duration.
func rememberBegan(r *run, c *schema.Call, hooks []schema.Hook) {
	now := r.opts.now()
	switch {
	case !r.foreignHooks():
	case c.Event == schema.SessionStart && r.rules.Sends(schema.SessionEnd, schema.FieldDuration):
		// A resumed session began earlier, and may have been compacted.
		if source := c.Str(schema.FieldSource); slices.Contains([]string{"", "startup", "clear"}, source) {
			r.mem.Began().Keep(now)
		}
	case c.Event == schema.SubagentStart && r.rules.Sends(schema.SubagentStop, schema.FieldDuration):
		r.mem.AgentBegan(c.Str(schema.FieldAgentID)).Keep(now)
	case c.Event == schema.PreCompact && r.rules.Sends(schema.PreCompact, schema.FieldFirstCompaction):
		entry(r, c).Compacted().Set()
	case c.Event == schema.PreTool && !c.Gate && timed(r, hooks):
		r.mem.Call(c).Began().Keep(now)
	}
}

// timed reports whether a hook gets the duration of a call and the host doesn't send it.
func timed(r *run, hooks []schema.Hook) bool {
	if r.hostRules.Sends(schema.PostTool, schema.FieldDuration) {
		return false
	}
	return slices.ContainsFunc(hooks, func(h schema.Hook) bool {
		after := h.Event == schema.PostTool || h.Event == schema.PostToolFailure
		row := r.rules.Row(h.Native)
		return after && row != nil && slices.Contains(row.Fields, schema.FieldDuration)
	})
}
