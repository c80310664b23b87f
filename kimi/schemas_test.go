package kimi

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
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldPrompt: {}, schema.FieldError: {},
		schema.FieldToolOutput: Text()}, nil)
	var natives []string
	for i := range events {
		natives = append(natives, events[i].Native)
	}
	table := Struct(Object{eventField, Enum(natives...), matcherField, Text(), commandField,
		Object{"type", "string", "minLength", 1},
		timeoutField, Object{"type", "integer", "minimum", 1, "maximum", 600}}, eventField,
		commandField).With("additionalProperties", false)
	made["kimi-config"] = Document("kimi-config", "Kimi Code hooks",
		"Hooks in the user's config.toml as Kimi Code 2.1.0 loads them.", Struct(Object{"hooks", Array(table)}))
	for name, o := range made {
		Hold(t, "..", name, o, *update)
		Compile(t, o.Bytes(), "")
	}
	s := Compile(t, made["kimi-payload"].Bytes(), "")
	for _, p := range material.Payloads(t, "kimi") {
		if err := Validate(s, p.Text); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if Validate(s, []byte(`{}`)) == nil {
		t.Error("an empty payload passes")
	}
}
