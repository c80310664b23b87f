package letta

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// refusal is the field of hookbridge's own answers with the reason of a denial: the program then exits with code 2 and
// writes the reason to stderr. The client doesn't read the field.
const refusal = "hookbridge_refusal"

// answer lists the fields that are read.
var answer = family.AnswerRules{
	Top: []family.Part{{Name: refusal, Shape: family.Text}, {Name: "hookSpecificOutput", Shape: family.Struct},
		{Name: "additionalContext", Shape: family.Text}, {Name: "continue"}, {Name: "stopReason"}, {Name: "decision"},
		{Name: "reason"}},
	Specific: []family.Part{{Name: "updatedInput", Shape: family.Struct, Feature: schema.EffectInput},
		{Name: "additionalContext", Shape: family.Text, Feature: schema.EffectContext}},
}

// DecodeReply interprets a hook's result (observed 0.32.18): exit code 2 denies, and after a tool its stderr goes to
// the model. With exit code 0 new input and context are read from the whole stdout as one object. The client puts the
// hook's command before its text.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := a.Decoder(h, v)
	rows := dialect.Ends{process.Late: {So: "; Letta Code goes on"}, process.Killed: {Fails: true},
		process.Failed: {Fails: true}}
	stderr := strings.ToValidUTF8(string(res.Stderr), "\uFFFD")
	switch d.Ended(&rows, res) {
	case process.Refused:
		if d.Row.Blocks == 0 {
			d.BlocksNothing(stderr)
			break
		}
		d.Block(stderr)
	case process.Clean:
		output(d, family.Printed(res.Stdout))
	default:
		d.Reply.Feedback = a.failure(h, d.Row, res, strings.TrimSpace(stderr))
	}
	return d.Done()
}

// failure returns what the model sees of a hook after a tool that failed or timed out (observed 0.32.18).
func (a Dialect) failure(h *schema.Hook, row *schema.EventRow, res *process.Result, stderr string) string {
	if row.Event != schema.PostTool && row.Event != schema.PostToolFailure {
		return ""
	}
	if stderr == "" && res.TimedOut {
		stderr = "Hook timed out after " + strconv.FormatInt(a.Profile().Timeout(h).Milliseconds(), 10) + "ms"
	}
	if stderr == "" {
		return ""
	}
	return "Hook error: " + stderr
}

// output reads a hook's output.
func output(d *family.Decoder, text string) {
	o, _, err := ordjson.ParseLast([]byte(text))
	if reason, own := o.Text(refusal); own {
		d.Block(reason)
		return
	}
	if d.Row.Text != 0 {
		d.Reply.Context = text
		return
	}
	if err != nil {
		if text != "" && text[0] == '{' {
			d.BadJSON(err)
		}
		return
	}

	specific, _ := o.Members("hookSpecificOutput")
	d.UnknownVerdict(specific.Str("permissionDecision"))
	d.UnknownWord("decision", o.Str("decision"), "block", "approve", "allow", "deny")
	if o.Str("decision") == "block" || specific.Has("permissionDecision") || string(o.Value("continue")) == "false" {
		d.Ignored |= schema.EffectDeny
	}
	after := d.Row.Event == schema.PostTool || d.Row.Event == schema.PostToolFailure
	switch context := cmp.Or(specific.Str("additionalContext"), o.Str("additionalContext")); {
	case context != "" && after:
		d.Reply.Context = context
	case context != "":
		d.Ignored |= schema.EffectContext
	}
	d.Take(specific, answer.Specific[:1])
	_, d.Reply.Extra, _ = family.Pick(o, answer.Top)
}

// Honors returns the effects that Letta Code applies to c: nothing else counts with a denial. A payload of Stop
// identifies neither the session nor whether a hook has already made it continue, so hookbridge doesn't do that.
func (a Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	switch {
	case row == nil:
		return 0
	case r != nil && r.Verdict == schema.Deny:
		return row.Honors & refuse
	}
	return row.Honors &^ schema.EffectKeepGoing
}

// Asks returns false: Letta Code can't be made to ask.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// Replaces returns the fields of a rewritten input; others stay (observed 0.32.18).
func (a Dialect) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	roles, _ = a.Agent.Replaces(c)
	return roles, false
}

// fit returns a reply as it can be answered: feedback about a result becomes context.
func fit(_ *schema.EventRow, r *schema.Reply) *schema.Reply {
	out := *r
	out.Context, out.Feedback = schema.JoinText(r.Feedback, r.Context), ""
	return &out
}

// AppendReply writes r as the answer to c. If text is context, it writes only context.
func (a Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	row := a.Row(c.Native)
	switch {
	case row != nil && r.Verdict >= schema.Ask && row.Blocks == schema.EffectDeny:
		return append(dst, ordjson.AppendTexts(nil, refusal, family.OrReason(r.Reason))...)
	case row != nil && row.Text != 0:
		return append(dst, r.Context...)
	}
	return a.Agent.AppendReply(dst, c, r)
}

// Refuse writes the strictest answer for an event that may be unknown.
func (Dialect) Refuse(dst []byte, _, reason string) []byte {
	w := ordjson.NewWriter(dst)
	w.Bool("continue", false)
	w.String("reason", family.OrReason(reason))
	w.String(refusal, family.OrReason(reason))
	return w.Bytes()
}
