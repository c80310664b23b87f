package inspect

import (
	"context"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// selected reports whether a hook runs at a payload of the host: one of the host's own, or one of another agent that
// hookbridge runs. The simulated agent decides; no program is started. A hook that has matched and that something else
// keeps from running, as a file that isn't there, is selected.
func selected(host, of dialect.Dialect, h *schema.Hook, payload []byte, native string, at schema.Places) bool {
	one, ran := *h, false
	one.Handler, one.Command, one.Args, one.Once = schema.HandlerCommand, "true", nil, false
	b := bridge.Bridge{Host: host, Hooks: of, Places: at, Trace: true,
		Start: func(*schema.Hook, process.Spec) func(context.Context) process.Result {
			ran = true
			return func(context.Context) process.Result { return process.Result{} }
		}}
	if dialect.Related(host, of) {
		b.Own = &discover.Result{Hooks: []schema.Hook{one}}
	} else {
		b.Single = &one
	}

	_, rep, _ := b.Run(context.Background(), payload, native)
	if rep != nil && rep.Trace != nil {
		for _, s := range rep.Trace.Skipped {
			ran = ran || s.Why > bridge.SkipCondition
		}
	}
	return ran
}
