package claude

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// merging is how Claude Code combines answers. The strictest verdict counts with its reasons, and texts are joined by
// line breaks (observed 2.1.328). The client itself uses the last to finish, this the last configured.
var merging = schema.MergeRules{Separator: "\n"}

// answer are the rules for an answer (observed 2.1.328, types 0.3.328).
var answer = family.AnswerRules{
	Top: top, Specific: specific, Silent: silent,
	Decides:  []schema.Event{schema.PreTool, schema.PreSkillCommand, schema.PreModelSwitch},
	Verdicts: verdicts,
}

var top = []family.Part{
	{Name: "continue", Shape: family.Flag}, {Name: "stopReason", Shape: family.Text},
	{Name: "suppressOutput", Shape: family.Flag},
	{Name: "decision", Shape: family.Text, Words: []string{"approve", "block"}}, {Name: "reason", Shape: family.Text},
	{Name: "systemMessage", Shape: family.Text}, {Name: "terminalSequence", Shape: family.Text},
	{Name: "hookSpecificOutput"},
	{Name: "async"}, {Name: "asyncTimeout"},
}

// The fields of hookSpecificOutput. On Stop and SubagentStop, additionalContext makes the agent continue; for
// PermissionRequest, the effects are in its decision.
var (
	specific = []family.Part{
		{Name: "permissionDecision", Shape: family.Text, Words: []string{"allow", "deny", "ask", "defer"},
			Feature: schema.EffectAllow, Except: onRequest},
		{Name: "permissionDecisionReason", Shape: family.Text, Feature: schema.EffectAllow},
		{Name: "updatedInput", Shape: family.Struct, On: []string{"PreSkillShellCommand"}},
		{Name: "updatedInput", Shape: family.Struct, Feature: schema.EffectInput, Except: onRequest},
		{Name: "additionalContext", Shape: family.Text, On: []string{"Stop", "SubagentStop"}},
		{Name: "additionalContext", Shape: family.Text, Feature: schema.EffectContext},
		{Name: "updatedToolOutput", Feature: schema.EffectOutput}, {Name: "updatedMCPToolOutput"},
		{Name: "decision", Shape: family.Request, On: []string{"PermissionRequest"}},
		{Name: "action", Shape: family.Text, Words: []string{"accept", "decline", "cancel"},
			Feature: schema.EffectElicit},
		{Name: "content"}, {Name: "retry", Feature: schema.EffectRetry, Shape: family.Flag},
		{Name: "initialUserMessage", Feature: schema.EffectInitialPrompt, Shape: family.Text},
		{Name: "watchPaths", Feature: schema.EffectWatchPaths, Shape: family.List},
		{Name: "sessionTitle", Feature: schema.EffectSessionTitle, Shape: family.Text},
		{Name: "displayContent", Feature: schema.EffectDisplay, Shape: family.Text},
		{Name: "classifierContext", Feature: schema.EffectClassifier, Shape: family.Text},
		{Name: "worktreePath", Feature: schema.EffectWorktree, Shape: family.Text},
		{Name: "reloadSkills", Feature: schema.EffectReloadSkills, Shape: family.Flag},
		{Name: "suppressOriginalPrompt", Feature: schema.EffectHidePrompt, Shape: family.Flag},
	}
	verdicts = family.Verdicts{{Word: "allow", Verdict: schema.Allow}, {Word: "deny", Verdict: schema.Deny},
		{Word: "ask", Verdict: schema.Ask}, {Word: "defer", Verdict: schema.Defer}}
	onRequest = []schema.Event{schema.PermissionRequest}
)

// silent are the events without hookSpecificOutput: an object that has it is void (observed 2.1.328).
var silent = []schema.Event{schema.SessionEnd, schema.StopFailure, schema.PreCompact, schema.PostCompact,
	schema.InstructionsLoaded,
	schema.ConfigChange, schema.DirectoryAdded, schema.TaskCreated, schema.TaskCompleted, schema.TeammateIdle,
	schema.WorktreeRemove}

// objectResults are the tools whose result is an object; only an object can replace it (observed 2.1.328 for Bash,
// Read, Edit and Write).
var objectResults = []schema.Kind{schema.Shell, schema.Read, schema.Write, schema.Edit}

