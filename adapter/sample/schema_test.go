package sample

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/schematest"
)

// TestPayloadsFitSchema checks that the payloads made from an agent's tables fit the JSON Schema made from them, even
// for events without a recorded payload.
func TestPayloadsFitSchema(t *testing.T) {
	for _, d := range adapter.Dialects() {
		name := d.Profile().Name
		text, err := os.ReadFile(filepath.Join(material.Root(t), "schema", "json", name+"-payload.json"))
		if err != nil {
			t.Error(err)
			continue
		}
		schema := schematest.Compile(t, text, "")
		for _, row := range d.Profile().Events {
			out, err := Payload(d, Event{Event: row.Native, Project: "/p", Session: "s"})
			if err == nil {
				err = schematest.Validate(schema, out)
			}
			if err != nil {
				t.Errorf("%s %s: %v\n%s", name, row.Native, err, out)
			}
		}
	}
}
