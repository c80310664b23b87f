package main

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// faulty is a dialect whose reader has a fault.
type faulty struct{ adapter.Dialect }

func (faulty) DecodeCall([]byte, schema.Environ) (*schema.Call, schema.Diagnostics) {
	panic("broken")
}

// TestFault holds that a fault of the program itself never ends it with status 2.
func TestFault(t *testing.T) {
	d, _ := adapter.Find("cursor")
	b := &adapter.Bridge{Host: faulty{d}, Hooks: d, Now: nil}
	answer, rep, err := guarded(b, nil, "")
	if answer != nil || err == nil || len(rep.Diagnostics) != 1 || rep.Diagnostics[0].Code != schema.CodeBridge {
		t.Errorf("answer %s, error %v, %v", answer, err, rep.Diagnostics)
	}
	b.FailClosed = true
	answer, _, err = guarded(b, nil, "")
	if err != nil || len(answer) < 10 {
		t.Errorf("fail closed: answer %s, error %v", answer, err)
	}
}
