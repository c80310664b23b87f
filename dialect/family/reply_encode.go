package family

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Replaces returns the input fields that the agent takes from a rewritten input, and that the new input replaces the
// whole. A field for which the tool has no name can't be written, so it isn't included.
func (a *Agent) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	return RolesOf(a.inputOf(c, "")), true
}

// RolesOf returns the roles of fields, and the role of fields without one.
func RolesOf(rows []schema.ArgRow) schema.Roles {
	roles := schema.RoleSet(schema.Rest)
	for _, x := range rows {
		roles |= schema.RoleSet(x.Role)
	}
	return roles
}

// inputOf returns the input fields of the tool of c or, if c names none, of the tool with that name.
func (a *Agent) inputOf(c *schema.Call, name string) []schema.ArgRow {
	if c.Tool.Kind() == schema.MCP {
		return nil
	}
	return a.ArgRows(cmp.Or(c.Tool.Name, name))
}

// NewInput writes a rewritten input in the format of the called tool.
func (a *Agent) NewInput(c *schema.Call, r *schema.Reply) []byte {
	in := a.convertEdits(slices.Clone(r.Input), schema.CanonicalEdits, a.Edits)
	out := a.wrapped(nil, c, c.Tool.Kind(), c.Str(schema.FieldToolName), func(dst []byte) []byte {
		return schema.AppendArgs(dst, in, a.inputOf(c, r.InputView.Tool))
	})
	if a.Steps.Complete != nil {
		return a.Steps.Complete(c, out)
	}
	return out
}

// ReadNewInput reads a rewritten input of the tool that was shown to a hook.
func (a *Agent) ReadNewInput(o ordjson.Object, v schema.View) schema.Args {
	if inner, err := ordjson.Members(a.unwrap(v.Kind, o.Append(nil)), 0); a.Steps.Unwrap != nil && err == nil {
		o = inner
	}
	in := a.convertEdits(schema.DecodeArgs(o, a.ArgRows(v.Tool)), a.Edits, schema.CanonicalEdits)
	if in == nil {
		in = schema.Args{}
	}
	return in
}

// Honors returns the effects that the agent applies to c: those of the event, and a reason for the user if it can deny.
func (a *Agent) Honors(c *schema.Call, _ *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	switch {
	case row == nil:
		return 0
	case row.Honors&schema.EffectDeny != 0:
		return row.Honors | schema.EffectUserReason
	}
	return row.Honors
}

// Asks returns that the agent asks at the event itself, not at a gate, unless the permission mode may answer instead.
func (a *Agent) Asks(c *schema.Call) (gate string, sure bool) { return "", !a.Data.Approves(c) }

// AppendReply writes r as the answer to c: one JSON object, whose specific part names the event.
func (a *Agent) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	row := a.Row(c.Native)
	w := ordjson.NewWriter(dst)
	if row == nil {
		return w.Bytes()
	}
	e := encoder{agent: a, w: &w, h: ordjson.NewWriter(nil), c: c, row: row, r: r}
	if a.Steps.Fit != nil {
		e.r = a.Steps.Fit(row, r)
	}
	e.h.String("hookEventName", row.Native)
	e.write()
	if e.h.Len() > 1 && !slices.Contains(a.Answer.Silent, row.Event) {
		w.Raw("hookSpecificOutput", e.h.Bytes())
	}
	return w.Bytes()
}

// An encoder writes an answer as two objects: w is the whole, h its specific part.
type encoder struct {
	agent *Agent
	w     *ordjson.Writer
	h     ordjson.Writer
	c     *schema.Call
	row   *schema.EventRow
	r     *schema.Reply
}

// decides reports whether the event accepts permissionDecision.
func (e *encoder) decides() bool { return slices.Contains(e.agent.Answer.Decides, e.row.Event) }

