package claude

import (
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// merging is how Claude Code makes one answer of several: the strictest verdict
// with its reasons, texts joined by line breaks (observed 2.1.328; the client
// itself takes the last to finish where this takes the last configured).
var merging = schema.MergeRules{Separator: "\n"}

// Merge makes one reply of several.
func (Dialect) Merge(rs []schema.Reply) schema.Reply { return merging.Merge(rs) }

// Honours returns the effects that Claude Code heeds for c.
func (Dialect) Honours(c *schema.Call, _ *schema.Reply) schema.Feature {
	row := rowOf(c.Native)
	if row == nil {
		return 0
	}
	return row.Honours
}

// Replaces returns the input members that Claude Code takes from a rewritten
// input, and whether the new input replaces the old one as a whole.
func (Dialect) Replaces(c *schema.Call) (roles schema.Roles, whole bool) { return all, true }

// Asks reports that questions are put at the event itself: there is no gate.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", true }

// ContextLimit returns the characters of context that a hook may add; longer
// text is kept in a file and shown as a preview by the client itself.
func (Dialect) ContextLimit() int { return 0 }

// AppendReply writes r as the answer to c: one JSON object, in which the
// specific part names the event.
func (Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	row := rowOf(c.Native)
	w := ordjson.NewWriter(dst)
	if row == nil {
		return w.Bytes()
	}
	h := ordjson.NewWriter(nil)
	h.String("hookEventName", row.Native)
	appendVerdict(&w, &h, row, r)
	if r.EndTurn {
		w.Bool("continue", false)
		if r.EndReason != "" {
			w.String("stopReason", r.EndReason)
		}
	}
	if r.Notice != "" {
		w.String("systemMessage", r.Notice)
	}
	if r.Input != nil && row.Event == schema.PreTool {
		h.Raw("updatedInput", appendNewInput(nil, r))
	}
	if r.Context != "" {
		h.String("additionalContext", r.Context)
	}
	if r.Output != nil {
		h.Raw("updatedToolOutput", r.Output)
	}
	for _, o := range r.Others {
		appendEffect(&w, &h, o)
	}
	if h.Len() > 1 {
		w.Raw("hookSpecificOutput", h.Bytes())
	}
	return w.Bytes()
}

func appendVerdict(w, h *ordjson.Writer, row *schema.EventRow, r *schema.Reply) {
	switch {
	case row.Event == schema.PermissionRequest && r.Verdict != schema.NoOpinion:
		h.Raw("decision", appendRequestDecision(nil, r))
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
		w.String("reason", or(or(r.KeepGoing, r.Feedback), r.Reason))
	}
}

func appendRequestDecision(dst []byte, r *schema.Reply) []byte {
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
		w.Raw("updatedInput", appendNewInput(nil, r))
	}
	if raw, ok := r.Other(schema.EffectPermissions); ok {
		w.Raw("updatedPermissions", raw)
	}
	return w.Bytes()
}

// appendNewInput writes the new input in the words of the tool it is for.
func appendNewInput(dst []byte, r *schema.Reply) []byte {
	return schema.AppendArgs(dst, convertEdits(append(schema.Args(nil), r.Input...), schema.CanonicalEdits, edit), inputRows(r.InputView.Tool))
}

func appendEffect(w, h *ordjson.Writer, e schema.Effect) {
	switch e.Feature {
	case schema.EffectQuiet:
		w.Raw("suppressOutput", e.Raw)
	case schema.EffectTerminal:
		w.Raw("terminalSequence", e.Raw)
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
func (Dialect) Refuse(dst []byte, native, reason string) []byte {
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
	default:
		if row.Event == schema.PermissionRequest {
			r.Verdict, r.Reason = schema.Deny, reason
		} else {
			r.Notice = reason
		}
	}
	return Dialect{}.AppendReply(dst, &schema.Call{Native: native}, &r)
}

// AnswerWords are members that only this dialect's answers have: a hook of
// another dialect that uses them was written for Claude Code.
func (Dialect) AnswerWords() []string {
	return []string{"hookSpecificOutput", "permissionDecision", "systemMessage", "suppressOutput", "stopReason"}
}
