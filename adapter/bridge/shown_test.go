package bridge

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/schema"
)

// TestShownAs checks guards on a tool if their host raises a separate event for the same thing, such as a command in
// the text of a skill. The guard must decide there and have an entry there.
func TestShownAs(t *testing.T) {
	tried := 0
	for _, host := range lawDialects() {
		for _, row := range host.Profile().Events {
			for _, kind := range row.AlsoFor {
				if row.AlsoAs != schema.AlsoForeign || !slices.Contains(row.Also, schema.PreTool) {
					continue
				}
				for _, own := range lawOwners() {
					tool := own.Profile().ToolOfKind(kind)
					if adapter.SameAgent(host, own) || tool == nil {
						continue
					}
					tried++
					guardHolds(t, host, own, tool.Name, sample.Event{Event: row.Native})
					hasPlaceAt(t, host, own, row.Native, tool.Name)
				}
			}
		}
	}
	if tried < len(lawOwners())-1 {
		t.Errorf("%d agents tried", tried)
	}
}

// hasPlaceAt checks that a guard on a tool has an entry at an event of the host.
func hasPlaceAt(t *testing.T, host, own adapter.Dialect, native, tool string) {
	t.Helper()
	h := schema.Hook{Event: schema.PreTool, Native: own.Profile().Generic(schema.PreTool), Matcher: tool,
		HasMatcher: true, Handler: schema.HandlerCommand, Command: "guard"}
	becomes := plan.New(own, host).Outcome(&h, true)
	if !slices.ContainsFunc(becomes.Entries(), func(e schema.Entry) bool {
		return e.Native == native
	}) {
		t.Errorf("hooks of %s on %s under %s: no entry at %s", own.Profile().Name, tool, host.Profile().Name, native)
	}
}
