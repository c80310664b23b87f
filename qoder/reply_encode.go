package qoder

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// answer are the rules for an answer (package 1.1.52).
var answer = family.AnswerRules{Top: top, Specific: hookSpecific, Named: true, QuietHides: true,
	Decides: []schema.Event{schema.PreTool}, Verdicts: verdicts}

// ideAnswer returns the rules of the IDE, which reads some fields on any event, and answers a permission request like a
// tool call (docs 2026-07).
func ideAnswer() *family.AnswerRules {
	a := answer
	a.Decides = []schema.Event{schema.PreTool, schema.PermissionRequest}
	a.Specific = append([]family.Part{
		{Name: "feedback", Shape: family.Text, Feature: schema.EffectFeedback},
		{Name: "permissionDecision", Shape: family.Text, Words: permissions},
		{Name: "permissionDecisionReason", Shape: family.Text}}, hookSpecific...)
	return &a
}

var top = []family.Part{
	{Name: "async", Shape: family.Yes}, {Name: "asyncTimeout", Shape: family.Number},
	{Name: "continue", Shape: family.Flag},
	{Name: "stopReason", Shape: family.Text}, {Name: "suppressOutput", Shape: family.Flag},
	{Name: "systemMessage", Shape: family.Text},
	{Name: "decision", Shape: family.Text, Words: []string{"approve", "block", "allow", "deny"}},
	{Name: "reason", Shape: family.Text},
	{Name: "rewakeSummary", Shape: family.Text}, {Name: "hookSpecificOutput", Shape: family.Struct},
}

// hookSpecific are the fields of hookSpecificOutput by the event that it names, which may differ from the current one
// (package 1.1.52).
var hookSpecific = []family.Part{
	{Name: "permissionDecision", Shape: family.Text, Words: permissions, On: []string{"PreToolUse"}},
	{Name: "permissionDecisionReason", Shape: family.Text, On: []string{"PreToolUse"}},
	{Name: "updatedInput", Shape: family.Struct, On: []string{"PreToolUse"}},
	{Name: "prompt", Shape: family.Text, On: []string{"UserPromptSubmit"}},
	{Name: "sessionTitle", Shape: family.Text, Feature: schema.EffectSessionTitle, On: []string{"UserPromptSubmit"}},
	{Name: "watchPaths", Shape: family.TextList, Feature: schema.EffectWatchPaths,
		On: []string{"CwdChanged", "FileChanged"}},
	{Name: "additionalContext", Shape: family.Text, On: []string{"PreToolUse", "PostToolUse", "PostToolUseFailure",
		"UserPromptSubmit", "SessionStart",
		"Setup", "SubagentStart", "Notification", "PreCompact", "PostCompact", "CwdChanged", "FileChanged"}},
	{Name: "updatedToolOutput", On: []string{"PostToolUse"}},
	{Name: "updatedMCPToolOutput", On: []string{"PostToolUse"}},
	{Name: "clearContext", Shape: family.Flag, On: []string{"SubagentStop", "Stop"}},
	{Name: "worktreePath", Shape: family.Text, Feature: schema.EffectWorktree, On: []string{"WorktreeCreate"}},
	{Name: "action", Shape: family.Text, Words: []string{"accept", "decline", "cancel"}, On: elicits},
	{Name: "content", Shape: family.Struct, On: elicits},
	{Name: "decision", Shape: family.Request, On: []string{"PermissionRequest"}},
	{Name: "retry", Shape: family.Flag, Feature: schema.EffectRetry, On: []string{"PermissionDenied"}},
}

var (
	permissions = []string{"allow", "deny", "ask", "defer"}
	elicits     = []string{"Elicitation", "ElicitationResult"}
	verdicts    = []family.VerdictWord{{Word: "allow", Verdict: schema.Allow}, {Word: "ask", Verdict: schema.Ask},
		{Word: "ask", Verdict: schema.Defer},
		{Word: "deny", Verdict: schema.Deny}}
)

func isIDE(a *family.Agent) bool {
	return a.Data.Program != nil && slices.Contains(onIDE, a.Data.Program.Name)
}

