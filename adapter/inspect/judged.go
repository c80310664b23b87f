package inspect

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// step is what the simulated host does at a payload of its own, with its files as they are. No program is started.
func (x *examination) step(native string, payload []byte) *simulate.Step {
	key := native + "\x00" + string(payload)
	if s := x.steps[key]; s != nil {
		return s
	}

	p := x.places
	host := &simulate.Host{Dialect: x.host, Places: p, Imports: simulate.ImportsOff, Dry: true,
		Own: &x.own, Program: simulate.Program{Version: x.what.Version},
		Machine: bridge.Machine{OS: p.OS, Env: p.Env, Dir: p.Project, Home: p.Home, TempDir: os.TempDir(),
			Now: func() time.Time { return time.Time{} }}}
	s := new(simulate.Step)
	out, err := simulate.Simulate(context.Background(), host, simulate.Action{Native: native, Payload: payload})
	if err == nil && len(out.Steps) > 0 {
		s = &out.Steps[0]
	}
	if x.steps == nil {
		x.steps = map[string]*simulate.Step{}
	}
	x.steps[key] = s
	return s
}

// judged counts the calls of the host for the hook at an event, one for each kind of tool that its matcher selects,
// and those at which the simulated host runs it. Where no sample is such a call, all count; a callback has none.
func (b *bridged) judged(native string, runs func(s *simulate.Step, selected bool) bool) (ran, tried int) {
	row := b.host.Profile().Row(native)
	if row == nil || b.h.Handler == schema.HandlerCallback { // to read its module takes a program
		return 0, 0
	}

	hook, selects := *b.h, b.RunsAt(native)
	hook.Condition = "" // of any input
	var steps, others []*simulate.Step
	for _, e := range b.samples(row) {
		payload, err := sample.Payload(b.host, sample.ForHost(b.host, e))
		switch {
		case err != nil: // the event isn't raised for such a tool
		case selects && selected(b.host, b.d, &hook, payload, native, b.places):
			steps = append(steps, b.step(native, payload))
		default:
			others = append(others, b.step(native, payload))
		}
	}

	if selects = len(steps) > 0; !selects {
		steps = others
	}
	for _, s := range steps {
		if runs(s, selects) {
			ran++
		}
	}
	return ran, len(steps)
}

// ranAt reports whether the entry ran the hook in a step, or would have for another input: selected by its matcher,
// or not.
func (c *caller) ranAt(s *simulate.Step, selected bool) bool {
	i := slices.IndexFunc(s.Runs, func(r simulate.Run) bool { return r.Hook.SamePlace(c.entry) })
	if i < 0 { // see unreviewed
		return slices.ContainsFunc(s.Skipped, func(x bridge.Skip) bool {
			return x.Why == bridge.SkipUntrusted && x.Hook.SamePlace(c.entry)
		})
	}
	in := s.Runs[i].Inside
	if in == nil || in.Err != nil {
		return false
	}

	isHook := func(h *schema.Hook) bool { return len(c.call.Wrapped()) > 0 || h.SamePlace(c.h) }
	return len(c.call.Wrapped()) > 0 && !selected ||
		slices.ContainsFunc(in.Report.Runs, func(r bridge.HookRun) bool { return isHook(&r.Hook) }) ||
		slices.ContainsFunc(in.Report.Trace.Skipped, func(x bridge.Skip) bool {
			return (!selected || x.Why > bridge.SkipMatcher) && isHook(&x.Hook)
		})
}

// runsAt reports whether the agent runs a hook of its own at an event like e, in the places.
func runsAt(d dialect.Dialect, h *schema.Hook, e sample.Event, at schema.Places) bool {
	e.Event, e.Project, e.Session = h.Native, at.Project, "judged"
	payload, err := sample.Payload(d, e)
	return err == nil && selected(d, d, h, payload, h.Native, at)
}

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
