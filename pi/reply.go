package pi

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Honors leaves out an allow: it means no more than no answer, as Pi asks for nothing.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	return family.ReasonAlone(c, r, d.Agent.Honors(c, r)&^schema.EffectAllow)
}
