package conformance

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// The regular vectors are generated from the small tables in gen_*_test.go, which list each agent's words independently
// of the program. To regenerate them:
//
//	go test ./conformance -run TestGenerated -update

var update = golden.Update

// A made is a generated vector.
type made struct {
	id, why, source string
	from, to        string
	event, tool     string
	options         string // JSON, "" if none
	input           string // JSON, unless isText is set
	isText          bool   // the input isn't JSON
	output          string // JSON
	findings        []Finding
	rest            []rest // fields of run vectors, in order
}

type rest struct{ name, value string }

func generated() (all []made) {
	all = append(all, madeConfigs()...)
	all = append(all, madeCalls()...)
	all = append(all, madeTools()...)
	all = append(all, madeReplies()...)
	all = append(all, madeRuns()...)
	all = append(all, madeSDK()...)
	all = append(all, madeForHosts()...)
	all = append(all, madeRows()...)
	return all
}

// json returns the vector in the form of its file.
func (m *made) json(confirmed, client string) []byte {
	w := ordjson.NewWriter(nil)
	text := func(name, s string) {
		if s != "" {
			w.String(name, s)
		}
	}
	text("id", m.id)
	text("why", m.why)
	text("source", m.source)
	text("confirmed", confirmed)
	text("client", client)
	text("from", m.from)
	text("to", m.to)
	text("event", m.event)
	text("tool", m.tool)
	if m.options != "" {
		w.Raw("options", []byte(m.options))
	}
	for _, r := range m.rest {
		w.Raw(r.name, []byte(r.value))
	}
	if m.isText {
		w.String("input_text", m.input)
	} else {
		w.Raw("input", []byte(m.input))
	}
	if m.output != "" {
		w.Raw("output", []byte(m.output))
	}
	w.Raw("diagnostics", jsondoc.Marshal(append([]Finding{}, m.findings...)))
	return pretty(nil, w.Bytes(), "", true)
}

// pretty breaks a value over lines if it doesn't fit one.
func pretty(dst, value []byte, indent string, always bool) []byte {
	compact := ordjson.AppendCompact(nil, value)
	k := ordjson.KindOf(compact)
	if !always && len(compact)+len(indent) <= 110 || k != ordjson.ObjectKind && k != ordjson.Array ||
		len(compact) == 2 {
		return append(dst, spaced(compact)...)
	}
	list, err := ordjson.Members(compact, 0)
	open, end := byte('{'), byte('}')
	if err != nil {
		elements, _ := ordjson.Elements(compact, 0)
		list, open, end = elements, '[', ']'
	}
	dst = append(dst, open)
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n  "+indent...)
		if open == '{' {
			dst = append(ordjson.AppendString(dst, m.Name), ": "...)
		}
		dst = pretty(dst, m.Value, indent+"  ", false)
	}
	return append(append(dst, "\n"+indent...), end)
}

// spaced adds a blank after the colons and commas of a compact value.
func spaced(compact []byte) (out []byte) {
	in := false
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		out = append(out, c)
		switch {
		case in && c == '\\':
			i++
			out = append(out, compact[i])
		case c == '"':
			in = !in
		case !in && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}

const generatedList = "testdata/generated.txt"

// TestGenerated compares the generated vectors with their tables, and checks that none is left over. Confirmations by
// clients stay as long as the vector is the same. A vector that isn't in generatedList is written by hand: if it
// differs from the tables, it is an exception, and stays.
func TestGenerated(t *testing.T) {
	files := readFolder(t)
	before, _ := os.ReadFile(generatedList)
	listed := map[string]bool{}
	for id := range strings.FieldsSeq(string(before)) {
		listed[id] = true
	}

	seen, ours := map[string]bool{}, map[string]bool{}
	for _, m := range generated() {
		if seen[m.id] {
			t.Errorf("%s is made twice", m.id)
		}
		seen[m.id] = true
		have := files.get(m.id)
		if have != nil && !listed[m.id] && !sameFact(m.json(ConfirmedNone, ""), have) {
			continue
		}
		ours[m.id] = true
		text, same := m.text(have)
		switch {
		case same:
		case *update:
			files.set(t, text)
		default:
			t.Errorf("%s is not what its table says; -update writes it", m.id)
		}
	}

	now := strings.Join(slices.Sorted(maps.Keys(ours)), "\n") + "\n"
	switch {
	case string(before) == now:
	case !*update:
		t.Errorf("%s is not the list of what is made; -update writes it", generatedList)
	default:
		for id := range listed {
			if !ours[id] {
				files.remove(id)
			}
		}
		if err := os.WriteFile(generatedList, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		files.write(t)
	}
}

// text returns the vector as its file should have it, and whether have, its entry there, is the same. The confirmation
// of the same fact is kept.
func (m *made) text(have []byte) (text []byte, same bool) {
	old, err := ordjson.Parse(have)
	if err != nil {
		return m.json(ConfirmedNone, ""), false
	}
	kept := m.json(old.Str("confirmed"), old.Str("client"))
	switch {
	case bytes.Equal(kept, have):
		return kept, true
	case sameFact(kept, have):
		return kept, false
	case wider(kept, have): // the agent has got further tools since
		return have, true
	}
	return m.json(ConfirmedNone, ""), false
}

// sameFact reports whether two texts of a vector have the same input and expectation. The order of the input's fields
// matters, as findings come in that order.
func sameFact(a, b []byte) bool {
	x, err1 := ordjson.Parse(a)
	y, err2 := ordjson.Parse(b)
	if err1 != nil || err2 != nil {
		return false
	}
	for _, name := range []string{"why", "source", "confirmed", "client"} {
		x.Take(name)
		y.Take(name)
	}
	input := func(o ordjson.Object) string { return string(ordjson.AppendCompact(nil, o.Value("input"))) }
	return input(x) == input(y) && difference("", x.Append(nil), y.Append(nil)) == ""
}

// quote returns a text as JSON.
func quote(s string) string { return string(ordjson.AppendString(nil, s)) }

// object writes fields in the given order; a field whose value is "" is left out.
func object(pairs ...string) string {
	w := ordjson.NewWriter(nil)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			w.Raw(pairs[i], []byte(pairs[i+1]))
		}
	}
	out := w.Bytes()
	if !json.Valid(out) {
		panic("no JSON: " + string(out))
	}
	return string(out)
}
