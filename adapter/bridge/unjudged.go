package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// unjudged returns what may have kept a guard from judging the call, "" if nothing has. Hooks can't see what its tool
// acts on, or a hook for the call's event has an unknown word, which may also be a newer event. Another agent's event
// doesn't count, because several agents may read one file.
func unjudged(r *run, c *schema.Call, hooks []schema.Hook, blind bool) (why string) {
	row := r.hostRules.Row(c.Native)
	if row == nil || row.Blocks&schema.EffectDeny == 0 {
		return ""
	}

	guarded := slices.ContainsFunc(hooks, func(h schema.Hook) bool { return h.Event == c.Event })
	if blind && guarded {
		return "the call came without what its tool acts on"
	}

	newer := slices.ContainsFunc(r.from.unknown, func(w schema.UnknownWord) bool {
		others := w.Name != "" && slices.ContainsFunc(adapter.Dialects(), func(d adapter.Dialect) bool {
			return d.Profile().Row(w.Name) != nil
		})
		return !others && (w.Event == 0 || w.Event == c.Event)
	})
	if newer {
		return "a hook file has a word that this version of hookbridge doesn't know"
	}
	return ""
}
