package arch

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

func dialects() []adapter.Dialect { return adapter.Dialects() }

// TestEvents checks that every canonical event has a row somewhere, that no dialect names an event twice, and that
// every row has a source.
func TestEvents(t *testing.T) {
	used := map[schema.Event]bool{}
	for _, d := range dialects() {
		seen := map[string]bool{}
		for _, row := range d.Profile().Events {
			used[row.Event] = true
			switch {
			case seen[row.Native]:
				t.Errorf("%s: %s occurs twice", d.Profile().Name, row.Native)
			case row.Event == 0:
				t.Errorf("%s: %s has no canonical event", d.Profile().Name, row.Native)
			case row.Source == "" || row.Since == "":
				t.Errorf("%s: %s has no source or version", d.Profile().Name, row.Native)
			case row.Gate != nil && len(row.Kinds()) == 0:
				t.Errorf("%s: the gate %s has no kind of tool", d.Profile().Name, row.Native)
			case row.Match == schema.MatchField && row.MatchField == 0:
				t.Errorf("%s: %s does not say what matchers see", d.Profile().Name, row.Native)
			case row.Blocks != 0 && row.Honors&row.Blocks == 0, row.Text != 0 && row.Honors&row.Text == 0:
				t.Errorf("%s: %s gives a block or a text an effect that it does not honour", d.Profile().Name,
					row.Native)
			}
			seen[row.Native] = true
		}
	}
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		if !used[e] {
			t.Errorf("no dialect has %s", e)
		}
		if schema.ParseEvent(e.String()) != e {
			t.Errorf("%s cannot be parsed back", e)
		}
	}
}

// TestTools checks that every table can be read both ways. No tool name occurs twice, and an alias only if the tool has
// a kind. No argument occurs twice in one tool's input.
func TestTools(t *testing.T) {
	for _, d := range dialects() {
		seen := map[string]bool{}
		for _, row := range d.Profile().Tools {
			for i, n := range append([]string{row.Name}, row.Aliases...) {
				if seen[n] && (i == 0 || d.Profile().Tool(n).Kinds == nil) {
					t.Errorf("%s: the tool %s occurs twice", d.Profile().Name, n)
				}
				seen[n] = true
			}
			names := map[string]bool{}
			for _, a := range row.Input {
				if names[a.Name] && a.Lines != schema.FirstAndLast {
					t.Errorf("%s: %s has the member %s twice", d.Profile().Name, row.Name, a.Name)
				}
				names[a.Name] = true
			}
		}
	}
}

// TestCodes checks that codes are unique, ordered and documented.
func TestCodes(t *testing.T) {
	last := schema.Code("")
	for _, c := range schema.Codes() {
		if c.Code <= last {
			t.Errorf("%s stands after %s", c.Code, last)
		}
		if c.Title == "" || c.Text == "" || c.Severity == 0 {
			t.Errorf("%s is not documented", c.Code)
		}
		last = c.Code
	}
}
