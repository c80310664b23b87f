package inspect

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// step simulates the host with its actual files for one of its payloads. No program is started.
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

// sampled contains the simulated host's steps for a hook: for the selected calls, or for all calls if none is selected.
type sampled struct {
	steps    []*simulate.Step
	selected bool // by the hook's matcher
}

// sampled simulates the host's calls for the hook at an event, one for each kind of tool that its matcher selects. A
// callback has none.
func (b *bridged) sampled(native string) (out sampled) {
	row, key := b.host.Profile().Row(native), sampledAt{outcomeOf{adapter.NameOf(b.d), b.h}, native}
	if row == nil || b.h.Handler == schema.HandlerCallback { // reading its module needs a program
		return out
	}
	if known, ok := b.played[key]; ok {
		return known
	}

	hook := *b.h // it matches any input
	hook.Condition = ""
	var others []*simulate.Step
	for _, e := range b.samples(row) {
		payload, err := sample.Payload(b.host, sample.ForHost(b.host, e))
		switch {
		case err != nil: // the event isn't raised for such a tool
		case b.RunsAt(native) && selected(b.host, b.d, &hook, payload, native, b.places):
			out.steps = append(out.steps, b.step(native, payload))
		default:
			others = append(others, b.step(native, payload))
		}
	}

	if out.selected = len(out.steps) > 0; !out.selected {
		out.steps = others
	}
	if b.played == nil {
		b.played = map[sampledAt]sampled{}
	}
	b.played[key] = out
	return out
}

// sampledAt is a hook at an event of the host.
type sampledAt struct {
	of     outcomeOf
	native string
}

// judged counts the host's calls for the hook at an event, and those for which the simulated host runs it.
func (b *bridged) judged(native string, runs func(s *simulate.Step, selected bool) bool) (ran, tried int) {
	calls := b.sampled(native)
	for _, s := range calls.steps {
		if runs(s, calls.selected) {
			ran++
		}
	}
	return ran, len(calls.steps)
}

// ranAt reports whether the entry ran the hook in a step, or would have for another input. Calls are selected by the
// hook's matcher, or not. A call that the entry isn't for doesn't count as missing.
func (c *caller) ranAt(s *simulate.Step, selected bool) bool {
	i := slices.IndexFunc(s.Runs, func(r simulate.Run) bool { return r.Hook.SamePlace(c.entry) })
	if i < 0 {
		return !selected || c.takesAll() || slices.ContainsFunc(s.Skipped, func(x bridge.Skip) bool {
			return x.Why == bridge.SkipUntrusted && x.Hook.SamePlace(c.entry) // see unreviewed
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

// takesAll reports whether the entry has no matcher, or one that install writes. An entry at another event gets the
// calls that install's matcher excludes.
func (c *caller) takesAll() bool {
	all := c.host.Plan(&schema.Hook{Event: c.h.Event}, schema.Selection{All: true, Exact: true})
	return c.entry.Condition == "" && (c.entry.Matcher == "" || slices.ContainsFunc(all, func(e schema.Entry) bool {
		return e.Native == c.entry.Native && e.Matcher == c.entry.Matcher
	}))
}

// runsAt reports whether the agent runs its own hook at an event like e, in the places.
func runsAt(d dialect.Dialect, h *schema.Hook, e sample.Event, at schema.Places) bool {
	e.Event, e.Project, e.Session = h.Native, at.Project, "judged"
	payload, err := sample.Payload(d, e)
	return err == nil && selected(d, d, h, payload, h.Native, at)
}

// selected reports whether a hook runs at a payload of the host: the host's own hook, or another agent's that
// hookbridge runs. The simulated agent decides; no program is started. A hook that matches but can't run, for example
// because of a missing file, is selected.
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
