package opencode

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

const protocolField = "protocol"

// answerOf is what the plugin reads: Claude Code's answer with the protocol, variables, and
// more words for a refusal.
func answerOf(origin family.AnswerRules) family.AnswerRules {
	origin.Top = append([]family.Part{{Name: protocolField, Shape: family.Number},
		{Name: "decision", Shape: family.Text, Words: append([]string{"allow", "approve"}, refusals...)}},
		origin.Top...)
	origin.Specific = append(slices.Clip(origin.Specific),
		family.Part{Name: "env", Shape: family.Struct, Feature: schema.EffectEnv})
	origin.Silent, origin.Verdicts = nil, nil
	return origin
}

// refusals are the words that refuse: a plugin can't ask the user.
var refusals = []string{"ask", "deny", "block"}

const noReason = "blocked by a hook"

// DecodeReply gives meaning to what an entry's command did, as the plugin does: exit
// code 0 and one object of its protocol. All else is a failure, which refuses where the
// entry says so.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	dec := d.Decoder(h, v)
	if ends.Report(h, res, &dec.Found) == process.Clean {
		read(dec, res)
	}
	r := &dec.Reply
	switch deny := dec.Row.Blocks == schema.EffectDeny; {
	case len(dec.Found) > 0:
		dec.Void()
		if h.Fail == schema.FailClosed && deny {
			dec.Block("hookbridge: " + dec.Found[0].Message)
		}
	case r.EndTurn && deny:
		r.Verdict, r.Reason = schema.Deny, bothReasons(r)
	}
	dec.Sweep()
	return dec.Reply, dec.Found
}

// bothReasons are those of a refusal that also ends the turn: OpenCode has one text for both.
func bothReasons(r *schema.Reply) string {
	switch {
	case r.Reason == "", r.Reason == noReason, r.Reason == r.EndReason:
		return cmp.Or(r.EndReason, noReason)
	}
	return schema.JoinText(r.Reason, r.EndReason)
}

var ends = dialect.Ends{process.Killed: {Fails: true}, process.Refused: {Fails: true}, process.Failed: {Fails: true}}

func read(d *family.Decoder, res *process.Result) {
	o, _, err := ordjson.ParseLast(res.Stdout)
	if err != nil {
		d.Add(schema.CodeBadAnswer, "the answer is not a JSON object")
		return
	}
	bad := "the answer is of another protocol"
	if n, _ := ordjson.Int(o.Value(protocolField)); n == Protocol {
		bad = d.Object(o)
	}
	if bad != "" {
		d.Add(schema.CodeBadSchema, bad)
	}
}

// decide applies the decision at the top, and permissionDecision.
func decide(d *family.Decoder, word, reason string, specific ordjson.Object) string {
	permission, why := specific.Str("permissionDecision"), specific.Str("permissionDecisionReason")
	switch {
	case slices.Contains(refusals, permission), slices.Contains(refusals, word):
		d.Block(cmp.Or(why, reason, noReason))
	case permission == "allow":
		d.Reply.Verdict, d.Reply.Reason = schema.Allow, why
	}
	return ""
}

func take(d *family.Decoder, name string, raw []byte) bool {
	if name != "env" {
		return false
	}
	o, _ := ordjson.Members(raw, 0)
	for _, m := range o {
		value, _ := ordjson.String(m.Value)
		d.Reply.Env = append(d.Reply.Env, schema.EnvVar{Name: m.Name, Value: value})
	}
	return true
}

// fit is a reply with its variables as the encoder has them.
func fit(_ *schema.EventRow, r *schema.Reply) *schema.Reply {
	if len(r.Env) == 0 {
		return r
	}
	out := *r
	out.Others = append(slices.Clone(r.Others), schema.Effect{Feature: schema.EffectEnv, Raw: family.AppendVars(r.Env)})
	return &out
}

// output is a replaced result: a text, in the place of the whole.
func output(_ *family.Agent, _ *schema.Call, raw []byte) (name string, value []byte) {
	return "updatedToolOutput", ordjson.AppendString(nil, family.TextOf(raw))
}

// Asks reports that nothing makes OpenCode ask.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// AppendReply writes r as the answer to c.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	return stamped(dst, d.Agent.AppendReply(nil, c, r))
}

// Refuse writes the strictest answer to an event that may be unknown.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	return stamped(dst, d.Agent.Refuse(nil, native, reason))
}

// stamped is an answer, which is an object, with the version of the protocol.
func stamped(dst, answer []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"`+protocolField+`":`...), Protocol, 10)
	if len(answer) > len("{}") {
		dst = append(dst, ',')
	}
	return append(dst, answer[1:]...)
}
