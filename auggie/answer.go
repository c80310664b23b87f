package auggie

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// answer are the fields of an answer; others have no effect, and one value of a wrong type voids all of it.
var answer = family.AnswerRules{
	Top: []family.Part{{Name: "continue", Shape: family.Flag}, {Name: "stopReason", Shape: family.Text},
		{Name: "suppressOutput", Shape: family.Flag}, {Name: "decision", Shape: family.Text},
		{Name: "reason", Shape: family.Text}, {Name: "systemMessage", Shape: family.Text},
		{Name: "additionalContext", Shape: family.Text}, {Name: "hookSpecificOutput", Shape: family.Struct}},
	Specific: []family.Part{{Name: "permissionDecision", Shape: family.Text},
		{Name: "permissionDecisionReason", Shape: family.Text},
		{Name: "updatedInput", Shape: family.Struct, Feature: schema.EffectInput},
		{Name: "additionalContext", Shape: family.Text, Feature: schema.EffectContext}},
	Decides: []schema.Event{schema.PreTool},
}

// DecodeReply interprets a hook's result. Exit code 2 blocks with stderr as the reason. JSON counts only with exit code
// 0 or after a signal (observed 0.36.0, package: code||0). Any other end is a failure.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := decoder{a.Decoder(h, v)}
	silent := len(ordjson.TrimSpace(res.Stdout)) == 0
	rows := dialect.Ends{process.Killed: {Fails: silent, So: "; the call proceeds"},
		process.Failed: {Fails: true, So: failing}, process.Late: {So: failing}, process.NotStarted: {So: failing}}
	switch d.Ended(&rows, res) {
	case process.Refused:
		d.refused(res)
	case process.Clean, process.Killed:
		d.read(res.Stdout)
	}
	return d.Done()
}

// failing is the effect of one hook's failure.
const failing = "; the call proceeds, also past the JSON denial of another hook"

type decoder struct{ *family.Decoder }

// refused handles exit code 2, which JSON with "continue": true lifts.
func (d decoder) refused(res *process.Result) {
	o, _, err := ordjson.ParseLast(ordjson.TrimBOM(ordjson.TrimSpace(res.Stdout)))
	if goes, _ := o.Bool("continue"); err == nil && goes {
		d.Add(schema.CodeIgnoredEffect, `"continue": true on stdout lifts exit code 2`)
		return
	}
	stderr := family.Printed(res.Stderr)
	switch {
	case d.Row.Blocks == 0:
		d.BlocksNothing(stderr)
	case stderr == "":
		d.Block("[hook:" + d.Row.Native + "]: Hook blocked execution (no error message provided)")
	default:
		d.Block("[hook:" + d.Row.Native + "]: " + stderr)
	}
}

// read reads stdout, which must be one object.
func (d decoder) read(out []byte) {
	out = ordjson.TrimSpace(ordjson.TrimBOM(ordjson.TrimSpace(out)))
	if len(out) == 0 {
		return
	}

	o, _, err := ordjson.ParseLast(out)
	if err != nil {
		if out[0] == '{' {
			d.BadJSON(err)
		}
		return
	}

	known, extra, bad := family.Pick(o, answer.Top)
	specific, named := ordjson.Object(nil), true
	if raw, ok := known.Get("hookSpecificOutput"); ok && bad == "" {
		all, _ := ordjson.Members(raw, 0)
		if name, _ := all.Text("hookEventName"); name == "" {
			named, bad = false, "hookSpecificOutput has no hookEventName"
		}
		if named {
			specific, _, bad = family.Pick(all, answer.Specific)
		}
	}
	if bad != "" {
		d.Add(schema.CodeBadSchema, bad)
		return
	}
	d.Reply.Extra = extra
	d.decide(known, specific)
}

// decide applies a valid answer.
func (d decoder) decide(known, specific ordjson.Object) {
	r := &d.Reply
	word := specific.Str("permissionDecision")
	stops := string(known.Value("continue")) == "false"
	switch {
	case d.Row.Event == schema.PreTool && word == "deny":
		r.Verdict, r.Reason = schema.Deny, specific.Str("permissionDecisionReason")
	case d.Row.Event == schema.PreTool && stops:
		r.Verdict = schema.Deny
	case d.Row.Event == schema.PreTool && word == "allow":
		r.Verdict = schema.Allow
	case d.Row.Event == schema.PreTool && word == "ask":
		d.Ignored |= schema.EffectAsk
	case d.Row.Event == schema.PreTool:
		d.UnknownVerdict(word)
	case stops && known.Str("decision") == "block" && d.Row.Blocks == schema.EffectFeedback:
		r.Feedback = known.Str("reason")
	}
	d.Take(specific, answer.Specific)
	if d.Row.Event == schema.PostTool && r.Context == "" {
		r.Context = known.Str("additionalContext")
	}
}

// fit moves feedback to a field that the model reads: a block alone has no effect.
func fit(_ *schema.EventRow, r *schema.Reply) *schema.Reply {
	if r.Feedback == "" {
		return r
	}
	out := *r
	out.Context, out.Feedback = schema.JoinText(r.Context, r.Feedback), ""
	out.Others = slices.Clone(r.Others)
	return &out
}

// Honors leaves out an allow, which has the same effect as no answer.
func (a Dialect) Honors(c *schema.Call, _ *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	if row == nil {
		return 0
	}
	return row.Honors &^ schema.EffectAllow
}

// complete keeps the fields that only Auggie's tools have in a rewritten input, as the new input replaces the whole. A
// command without "wait" would run in the background.
func complete(c *schema.Call, in []byte) []byte {
	o, err := ordjson.Members(in, 0)
	if c.Tool.Kind() == schema.MCP || err != nil {
		return in
	}
	came, _ := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	for _, arg := range c.Tool.Input {
		own := arg.Role == schema.Rest || arg.Role == schema.RoleCwd || arg.Role == schema.RoleTimeout
		if own && !o.Has(arg.Name) {
			o = append(o, ordjson.Member{Name: arg.Name, Value: came.Value(arg.Name)})
		}
	}
	return o.Append(nil)
}
