package commandcode

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// The names of the fields that are read.
const (
	decisionField = "permissionDecision"
	reasonField   = "permissionDecisionReason"
	contextField  = "additionalContext"
)

// specific are the fields of hookSpecificOutput.
var specific = []family.Part{{Name: decisionField, Shape: family.Text}, {Name: reasonField, Shape: family.Text},
	{Name: contextField, Shape: family.Text, Feature: schema.EffectContext}}

// top returns the fields of the answer itself.
func top() []family.Part {
	own := []family.Part{{Name: "block", Shape: family.Flag}, {Name: contextField, Shape: family.Text}}
	return append(own, family.Top...)
}

// DecodeReply interprets a hook's result (package 1.64.0, each row observed). Exit code 2 denies a call and makes a
// stopping agent continue. An answer counts at exit code 0. With failClosed, every other end denies, and so does text
// that isn't an object.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := a.Decoder(h, v)
	rows := dialect.Ends{process.Late: {So: "; Command Code goes on"}, process.Killed: {Fails: true},
		process.Failed: {Fails: true}}
	end := d.Ended(&rows, res)
	out, stderr := family.Printed(res.Stdout), family.Printed(res.Stderr)
	o, _, err := ordjson.ParseLast(answerOf(res.Stdout))
	inner, _ := o.Members("hookSpecificOutput")
	gate := d.Row.Event == schema.PreTool || d.Row.Event == schema.Stop
	refused := end == process.Refused && gate
	broken := end != process.Clean || out != "" && err != nil

	switch {
	case end == process.NotStarted, end == process.Late:
		if h.Fail == schema.FailClosed {
			d.Block(d.Found[len(d.Found)-1].Message)
		}
		return d.Done()
	case refused:
		text := stderr
		if err != nil {
			text = cmp.Or(stderr, out)
		}
		d.Block(cmp.Or(inner.Str(reasonField), o.Str("reason"), text, "Hook exited with code 2"))
	case h.Fail == schema.FailClosed && broken:
		d.Block("Security hook failed (failClosed): " + cmp.Or(stderr, "unknown"))
	case end == process.Refused:
		d.BlocksNothing(stderr)
	case end == process.Clean && err == nil:
		decide(d, o, inner)
	}
	if out != "" && out[0] == '{' && end == process.Clean {
		d.BadJSON(err)
	}
	if end == process.Clean || refused { // nothing else of a failure counts
		take(d, o, inner)
	}
	return d.Done()
}

// answerOf returns stdout as JSON: without JavaScript's blanks around it, and unquoted if it is a string with JSON
// (package 1.64.0, parseJsonObject; observed).
func answerOf(stdout []byte) []byte {
	out := bytes.TrimFunc(stdout, func(r rune) bool { return r == '\uFEFF' || unicode.IsSpace(r) })
	if s, ok := ordjson.String(out); ok && ordjson.Check(out) == nil {
		return ordjson.TrimSpace([]byte(s))
	}
	return out
}

// decide applies an object's decision: before a tool only a denial, in either form, and otherwise a block.
func decide(d *family.Decoder, o, inner ordjson.Object) {
	blocks, _ := o.Bool("block")
	word := inner.Str(decisionField)
	if d.Row.Event == schema.PreTool {
		d.UnknownVerdict(word)
		if o.Str("decision") == "block" || word == "ask" {
			d.Ignored |= schema.EffectDeny
		}
		if word == "deny" || blocks {
			d.Block(cmp.Or(inner.Str(reasonField), o.Str("reason"), "Blocked by hook"))
		}
		return
	}
	d.UnknownWord("decision", o.Str("decision"), "block", "approve")
	if blocks || o.Str("decision") == "block" {
		d.Block(cmp.Or(o.Str("reason"), d.Row.Native+" hook requested revision"))
	}
}

// take applies the other fields. Context replaces the reason of a denial and a complaint.
func take(d *family.Decoder, o, inner ordjson.Object) {
	d.Take(o, family.Top)
	if string(o.Value("continue")) == "false" {
		d.Reply.EndTurn, d.Reply.EndReason = true, o.Str("stopReason")
	}
	if inner.Has("updatedInput") {
		d.Ignored |= schema.EffectInput
	}
	text := cmp.Or(o.Str(contextField), inner.Str(contextField))
	_, d.Reply.Extra, _ = family.Pick(o, top())
	switch {
	case text == "":
	case d.Reply.Verdict == schema.Deny:
		d.Reply.Reason = text
	case d.Reply.Feedback != "":
		d.Reply.Feedback = text
	case d.Honors(schema.EffectContext):
		d.Reply.Context = text
	}
}

// Honors returns the effects that Command Code applies to c: context would replace the reason of a denial.
func (a Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	switch {
	case row == nil:
		return 0
	case r != nil && (r.Verdict == schema.Deny || r.KeepGoing != ""):
		return row.Honors &^ (schema.EffectContext | schema.EffectEndTurn)
	}
	return row.Honors
}

// Asks returns false: Command Code can't be made to ask.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// Replaces returns none: no input can be rewritten.
func (Dialect) Replaces(*schema.Call) (roles schema.Roles, whole bool) { return 0, false }

// fit returns a reply that a single text can express: feedback about a result is joined with its context.
func fit(row *schema.EventRow, r *schema.Reply) *schema.Reply {
	if row.Event != schema.PostTool || r.Feedback == "" || r.Context == "" {
		return r
	}
	out := *r
	out.Feedback, out.Context = "", strings.Join([]string{r.Feedback, r.Context}, "\n")
	return &out
}
