package run

import (
	"context"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/schema"
)

// faulty is a dialect whose reader panics.
type faulty struct{ adapter.Dialect }

func (faulty) DecodeCall([]byte, schema.Environ) (*schema.Call, schema.Diagnostics) {
	panic("broken")
}

// TestFault checks that a fault of the program itself never ends it with status 2. It must deny unless the user chose
// to let the call proceed.
func TestFault(t *testing.T) {
	d, _ := adapter.Find("cursor")
	b := &bridge.Bridge{Host: faulty{d}, Hooks: d, Now: nil, Proceed: true}
	answer, rep, err := b.Guarded(context.Background(), nil, "", nil)
	if answer != nil || err == nil || len(rep.Diagnostics) != 1 || rep.Diagnostics[0].Code != schema.CodeBridge {
		t.Errorf("answer %s, error %v, %v", answer, err, rep.Diagnostics)
	}
	for _, closed := range []bool{false, true} {
		b.Proceed, b.FailClosed = closed, closed
		answer, _, err = b.Guarded(context.Background(), nil, "", nil)
		if err != nil || len(answer) < 10 {
			t.Errorf("fail closed %v: answer %s, error %v", closed, answer, err)
		}
	}
}
