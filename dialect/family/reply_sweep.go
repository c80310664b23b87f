package family

import "github.com/hookbridge/hookbridge/schema"

// Sweep drops what the agent itself ignores on the event, and reports it.
func (d *Decoder) Sweep() {
	r := &d.Reply
	if d.Row.Honors&schema.EffectReason == 0 {
		r.Reason = "" // no word of it where the refusal alone counts
	}
	ignored := r.Uses() &^ d.Row.Honors
	r.Drop(ignored)
	if ignored |= d.Ignored; ignored != 0 {
		d.Add(schema.CodeIgnoredEffect, d.Row.Native+" ignores: "+ignored.String())
	}
}
