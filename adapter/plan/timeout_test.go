package plan

import (
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestLongestTimeout checks that no agent's entry gets an invalid timeout. A target grants at most what it can state,
// and a hook that needs more is reported.
func TestLongestTimeout(t *testing.T) {
	for _, from := range adapter.WithHooks() {
		for _, to := range adapter.Dialects() {
			longest := to.Profile().LongestTimeout
			for _, row := range from.Profile().Events {
				h := &schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand, Command: "x",
					Timeout: 1000 * time.Hour}
				if granted := to.Profile().Timeout(h); longest > 0 && granted > longest {
					t.Errorf("%s %s: %s", to.Profile().Name, row.Native, granted)
				}
				if severity, _ := CutShort(from, to, h); longest > 0 && from.Profile().Timeout(h) > longest &&
					severity == 0 {
					t.Errorf("%s to %s: %s isn't reported", from.Profile().Name, to.Profile().Name, row.Native)
				}
			}
		}
	}
}
