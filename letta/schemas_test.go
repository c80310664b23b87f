package letta

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: {}}, map[string][]string{
		"Stop": {"agent_id"}, "Notification": {"agent_id"}})
	Run(t, Suite{Agent: "letta", Config: made["letta-config"], Payload: made["letta-payload"],
		Answer: made["letta-answer"]})
}
