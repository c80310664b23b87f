package inspect

import (
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// apart reports an entry of convert beside another one for the same agent, where the host makes less of two answers
// than of one that hookbridge merges.
func (x *examination) apart(own *schema.Hook, of []cmdline.Wrapping) []Problem {
	d, err := adapter.Find(of[0].Hooks)
	if err != nil {
		return nil
	}
	hooks := waitedFor(d, of)
	alone := len(hooks)
	for i := range x.own.Hooks {
		o := &x.own.Hooks[i]
		more := cmdline.Unwrap(o.Command)
		if o.Native == own.Native && o.Path != own.Path && len(more) > 0 && more[0].Hooks == of[0].Hooks {
			hooks = append(hooks, waitedFor(d, more)...)
		}
	}
	if alone == 0 || len(hooks) == alone || !plan.New(d, x.host).Together(own.Native, hooks) {
		return nil
	}
	host := x.host.Profile()
	return []Problem{{Weaker, schema.CodeManyAnswers, schema.Weaker, "other entries answer at " + own.Native +
		" too, and " + host.Title +
		" merges their answers otherwise than " + d.Profile().Title,
		"convert the hooks together, with hookbridge convert --from " + of[0].Hooks + " --to " + host.Full()}}
}

// waitedFor are the hooks that the wrappings are of, without those in the background.
func waitedFor(d dialect.Dialect, of []cmdline.Wrapping) (hooks []*schema.Hook) {
	for i := range of {
		h := of[i].Hook
		if row := d.Profile().Row(of[i].Event); row != nil && !h.Async && !h.Rewake {
			h.Native, h.Event = row.Native, row.Event
			hooks = append(hooks, &h)
		}
	}
	return hooks
}
