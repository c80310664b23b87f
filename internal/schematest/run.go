package schematest

import (
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/material"
)

// A Suite has the JSON Schemas from an agent's tables.
type Suite struct {
	Agent                   string
	Config, Payload, Answer Object
	Least                   int      // the agent has at least this many recorded payloads
	Refused                 []string // documents that the schema rejects, in addition to {}
}

// Run compares the embedded schemas of an agent with its tables, checks its client's payloads against the schema, and
// checks that other documents fail.
func Run(t *testing.T, suite Suite) {
	t.Helper()
	for part, o := range map[string]Object{"config": suite.Config, "payload": suite.Payload, "answer": suite.Answer} {
		golden.File(t, filepath.Join("..", "schema", "json", suite.Agent+"-"+part+".json"), string(o.Bytes()))
		Compile(t, o.Bytes(), "")
	}

	s := Compile(t, suite.Payload.Bytes(), "")
	payloads := material.Payloads(t, suite.Agent)
	for _, p := range payloads {
		if err := Validate(s, p.Text); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if len(payloads) < suite.Least {
		t.Errorf("only %d payloads", len(payloads))
	}
	for _, bad := range append([]string{`{}`}, suite.Refused...) {
		if Validate(s, []byte(bad)) == nil {
			t.Errorf("%s passes", bad)
		}
	}
}
