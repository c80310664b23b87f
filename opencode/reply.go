package opencode

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// answer is what the plugin reads: names and shapes are Claude Code's where OpenCode has
// the thing.
var answer = family.AnswerRules{
	Top: []family.Part{
		{Name: protocolField, Shape: family.Number}, {Name: "continue", Shape: family.Flag},
		{Name: "stopReason", Shape: family.Text},
		{Name: "decision", Shape: family.Text, Words: []string{"allow", "approve", "ask", "deny", "block"}},
		{Name: "reason", Shape: family.Text},
		{Name: "systemMessage", Shape: family.Text}, {Name: "hookSpecificOutput", Shape: family.Struct},
	},
	Specific: []family.Part{
		{Name: "permissionDecision", Shape: family.Text, Words: []string{"allow", "ask", "deny"},
			Feature: schema.EffectAllow, Except: []schema.Event{schema.PermissionRequest}},
		{Name: "permissionDecisionReason", Shape: family.Text, Feature: schema.EffectAllow},
		{Name: "updatedInput", Shape: family.Struct, Feature: schema.EffectInput},
		{Name: "additionalContext", Shape: family.Text, Feature: schema.EffectContext},
		{Name: "updatedToolOutput", Feature: schema.EffectOutput},
		{Name: "env", Shape: family.Struct, Feature: schema.EffectEnv},
		{Name: "decision", Shape: family.Request, On: []string{"PermissionRequest"}},
	},
	Decides: []schema.Event{schema.PreTool},
}

const (
	protocolField = "protocol"
	noReason      = "blocked by a hook"
)

// DecodeReply gives meaning to what an entry's command did, as the plugin does: exit
// code 0 and one object of its protocol. All else is a failure, which refuses where the
// entry says so.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	dec := d.Decoder(h, v)
	if ends.Report(h, res, &dec.Found) == process.Clean {
		if code, bad := read(dec, res); bad != "" {
			dec.Add(code, bad)
		}
	}
	r := &dec.Reply
	switch deny := dec.Row.Blocks == schema.EffectDeny; {
	case len(dec.Found) > 0:
		dec.Void()
		if h.Fail == schema.FailClosed && deny {
			dec.Block("hookbridge: " + dec.Found[0].Message)
		}
	case r.EndTurn && deny:
		r.Verdict, r.Reason = schema.Deny, cmp.Or(r.EndReason, r.Reason, noReason)
	}
	dec.Sweep()
	return dec.Reply, dec.Found
}

var ends = dialect.Ends{process.Killed: {Fails: true}, process.Refused: {Fails: true}, process.Failed: {Fails: true}}

func read(d *family.Decoder, res *process.Result) (code schema.Code, bad string) {
	o, _, err := ordjson.ParseLast(res.Stdout)
	if n, _ := ordjson.Int(o.Value(protocolField)); err != nil {
		return schema.CodeBadAnswer, "the answer is not a JSON object"
	} else if n != Protocol {
		return schema.CodeBadSchema, "the answer is of another protocol"
	}
	return schema.CodeBadSchema, d.Object(o)
}

// decide applies the decision at the top, and permissionDecision: a plugin can't ask, so
// a question is a refusal.
func decide(d *family.Decoder, word, reason string, specific ordjson.Object) string {
	verdict := family.PlainVerdicts.Of(specific.Str("permissionDecision"))
	refused := verdict == schema.Ask || verdict == schema.Deny
	switch {
	case refused || slices.Contains([]string{"ask", "deny", "block"}, word):
		d.Block(cmp.Or(specific.Str("permissionDecisionReason"), reason, noReason))
	case verdict == schema.Allow:
		d.Reply.Verdict, d.Reply.Reason = verdict, specific.Str("permissionDecisionReason")
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

// Honors returns the effects that the plugin brings about for c.
func (d Dialect) Honors(c *schema.Call, _ *schema.Reply) schema.Feature {
	row := d.Row(c.Native)
	if row == nil {
		return 0
	}
	f := row.Honors
	if f&schema.EffectDeny != 0 {
		f |= schema.EffectUserReason
	}
	return f
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

// stamped is an answer with the version of the protocol.
func stamped(dst, answer []byte) []byte {
	w := ordjson.NewWriter(dst)
	w.Int(protocolField, Protocol)
	o, _ := ordjson.Members(answer, 0)
	for _, m := range o {
		if m.Name != protocolField {
			w.Raw(m.Name, m.Value)
		}
	}
	return w.Bytes()
}
