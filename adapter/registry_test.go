package adapter_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestRegistryNames: a line of the registry has its dialect's own name; otherwise no version of it is found.
func TestRegistryNames(t *testing.T) {
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		if found, err := adapter.Find(p.Name + "@" + p.Known[0]); err != nil || !adapter.SameAgent(found, d) {
			t.Errorf("%s@%s: %v", p.Name, p.Known[0], err)
		}
	}
}
