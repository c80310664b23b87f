package dialect

import (
	"math"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// A TimeoutRow is how long hooks may run: Default if they set no limit of their
// own, and at least Min and at most Max whatever they set. A zero Event or Handler
// means all; a zero Max for no maximum.
type TimeoutRow struct {
	Event             schema.Event
	Handler           schema.Handler
	Default, Min, Max time.Duration
}

// LongestTimer is the whole seconds that a client's runtime can wait for where its timers count milliseconds in 32
// bits.
const LongestTimer = math.MaxInt32 / 1000 * time.Second

// Timeout returns how long a hook may run; 0 is without limit.
func (p *Profile) Timeout(h *schema.Hook) time.Duration {
	limit := p.timeout(h)
	if p.LongestTimeout > 0 {
		limit = min(limit, p.LongestTimeout)
	}
	return limit
}

func (p *Profile) timeout(h *schema.Hook) time.Duration {
	for _, t := range p.Timeouts {
		if t.Event != 0 && t.Event != h.Event || t.Handler != 0 && t.Handler != h.Handler {
			continue
		}
		limit := h.Timeout
		if limit <= 0 {
			limit = t.Default
		}
		if limit = max(limit, t.Min); t.Max > 0 {
			limit = min(limit, t.Max)
		}
		return limit
	}
	return h.Timeout
}
