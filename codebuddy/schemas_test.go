package codebuddy

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: {},
		schema.FieldBackgroundTasks: Array(Any()), schema.FieldCrons: Array(Any())},
		map[string][]string{"SessionStart": {"cwd"}, "Notification": {"session_id"}})
	Run(t, Suite{Agent: "codebuddy", Config: made["codebuddy-config"], Payload: made["codebuddy-payload"],
		Answer: made["codebuddy-answer"]})
}
