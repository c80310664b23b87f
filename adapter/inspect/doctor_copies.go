package inspect

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// isCopy reports whether a hook is the converted copy of a hook that its own agent still has, and that is examined
// separately.
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

// isOneOf reports whether an entry wraps a hook of d.
func isOneOf(of []cmdline.Wrapping, d dialect.Dialect, h *schema.Hook) bool {
	return slices.ContainsFunc(of, func(w cmdline.Wrapping) bool {
		return dialect.BaseName(w.Hooks) == d.Profile().Name && w.IsOf(h)
	})
}

// copies returns the host's entries that contain the hook as convert writes it.
func (b *bridged) copies(native string) (list []*caller, problem Problem) {
	return b.runningOf(native, func(call *cmdline.Call) bool { return isOneOf(call.Wrapped(), b.d, b.h) })
}
