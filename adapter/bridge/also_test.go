package bridge

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestAlsoRaised checks that a call reaches the hooks of each other event that the agent raises for it, such as
// PostToolUse for a failed command.
func TestAlsoRaised(t *testing.T) {
	for _, d := range adapter.Dialects() {
		if d.Profile().HostOnly != "" { // its entries are hookbridge's own
			continue
		}
		for _, row := range d.Profile().Events {
			if row.Gate != nil || row.AlsoAs != schema.AlsoNamed {
				continue
			}
			for _, k := range row.AlsoFor {
				for _, e := range row.Also {
					c := &schema.Call{Dialect: "another", Event: e, Tool: schema.Tool{Kinds: []schema.Kind{k}}}
					shown := slices.ContainsFunc(d.Views(c), func(v schema.View) bool { return v.Event == row.Native })
					if k != schema.Other && !shown {
						t.Errorf("%s: a %v of %v isn't shown to hooks of %s: %v", d.Profile().Name, e, k, row.Native,
							d.Views(c))
					}
				}
			}
		}
	}
}
