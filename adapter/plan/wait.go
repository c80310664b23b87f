package plan

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// How much longer the host waits than the hooks may take: for an entry that finds
// them, and for the one of a single hook.
const (
	Margin       = 10 * time.Second
	SingleMargin = 5 * time.Second
)

// A Wait is how long hooks may take for which hookbridge is called once. It runs them
// at the same time, those of later events of a call after the others, and all of them one after the
// other if one asks for it.
type Wait struct {
	first, gates, sum time.Duration
	oneByOne          bool
}

// Add counts a hook with its time limit.
func (w *Wait) Add(of *dialect.Profile, h *schema.Hook, limit time.Duration) {
	w.sum += limit
	w.oneByOne = w.oneByOne || h.Sequential
	if row := of.Row(h.Native); row != nil && row.Follows() {
		w.gates = max(w.gates, limit)
		return
	}
	w.first = max(w.first, limit)
}

// AtLeast counts what takes a time of its own beside the hooks.
func (w *Wait) AtLeast(limit time.Duration) { w.first = max(w.first, limit) }

// Total is the time of all hooks.
func (w *Wait) Total() time.Duration {
	if w.oneByOne {
		return w.sum
	}
	return w.first + w.gates
}

// Entry is the time limit of hookbridge's own entry, as far as the host grants it.
func (w *Wait) Entry() time.Duration { return max(w.Total()+Margin, time.Minute) }
