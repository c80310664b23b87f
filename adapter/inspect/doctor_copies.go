package inspect

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// isCopy reports whether a hook is the converted copy of one that its own agent still
// has, which is examined itself.
func (x *examination) isCopy(h *schema.Hook) bool {
	of := cmdline.Unwrap(h.Command)
	if len(of) == 0 {
		return false
	}
	d, err := adapter.Find(dialect.BaseName(of[0].Hooks))
	if err != nil {
		return false
	}
	res, _ := discover.Load(d, x.places, nil)
	return slices.ContainsFunc(res.Hooks, func(own schema.Hook) bool { return isOneOf(of, d, &own) })
}

// isOneOf reports whether a hook of d is one of those that an entry wraps.
func isOneOf(of []cmdline.Wrapping, d dialect.Dialect, h *schema.Hook) bool {
	return slices.ContainsFunc(of, func(w cmdline.Wrapping) bool {
		return dialect.BaseName(w.Hooks) == d.Profile().Name && w.IsOf(h)
	})
}

// copies lists the entries of the host that have the hook as convert writes it.
func (x *examination) copies(d dialect.Dialect, h *schema.Hook, native string) (list []*schema.Hook) {
	for i := range x.own.Hooks {
		own := &x.own.Hooks[i]
		if own.Native != native {
			continue
		}
		if isOneOf(cmdline.Unwrap(own.Command), d, h) && len(x.selfProblem(x.host, own)) == 0 {
			list = append(list, own)
		}
	}
	return list
}
