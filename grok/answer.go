package grok

import (
	"bytes"
	"cmp"
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
	{Word: "approve", Verdict: schema.Allow}, {Word: "block", Verdict: schema.Deny}}

// DecodeReply interprets a hook's result (observed 1.0.41). A denial counts at every exit code. Exit code 2 also
// overrides an allow, and any other failure lets the call proceed.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := decoder{a.Decoder(h, v)}
	d.read(res)
	return d.Done()
}

type decoder struct{ *family.Decoder }

func (d decoder) read(res *process.Result) {
	rows := dialect.Ends{process.Late: {So: "; the call proceeds"}}
	o := d.Ended(&rows, res)
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
	if d.Reply.Verdict == schema.Deny && d.Reply.Reason == "" {
		d.Reply.Reason = "denied by a hook"
	}
	d.Reply.KeepGoing = schema.JoinText(d.Reply.KeepGoing, d.More)
}

// failed keeps only denials, questions and blocks; a stop event honors the whole answer (observed 1.0.41).
func (d decoder) failed(res *process.Result) {
	d.Add(schema.CodeHookFailed, "the hook failed: "+schema.FailureText(res.Exit, res.Signal, res.Stderr))
	if d.Row.Blocks == schema.EffectKeepGoing {
		return
	}
	d.Reply = schema.Reply{Verdict: d.Reply.Verdict, Reason: d.Reply.Reason}
	if d.Reply.Verdict == schema.Allow {
		d.Reply = schema.Reply{}
	}
}

// exit2 denies with the answer's own reason, or else with stderr (observed 1.0.41).
func (d decoder) exit2(stderr string) {
	said, stops := d.Reply, d.Row.Blocks == schema.EffectKeepGoing
	if !stops {
		d.Reply = schema.Reply{}
	}
	switch {
	case d.Row.Event == schema.PreTool:
		reason, _, _ := strings.Cut(stderr, "\n")
		if said.Verdict == schema.Deny {
			reason = cmp.Or(said.Reason, reason)
		}
		d.Reply = schema.Reply{Verdict: schema.Deny, Reason: cut(strings.TrimSpace(reason), 256)}
	case d.Row.Blocks == 0:
		d.BlocksNothing(stderr)
	case d.Blocked, stops && (said.EndTurn || d.More != ""):
	default:
		d.Blocked, d.Reason = true, stderr
		if stops {
			d.Reason = cmp.Or(stderr, "blocked by a hook")
		}
	}
}

func cut(s string, characters int) string {
	if r := []rune(s); len(r) > characters {
		return string(r[:characters])
	}
	return s
}

// output reads stdout, which counts as a whole; bad is the reason why it is void.
func (d decoder) output(out []byte) (bad string) {
	if len(out) == 0 || out[0] != '{' {
		return ""
	}

	o, _, err := ordjson.ParseLast(out)
	if err != nil {
		d.BadJSON(err)
		return ""
	}

	typed := func(parts []family.Part) []family.Part { // fields whose type the event checks
		return slices.DeleteFunc(slices.Clone(parts), func(p family.Part) bool {
			return p.On != nil && !slices.Contains(p.On, d.Row.Native)
		})
	}
	if string(o.Value("hookSpecificOutput")) == "[]" && slices.Contains(stops, d.Row.Native) { // counts as absent
		o.Take("hookSpecificOutput")
	}
	if _, _, bad := family.Pick(o, typed(top)); bad != "" {
		return bad
	}

	specific, _ := o.Members("hookSpecificOutput")
	if _, _, bad := family.Pick(specific, typed(inner)); bad != "" {
		return bad
	}
	word, reason := o.Str("decision"), strings.TrimSpace(o.Str("reason"))
	if d.Row.Event == schema.PreTool {
		word = cmp.Or(specific.Str("permissionDecision"), word)
		reason = cmp.Or(strings.TrimSpace(specific.Str("permissionDecisionReason")), reason)
		switch word := strings.TrimSpace(word); { // no opinion, and nothing else counts
		case word == "defer":
			return ""
		case word != "" && verdicts.Of(word) == schema.NoOpinion:
			d.Add(schema.CodeBadAnswer, "the decision is unknown")
			return ""
		}
	}
	d.decide(word, reason)
	d.take(o, specific)
	return ""
}

