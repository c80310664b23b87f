package codex

import (
	"cmp"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Honors returns the effects that Codex applies to c.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	f := d.Agent.Honors(c, r)
	if c.Tool.Name == "Bash" || c.Tool.Name == patchTool || c.Tool.Kind() == schema.MCP || c.Event != schema.PreTool {
		return f
	}
	return f &^ schema.EffectInput // not observed for other tools
}

// Replaces returns the input fields that Codex takes from a rewritten input: the command, or all arguments of an MCP
// tool.
func (Dialect) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	if c.Tool.Kind() == schema.MCP {
		return schema.RoleSet(schema.Rest), true
	}
	return schema.RoleSet(schema.RoleCommand), false
}

// Asks returns false: a hook can't make Codex ask.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// AppendReply writes r as the answer to c: one JSON object with only the fields of the event's own schema, because any
// other voids it.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	row := d.Row(c.Native)
	w := ordjson.NewWriter(dst)
	if row == nil || row.Honors == 0 {
		return w.Bytes()
	}

	specific := ordjson.NewWriter(nil)
	specific.String("hookEventName", row.Native)
	named := specific.Len()
	switch row.Event {
	case schema.PreTool:
		preTool(&specific, r)
	case schema.PermissionRequest:
		if r.Verdict != schema.NoOpinion {
			specific.Raw("decision", requestDecision(r))
		}
	case schema.PreCompact:
		if r.Verdict != schema.NoOpinion && r.Verdict != schema.Allow {
			end(&w, cmp.Or(r.UserReason, r.Reason))
		}
	case schema.PostTool:
		if r.Output != nil {
			block(&w, cmp.Or(family.TextOf(r.Output), string(r.Output)))
		}
	default:
		if r.EndTurn && row.Honors&schema.EffectEndTurn != 0 {
			end(&w, r.EndReason)
		}
		switch {
		case r.Verdict != schema.NoOpinion && r.Verdict != schema.Allow && row.Honors&schema.EffectDeny != 0:
			block(&w, cmp.Or(r.UserReason, r.Reason)) // shown to the user
		case r.KeepGoing != "" && row.Honors&schema.EffectKeepGoing != 0:
			block(&w, r.KeepGoing)
		}
	}
	if context := schema.JoinText(r.Feedback, r.Context); context != "" && row.Honors&schema.EffectContext != 0 {
		specific.String("additionalContext", context)
	}

	notice := r.Notice
	if row.Event == schema.PreTool && r.UserReason != r.Reason {
		notice = schema.JoinText(r.UserReason, notice)
	}
	if notice != "" {
		w.String("systemMessage", notice)
	}
	if specific.Len() > named {
		w.Raw("hookSpecificOutput", specific.Bytes())
	}

	return w.Bytes()
}

func end(w *ordjson.Writer, reason string) {
	w.Bool("continue", false)
	if reason != "" {
		w.String("stopReason", reason)
	}
}

func block(w *ordjson.Writer, reason string) {
	w.String("decision", "block")
	w.String("reason", family.OrReason(reason))
}

// preTool writes a denial, or a rewrite, which Codex accepts only with allow. An allow alone can't be written: without
// an answer, Codex decides.
func preTool(w *ordjson.Writer, r *schema.Reply) {
	switch {
	case r.Verdict == schema.Deny || r.Verdict == schema.Ask || r.Verdict == schema.Defer:
		w.String("permissionDecision", "deny")
		w.String("permissionDecisionReason", family.OrReason(cmp.Or(r.Reason, r.UserReason)))
	case r.Input != nil:
		w.String("permissionDecision", "allow")
		rows := profile.Tool(r.InputView.Tool).InputRows()
		if rows == nil { // of another agent's tool
			rows = []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}}
		}
		w.Raw("updatedInput", schema.AppendArgs(nil, r.Input, rows))
	}
}

func requestDecision(r *schema.Reply) []byte {
	reason := cmp.Or(r.Reason, r.UserReason)
	switch {
	case r.Verdict == schema.Allow:
		return ordjson.AppendTexts(nil, "behavior", "allow")
	case reason == "":
		return ordjson.AppendTexts(nil, "behavior", "deny")
	}
	return ordjson.AppendTexts(nil, "behavior", "deny", "message", reason)
}

// Refuse writes the strictest answer for an event that may be unknown.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	row := d.Row(native)
	if row == nil { // valid on every event that it can block, void on others
		w := ordjson.NewWriter(dst)
		block(&w, reason)
		return w.Bytes()
	}
	r := schema.Reply{Notice: reason}
	switch {
	case row.Blocks == schema.EffectDeny || row.Event == schema.PreCompact:
		r = schema.Reply{Verdict: schema.Deny, Reason: reason}
	case row.Blocks == schema.EffectOutput:
		r = schema.Reply{Output: ordjson.AppendString(nil, family.OrReason(reason))}
	}
	return d.AppendReply(dst, &schema.Call{Native: native}, &r)
}
