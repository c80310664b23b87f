package opencode

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const protocolField = family.ProtocolField

// answerOf returns the rules for the plugin: Claude Code's answer with the protocol, variables, and more words for a
// denial.
func answerOf(origin family.AnswerRules) family.AnswerRules {
	origin = family.ModuleAnswer(origin)
	origin.Specific = append(slices.Clip(origin.Specific),
		family.Part{Name: "env", Shape: family.Struct, Feature: schema.EffectEnv})
	return origin
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

// fit returns a reply with its variables in the encoder's form.
func fit(_ *schema.EventRow, r *schema.Reply) *schema.Reply {
	if len(r.Env) == 0 {
		return r
	}
	out := *r
	out.Others = append(slices.Clone(r.Others), schema.Effect{Feature: schema.EffectEnv, Raw: family.AppendVars(r.Env)})
	return &out
}

// Honors leaves out effects that don't reach the model together with a denial.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	return family.ReasonAlone(c, r, d.Agent.Honors(c, r))
}
