package qoder

import (
	"slices"

	"cmp"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// merging is how Qoder makes one answer of several: the strictest verdict, the
// reasons of all hooks, texts joined by line breaks; of what cannot be joined the
// last in plan order counts (observed 1.1.52).
var merging = schema.MergeRules{Separator: "\n", AllReasons: true}

// Merge makes one reply of several. That no reason was given is said only where
// no hook gives any, and what is refused has no context (observed 1.1.52).
func (Dialect) Merge(rs []schema.Reply) schema.Reply {
	given := slices.ContainsFunc(rs, func(r schema.Reply) bool { return r.Reason != "" && r.Reason != noReason })
	said := slices.Clone(rs)
	for i, seen := range said {
		if seen.Reason == noReason && (given || slices.ContainsFunc(said[:i], func(r schema.Reply) bool { return r.Reason == noReason })) {
			said[i].Reason = ""
		}
	}
	r := merging.Merge(said)
	if r.Verdict == schema.Deny {
		r.Context = ""
	}
	return r
}

// noReason stands for the reason of a refusal that has none.
const noReason = "No reason provided"

// Honors returns the effects that Qoder heeds for c. Environment files are left
// out: what is written there breaks every later command of 1.1.52. A question is
// left out in the mode that asks nothing.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := d.of(c).Row(c.Native)
	if row == nil {
		return 0
	}
	f := row.Honours &^ schema.EffectEnv
	if f&schema.EffectDeny != 0 && f&schema.EffectNotice != 0 {
		f |= schema.EffectUserReason
	}
	if c.Str(schema.FieldMode) == "bypass" {
		f &^= schema.EffectAsk
	}
	if r != nil && r.Verdict == schema.Deny { // refused: there is no other answer beside it, and nothing to add to
		f &^= schema.EffectElicit | schema.EffectContext
	}
	return f
}

// Asks reports that questions are put at the event itself: there is no gate.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", true }

// AppendReply writes r as the answer to c: one JSON object, in which the
// specific part names the event.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	d = d.of(c)
	row := d.Row(c.Native)
	a := answer{agent: d.Agent, w: ordjson.NewWriter(dst), h: ordjson.NewWriter(nil), on: d.on, c: c, row: row, r: r}
	if row == nil {
		return a.w.Bytes()
	}
	a.h.String("hookEventName", row.Native)
	if row.Event == schema.PostToolFailure && r.Feedback != "" {
		// A block would take the place of what the failed tool said (observed
		// 1.1.52); a complaint stands beside it.
		said := *r
		said.Context, said.Feedback = schema.JoinText(r.Feedback, r.Context), ""
		a.r, r = &said, &said
	}
	a.verdict()
	if r.EndTurn {
		a.w.Bool("continue", false)
		if r.EndReason != "" {
			a.w.String("stopReason", r.EndReason)
		}
	}
	notice := r.Notice
	if r.UserReason != r.Reason && a.decides() { // the reason itself goes to the agent
		notice = schema.JoinText(r.UserReason, notice)
	}
	if notice != "" {
		a.w.String("systemMessage", notice)
	}
	if r.Input != nil && row.Event == schema.PreTool {
		a.h.Raw("updatedInput", a.agent.NewInput(a.c, a.r))
	}
	if r.Context != "" {
		a.h.String("additionalContext", r.Context)
	}
	if r.Output != nil {
		a.h.Raw("updatedToolOutput", r.Output)
	}
	for _, o := range r.Others {
		a.other(o, notice == "")
	}
	if a.h.Len() > 1 {
		a.w.Raw("hookSpecificOutput", a.h.Bytes())
	}
	return a.w.Bytes()
}

// An answer is written in two objects: w is the whole, h its specific part.
type answer struct {
	agent *family.Agent
	w, h  ordjson.Writer
	on    surface
	c     *schema.Call
	row   *schema.EventRow
	r     *schema.Reply
}

