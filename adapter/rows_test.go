package adapter_test

import (
	"cmp"
	"reflect"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestRowsAreShared checks that a row of an event has no field for one agent alone, whose own behavior is a step in its
// package. The fields listed here belong to one agent, but shared code reads them.
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

// TestRowsAreKnown checks that no row has a version newer than its agent's newest known one: samples, reports and the
// versions that a user may name end with that one.
func TestRowsAreKnown(t *testing.T) {
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		if len(p.Known) == 0 {
			continue
		}

		newest := cmp.Or(p.Newest, p.Known[0])
		check := func(name, since string) {
			if !schema.Since(newest, since) {
				t.Errorf("%s: %s is of %s, and the newest version that is known is %s", p.Name, name, since, newest)
			}
		}
		for _, row := range p.Events {
			check(row.Native, row.Since)
		}
		for _, row := range p.Fields.All() {
			check(row.Name, row.Since)
		}
		for _, row := range p.Tools {
			check(row.Name, row.Since)
		}
	}
}