// applyDecision applies the decision. permissionDecision overrides it; the reason that comes with that counts if there
// is no other (package 1.1.52). On PermissionRequest the top-level decision is ignored; outside of PreToolUse an
// approval has no effect.
func applyDecision(d *family.Decoder, word, reason string, hookSpecific ordjson.Object) string {
	d.Reason = reason
	requests := d.Row.Event == schema.PermissionRequest
	if d.Row.Event == schema.PreTool || requests && isIDE(d.Agent) {
		if said := hookSpecific.Str("permissionDecision"); said != "defer" || word == "" {
			word = cmp.Or(said, word)
			d.Reason = cmp.Or(reason, hookSpecific.Str("permissionDecisionReason"))
		}
	}

	requests = requests && !isIDE(d.Agent)
	switch word {
	case "block", "deny":
		if d.Blocked = !requests; requests {
			d.Ignored |= schema.EffectDeny
		}
	case "approve", "allow":
		if d.Row.Honors&schema.EffectAllow == 0 || requests {
			d.Ignored |= schema.EffectAllow
			break
		}
		d.Reply.Verdict, d.Reply.Reason = schema.Allow, d.Reason
	case "ask":
		d.Reply.Verdict, d.Reply.Reason = schema.Ask, d.Reason
	case "defer":
		d.Ignored |= schema.EffectDefer
	}

	return ""
}

func take(d *family.Decoder, name string, raw []byte) bool {
	switch {
	case name == "feedback": // the IDE's
		if d.Row.Event == schema.PostTool {
			d.Reply.Feedback, _ = ordjson.String(raw)
		}
	case name == "clearContext":
		if string(raw) == "true" {
			d.Add(schema.CodeEffectLost, "clearContext isn't translated")
		}
	case name == "prompt": // shown to later hooks of a sequential group (observed 1.1.52)
		d.Reply.Prompt, _ = ordjson.String(raw)
		d.Add(schema.CodeIgnoredEffect, "a rewritten prompt has no effect on the prompt itself")
	default: // the IDE ignores the decision of a request
		return name == "decision" && isIDE(d.Agent)
	}
	return true
}

// fit returns a reply that Qoder can apply: a block would replace a failed tool's error (observed 1.1.52), while a
// complaint is added to it.
func fit(row *schema.EventRow, r *schema.Reply) *schema.Reply {
	if row.Event != schema.PostToolFailure || r.Feedback == "" {
		return r
	}
	said := *r
	said.Context, said.Feedback = schema.JoinText(r.Feedback, r.Context), ""
	return &said
}

// ideFit does the same for the IDE, which has a separate field for feedback.
func ideFit(row *schema.EventRow, r *schema.Reply) *schema.Reply {
	if row.Event != schema.PostTool || r.Feedback == "" {
		return fit(row, r)
	}
	said := *r
	said.Others = append(slices.Clone(r.Others), schema.Effect{Feature: schema.EffectFeedback,
		Raw: ordjson.AppendString(nil, r.Feedback)})
	said.Feedback = ""
	return &said
}

// merging is how Qoder combines answers: the strictest verdict, the reasons of all hooks, texts joined by line breaks.
// Of values that can't be joined, the last in plan order counts (observed 1.1.52).
var merging = schema.MergeRules{Separator: "\n", AllReasons: true, BareDenial: true}

// Merge combines several replies into one. The placeholder for a missing reason appears only if no hook gives a reason,
// and a denied call has no context (observed 1.1.52).
func (Dialect) Merge(rs []schema.Reply) schema.Reply {
	given := slices.ContainsFunc(rs, func(r schema.Reply) bool { return r.Reason != "" && r.Reason != noReason })
	said := slices.Clone(rs)
	for i, seen := range said {
		if seen.Reason == noReason && (given || slices.ContainsFunc(said[:i], func(r schema.Reply) bool {
			return r.Reason == noReason
		})) {
			said[i].Reason = ""
		}
	}
	return merging.Merge(said)
}

// noReason is the reason of a denial without one.
const noReason = "No reason provided"

// Honors returns the effects that Qoder honors for c. It leaves out environment files, because a text in them breaks
// every later command of 1.1.52. It leaves out ask in the mode that never asks.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := d.of(c).Row(c.Native)
	if row == nil {
		return 0
	}
	f := row.Honors &^ schema.EffectEnv
	if f&schema.EffectDeny != 0 && f&schema.EffectNotice != 0 {
		f |= schema.EffectUserReason
	}
	if d.Data.Approves(c) {
		f &^= schema.EffectAsk
	}
	if r != nil && r.Verdict == schema.Deny { // a denial excludes other answers and additions
		f &^= schema.EffectElicit | schema.EffectContext
	}
	return f
}

// AppendReply writes r as the answer to c, whose program it reads from the payload.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	return d.of(c).Agent.AppendReply(dst, c, r)
}

// Refuse writes the strictest answer, for an event of any of Qoder's programs.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	if d.Row(native) == nil {
		return newest.Refuse(dst, native, reason)
	}
	return d.Agent.Refuse(dst, native, reason)
}