func (d decoder) decide(word, reason string) {
	switch verdict := verdicts.Of(strings.TrimSpace(word)); {
	case word == "":
	case d.Row.Event == schema.PreTool:
		d.Reply.Verdict, d.Reply.Reason = verdict, reason
	case word == "block" && d.Row.Blocks != 0:
		d.Blocked, d.Reason = true, cmp.Or(reason, "blocked by a hook")
	default:
		d.Ignored |= schema.EffectDeny
	}
}

func (d decoder) take(o, specific ordjson.Object) {
	r := &d.Reply
	switch d.Row.Event {
	case schema.Stop, schema.SubagentStop:
		d.More = specific.Str("additionalContext")
		if on, ok := o.Bool("continue"); ok && !on {
			r.EndTurn, r.EndReason = true, o.Str("stopReason")
		}
		return
	}
	if r.Verdict == schema.Deny {
		specific.Take("updatedInput")
	}
	d.Take(specific, inner)
	name := "updatedToolOutput"
	if !specific.Has(name) && d.View.Kind == schema.MCP {
		name = "updatedMCPToolOutput"
	}
	if raw, ok := specific.Get(name); ok && string(raw) != "null" && d.Honors(schema.EffectOutput) {
		if r.Output = raw; ordjson.At(raw, shownText) != nil { // a command's result
			r.Output = ordjson.At(raw, shownText)
		}
	}
}

// The fields of an answer; one of another type voids it on the events that read it (observed 1.0.41).
var (
	stops = []string{"Stop", "SubagentStop"}
	top   = []family.Part{{Name: "decision", Shape: family.Text, Null: true},
		{Name: "reason", Shape: family.Text, Null: true},
		{Name: "hookSpecificOutput", Shape: family.Struct, Null: true, On: []string{"PreToolUse", "PostToolUse",
			"PostToolUseFailure", "Stop", "SubagentStop"}},
		{Name: "continue", Shape: family.Flag, Null: true, On: stops},
		{Name: "stopReason", Shape: family.Text, Null: true, On: stops}}
	inner = []family.Part{{Name: "permissionDecision", Shape: family.Text, Null: true, On: []string{"PreToolUse"}},
		{Name: "permissionDecisionReason", Shape: family.Text, Null: true, On: []string{"PreToolUse"}},
		{Name: "additionalContext", Shape: family.Text, Null: true, Feature: schema.EffectContext,
			On: []string{"PostToolUse", "Stop", "SubagentStop"}},
		{Name: "updatedInput", Feature: schema.EffectInput}}
)

// Honors returns the effects that Grok applies to c: none when the session ends.
func (a Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	if row == nil || row.Event == schema.Stop && c.Str(schema.FieldReason) == "shutdown" {
		return 0
	}
	f := row.Honors
	if f&schema.EffectDeny != 0 && row.Event != schema.PreTool { // its reason goes only to the model
		f |= schema.EffectUserReason
	}
	if r != nil && r.Output != nil && !takes(c.Tool.Kind(), r.Output) {
		f &^= schema.EffectOutput
	}
	return f
}

// takes reports whether a replaced result counts. For its own tools, the client accepts only the original result with
// changes; a command's has one text to change (observed 1.0.41).
func takes(tool schema.Kind, output []byte) bool {
	printed := ordjson.At(output, "/stdout") != nil
	return tool == schema.MCP || tool == schema.Shell && (printed || ordjson.KindOf(output) == ordjson.StringKind)
}

// AppendReply restores the description of a command if the hook left it out: otherwise the client treats the new input
// as a denial (observed 1.0.41).
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