func (e *encoder) write() {
	r := e.r
	e.verdict()
	if r.EndTurn {
		e.w.Bool("continue", false)
		if r.EndReason != "" {
			e.w.String("stopReason", r.EndReason)
		}
	}

	notice := r.Notice
	if r.UserReason != r.Reason && e.decides() { // the reason itself goes to the agent
		notice = schema.JoinText(r.UserReason, notice)
	}
	if notice != "" {
		e.w.String("systemMessage", notice)
	}

	if r.Input != nil && e.row.Event == schema.PreTool {
		e.h.Raw("updatedInput", e.agent.NewInput(e.c, r))
	}
	if r.Context != "" {
		e.h.String("additionalContext", r.Context)
	}

	if r.Output != nil {
		name, value := "updatedToolOutput", r.Output
		if e.agent.Steps.Output != nil {
			name, value = e.agent.Steps.Output(e.agent, e.c, r.Output)
		}
		e.h.Raw(name, value)
	}
	for _, o := range r.Others {
		e.other(o, notice)
	}
}

func (e *encoder) verdict() {
	r := e.r
	block := cmp.Or(r.KeepGoing, r.Feedback)
	switch {
	case e.decides():
		if word := e.agent.Answer.Verdicts.Word(r.Verdict); word != "" {
			e.h.String("permissionDecision", word)
			if r.Reason != "" {
				e.h.String("permissionDecisionReason", r.Reason)
			}
		}
	case e.row.Event == schema.PermissionRequest:
		if r.Verdict != schema.NoOpinion {
			e.h.Raw("decision", e.request())
		}
	case e.row.Honors&schema.EffectElicit != 0:
		if r.Verdict == schema.Deny {
			e.h.String("action", "decline")
		}
	case r.Verdict == schema.Deny, block != "":
		e.w.String("decision", "block")
		if r.Verdict == schema.Deny { // shown to the user
			block = cmp.Or(r.UserReason, r.Reason, block)
		}
		e.w.String("reason", block)
	}
}

// request returns the decision for a permission request. The user isn't asked afterwards: anything that isn't allowed
// is denied.
func (e *encoder) request() []byte {
	r, w := e.r, ordjson.NewWriter(nil)
	if r.Verdict != schema.Allow {
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
		w.Raw("updatedInput", e.agent.NewInput(e.c, r))
	}
	if raw, ok := r.Other(schema.EffectPermissions); ok {
		w.Raw("updatedPermissions", raw)
	}
	return w.Bytes()
}

func (e *encoder) other(x schema.Effect, notice string) {
	switch x.Feature {
	case schema.EffectQuiet:
		if notice == "" || !e.agent.Answer.QuietHides {
			e.w.Raw("suppressOutput", x.Raw)
		}
	case schema.EffectTerminal:
		e.w.Raw("terminalSequence", x.Raw)
	case schema.EffectElicit:
		o, _ := ordjson.Members(x.Raw, 0)
		for _, m := range o {
			if e.r.Verdict != schema.Deny {
				e.h.Raw(m.Name, m.Value)
			}
		}
	default:
		for _, p := range e.agent.Answer.Specific {
			if p.Feature == x.Feature {
				e.h.Raw(p.Name, x.Raw)
			}
		}
	}
}

// OrReason returns a reason, or a default if no hook gave one: some agents require a reason for a denial.
func OrReason(s string) string {
	if strings.TrimSpace(s) == "" {
		return "A hook refused this without a reason."
	}
	return s
}

// Refuse writes the strictest possible answer for an event that may be unknown because the payload can't be read.
func (a *Agent) Refuse(dst []byte, native, reason string) []byte {
	row := a.Row(native)
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
	case row.Blocks == schema.EffectEndTurn:
		r.EndTurn, r.EndReason = true, reason
	default: // keeping the agent at work would deny nothing
		r.Notice = reason
	}
	return a.AppendReply(dst, &schema.Call{Dialect: a.Data.Agent(), Version: a.Data.Version, Native: native}, &r)
}
