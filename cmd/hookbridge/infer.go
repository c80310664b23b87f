package main

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// inferHooks chooses whose hooks are meant where the command line does not say: if
// the default agent has none here, and exactly one other agent has, that one.
func (x *installer) inferHooks() {
	var other adapter.Dialect
	for _, d := range adapter.Dialects() {
		if d.Profile().Name == x.b.Host.Profile().Name {
			continue
		}
		switch has, known := hasHooks(d, x.b.Places); {
		case !known || has && (d.Profile().Name == x.b.Hooks.Profile().Name || other != nil):
			return
		case !has:
		default:
			other = d
		}
	}
	if other != nil {
		x.b.Hooks = other
		fmt.Fprintf(x.std.err, "hookbridge: note: only %s has hooks here, so --hooks is %s\n", other.Profile().Name, other.Profile().Name)
	}
}

// hasHooks reports whether an agent has hooks of its own in these places: a call of
// the bridge is a bridge to others' hooks. known is false if a file can't be read.
func hasHooks(d adapter.Dialect, places schema.Places) (has, known bool) {
	res, _ := discover.Load(d, places, nil)
	for i := range res.Hooks {
		if call, ok := adapter.ParseBridgeCall(res.Hooks[i].Command, res.Hooks[i].Args); !ok || !call.FindsHooks() {
			return true, true
		}
	}
	return false, !res.Failed
}
