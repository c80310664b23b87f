package conformance

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A further tool of an agent is one row in its package. -update then writes the consequences: a vector for the tool,
// and the vectors of configurations whose matchers name it. Both record the program's output, so check the difference
// before it is committed.

// writeToolVector writes a vector for a tool that has none.
func writeToolVector(t *testing.T, d adapter.Dialect, tool string) {
	t.Helper()
	to, err := adapter.Find("claude")
	if d.Profile().Name == to.Profile().Name {
		to, err = adapter.Find("cursor")
	}
	if err != nil {
		t.Fatal(err)
	}
	row := d.Profile().Row(d.Profile().Generic(schema.PreTool))
	input, err := sample.Payload(d, sample.Event{Event: row.Native, Tool: tool, Project: "/srv/app", Session: "s-1"})
	if err != nil {
		t.Fatalf("%s of %s: %v", tool, d.Profile().Name, err)
	}
	m := made{from: versioned(d), to: versioned(to), input: string(input),
		why:    "A tool becomes the other agent's tool of the same kind, or keeps its name and its input.",
		source: "tools of " + versioned(d)}
	m.id = "call/" + pairOf(m.from, m.to) + "/tool-" + strings.ReplaceAll(kebab(tool), "_", "-")
	answer, err := new(Own).Do(t.Context(), &Request{Op: OpCall, From: m.from, To: m.to, Input: input})
	if err != nil {
		t.Fatal(err)
	}
	m.output, m.findings = string(answer.Output), answer.Findings
	write(t, m.json(ConfirmedNone, ""))
}

func versioned(d adapter.Dialect) string { return d.Profile().Name + "@" + d.Profile().Known[0] }

// write puts one vector into its file.
func write(t *testing.T, text []byte) {
	t.Helper()
	files := readFolder(t)
	files.set(t, text)
	files.write(t)
}

// widen rewrites a vector if only its matchers changed, by further names, and reports whether that is the case.
func widen(t *testing.T, v *Vector) bool {
	t.Helper()
	if v.Op != OpConfig || v.Confirmed != ConfirmedNone || v.InputText || v.Output == nil {
		return false
	}
	answer, err := new(Own).Do(t.Context(), &Request{Op: v.Op, From: v.From, To: v.To, Options: v.Options,
		Input: v.Input})
	if err != nil || !slices.Equal(answer.Findings, v.Findings) || !wider(v.Output, answer.Output) {
		return false
	}
	o, err := ordjson.Parse(readFolder(t).get(v.ID))
	if err != nil {
		t.Fatal(err)
	}
	for i := range o {
		if o[i].Name == "output" {
			o[i].Value = answer.Output
		}
	}
	write(t, o.Append(nil))
	return true
}

var matchersIn = regexp.MustCompile(`"matcher": ?"(?:[^"\\]|\\.)*"`)

// wider reports whether two documents are the same, except that matchers of the second name more tools.
func wider(a, b []byte) bool {
	a, b = ordjson.AppendCompact(nil, a), ordjson.AppendCompact(nil, b)
	if string(matchersIn.ReplaceAll(a, nil)) != string(matchersIn.ReplaceAll(b, nil)) {
		return false
	}
	split := func(r rune) bool { return strings.ContainsRune(`|()^$?:"`, r) }
	before, after := matchersIn.FindAll(a, -1), matchersIn.FindAll(b, -1)
	for i := range before {
		names := strings.FieldsFunc(string(after[i]), split)
		for _, name := range strings.FieldsFunc(string(before[i]), split) {
			if !slices.Contains(names, name) {
				return false
			}
		}
	}
	return true
}

func TestWider(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`{"matcher": "Grep"}`, `{"matcher":"Grep|Search"}`, true},
		{`{"matcher":"^(?:Grep|Read)$"}`, `{"matcher":"^(?:Grep|Search|Read)$"}`, true},
		{`{"matcher":"Grep|Read"}`, `{"matcher":"Grep|Search"}`, false},
		{`{"matcher":"Grep","timeout":1}`, `{"matcher":"Grep|Search","timeout":2}`, false},
		{`{"timeout":1}`, `{"matcher":"Grep","timeout":1}`, false},
	} {
		if got := wider([]byte(tt.a), []byte(tt.b)); got != tt.want {
			t.Errorf("%s to %s: %t", tt.a, tt.b, got)
		}
	}
}
