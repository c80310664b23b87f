package codex

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// An answerRow lists the fields of an event's answer. Any other field voids the whole answer (schemas in the 0.169.0
// binary; observed).
type answerRow struct {
	event    schema.Event
	decision bool     // top-level decision and reason
	specific []string // fields of hookSpecificOutput; nil: it isn't allowed
}

var answers = []answerRow{
	{schema.SessionStart, false, []string{"additionalContext"}},
	{schema.SubagentStart, false, []string{"additionalContext"}},
	{schema.PromptSubmit, true, []string{"additionalContext"}},
	{schema.PreTool, true, []string{"permissionDecision", "permissionDecisionReason", "updatedInput",
		"additionalContext"}},
	{schema.PermissionRequest, false, []string{"decision"}},
	{schema.PostTool, true, []string{"additionalContext", "updatedMCPToolOutput"}},
	{schema.Stop, true, nil},
	{schema.SubagentStop, true, nil},
}

var top = []family.Part{{Name: "continue", Shape: family.Flag, Null: true},
	{Name: "stopReason", Shape: family.Text, Null: true}, {Name: "suppressOutput", Shape: family.Flag, Null: true},
	{Name: "systemMessage", Shape: family.Text, Null: true}, {Name: "decision", Shape: family.Text, Null: true},
	{Name: "reason", Shape: family.Text, Null: true}}

func answerOf(e schema.Event) answerRow {
	if a := lists.Find(answers, func(a *answerRow) bool { return a.event == e }); a != nil {
		return *a
	}
	return answerRow{event: e}
}

// DecodeReply interprets a hook's result as Codex does (observed 0.169.0). It accepts exit code 0 with one object of
// the event's own schema, or exit code 2 with text on stderr. In all other cases the hook fails, and the call proceeds.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	r := decoder{d.Decoder(h, v)}
	r.read(res)
	return r.Reply, r.Found
}

type decoder struct{ *family.Decoder }

var ends = dialect.Ends{process.Late: {So: "; Codex lets the call proceed"},
	process.Killed: {Fails: true}, process.Failed: {Fails: true}}

func (d decoder) read(res *process.Result) {
	switch d.Ended(&ends, res) {
	case process.Refused:
		d.exit2(family.Printed(res.Stderr))
	case process.Clean:
		d.output(bytes.TrimSpace(res.Stdout))
	}
}

func (d decoder) exit2(reason string) {
	switch {
	case reason == "":
		d.Add(schema.CodeHookFailed, "Codex ignores exit code 2 without text on stderr")
	case d.Row.Blocks == 0:
		d.BlocksNothing(reason)
	default:
		family.Block(&d.Reply, d.Row, reason)
	}
}

func (d decoder) output(out []byte) {
	switch {
	case len(out) == 0:
	case out[0] == '{' || out[0] == '[':
		o, _, err := ordjson.ParseLast(out) // of two fields with one name the last counts (observed 0.169.0)
		if err != nil {
			d.Add(schema.CodeBadAnswer, "stdout is not one JSON object: "+err.Error())
			return
		}
		if bad := d.object(o); bad != "" {
			d.Reply = schema.Reply{}
			d.Add(schema.CodeBadSchema, bad+"; Codex ignores the whole answer")
		}
	case d.Row.Text == schema.EffectContext:
		d.Reply.Context = family.Printed(out)
	case d.Row.Blocks == schema.EffectKeepGoing || d.Row.Event == schema.Interrupt:
		d.Add(schema.CodeBadAnswer, "stdout isn't a JSON object")
	}
}

// object reads an answer; bad is the reason why it is void, "" if it isn't.
func (d decoder) object(o ordjson.Object) (bad string) {
	row := answerOf(d.Row.Event)
	parts := top[:4]
	if row.decision {
		parts = top[:6]
	}
	if row.specific != nil {
		parts = append(slices.Clip(parts), family.Part{Name: "hookSpecificOutput", Shape: family.Struct, Null: true})
	}

	known, extra, bad := family.Pick(o, parts)
	switch {
	case bad != "":
		return bad
	case len(extra) > 0:
		return "unknown field " + strconv.Quote(extra[0].Name)
	case string(known.Value("suppressOutput")) == "true" && d.Row.Event.IsTool():
		return "suppressOutput is not supported"
	}

	d.Reply.Notice = known.Str("systemMessage")
	bad = d.ends(string(known.Value("continue")) == "false", known.Str("stopReason"))
	if raw := known.Value("hookSpecificOutput"); bad == "" && ordjson.KindOf(raw) == ordjson.ObjectKind {
		bad = d.specific(raw, row.specific)
	}
	if bad != "" {
		return bad
	}
	return d.decision(known.Str("decision"), known.Str("reason"))
}

