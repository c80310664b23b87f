package auggie

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: {}, schema.FieldRoots: Array(Any()),
		schema.FieldError: {}}, nil)
	Run(t, Suite{Agent: "auggie", Config: made["auggie-config"], Payload: made["auggie-payload"],
		Answer: made["auggie-answer"]})
}
