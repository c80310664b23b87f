package conformance

import (
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/internal/tomljson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestWritten checks the expected output of vectors against the JSON Schema of the agent that reads it. Some agents
// reject a whole file or answer for one wrong field.
func TestWritten(t *testing.T) {
	compiled := map[string]*jsonschema.Schema{}
	for _, v := range loaded(t) {
		to, err := adapter.Find(v.To)
		if err != nil || v.Output == nil || to.Profile().Modules != nil {
			continue
		}
		name, part := plain(v.To)+"-config", ""
		documents := [][]byte{v.Output}
		switch v.Op {
		case OpConfig:
			// the agent's file is TOML
			if doc, _, err := tomljson.Document(convert.File(to, v.Output)); err == nil {
				documents[0] = doc
			}
		case OpReply, OpRun:
			name, part = plain(v.To)+"-answer", answeredEvent(&v, to)
		case OpCall:
			name = plain(v.To) + "-payload"
			if list, err := ordjson.Elements(v.Output, 0); err == nil {
				documents = nil
				for _, e := range list {
					documents = append(documents, e.Value)
				}
			}
		}
		s := compiled[name+part]
		if s == nil {
			s = compilePart(t, name, part)
			compiled[name+part] = s
		}
		for _, d := range documents {
			if err := schematest.Validate(s, d); err != nil {
				t.Errorf("%s: not valid by %s %s: %v", v.ID, name, part, err)
			}
		}
	}
}

// compilePart returns the schema of one event's answer, or the whole document if it has none for each event.
func compilePart(t *testing.T, name, part string) *jsonschema.Schema {
	text, err := schema.Document(name, "")
	if err != nil {
		t.Fatal(err)
	}
	if at := "/$defs/" + part; part != "" && ordjson.At(text, at) != nil {
		return schematest.Compile(t, text, at)
	}
	return schematest.Compile(t, text, "")
}

// answeredEvent returns the host's name of the event that a vector's answer is for: another agent's decision at one
// event may be answered at another.
func answeredEvent(v *Vector, to adapter.Dialect) string {
	if name, ok := ordjson.String(ordjson.At(v.Output, "/hookSpecificOutput/hookEventName")); ok {
		return name
	}
	if name, ok := ordjson.String(ordjson.At(v.Input, "/hook_event_name")); ok && v.Op == OpRun {
		return name
	}
	from, err := adapter.Find(v.From)
	if err == nil && from.Profile().Row(v.Event) != nil {
		return to.Profile().Generic(from.Profile().Row(v.Event).Event)
	}
	return ""
}
