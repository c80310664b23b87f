package claude

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// merging is how Claude Code makes one answer of several: the strictest verdict
// with its reasons, texts joined by line breaks (observed 2.1.328; the client
// itself takes the last to finish where this takes the last configured).
var merging = schema.MergeRules{Separator: "\n"}

// Honors returns the effects that Claude Code heeds for c.
func (Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := rowOf(c.Native)
	if row == nil {
		return 0
	}
	f := row.Honours
	if f&schema.EffectDeny != 0 {
		f |= schema.EffectUserReason
	}
	f &^= schema.EffectEnv // goes by way of a file, not of the answer
	if row.Event == schema.PreCompact {
		f &^= schema.EffectContext // plain text only
	}
	if r != nil && r.Output != nil && !takes(c.Tool.Kind(), ordjson.KindOf(r.Output)) {
		f &^= schema.EffectOutput
	}
	if r != nil && r.Verdict == schema.Deny { // declined: there is no other answer beside it
		f &^= schema.EffectElicit
	}
	f &^= tooNew(c.Version, row.Event)
	if mcpOnly(c) {
		f |= row.Honours & schema.EffectOutput
	}
	return f
}

// mcpOnly reports whether the version replaces the result of an MCP tool under its
// older name, and no other tool's.
func mcpOnly(c *schema.Call) bool {
	return c.Tool.Kind() == schema.MCP && tooNew(c.Version, schema.PostTool)&schema.EffectOutput != 0
}

// takes reports whether a replaced result of some form is heeded for a kind of
// tool: for a command an object, or a text that newOutput makes one of; only an
// object stands for another built-in tool's result (observed 2.1.328).
func takes(tool schema.Kind, form ordjson.Kind) bool {
	switch tool {
	case schema.Shell:
		return form == ordjson.ObjectKind || form == ordjson.StringKind
	case schema.MCP, schema.Other:
		return true
	}
	return form == ordjson.ObjectKind
}

// newOutput gives a replaced result the form that the tool's own has: a text for
// a command becomes its stdout (observed 2.1.328: a string is ignored there).
func newOutput(c *schema.Call, raw []byte) []byte {
	if c.Tool.Kind() != schema.Shell || ordjson.KindOf(raw) != ordjson.StringKind {
		return raw
	}
	w := ordjson.NewWriter(nil)
	w.Raw("stdout", raw)
	w.String("stderr", "")
	w.Bool("interrupted", false)
	w.Bool("isImage", false)
	return w.Bytes()
}

// AppendEnv writes variables as that file wants them.
func (Dialect) AppendEnv(dst []byte, vars []schema.EnvVar) []byte {
	for _, v := range vars {
		if shell.IsName(v.Name) {
			dst = append(dst, "export "+v.Name+"="+shell.Quote(v.Value)+"\n"...)
		}
	}
	return dst
}

// Asks reports that questions are put at the event itself: there is no gate.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", true }

// AppendReply writes r as the answer to c: one JSON object, in which the
// specific part names the event.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	row := rowOf(c.Native)
	w := ordjson.NewWriter(dst)
	if row == nil {
		return w.Bytes()
	}
	h := ordjson.NewWriter(nil)
	h.String("hookEventName", row.Native)
	appendVerdict(d.Agent, &w, &h, c, row, r)
	if r.EndTurn {
		w.Bool("continue", false)
		if r.EndReason != "" {
			w.String("stopReason", r.EndReason)
		}
	}
	notice := r.Notice
	if row.Event == schema.PreTool && r.UserReason != r.Reason { // the reason itself goes to the agent
		notice = schema.JoinText(r.UserReason, notice)
	}
	if notice != "" {
		w.String("systemMessage", notice)
	}
	if r.Input != nil && row.Event == schema.PreTool {
		h.Raw("updatedInput", d.NewInput(c, r))
	}
	if r.Context != "" {
		h.String("additionalContext", r.Context)
	}
	if r.Output != nil {
		name := "updatedToolOutput"
		if mcpOnly(c) {
			name = "updatedMCPToolOutput"
		}
		h.Raw(name, newOutput(c, r.Output))
	}
	for _, o := range r.Others {
		appendEffect(&w, &h, o)
	}
	if h.Len() > 1 && !slices.Contains(silent, row.Event) {
		w.Raw("hookSpecificOutput", h.Bytes())
	}
	return w.Bytes()
}

func appendVerdict(a *family.Agent, w, h *ordjson.Writer, c *schema.Call, row *schema.EventRow, r *schema.Reply) {
	switch {
	case row.Event == schema.PermissionRequest && r.Verdict != schema.NoOpinion:
		h.Raw("decision", appendRequestDecision(a, nil, c, r))
	case row.Honours&schema.EffectElicit != 0:
		if r.Verdict == schema.Deny {
			h.String("action", "decline")
		}
	case row.Honours&schema.EffectAllow != 0 && r.Verdict != schema.NoOpinion:
		for _, v := range verdicts {
			if v.Verdict == r.Verdict {
				h.String("permissionDecision", v.Native)
			}
		}
		if r.Reason != "" {
			h.String("permissionDecisionReason", r.Reason)
		}
	case r.Verdict == schema.Deny, r.KeepGoing != "", r.Feedback != "":
		w.String("decision", "block")
		reason := cmp.Or(r.KeepGoing, r.Feedback)
		if reason == "" && r.Verdict == schema.Deny { // shown to the user
			reason = cmp.Or(r.UserReason, r.Reason)
		}
		w.String("reason", reason)
	}
}

func appendRequestDecision(a *family.Agent, dst []byte, c *schema.Call, r *schema.Reply) []byte {
	w := ordjson.NewWriter(dst)
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
		w.Raw("updatedInput", a.NewInput(c, r))
	}
	if raw, ok := r.Other(schema.EffectPermissions); ok {
		w.Raw("updatedPermissions", raw)
	}
	return w.Bytes()
}

func appendEffect(w, h *ordjson.Writer, e schema.Effect) {
	switch e.Feature {
	case schema.EffectQuiet:
		w.Raw("suppressOutput", e.Raw)
	case schema.EffectTerminal:
		w.Raw("terminalSequence", e.Raw)
	case schema.EffectElicit:
		o, _ := ordjson.Members(e.Raw, 0)
		for _, m := range o {
			h.Raw(m.Name, m.Value)
		}
	default:
		for _, row := range effects {
			if row.Feature == e.Feature {
				h.Raw(row.Name, e.Raw)
			}
		}
	}
}

// Refuse writes the strictest answer there is, for an event that may be
// unknown because the payload could not be read.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	row := rowOf(native)
	if row == nil {
		w := ordjson.NewWriter(dst)
		w.Bool("continue", false)
		w.String("stopReason", reason)
		w.String("decision", "block")
		w.String("reason", reason)
		return w.Bytes()
	}
	r := schema.Reply{}
	switch row.Blocks {
	case schema.EffectDeny:
		r.Verdict, r.Reason = schema.Deny, reason
	case schema.EffectFeedback:
		r.Feedback = reason
	case schema.EffectEndTurn:
		r.EndTurn, r.EndReason = true, reason
	default:
		if row.Event == schema.PermissionRequest {
			r.Verdict, r.Reason = schema.Deny, reason
		} else {
			r.Notice = reason
		}
	}
	return d.AppendReply(dst, &schema.Call{Native: native}, &r)
}
