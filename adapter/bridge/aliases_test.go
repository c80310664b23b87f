package bridge

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
)

// TestAliases checks a guard on a tool without a kind. It runs if the host has the tool under another name and the
// host's own matchers accept the guard's name.
func TestAliases(t *testing.T) {
	tried := 0
	for _, host := range lawDialects() {
		for _, own := range lawOwners() {
			if adapter.SameAgent(host, own) {
				continue
			}
			for _, row := range host.Profile().Tools {
				i := slices.IndexFunc(row.Aliases, func(alias string) bool {
					return slices.Contains(own.Profile().PlainTools, alias)
				})
				if len(row.Kinds) > 0 || len(row.Also) > 0 || i < 0 {
					continue
				}
				tried++
				guardHolds(t, host, own, row.Aliases[i], sample.Event{Tool: row.Name, Input: []byte(`{"x":1}`)})
			}
		}
	}
	if tried == 0 {
		t.Error("no agent has such a tool")
	}
}
