package bridge

import (
	"github.com/hookbridge/hookbridge/schema"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
)

// fitAllow turns an allow that only means "no objection" into no opinion where
// the host would skip the user's permission prompt for it. A rewritten input
// stays: hosts apply it without a verdict, and their permission rules then look
// at the new input (observed in Claude Code 2.1.328 and qodercli 1.1.52).
func (r *run) fitAllow(reply *schema.Reply) {
	if reply.Verdict != schema.Allow || r.Allow == cmdline.AllowApprove || r.Host.Profile().Name == r.Hooks.Profile().Name ||
		!plan.AllowPasses(r.Host.Profile().Row(r.call.Native), r.allowedBy()) {
		return
	}
	dropVerdict(reply)
	r.note(schema.CodeAllowPassed, "allow means no objection in "+r.Hooks.Profile().Name+", so "+r.Host.Profile().Name+
		"'s own permission rules decide; --allow approve skips its prompt")
}

// allowedBy is the event at which a hook allowed the call; of several events the
// one whose allow means most.
func (r *run) allowedBy() (by *schema.EventRow) {
	for i := range r.runs {
		if r.runs[i].Async || r.runs[i].Reply.Verdict != schema.Allow {
			continue
		}
		row := r.Hooks.Profile().Row(r.runs[i].View.Event)
		if by == nil || row != nil && row.Allow > by.Allow {
			by = row
		}
	}
	return by
}
