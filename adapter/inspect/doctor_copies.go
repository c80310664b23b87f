package inspect

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// isCopy reports whether a hook is the converted copy of one that its own agent still
// has, which is examined itself.
func (x *examination) isCopy(h *schema.Hook) bool {
	of := cmdline.Unwrap(h.Command, h.Args)
	if len(of) == 0 {
		return false
	}
	d, err := adapter.Find(dialect.BaseName(of[0].Hooks))
	if err != nil {
		return false
	}
	res, _ := survey.ForEntry(d, x.places, nil)
	return slices.ContainsFunc(res.Hooks, func(own schema.Hook) bool { return isOneOf(of, d, &own) })
}

// isOneOf reports whether a hook of d is one of those that an entry wraps.
func isOneOf(of []cmdline.Wrapping, d dialect.Dialect, h *schema.Hook) bool {
	return slices.ContainsFunc(of, func(w cmdline.Wrapping) bool {
		return dialect.BaseName(w.Hooks) == d.Profile().Name && w.IsOf(h)
	})
}

// copies lists the entries of the host that have the hook as convert writes it, and finds what keeps one of them from
// running.
func (b *bridged) copies(native string) (list []*caller, problem string) {
	wraps := func(call *cmdline.Call) bool { return isOneOf(call.Wrapped(), b.d, b.h) }
	for _, c := range b.callers(native, wraps) {
		if p := b.selfProblem(b.host, c.entry); len(p) > 0 {
			problem = p[0].Why
		} else if p := c.problem(); p != nil && p.Status == Never {
			problem = p.Why
		} else {
			list = append(list, c)
		}
	}
	return list, problem
}
