package run

import (
	"context"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
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
	b := &bridge.Bridge{Host: faulty{d}, Hooks: d, Now: nil}
	answer, rep, err := b.Guarded(context.Background(), nil, "", nil)
	if answer != nil || err == nil || len(rep.Diagnostics) != 1 || rep.Diagnostics[0].Code != schema.CodeBridge {
		t.Errorf("answer %s, error %v, %v", answer, err, rep.Diagnostics)
	}
	b.FailClosed = true
	answer, _, err = b.Guarded(context.Background(), nil, "", nil)
	if err != nil || len(answer) < 10 {
		t.Errorf("fail closed: answer %s, error %v", answer, err)
	}
}