// applyDecision applies the top-level decision and permissionDecision; the stricter counts (observed 2.1.328).
func applyDecision(d *family.Decoder, word, reason string, specific ordjson.Object) (bad string) {
	switch {
	case word == "approve" && d.Row.Event == schema.PreTool:
		d.Reply.Verdict, d.Reply.Reason = schema.Allow, reason
	case word == "approve":
		d.Ignored |= schema.EffectAllow
	case word == "block" && d.Row.Blocks == 0: // including PermissionRequest
		d.Ignored |= schema.EffectDeny
	case word == "block":
		d.Blocked, d.Reason = true, reason
	}
	switch verdict := verdicts.Of(specific.Str("permissionDecision")); {
	case d.Row.Event == schema.PreSkillCommand && verdict > schema.Allow:
		d.Reply.Verdict, d.Reply.Reason = schema.Deny, cmp.Or(specific.Str("permissionDecisionReason"), d.Reply.Reason)
	case verdict == schema.Defer && d.Row.Honors&schema.EffectDefer == 0:
		return d.Row.Native + " takes no permissionDecision defer"
	case verdict == schema.NoOpinion, d.Blocked && verdict != schema.Deny, verdict < d.Reply.Verdict:
	default:
		d.Reply.Verdict, d.Reply.Reason = verdict, cmp.Or(specific.Str("permissionDecisionReason"), d.Reply.Reason)
	}
	return ""
}

func take(d *family.Decoder, name string, raw []byte) bool {
	switch {
	case name == "updatedInput" && d.Row.Event == schema.PreSkillCommand: // never applied
		d.Reply.Verdict = schema.Deny
	case name == "additionalContext" && (d.Row.Event == schema.Stop || d.Row.Event == schema.SubagentStop):
		d.More, _ = ordjson.String(raw)
		if d.Agent.HonoredSince != nil && !d.Agent.Data.Since("2.1.163") { // changelog
			d.More, d.Ignored = "", d.Ignored|schema.EffectContext
		}
	case name == "updatedToolOutput" && slices.Contains(objectResults, d.View.Kind) &&
		ordjson.KindOf(raw) != ordjson.ObjectKind:
		d.Add(schema.CodeIgnoredEffect, "a result of "+d.View.Tool+" can only be replaced by an object")
	default:
		return false
	}
	return true
}

// Honors returns the effects that Claude Code applies to c.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	f, row := d.Agent.Honors(c, r), d.Row(c.Native)
	if row == nil {
		return 0
	}
	f &^= schema.EffectEnv // hooks use a file for it, not the answer
	if row.Event == schema.PreCompact {
		f &^= schema.EffectContext // plain text only
	}
	if r != nil && r.Output != nil && !takes(c.Tool.Kind(), ordjson.KindOf(r.Output)) {
		f &^= schema.EffectOutput
	}
	if r != nil && r.Verdict == schema.Deny { // a declined question has no other answer
		f &^= schema.EffectElicit
	}
	f &^= d.TooNew(c.Version, row.Event)
	if mcpOnly(d.Agent, c) {
		f |= row.Honors & schema.EffectOutput
	}
	return f
}

// mcpOnly reports whether the version replaces only the results of MCP tools, under the older name.
func mcpOnly(a *family.Agent, c *schema.Call) bool {
	return c.Tool.Kind() == schema.MCP && a.TooNew(c.Version, schema.PostTool)&schema.EffectOutput != 0
}

// takes reports whether a replaced result of some form counts for a kind of tool. A command's result can be replaced by
// an object, or by a text that newOutput converts to one; another built-in tool's only by an object (observed 2.1.328).
func takes(tool schema.Kind, form ordjson.Kind) bool {
	switch tool {
	case schema.Shell:
		return form == ordjson.ObjectKind || form == ordjson.StringKind
	case schema.MCP, schema.Other:
		return true
	}
	return form == ordjson.ObjectKind
}

// newOutput converts a replaced result to the tool's own form: a text for a command becomes its stdout (observed
// 2.1.328: a string is ignored there).
func newOutput(a *family.Agent, c *schema.Call, raw []byte) (name string, value []byte) {
	name = "updatedToolOutput"
	if mcpOnly(a, c) {
		name = "updatedMCPToolOutput"
	}
	if c.Tool.Kind() != schema.Shell || ordjson.KindOf(raw) != ordjson.StringKind {
		return name, raw
	}
	w := ordjson.NewWriter(nil)
	w.Raw("stdout", raw)
	w.String("stderr", "")
	w.Bool("interrupted", false)
	w.Bool("isImage", false)
	return name, w.Bytes()
}

// AppendEnv writes variables in the format of that file.
func (Dialect) AppendEnv(dst []byte, vars []schema.EnvVar) []byte {
	for _, v := range vars {
		if shell.IsName(v.Name) {
			dst = append(dst, "export "+v.Name+"="+shell.Quote(v.Value)+"\n"...)
		}
	}
	return dst
}
