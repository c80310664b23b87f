package commandcode

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: Text()}, nil)
	Run(t, Suite{Agent: "commandcode", Config: made["commandcode-config"], Payload: made["commandcode-payload"],
		Answer: made["commandcode-answer"]})
}
