package conformance

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A usual has the common fields of an agent's payloads, and the fields of another agent that are reported as lost.
type usual struct {
	host   string
	fields string // a JSON object
	lost   []string
	source string
}

// madeCallRows returns the vectors of testdata/rows/call.txt.
func madeCallRows() (all []made) {
	var now *section
	var others []usual
	var m made
	for s, row := range rowsOf("call.txt") {
		if s != now {
			now, others, m = s, nil, made{}
		}

		switch why, own := strings.CutPrefix(row[len(row)-1], "# "); {
		case row[0] != ">":
			m = made{from: s.from, id: row[0], input: changed(s.rest, row[1:])}
			if own {
				m.why = why
			}
		case m.id == "": // for the section
			host := s.fields[slices.IndexFunc(s.fields, func(f string) bool { return plain(f) == row[1] })]
			u := usual{host: host, fields: row[2]}
			u.source, row = cutSource(row, "")
			if len(row) > 3 {
				u.lost = strings.Split(row[3], ",")
			}
			others = append(others, u)
		default:
			u := others[slices.IndexFunc(others, func(u usual) bool { return plain(u.host) == row[1] })]
			all = append(all, u.call(m, row[2:]))
		}
	}
	return all
}

// call completes a row's vector with the payload of one agent's hook.
func (u *usual) call(m made, columns []string) made {
	fact := m.id
	m.to = u.host
	m.id = "call/" + pairOf(m.from, m.to) + "/" + fact
	m.source, columns = cutSource(columns, u.source)
	if m.why == "" {
		m.why = whyCall(fact, columns[0] == "null")
	}

	o, _ := ordjson.Parse([]byte(m.input))
	if m.output = "null"; columns[0] != "null" {
		m.output = changed(u.fields, columns)
		for _, path := range u.lost {
			if o.Has(path[1:]) {
				m.findings = append(m.findings, lostField(path))
			}
		}
	} else {
		m.findings = []Finding{{string(schema.CodeNoEvent), schema.Weaker.String(), "/hook_event_name"}}
	}
	switch last := columns[len(columns)-1]; last[0] {
	case '!':
		m.findings = nil
		fallthrough
	case '+':
		for one := range strings.SplitSeq(last[1:], ",") {
			if one != "" {
				m.findings = append(m.findings, lostField(one))
			}
		}
	}
	return m
}

// cutSource removes the source from the end of a line; usual if it has none.
func cutSource(row []string, usual string) (string, []string) {
	if source, ok := strings.CutPrefix(row[len(row)-1], "@ "); ok {
		return source, row[:len(row)-1]
	}
	return usual, row
}

// lostField returns a finding: a lost field's path, or CODE:SEVERITY:PATH.
func lostField(text string) Finding {
	if parts := strings.SplitN(text, ":", 3); len(parts) == 3 {
		return Finding{parts[0], parts[1], parts[2]}
	}
	return Finding{string(schema.CodeMemberLost), schema.Note.String(), text}
}

// changed returns an object without the fields in the column -NAMES and with those of the column with an object. Or it
// returns the object in a column after =. Fields whose value is still "?" are removed.
func changed(object string, columns []string) string {
	o, _ := ordjson.Parse([]byte(object))
	for _, column := range columns {
		switch column[0] {
		case '=':
			return column[1:]
		case '-':
			for name := range strings.SplitSeq(column[1:], ",") {
				o.Take(name)
			}
		case '{':
			fields, err := ordjson.Parse([]byte(column))
			if err != nil {
				panic(column)
			}
			for _, f := range fields {
				if i := slices.IndexFunc(o, func(m ordjson.Member) bool { return m.Name == f.Name }); i >= 0 {
					o[i].Value = f.Value
				} else {
					o = append(o, f)
				}
			}
		}
	}
	o = slices.DeleteFunc(o, func(m ordjson.Member) bool { return string(m.Value) == `"?"` })
	return string(o.Append(nil))
}

func whyCall(fact string, none bool) string {
	if none {
		return "If the hook's agent has no such event, the call isn't translated and that is reported."
	}
	if event, ok := strings.CutPrefix(fact, "event-"); ok {
		return "A hook on the event " + event +
			" gets the payload that its own agent sends; missing fields are reported."
	}
	return "A hook gets the call as its own agent would send it."
}
