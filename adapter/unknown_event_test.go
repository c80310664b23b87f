package adapter_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestUnknownEvent checks that no dialect panics for an event without a row, with any answer of a hook there.
func TestUnknownEvent(t *testing.T) {
	const native = "Unheard"
	deny := &schema.Reply{Verdict: schema.Deny, Reason: "x"}
	for _, d := range adapter.Dialects() {
		t.Run(d.Profile().Name, func(t *testing.T) {
			c, v := &schema.Call{Dialect: d.Profile().Name, Native: native}, schema.View{Event: native}
			for _, out := range []string{"", "text", `{"decision":"block","permission":"deny","continue":false}`} {
				for exit := range 3 {
					d.DecodeReply(&schema.Hook{Native: native}, v, &process.Result{Stdout: []byte(out), Exit: exit})
				}
			}
			d.Views(c)
			d.Honors(c, deny)
			d.AppendReply(nil, c, deny)
			d.AppendCall(nil, c, v)
		})
	}
}
