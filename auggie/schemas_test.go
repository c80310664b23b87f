package auggie

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas holds the embedded JSON Schemas to the tables, and what the real client sent to them.
func TestSchemas(t *testing.T) {
	made := Family(New().Agent, map[schema.Field]Object{schema.FieldToolOutput: {}, schema.FieldRoots: Array(Any()),
		schema.FieldError: {}}, nil)
	Run(t, Suite{Agent: "auggie", Config: made["auggie-config"], Payload: made["auggie-payload"],
		Answer: made["auggie-answer"]})
}
