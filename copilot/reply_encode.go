package copilot

import (
	"cmp"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Honors returns the effects that Copilot applies to c.
func (d Dialect) Honors(c *schema.Call, _ *schema.Reply) schema.Feature {
	d = d.of(c)
	row := d.row(c.Native)
	if row == nil {
		return 0
	}
	f := row.Honors
	if f&schema.EffectDeny != 0 {
		f |= schema.EffectUserReason // comes with the reason
	}
	if c.Event == schema.PostToolFailure && row.Event == schema.PostTool && d.onCode() {
		f &^= schema.EffectOutput
	}
	return f
}

// Replaces returns the input fields that Copilot takes from a rewritten input: it replaces the whole, or the text of a
// patch.
func (d Dialect) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	d = d.of(c)
	row := d.row(c.Native)
	switch {
	case row == nil || row.Honors&schema.EffectInput == 0:
		return 0, false
	case c.Tool.Name == patchTool:
		return schema.RoleSet(schema.RoleCommand), true
	}
	tool := d.tool(c.Tool.Name, false)
	if roles = family.RolesOf(tool.InputRows()); tool != nil {
		roles &= tool.Replaces
	}
	return roles, true
}

// Asks returns the event itself: Copilot asks there, in its terminal and in VS Code; otherwise it denies calls about
// which it would ask.
func (d Dialect) Asks(c *schema.Call) (gate string, sure bool) {
	if row := d.of(c).row(c.Native); row != nil && row.Honors&schema.EffectAsk != 0 {
		return "", true
	}
	return "", false
}

// AppendReply writes r as the answer to c: one object with flat fields. Under Claude Code's event names, they are in
// hookSpecificOutput too, where VS Code reads them.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	row := d.of(c).row(c.Native)
	if row == nil {
		return append(dst, "{}"...)
	}
	a := reply{row: row, r: r}
	a.decision()
	if context := schema.JoinText(r.Feedback, r.Context); context != "" && row.Honors&schema.EffectContext != 0 {
		a.text(&a.both, "additionalContext", context)
	}
	if r.Input != nil && row.Honors&schema.EffectInput != 0 {
		input := newInput(c, r)
		a.flat = append(a.flat, ordjson.Member{Name: "modifiedArgs", Value: input})
		a.inner = append(a.inner, ordjson.Member{Name: "updatedInput", Value: input})
	}
	out, inner := append(a.flat, a.both...), append(a.inner, a.both...)
	if len(inner) > 0 && isPascal(c.Native) && !hasCamelPayload(c.Native) {
		named := append(ordjson.Object{{Name: "hookEventName", Value: ordjson.AppendString(nil, row.Native)}}, inner...)
		out = append(out, ordjson.Member{Name: "hookSpecificOutput", Value: named.Append(nil)})
	}
	return out.Append(dst)
}

// reply collects the fields of an answer: top-level ones, those in hookSpecificOutput, and those in both.
type reply struct {
	row               *schema.EventRow
	r                 *schema.Reply
	flat, inner, both ordjson.Object
}

func (a *reply) text(list *ordjson.Object, name, s string) {
	*list = append(*list, ordjson.Member{Name: name, Value: ordjson.AppendString(nil, s)})
}

func (a *reply) decision() {
	r := a.r
	reason := r.Reason
	if r.UserReason != r.Reason && a.row.Honors&schema.EffectNotice == 0 {
		reason = schema.JoinText(reason, r.UserReason)
	}

	reason = cmp.Or(reason, r.UserReason)
	refuses := r.Verdict == schema.Deny || r.Verdict == schema.Defer
	switch a.row.Event {
	case schema.PreTool:
		word := family.PlainVerdicts.Word(r.Verdict)
		if r.Verdict == schema.Defer {
			word = "deny"
		}
		if word != "" {
			a.text(&a.both, "permissionDecision", word)
		}
		if word != "" && (word != "allow" || reason != "") {
			a.text(&a.both, "permissionDecisionReason", family.OrReason(reason))
		}
	case schema.PermissionRequest:
		a.request(reason)
	case schema.PostTool:
		a.result()
	default:
		switch {
		case a.row.Blocks == schema.EffectDeny && (refuses || r.Verdict == schema.Ask):
			a.block(reason, &a.flat)
		case a.row.Blocks == schema.EffectKeepGoing && r.KeepGoing != "":
			a.block(r.KeepGoing, &a.both)
		}
	}

	if r.EndTurn && a.row.Honors&schema.EffectEndTurn != 0 {
		a.flat = append(a.flat, ordjson.Member{Name: "continue", Value: []byte("false")})
		if r.EndReason != "" {
			a.text(&a.flat, "stopReason", r.EndReason)
		}
	}

	notice := r.Notice
	if r.UserReason != reason && r.Verdict != schema.NoOpinion {
		notice = schema.JoinText(r.UserReason, notice)
	}
	if notice != "" && a.row.Honors&schema.EffectNotice != 0 {
		a.text(&a.flat, "systemMessage", notice)
	}
}

func (a *reply) block(reason string, list *ordjson.Object) {
	a.text(list, "decision", "block")
	a.text(list, "reason", family.OrReason(reason))
}

func (a *reply) request(reason string) {
	switch a.r.Verdict {
	case schema.NoOpinion:
	case schema.Allow:
		a.text(&a.flat, "behavior", "allow")
	default:
		a.text(&a.flat, "behavior", "deny")
		if reason != "" {
			a.text(&a.flat, "message", reason)
		}
		if raw, ok := a.r.Other(schema.EffectInterrupt); ok {
			a.flat = append(a.flat, ordjson.Member{Name: "interrupt", Value: raw})
		}
	}
}

func (a *reply) result() {
	if a.r.Output == nil || a.row.Honors&schema.EffectOutput == 0 {
		return
	}
	result := ordjson.AppendTexts(nil, "resultType", success, "textResultForLlm", family.TextOf(a.r.Output))
	a.flat = append(a.flat, ordjson.Member{Name: "modifiedResult", Value: result})
}

// newInput writes a rewritten input with the tool's own names; for a patch, its text.
func newInput(c *schema.Call, r *schema.Reply) []byte {
	if c.Tool.Name == patchTool && ordjson.KindOf(c.Get(schema.FieldToolInput)) == ordjson.StringKind {
		if raw, ok := r.Input.Get(schema.RoleCommand); ok {
			return raw
		}
	}
	if c.Tool.Kind() == schema.MCP {
		return schema.AppendArgs(nil, r.Input, nil)
	}
	return schema.AppendArgs(nil, r.Input, New().tool(c.Tool.Name, false).InputRows())
}

// Refuse writes the strictest answer for an event that may be unknown: a field without a meaning there is ignored. At
// the end of a turn there is nothing to deny.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	if row := d.row(native); row != nil {
		r := schema.Reply{Verdict: schema.Deny, Reason: reason}
		if row.Event == schema.PostTool || row.Blocks != schema.EffectDeny {
			r = schema.Reply{}
		}
		return d.AppendReply(dst, &schema.Call{Dialect: name, Native: native, Event: row.Event}, &r)
	}
	w := ordjson.NewWriter(dst)
	w.String("permissionDecision", "deny")
	w.String("permissionDecisionReason", family.OrReason(reason))
	w.String("behavior", "deny")
	w.String("message", family.OrReason(reason))
	w.Raw("hookSpecificOutput", ordjson.AppendTexts(nil, "hookEventName", "PreToolUse", "permissionDecision", "deny",
		"permissionDecisionReason", family.OrReason(reason)))
	return w.Bytes()
}
