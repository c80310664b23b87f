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
	w, ok := cmdline.Unwrap(h.Command)
	if !ok {
		return false
	}
	d, err := adapter.Find(dialect.BaseName(w.Hooks))
	if err != nil {
		return false
	}
	res, _ := discover.Load(d, x.places, nil)
	return slices.ContainsFunc(res.Hooks, func(own schema.Hook) bool { return w.IsOf(&own) })
}

// copies lists the entries of the host that have the hook as convert writes it.
func (x *examination) copies(d dialect.Dialect, h *schema.Hook, native string) (list []*schema.Hook) {
	for i := range x.own.Hooks {
		own := &x.own.Hooks[i]
		if own.Native != native {
			continue
		}
		w, ok := cmdline.Unwrap(own.Command)
		if ok && dialect.BaseName(w.Hooks) == d.Profile().Name && w.IsOf(h) && len(x.selfProblem(x.host, own)) == 0 {
			list = append(list, own)
		}
	}
	return list
}
