package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// canReach reports whether the host calls the bridge at its event native for this
// call, as far as its configuration shows.
func (r registration) canReach(native string) bool {
	known, listed := r.bridged(native, func(*cmdline.Call) bool { return true })
	return listed || !known
}

// served reports whether the host's configuration calls the bridge at native for
// this call and these hooks.
func (r registration) served(native string) bool {
	_, listed := r.bridged(native, func(call *cmdline.Call) bool {
		scope := call.Scope()
		return r.runsTheSame(call) && (scope == schema.ScopeGiven || r.Scope == schema.ScopeGiven || scope == r.Scope)
	})
	return listed
}

// servedAnyhow is served for the host's event of this call under any of its names.
func (r registration) servedAnyhow() bool {
	return slices.ContainsFunc(r.Host.Profile().Events, func(row schema.EventRow) bool {
		return row.Event == r.call.Event && r.served(row.Native)
	})
}

// runsTheSame reports whether a bridge's call runs the hooks that this one does, as
// far as their scope allows.
func (r registration) runsTheSame(call *cmdline.Call) bool {
	h := r.Single
	switch {
	case h == nil:
		return call.RunsHooksOf(r.Hooks.Profile().Name)
	case dialect.BaseName(call.Value("hooks")) != dialect.BaseName(r.Hooks.Profile().Name):
		return false
	case h.Handler == schema.HandlerCallback:
		return call.Value("module") == h.Command
	case h.Args != nil:
		return len(call.Program) > 0 && call.Program[0] == h.Command && slices.Equal(call.Program[1:], h.Args)
	}
	return call.Value("c") == h.Command
}

// bridged looks for calls of the bridge in the host's own configuration: whether there
// are any, and whether accept takes one at the event native with a matcher for this
// call.
func (r registration) bridged(native string, accept func(*cmdline.Call) bool) (known, listed bool) {
	skip := func(s schema.Source) bool { return r.RequireTrust && s.OfProject() } // who could pretend that a gate is registered
	res, _ := discover.LoadBut(hookfile.Terse{Reader: r.Host}, r.places, nil, skip)
	for i := range res.Hooks {
		h := &res.Hooks[i]
		call, ok := cmdline.Parse(h.Command, h.Args)
		if !ok {
			continue
		}
		known = true
		listed = listed || h.Native == native && accept(&call) && r.hostCalls(h)
	}
	return known, listed
}

// hostCalls reports whether the matcher of the host's own hook matches this call.
func (r registration) hostCalls(h *schema.Hook) bool {
	if h.Matcher == "" {
		return true
	}
	m, _ := matcher.Compile(r.Host.Profile().GrammarOf(h.Native), h.Matcher)
	for _, v := range r.Host.Views(r.call) {
		if v.Event == h.Native && r.patience.Match(m, v.Target...) {
			return !m.TimedOut() // who does not know must not rely on it
		}
	}
	return false
}
