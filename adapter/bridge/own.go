package bridge

import (
	"context"
	"slices"
	"sync"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// viewsOf lists how the hooks' agent shows the call. An agent raises each event of its own call separately.
func viewsOf(r *run, c *schema.Call) []schema.View {
	views := r.hooks.Views(c)
	if r.seen != 0 {
		views = slices.DeleteFunc(views, func(v schema.View) bool {
			row := r.rules.Tool(v.Tool)
			return row != nil && slices.Contains(row.Kinds, r.seen)
		})
	}

	if r.opts.Own == nil && r.opts.Single == nil && adapter.OtherVersion(r.host, r.hooks) {
		return slices.DeleteFunc(views, func(v schema.View) bool { // the host raises the hook's own event too
			row := r.hostRules.Row(v.Event)
			return v.Event != c.Native && row != nil && r.hostRules.Has(row)
		})
	}
	if r.opts.Own == nil {
		return views
	}
	p := r.hostRules
	raised := p.Row(c.Native)
	for i := range views {
		views[i].Own = true
	}
	return slices.DeleteFunc(views, func(v schema.View) bool {
		row := p.Row(v.Event) // an event may have two names
		return v.Event != c.Native && (raised == nil || row == nil || row.Event != raised.Event ||
			(row.Gate == nil) != (raised.Gate == nil))
	})
}

// A standIn runs instead of a program; nil: the program is started.
type standIn = func(context.Context) process.Result

// runAll runs programs in parallel, and the stand-ins for some of them.
func runAll(r *run, specs []process.Spec, inside []standIn) []process.Result {
	r.opts.clock.Pause()
	defer r.opts.clock.Resume()
	if len(specs) > 0 {
		specs[0].Slow = r.opts.Slow
	}
	if !slices.ContainsFunc(inside, func(f standIn) bool { return f != nil }) {
		return process.RunAll(r.ctx, specs)
	}

	results := make([]process.Result, len(specs))
	var programs []process.Spec
	var wait sync.WaitGroup
	for i, run := range inside {
		if run == nil {
			programs = append(programs, specs[i])
			continue
		}
		wait.Go(func() { results[i] = run(r.ctx) })
	}

	ended := process.RunAll(r.ctx, programs)
	for i, run := range inside {
		if run == nil {
			results[i], ended = ended[0], ended[1:]
		}
	}

	wait.Wait()
	return results
}
