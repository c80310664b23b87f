package kimi

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
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
	Run(t, Suite{Agent: "kimi", Config: made["kimi-config"], Payload: made["kimi-payload"],
		Answer: made["kimi-answer"]})
}
