package codebuddy

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas holds the embedded JSON Schemas to the tables, and what the real client sent to them.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: {},
		schema.FieldBackgroundTasks: Array(Any()), schema.FieldCrons: Array(Any())},
		map[string][]string{"SessionStart": {"cwd"}, "Notification": {"session_id"}})
	Run(t, Suite{Agent: "codebuddy", Config: made["codebuddy-config"], Payload: made["codebuddy-payload"],
		Answer: made["codebuddy-answer"]})
}
