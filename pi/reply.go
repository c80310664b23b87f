package pi

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply gives meaning to what an entry's command did, as the extension does.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	return d.DecodeModuleReply(extension(), h, v, res)
}

// Honors leaves out an allow: it means no more than no answer, as Pi asks for nothing.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	return family.ReasonAlone(c, r, d.Agent.Honors(c, r)&^schema.EffectAllow)
}

// Asks reports that nothing makes Pi ask.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// AppendReply writes r as the answer to c.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	return extension().Stamp(dst, d.Agent.AppendReply(nil, c, r))
}

// Refuse writes the strictest answer to an event that may be unknown.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	return extension().Stamp(dst, d.Agent.Refuse(nil, native, reason))
}
