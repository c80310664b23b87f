package inspect

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// apart reports an entry of convert next to another one for the same agent. Their two answers have less effect on the
// host than one that hookbridge merges.
func (x *examination) apart(own *schema.Hook, of []cmdline.Wrapping) []Problem {
	d, err := adapter.Find(of[0].Hooks)
	if err != nil {
		return nil
	}
	hooks := waitedFor(d, of)
	alone := len(hooks)
	for i := range x.own.Hooks {
		o := &x.own.Hooks[i]
		more := cmdline.Unwrap(o.Command, o.Args)
		if o.Native == own.Native && o.Path != own.Path && len(more) > 0 && more[0].Hooks == of[0].Hooks {
			hooks = append(hooks, waitedFor(d, more)...)
		}
	}
	if alone == 0 || len(hooks) == alone || !x.planner(d).Together(own.Native, hooks) {
		return nil
	}
	host := x.host.Profile()
	return []Problem{{Weaker, schema.CodeManyAnswers, schema.Weaker, "other entries answer at " + own.Native +
		" too, and " + host.Title +
		" merges their answers otherwise than " + d.Profile().Title,
		"convert the hooks together, with hookbridge convert --from " + shell.Quote(of[0].Hooks) + " --to " +
			host.Full()}}
}

// overruled reports one of the host's own hooks at the event of an entry, if the host uses only one answer. That hook
// may allow a call that the entry's hook denies.
func (c *caller) overruled() []Problem {
	host, at := c.host.Profile(), c.host.Profile().Row(c.entry.Native)
	if row := c.d.Profile().Row(c.h.Native); at == nil || row == nil || row.Honors&schema.EffectDeny == 0 || c.h.Async {
		return nil
	}
	i := slices.IndexFunc(host.Lone, func(l dialect.LoneRow) bool {
		return l.On == at.Event && l.Effects&schema.EffectDeny != 0
	})
	if i < 0 {
		return nil
	}
	which := [...]string{"last", "first", "latest", "fastest"}[host.Lone[i].Pick]
	mine := c.d.Select(c.h)
	for i := range c.own.Hooks {
		o := &c.own.Hooks[i]
		foreign := cmdline.FindsHooks(o.Command, o.Args) || len(cmdline.Unwrap(o.Command, o.Args)) > 0
		if theirs := c.host.Select(o); o.Native == c.entry.Native && !o.Async && !foreign && mine.Meets(&theirs) {
			return []Problem{{Weaker, schema.CodeManyAnswers, schema.Weaker, host.Title + "'s own hook at " +
				c.placeOf(o) + " answers at " + c.entry.Native + " too, and the " + which + " answer counts",
				"deny the call at " + c.d.Profile().Generic(schema.PreTool) + " too, or let one hook do both"}}
		}
	}
	return nil
}

// waitedFor returns the hooks of the wrappings, except those in the background.
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
