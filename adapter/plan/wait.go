package plan

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// How much longer the host waits than the hooks may take: for an entry that finds its hooks, and for the entry of a
// single hook.
const (
	Margin       = 10 * time.Second
	SingleMargin = 5 * time.Second
)

// A Wait is how long the hooks of one call of hookbridge may take. They run in parallel, those of later events of a
// call after the others, or all one after the other if one of them is sequential.
type Wait struct {
	first, gates, sum time.Duration
	oneByOne          bool
}

// Add adds a hook with its timeout.
func (w *Wait) Add(of *dialect.Profile, h *schema.Hook, limit time.Duration) {
	w.sum += limit
	w.oneByOne = w.oneByOne || h.Sequential
	if row := of.Row(h.Native); row != nil && row.Follows() {
		w.gates = max(w.gates, limit)
		return
	}
	w.first = max(w.first, limit)
}

// AtLeast adds work that runs in parallel with the hooks.
func (w *Wait) AtLeast(limit time.Duration) { w.first = max(w.first, limit) }

// Total returns the time of all hooks.
func (w *Wait) Total() time.Duration {
	if w.oneByOne {
		return w.sum
	}
	return w.first + w.gates
}

// Entry returns the timeout of hookbridge's own entry, as far as the host grants it.
func (w *Wait) Entry() time.Duration { return max(w.Total()+Margin, time.Minute) }
