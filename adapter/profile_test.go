package adapter_test

import (
	"reflect"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestOneAgentFields: what one agent alone does is a step of its dialect. At most twelve fields of a
// Profile are one agent's; each says in its comment why it isn't a step.
func TestOneAgentFields(t *testing.T) {
	const most = 12
	agents := map[string]map[string]bool{} // by field
	for _, d := range adapter.Dialects() {
		p := reflect.ValueOf(d.Profile()).Elem()
		for _, f := range reflect.VisibleFields(p.Type()) {
			if f.Anonymous || !f.IsExported() {
				continue
			}
			if agents[f.Name] == nil {
				agents[f.Name] = map[string]bool{}
			}
			if !p.FieldByIndex(f.Index).IsZero() {
				agents[f.Name][d.Profile().Name] = true
			}
		}
	}
	var ones []string
	for name, set := range agents {
		if len(set) == 1 {
			ones = append(ones, name)
		}
	}
	t.Logf("%v", ones)
	if len(ones) > most || len(agents) < 40 {
		t.Errorf("%d of %d fields are one agent's, at most %d may be: %v", len(ones), len(agents), most, ones)
	}
}
