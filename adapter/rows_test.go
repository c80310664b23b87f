package adapter_test

import (
	"reflect"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestRowsAreShared holds that a row of an event has no field of one agent alone: what one agent does is a step in its
// package. The fields that stand here are one agent's, and shared code asks them.
func TestRowsAreShared(t *testing.T) {
	alone := map[string]string{
		"Gate":       "plans and relays of every other agent depend on which tools a gate of Cursor is about",
		"MatchConst": "Kimi Code's is the empty text",
	}
	users := map[string]map[string]bool{}
	for _, d := range adapter.Dialects() {
		for _, row := range d.Profile().Events {
			v := reflect.ValueOf(row)
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if users[name] == nil {
					users[name] = map[string]bool{}
				}
				if !v.Field(i).IsZero() {
					users[name][d.Profile().Name] = true
				}
			}
		}
	}

	for name, agents := range users {
		if one := len(agents) < 2; one != (alone[name] != "") {
			t.Errorf("EventRow.%s: %d agents state it; listed as one agent's: %v", name, len(agents), !one)
		}
	}
}
