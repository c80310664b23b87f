package adapter

import (
	"cmp"
	"iter"

	"github.com/hookbridge/hookbridge/schema"
)

// EventRows lists every event of every dialect.
func EventRows() iter.Seq2[Dialect, *schema.EventRow] {
	return func(yield func(Dialect, *schema.EventRow) bool) {
		for _, d := range Dialects() {
			for i := range d.Profile().Events {
				if !yield(d, &d.Profile().Events[i]) {
					return
				}
			}
		}
	}
}

// EventOf finds an event by its canonical name or any agent's own name, or 0.
func EventOf(name string) schema.Event {
	for _, row := range EventRows() {
		if row.Native == name {
			return row.Event
		}
	}
	return schema.ParseEvent(name)
}

// EventNamed finds the event of a dialect that the user means: by its own name, by the canonical one, or by another
// dialect's name for it, or nil.
func EventNamed(d Dialect, name string) *schema.EventRow {
	p := d.Profile()
	return cmp.Or(p.Row(name), p.Row(p.Generic(cmp.Or(schema.ParseEvent(name), EventOf(name)))))
}
