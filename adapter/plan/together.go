package plan

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Together reports whether separate entries at one of the target's events may weaken the joint answer of hooks. The
// target lets one answer override a denial, keeps one of several answers, or runs the hooks in another order.
func (p *Planner) Together(native string, hooks []*schema.Hook) bool {
	from, to := p.from.Profile(), p.to.Profile()
	at := to.Row(native)
	var one, both schema.Feature // what one of the hooks may answer, and what two may
	inLine := from.Line != dialect.PassesInput
	for _, h := range hooks {
		if row := from.Row(h.Native); row != nil {
			one, both = one|row.Honors, both|one&row.Honors
		}
		inLine = inLine || h.Sequential
	}
	if at == nil || len(hooks) < 2 {
		return false
	}

	ordered := one&(schema.EffectInput|schema.EffectOutput) != 0 || both&schema.EffectDeny != 0
	otherLine := inLine != (to.Line != dialect.PassesInput) ||
		(from.Line == dialect.OwnInput) != (to.Line == dialect.OwnInput)
	if ordered && (otherLine || p.follow(hooks)) {
		return true
	}

	for _, row := range to.Lone {
		less := both & row.Effects
		if row.On != at.Event || less == 0 {
			continue
		}
		if less&schema.EffectDeny != 0 {
			return true
		}
		for _, own := range from.Lone { // if its agent picks one at random, or picks the same, nothing is lost
			if own.On == hooks[0].Event && (own.Pick >= dialect.PickLate || own.Pick == row.Pick) {
				less &^= own.Effects
			}
		}
		if less != 0 {
			return true
		}
	}

	return false
}

// follow reports whether one hook is for a later event of a call than another, which may change the call first.
func (p *Planner) follow(hooks []*schema.Hook) bool {
	row := func(h *schema.Hook) *schema.EventRow { return p.from.Profile().Row(h.Native) }
	return slices.ContainsFunc(hooks, func(later *schema.Hook) bool {
		at := row(later)
		return at != nil && at.Follows() && slices.ContainsFunc(hooks, func(h *schema.Hook) bool {
			if own := row(h); own == nil || own.Follows() {
				return false
			}
			sel := p.Route(h).kindsOf()
			return at.Gate == nil || sel.All || sel.Search != "" ||
				slices.ContainsFunc(sel.Picks, func(x schema.Pick) bool { return slices.Contains(at.Kinds(), x.Kind) })
		})
	})
}
