package droid

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: {},
		schema.FieldBackgroundTasks: Array(Any()), schema.FieldCrons: Array(Any())}, nil)
	Run(t, Suite{Agent: "droid", Config: made["droid-config"], Payload: made["droid-payload"],
		Answer: made["droid-answer"]})
}
