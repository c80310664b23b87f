package main

import (
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// codeJSON is what explain says about a code.
func codeJSON(info schema.CodeInfo) []byte {
	a, _ := info.Code.Advice()
	w := ordjson.NewWriter(nil)
	w.String("code", string(info.Code))
	w.String("severity", info.Severity.String())
	w.String("title", info.Title)
	w.String("text", info.Text)
	w.String("do", a.Do)
	w.String("before", a.Before)
	w.String("after", a.After)
	w.Raw("agents", arrayOf(meanings(info.Code.About()), func(p part) []byte {
		o := ordjson.NewWriter(nil)
		o.String("agent", p.name)
		o.String("text", p.text)
		return o.Bytes()
	}))
	return w.Bytes()
}

// eventJSON is what explain says about an event: a row for each name that an agent has
// for it.
func eventJSON(event schema.Event) []byte {
	var rows [][]byte
	for _, d := range adapter.Dialects() {
		for i := range d.Profile().Events {
			row := &d.Profile().Events[i]
			if row.Event != event {
				continue
			}
			w := ordjson.NewWriter(nil)
			w.String("agent", d.Profile().Name)
			w.String("native", row.Native)
			w.Bool("gate", row.Gate)
			w.Strings("honors", names(row.Honors))
			w.Strings("status_2", names(row.Blocks))
			w.String("allow", allowText(row))
			w.String("since", row.Since)
			w.String("until", row.Until)
			w.String("evidence", row.Source)
			rows = append(rows, w.Bytes())
		}
	}
	w := ordjson.NewWriter(nil)
	w.String("event", event.String())
	w.Raw("agents", arrayOf(rows, func(row []byte) []byte { return row }))
	return w.Bytes()
}

// listJSON is every code and every event.
func listJSON() []byte {
	var events []schema.Event
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		events = append(events, e)
	}
	w := ordjson.NewWriter(nil)
	w.Raw("codes", arrayOf(schema.Codes(), codeJSON))
	w.Raw("events", arrayOf(events, eventJSON))
	return w.Bytes()
}
