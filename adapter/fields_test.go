package adapter_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// bySteps are fields that a step of their agent reads, under a name that another field has too.
var bySteps = map[schema.Field]bool{schema.FieldPromptSource: true, schema.FieldServerCommand: true}

// TestFieldsReached checks that no row of a payload's fields is hidden by an earlier one of the same name: its field
// would never be read.
func TestFieldsReached(t *testing.T) {
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		for _, row := range p.Fields.All() {
			reached := false
			for e := range schema.NumEvents {
				first := p.Fields.Named(row.Name, e)
				reached = reached || first != nil && first.Field == row.Field
			}
			if !reached && !bySteps[row.Field] {
				t.Errorf("%s: %s is never read as field %v", p.Name, row.Name, row.Field)
			}
		}
	}
}