func (d decoder) ends(ends bool, reason string) (bad string) {
	r := &d.Reply
	switch d.Row.Event {
	case schema.PreTool, schema.PermissionRequest:
		if ends || reason != "" {
			return "continue false and stopReason are not supported before a tool"
		}
	case schema.PreCompact:
		if ends {
			r.Verdict, r.Reason = schema.Deny, reason
		}
	case schema.PostTool: // the result is hidden, the turn continues
		if ends {
			reason = cmp.Or(reason, "PostToolUse hook stopped execution")
			r.Output, r.Objects = ordjson.AppendString(nil, reason), true
		}
	default:
		if ends && d.Row.Honors&schema.EffectEndTurn != 0 {
			r.EndTurn, r.EndReason = true, reason
		}
	}
	return ""
}

// decision applies the top-level decision, which one in hookSpecificOutput overrides.
func (d decoder) decision(word, reason string) (bad string) {
	switch {
	case d.Reply.Verdict != schema.NoOpinion && d.Row.Event == schema.PreTool:
	case word == "" && reason != "" && (d.Row.Event == schema.PreTool || d.Row.Event == schema.PostTool):
		return "reason without decision is not supported"
	case word == "":
	case word != "block":
		return "decision " + strconv.Quote(word) + " is not supported"
	case strings.TrimSpace(reason) == "":
		return "a block needs a reason"
	default:
		family.Block(&d.Reply, d.Row, reason)
	}
	return ""
}

// specific reads hookSpecificOutput. It may name another event.
func (d decoder) specific(raw []byte, allowed []string) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "hookSpecificOutput is not an object"
	}
	if name, _ := o.Get("hookEventName"); ordjson.KindOf(name) != ordjson.StringKind {
		return "hookSpecificOutput has no hookEventName"
	}
	for _, m := range o {
		if m.Name != "hookEventName" && !slices.Contains(allowed, m.Name) {
			return "unknown field " + strconv.Quote("hookSpecificOutput."+m.Name)
		}
	}
	d.Reply.Context = o.Str("additionalContext")
	if raw, ok := o.Get("updatedMCPToolOutput"); ok && string(raw) != "null" {
		return "updatedMCPToolOutput is not supported"
	}
	if raw, ok := o.Get("decision"); ok {
		return d.request(raw)
	}
	return d.permission(o, o.Str("permissionDecision"), o.Str("permissionDecisionReason"))
}

func (d decoder) permission(o ordjson.Object, word, reason string) (bad string) {
	raw, rewrites := o.Get("updatedInput")
	rewrites = rewrites && string(raw) != "null"
	switch {
	case word == "" && reason != "":
		return "permissionDecisionReason without permissionDecision is not supported"
	case rewrites && word != "allow":
		return "updatedInput needs permissionDecision allow"
	case word == "":
	case word == "allow" && !rewrites, word != "allow" && word != "deny":
		return "permissionDecision " + strconv.Quote(word) + " is not supported"
	case word == "deny" && strings.TrimSpace(reason) == "":
		return "a denial needs permissionDecisionReason"
	case word == "deny":
		d.Reply.Verdict, d.Reply.Reason = schema.Deny, reason
	default:
		in, err := ordjson.Members(raw, 0)
		if err != nil {
			return "updatedInput is not an object"
		}
		return d.newInput(in)
	}
	return ""
}

// newInput reads a rewritten input: for a command or a patch only its text counts, and without it the call fails.
func (d decoder) newInput(in ordjson.Object) (bad string) {
	d.Reply.InputView = d.View
	row := profile.Tool(d.View.Tool)
	if row == nil || row.Replaces == 0 {
		d.Reply.Input = d.Agent.ReadNewInput(in, d.View)
		return ""
	}
	raw, _ := in.Get("command")
	if ordjson.KindOf(raw) != ordjson.StringKind {
		d.Reply.Verdict, d.Reply.Reason = schema.Deny, "A hook returned updatedInput without the text of a command."
		return ""
	}
	d.Reply.Input = schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: raw}}
	return ""
}

func (d decoder) request(raw []byte) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "decision is not an object"
	}
	o = slices.DeleteFunc(slices.Clone(o), func(m ordjson.Member) bool { return string(m.Value) == "null" })
	known, extra, bad := family.Pick(o, []family.Part{{Name: "behavior", Shape: family.Text},
		{Name: "message", Shape: family.Text}, {Name: "interrupt", Shape: family.Flag}})
	switch behavior, interrupt := known.Str("behavior"), known.Value("interrupt"); {
	case bad != "":
		return "decision." + bad
	case len(extra) > 0:
		return "decision." + extra[0].Name + " is not supported"
	case string(interrupt) == "true":
		return "decision.interrupt is not supported"
	case behavior == "allow":
		d.Reply.Verdict = schema.Allow
	case behavior == "deny":
		d.Reply.Verdict, d.Reply.Reason = schema.Deny, known.Str("message")
	default:
		return "decision.behavior is neither allow nor deny"
	}
	return ""
}
