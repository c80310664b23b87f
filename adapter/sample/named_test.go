package sample_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/schema"
)

// TestNamedTool checks that a call of one of the host's own tools calls that tool, whichever others of its kind exist.
func TestNamedTool(t *testing.T) {
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		for i := range p.Tools {
			row := &p.Tools[i]
			if len(row.Kinds) == 0 || len(row.Input) == 0 || !p.HasTool(row) {
				continue
			}
			input := []byte(`{"` + row.Input[0].Name + `":"x"}`)
			e := sample.Event{Event: p.Generic(schema.PreTool), Tool: row.Name, Input: input, Project: "/p",
				Session: "s"}
			payload, err := sample.Payload(d, sample.ForHost(d, e))
			if err != nil { // the event isn't raised for it
				continue
			}
			c, _ := d.DecodeCall(payload, nil)
			if c == nil || p.Tool(c.Tool.Name) != row {
				t.Errorf("%s: a call of %s is %s", p.Full(), row.Name, payload)
			}
		}
	}
}
