package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// unjudged reports whether a word that no table knows may have kept a guard of the call from running: one in a hook for
// the call's event, or one that may be a newer event. Another agent's event doesn't count, because several
// agents may read one file.
func unjudged(r *run, c *schema.Call) bool {
	row := r.hostRules.Row(c.Native)
	if row == nil || row.Blocks&schema.EffectDeny == 0 {
		return false
	}
	return slices.ContainsFunc(r.log.unknown, func(w schema.UnknownWord) bool {
		others := w.Name != "" && slices.ContainsFunc(adapter.Dialects(), func(d adapter.Dialect) bool {
			return d.Profile().Row(w.Name) != nil
		})
		return !others && (w.Event == 0 || w.Event == c.Event)
	})
}
