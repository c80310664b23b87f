package grok

import (
	"flag"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

var update = flag.Bool("update", false, "write the generated JSON Schemas")

// TestSchemas holds the embedded JSON Schemas to the tables, and what the real client sent
// to the schema of payloads.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: {},
		schema.FieldBackgroundTasks: Array(Any()), schema.FieldCrons: Array(Any())}, nil)
	for name, o := range made {
		Hold(t, "..", name, o, *update)
		Compile(t, o.Bytes(), "")
	}
	s := Compile(t, made["grok-payload"].Bytes(), "")
	for _, p := range material.Payloads(t, "grok") {
		if err := Validate(s, p.Text); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if Validate(s, []byte(`{}`)) == nil {
		t.Error("an empty payload passes")
	}
}
