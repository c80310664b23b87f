package grok

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

var verdicts = family.Verdicts{{Word: "allow", Verdict: schema.Allow}, {Word: "deny", Verdict: schema.Deny},
	{Word: "ask", Verdict: schema.Ask},
	{Word: "defer", Verdict: schema.Defer}, {Word: "approve", Verdict: schema.Allow},
	{Word: "block", Verdict: schema.Deny}}

// DecodeReply gives meaning to what a hook did (observed 1.0.41): a denial counts at every
// exit code, exit code 2 also beats an allow, and any other failure lets the call proceed.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := decoder{a.Decoder(h, v)}
	d.read(res)
	d.Sweep()
	return d.Reply, d.Found
}

type decoder struct{ *family.Decoder }

func (d decoder) read(res *process.Result) {
	rows := dialect.Ends{process.Late: {So: "; Grok lets the call proceed"}}
	o := rows.Report(d.Hook, res, &d.Found)
	if o == process.NotStarted || o == process.Late {
		return
	}
	if bad := d.output(bytes.TrimSpace(res.Stdout)); bad != "" {
		d.Void()
		d.Add(schema.CodeBadSchema, bad)
	}
	switch o {
	case process.Refused:
		d.exit2(family.Printed(res.Stderr))
	case process.Failed, process.Killed:
		d.failed(res)
	}
	if d.Blocked && d.Row.Event != schema.PreTool {
		d.Block(d.Reason)
	}
	d.Reply.KeepGoing = schema.JoinText(d.Reply.KeepGoing, d.More)
}

// failed keeps what refuses: a denial, or the reason of a block.
func (d decoder) failed(res *process.Result) {
	d.Add(schema.CodeHookFailed, "the hook failed: "+schema.FailureText(res.Exit, res.Signal, res.Stderr))
	kept := schema.Reply{}
	if d.Reply.Verdict == schema.Deny {
		kept.Verdict, kept.Reason = schema.Deny, d.Reply.Reason
	}
	d.Reply, d.More = kept, ""
}

func (d decoder) exit2(stderr string) {
	switch {
	case d.Row.Event == schema.PreTool:
		reason, _, _ := strings.Cut(stderr, "\n")
		if reason = strings.TrimSpace(reason); reason == "" {
			reason = "denied by a hook (exit code 2)"
		}
		d.Reply = schema.Reply{Verdict: schema.Deny, Reason: cut(reason, 256)}
	case d.Row.Blocks == 0:
		d.BlocksNothing(stderr)
	default:
		d.Blocked, d.Reason = true, stderr
	}
}

func cut(s string, characters int) string {
	if r := []rune(s); len(r) > characters {
		return string(r[:characters])
	}
	return s
}

// output reads stdout, which counts as a whole; the result says what voids it.
func (d decoder) output(out []byte) (bad string) {
	if len(out) == 0 || out[0] != '{' {
		return ""
	}
	o, _, err := ordjson.ParseLast(out)
	if err != nil {
		d.BadJSON(err)
		return ""
	}
	known, _, specific, bad := family.PickAnswer(o, top, inner)
	if bad != "" {
		return bad
	}
	word, reason := specific.Str("permissionDecision"), specific.Str("permissionDecisionReason")
	if word == "" {
		word = known.Str("decision")
	}
	if reason == "" {
		reason = known.Str("reason")
	}
	d.decide(word, reason)
	d.take(known, specific)
	return ""
}

func (d decoder) decide(word, reason string) {
	switch verdict := verdicts.Of(word); {
	case word == "":
	case d.Row.Event == schema.PreTool && verdict == schema.NoOpinion:
		d.Add(schema.CodeBadAnswer, "unknown decision; Grok lets the call proceed")
	case d.Row.Event == schema.PreTool:
		if d.Reply.Verdict, d.Reply.Reason = verdict, reason; verdict == schema.Deny && reason == "" {
			d.Reply.Reason = "denied by a hook"
		}
	case word == "block" && d.Row.Blocks != 0:
		d.Blocked, d.Reason = true, reason
	default:
		d.Ignored |= schema.EffectDeny
	}
}

func (d decoder) take(known, specific ordjson.Object) {
	r := &d.Reply
	switch d.Row.Event {
	case schema.Stop, schema.SubagentStop:
		d.More = specific.Str("additionalContext")
		if on, ok := known.Bool("continue"); ok && !on {
			r.EndTurn, r.EndReason = true, known.Str("stopReason")
		}
		return
	}
	if r.Verdict == schema.Defer || r.Verdict == schema.Deny {
		specific.Take("updatedInput")
	}
	d.Take(specific, inner)
	name := "updatedToolOutput"
	if !specific.Has(name) && d.View.Kind == schema.MCP {
		name = "updatedMCPToolOutput"
	}
	if raw, ok := specific.Get(name); ok && d.Honors(schema.EffectOutput) {
		if r.Output = raw; ordjson.At(raw, shownText) != nil { // of a command's result
			r.Output = ordjson.At(raw, shownText)
		}
	}
}

// The members of an answer; one of another type voids it.
var (
	top = []family.Part{{Name: "decision", Shape: family.Text}, {Name: "reason", Shape: family.Text},
		{Name: "continue", Shape: family.Flag},
		{Name: "stopReason", Shape: family.Text}, {Name: "hookSpecificOutput", Shape: family.Struct}}
	inner = []family.Part{{Name: "permissionDecision", Shape: family.Text},
		{Name: "permissionDecisionReason", Shape: family.Text},
		{Name: "additionalContext", Shape: family.Text, Feature: schema.EffectContext},
		{Name: "updatedInput", Feature: schema.EffectInput}, {Name: "updatedToolOutput"},
		{Name: "updatedMCPToolOutput"}}
)

// Honors returns the effects that Grok acts on for c: nothing when the session ends.
func (a Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	if row == nil || row.Event == schema.Stop && c.Str(schema.FieldReason) == "shutdown" {
		return 0
	}
	f := row.Honors
	if f&schema.EffectDeny != 0 && row.Event != schema.PreTool { // whose reason goes to the model alone
		f |= schema.EffectUserReason
	}
	if r != nil && r.Output != nil && !takes(c.Tool.Kind(), r.Output) {
		f &^= schema.EffectOutput
	}
	if r != nil && r.Verdict == schema.Defer {
		f &^= schema.EffectInput
	}
	return f
}

// takes reports whether a replaced result counts: of a tool of its own the client takes only
// the result with changes, and a command's has one text to change (observed 1.0.41).
func takes(tool schema.Kind, output []byte) bool {
	printed := ordjson.At(output, "/stdout") != nil
	return tool == schema.MCP || tool == schema.Shell && (printed || ordjson.KindOf(output) == ordjson.StringKind)
}

// AppendReply keeps the description of a command whose hook left it out: without it the
// client takes the new input for a denial (observed 1.0.41).
func (a Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	if raw, ok := c.Tool.Input.Get(schema.RoleDescription); ok && r.Input != nil && c.Tool.Kind() == schema.Shell {
		if _, said := r.Input.Get(schema.RoleDescription); !said {
			full := *r
			full.Input = append(slices.Clone(r.Input), schema.Arg{Role: schema.RoleDescription, Raw: raw})
			r = &full
		}
	}
	return a.Agent.AppendReply(dst, c, r)
}

// DecodeMessage hides the origin's: transcripts have a form of their own, which no hook of
// the corpus reads.
func (Dialect) DecodeMessage() {}

// Holds hides the origin's: entries have no conditions.
func (Dialect) Holds() {}
