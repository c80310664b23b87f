package family

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// Sweep drops what the agent itself ignores on the event, and reports it.
func (d *Decoder) Sweep() {
	r := &d.Reply
	if d.Row.Honors&schema.EffectReason == 0 {
		r.Reason = "" // no word of it where the refusal alone counts
	}
	ignored := r.Uses() &^ d.Row.Honors
	drop(r, ignored)
	if ignored |= d.Ignored; ignored != 0 {
		d.Add(schema.CodeIgnoredEffect, d.Row.Native+" ignores: "+ignored.String())
	}
}

func drop(r *schema.Reply, f schema.Feature) {
	if f&(schema.EffectAllow|schema.EffectAsk|schema.EffectDefer|schema.EffectDeny) != 0 {
		r.Verdict, r.Reason = schema.NoOpinion, ""
	}
	for _, t := range []struct {
		f    schema.Feature
		text *string
	}{
		{schema.EffectReason, &r.Reason}, {schema.EffectContext, &r.Context}, {schema.EffectFeedback, &r.Feedback},
		{schema.EffectKeepGoing, &r.KeepGoing}, {schema.EffectNotice, &r.Notice}, {schema.EffectEndTurn, &r.EndReason},
	} {
		if f&t.f != 0 {
			*t.text = ""
		}
	}
	r.EndTurn = r.EndTurn && f&schema.EffectEndTurn == 0
	if f&schema.EffectInput != 0 {
		r.Input, r.InputView = nil, schema.View{}
	}
	if f&schema.EffectOutput != 0 {
		r.Output = nil
	}
	r.Others = slices.DeleteFunc(r.Others, func(o schema.Effect) bool { return o.Feature&f != 0 })
}