// decides reports whether the event takes permissionDecision.
func (a *answer) decides() bool {
	return a.row.Event == schema.PreTool || a.row.Event == schema.PermissionRequest && a.on == ide
}

func (a *answer) verdict() {
	r := a.r
	block := cmp.Or(r.KeepGoing, r.Feedback)
	switch {
	case a.decides():
		a.permission()
	case a.row.Event == schema.PermissionRequest:
		if r.Verdict != schema.NoOpinion {
			a.h.Raw("decision", a.request())
		}
	case a.row.Event == schema.PostTool && a.on == ide && r.Feedback != "":
		a.h.String("feedback", r.Feedback)
	case a.row.Honours&schema.EffectElicit != 0:
		if r.Verdict == schema.Deny {
			a.h.String("action", "decline")
		}
	case r.Verdict == schema.Deny, block != "":
		a.w.String("decision", "block")
		if r.Verdict == schema.Deny { // shown to the user
			block = cmp.Or(r.UserReason, r.Reason, block)
		}
		if block != "" {
			a.w.String("reason", block)
		}
	}
}

func (a *answer) permission() {
	r := a.r
	for _, v := range []struct {
		verdict schema.Verdict
		word    string
	}{{schema.Allow, "allow"}, {schema.Ask, "ask"}, {schema.Defer, "ask"}, {schema.Deny, "deny"}} {
		if v.verdict != r.Verdict {
			continue
		}
		a.h.String("permissionDecision", v.word)
		if r.Reason != "" {
			a.h.String("permissionDecisionReason", r.Reason)
		}
	}
}

// request is the decision of a PermissionRequest.
func (a *answer) request() []byte {
	r, w := a.r, ordjson.NewWriter(nil)
	if r.Verdict != schema.Allow { // nobody is asked: what is not allowed is refused
		w.String("behavior", "deny")
		if r.Reason != "" {
			w.String("message", r.Reason)
		}
		if raw, ok := r.Other(schema.EffectInterrupt); ok {
			w.Raw("interrupt", raw)
		}
		return w.Bytes()
	}
	w.String("behavior", "allow")
	if r.Input != nil {
		w.Raw("updatedInput", a.agent.NewInput(a.c, a.r))
	}
	if raw, ok := r.Other(schema.EffectPermissions); ok {
		w.Raw("updatedPermissions", raw)
	}
	return w.Bytes()
}

// other writes an effect that has no member of its own in the model. A notice
// would be hidden by suppressOutput.
func (a *answer) other(e schema.Effect, silent bool) {
	switch e.Feature {
	case schema.EffectQuiet:
		if silent {
			a.w.Raw("suppressOutput", e.Raw)
		}
	case schema.EffectElicit:
		o, _ := ordjson.Members(e.Raw, 0)
		for _, m := range o {
			if a.r.Verdict != schema.Deny {
				a.h.Raw(m.Name, m.Value)
			}
		}
	default:
		for _, row := range effects {
			if row.Feature == e.Feature {
				a.h.Raw(row.Name, e.Raw)
			}
		}
	}
}

// Refuse writes the strictest answer there is, for an event that may be unknown
// because the payload could not be read.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	row := profile.Row(native)
	if row == nil {
		w := ordjson.NewWriter(dst)
		w.Bool("continue", false)
		w.String("stopReason", reason)
		w.String("decision", "block")
		w.String("reason", reason)
		return w.Bytes()
	}
	var r schema.Reply
	switch {
	case row.Blocks == schema.EffectDeny, row.Event == schema.PermissionRequest:
		r.Verdict, r.Reason = schema.Deny, reason
	case row.Blocks == schema.EffectFeedback:
		r.Feedback = reason
	default: // to keep the agent at work would refuse nothing
		r.Notice = reason
	}
	return d.AppendReply(dst, &schema.Call{Dialect: profile.Name, Native: native}, &r)
}
