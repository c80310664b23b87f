package main

import (
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// A codeDoc is what explain says about a code.
type codeDoc struct {
	Code     schema.Code  `json:"code"`
	Severity string       `json:"severity"`
	Title    string       `json:"title"`
	Text     string       `json:"text"`
	Do       string       `json:"do"`
	Before   string       `json:"before"`
	After    string       `json:"after"`
	Agents   []codeInHost `json:"agents"`
}

// A codeInHost is what a code means in one agent.
type codeInHost struct {
	Agent string `json:"agent"`
	Text  string `json:"text"`
}

func codeDocOf(info schema.CodeInfo) codeDoc {
	a, _ := info.Code.Advice()
	return codeDoc{info.Code, info.Severity.String(), info.Title, info.Text, a.Do, a.Before, a.After,
		each(meanings(info.Code.About()), func(p part) codeInHost { return codeInHost{p.name, p.text} })}
}

// An eventDoc is what explain says about an event: a row for each name that an agent
// has for it.
type eventDoc struct {
	Event  string        `json:"event"`
	Agents []nativeEvent `json:"agents"`
}

type nativeEvent struct {
	Agent    string   `json:"agent"`
	Native   string   `json:"native"`
	Gate     bool     `json:"gate"`
	Honors   []string `json:"honors"`
	Status2  []string `json:"status_2"`
	Allow    string   `json:"allow"`
	Since    string   `json:"since"`
	Until    string   `json:"until"`
	Evidence string   `json:"evidence"`
}

func eventDocOf(event schema.Event) eventDoc {
	doc := eventDoc{event.String(), []nativeEvent{}}
	for _, d := range adapter.Dialects() {
		for i := range d.Profile().Events {
			if row := &d.Profile().Events[i]; row.Event == event {
				doc.Agents = append(doc.Agents, nativeEvent{d.Profile().Name, row.Native, row.Gate, names(row.Honors), names(row.Blocks),
					allowText(row), row.Since, row.Until, row.Source})
			}
		}
	}
	return doc
}

// A listDoc is every code and every event.
type listDoc struct {
	Codes  []codeDoc  `json:"codes"`
	Events []eventDoc `json:"events"`
}

func newListDoc() listDoc {
	doc := listDoc{Codes: each(schema.Codes(), codeDocOf)}
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		doc.Events = append(doc.Events, eventDocOf(e))
	}
	return doc
}
