package droid

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// endsRun is the exit code that ends the agent's run.
const endsRun = 3

// DecodeReply interprets a hook's result (observed 0.225.2). JSON counts at every exit code and even after a timeout.
// Exit code 2 denies, 3 ends the run, and any other lets the call proceed.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := decoder{a.Decoder(h, v)}
	rows := dialect.Ends{
		process.Late: {So: "; Droid goes on"}, process.Killed: {Fails: true},
		process.Failed: {Fails: res.Exit != endsRun}}
	end := d.Ended(&rows, res)
	if end != process.NotStarted {
		d.output(bytes.Trim(res.Stdout, " \t\r\n"), end == process.Clean)
	}
	if end != process.NotStarted && end != process.Late {
		d.exit(res, end == process.Refused)
	}
	return d.Done()
}

type decoder struct{ *family.Decoder }

// exit applies the exit code, which overrides the answer. If the answer objects too, its reason also counts (observed
// 0.225.2).
func (d decoder) exit(res *process.Result, refused bool) {
	stderr := strings.ToValidUTF8(strings.TrimSpace(string(res.Stderr)), "\uFFFD")
	objects := d.Row.Event == schema.PreTool && d.Reply.Verdict == schema.Deny || d.Reply.KeepGoing != ""
	switch {
	case refused && objects:
	case refused && d.Row.Blocks != 0:
		if d.Row.Blocks == schema.EffectDeny {
			d.Reply.Input = nil
		}
		d.Block(cmp.Or(stderr, "Tool execution blocked by hook"))
	case res.Exit == endsRun && d.Row.Event == schema.PromptSubmit, res.Exit == endsRun &&
		d.Row.Event == schema.PreCompact:
		d.Block(stderr)
	case res.Exit == endsRun && d.Row.Honors&schema.EffectEndTurn != 0:
		d.Reply.EndTurn, d.Reply.EndReason = true, stderr
	case refused:
		d.BlocksNothing(stderr)
	}
}

// output reads stdout, which counts as a whole; text counts only if the hook ended well.
func (d decoder) output(out []byte, clean bool) {
	o, _, err := ordjson.ParseLast(out)
	switch {
	case err == nil && out[0] != '{':
		d.BadJSON(errors.New("it starts with a byte order mark"))
	case err == nil:
		d.object(o)
	case len(out) > 0 && out[0] == '{':
		d.BadJSON(err)
	case d.Row.Text == schema.EffectContext && clean:
		d.Reply.Context = strings.ToValidUTF8(string(out), "\uFFFD")
	}
}

// object reads an answer: the client doesn't check types, and a value that it can't use counts as absent (observed
// 0.225.2).
func (d decoder) object(o ordjson.Object) {
	r := &d.Reply
	_, r.Extra, _ = family.Pick(o, family.Top)
	if string(o.Value("continue")) == "false" {
		d.stop(o.Str("stopReason"))
	}
	d.UnknownWord("decision", o.Str("decision"), "block", "approve")
	switch {
	case o.Str("decision") != "block":
	case d.Row.Blocks == schema.EffectKeepGoing:
		r.KeepGoing = family.Shown(o.Value("reason"))
	default:
		d.Ignored |= schema.EffectDeny
	}
	specific, _ := o.Members("hookSpecificOutput")
	d.specific(specific)
}

// stop applies continue: false.
func (d decoder) stop(reason string) {
	if d.Row.Event == schema.PromptSubmit {
		d.Block(reason)
		return
	}
	d.Reply.EndTurn, d.Reply.EndReason = true, reason
}

// specific reads hookSpecificOutput, whatever event it names. New input counts with an allow or without a decision.
func (d decoder) specific(o ordjson.Object) {
	r := &d.Reply
	d.UnknownVerdict(o.Str("permissionDecision"))
	if raw := o.Value("permissionDecision"); ordjson.Truthy(raw) {
		switch verdict := family.PlainVerdicts.Of(o.Str("permissionDecision")); {
		case d.Row.Event != schema.PreTool:
			d.Ignored |= schema.EffectDeny
		case verdict == schema.Ask:
			d.Ignored |= schema.EffectAsk
		default:
			r.Verdict, r.Reason = verdict, family.Shown(o.Value("permissionDecisionReason"))
		}
		if r.Verdict != schema.Allow {
			o.Take("updatedInput")
		}
	}
	d.Take(o, inner)
}

// inner are the fields of hookSpecificOutput that have an effect.
var inner = []family.Part{{Name: "additionalContext", Shape: family.Text, Feature: schema.EffectContext},
	{Name: "updatedInput", Shape: family.Struct, Feature: schema.EffectInput}}

// Honors returns the effects that Droid applies to c. Only exit code 2, which hookbridge doesn't use here, denies a
// compaction.
func (a Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	switch {
	case row == nil, row.Event == schema.PreCompact:
		return 0
	case row.Honors&schema.EffectDeny != 0 && (r == nil || r.Reason == "" || r.UserReason == r.Reason): // one reason
		return row.Honors | schema.EffectUserReason
	}
	return row.Honors
}

// Asks returns false: Droid can't be made to ask.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// fit returns a reply that JSON can express: feedback about a result becomes context, and a denied prompt ends the run.
func fit(row *schema.EventRow, r *schema.Reply) *schema.Reply {
	out := *r
	switch {
	case row.Event == schema.PostTool:
		out.Context, out.Feedback = schema.JoinText(r.Feedback, r.Context), ""
	case row.Event == schema.PromptSubmit && r.Verdict == schema.Deny:
		out.Verdict, out.Reason, out.UserReason = schema.NoOpinion, "", ""
		out.EndTurn, out.EndReason = true, cmp.Or(r.UserReason, r.Reason, "blocked by a hook")
	}
	return &out
}
