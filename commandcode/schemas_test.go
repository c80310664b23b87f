package commandcode

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas holds the embedded JSON Schemas to the tables, and what the real client sent to them.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: Text()}, nil)
	Run(t, Suite{Agent: "commandcode", Config: made["commandcode-config"], Payload: made["commandcode-payload"],
		Answer: made["commandcode-answer"]})
}
