package gemini

import (
	"cmp"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Honors returns the effects that Gemini CLI applies to c (observed 0.61.0). The context of a failed tool is lost, and
// so is anything next to a hidden result.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	f, row := d.Agent.Honors(c, r), d.Row(c.Native)
	if row == nil {
		return 0
	}
	if _, failed := errorIn(c.Get(schema.FieldToolOutput)); c.Event == schema.PostToolFailure &&
		(failed || c.Raw == nil) {
		f &^= schema.EffectContext | schema.EffectOutput
	}
	if (r.Output != nil || r.EndTurn && row.EndDenies) && f&schema.EffectOutput != 0 {
		f &^= schema.EffectContext
	}
	if !schema.Since(c.Version, asksSince) {
		f &^= schema.EffectAsk
	}
	return f
}

// Asks returns the event itself: Gemini CLI can ask there, in its terminal. It isn't certain to ask, since a headless
// process ends at the question, and since a question also weakens a denial by policy.
func (Dialect) Asks(c *schema.Call) (gate string, sure bool) {
	if c.Event == schema.PreTool && schema.Since(c.Version, asksSince) {
		return "BeforeTool", false
	}
	return "", false
}

// Replaces returns the input fields that a rewrite may change: all of the tool's, and it replaces the whole.
func (Dialect) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	if row := profile.Row(c.Native); row == nil || row.Honors&schema.EffectInput == 0 {
		return 0, false
	}
	return family.RolesOf(profile.Tool(c.Tool.Name).InputRows()) & replaced, true
}

// blocked is the default reason.
const blocked = "Blocked by hook"

// AppendReply writes r as the answer to c: one object, {} for no opinion.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	w := ordjson.NewWriter(dst)
	row := profile.Row(c.Native)
	if row == nil {
		return w.Bytes()
	}

	notice := r.Notice
	if word, reason := decision(row, r); word != "" {
		w.String("decision", word)
		w.String("reason", reason)
		if r.UserReason != reason {
			notice = schema.JoinText(r.UserReason, notice)
		}
		if word == "ask" { // the reason isn't shown
			notice = cmp.Or(notice, r.Reason)
		}
	}
	if r.EndTurn && row.Honors&schema.EffectEndTurn != 0 {
		w.Bool("continue", false)
		if r.EndReason != "" {
			w.String("stopReason", r.EndReason)
		}
	}
	if notice != "" && row.Honors&schema.EffectNotice != 0 {
		w.String("systemMessage", notice)
	}

	inner := ordjson.NewWriter(nil)
	inner.String("hookEventName", row.Native)
	named := inner.Len()
	if context := schema.JoinText(r.Feedback, r.Context); context != "" && row.Honors&schema.EffectContext != 0 {
		inner.String("additionalContext", context)
	}
	if r.Input != nil && row.Honors&schema.EffectInput != 0 {
		inner.Raw("tool_input", d.NewInput(c, r))
	}
	if inner.Len() > named {
		w.Raw("hookSpecificOutput", inner.Bytes())
	}

	return w.Bytes()
}

// decision returns the negative decision in an answer, and its reason.
func decision(row *schema.EventRow, r *schema.Reply) (word, reason string) {
	cannotAsk := r.Verdict == schema.Ask && row.Honors&schema.EffectAsk == 0
	switch {
	case row.Blocks == schema.EffectDeny && (r.Verdict == schema.Deny || r.Verdict == schema.Defer || cannotAsk):
		return "deny", cmp.Or(r.Reason, r.UserReason, blocked)
	case row.Blocks == schema.EffectDeny && r.Verdict == schema.Ask:
		return "ask", r.Reason
	case row.Blocks == schema.EffectKeepGoing && r.KeepGoing != "":
		return "deny", r.KeepGoing
	case row.Blocks == schema.EffectOutput && r.Output != nil:
		return "deny", cmp.Or(family.TextOf(r.Output), noReason)
	}
	return "", ""
}

// Refuse writes the strictest answer for an event that may be unknown. At the end of a turn there is nothing to deny: a
// block there makes the agent continue.
func (Dialect) Refuse(dst []byte, native, reason string) []byte {
	w := ordjson.NewWriter(dst)
	if row := profile.Row(native); row == nil || row.Blocks == schema.EffectDeny {
		w.String("decision", "deny")
		w.String("reason", cmp.Or(reason, blocked))
	}
	return w.Bytes()
}
