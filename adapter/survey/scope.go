package survey

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// Owners lists the agents that have their own hooks in a scope; for a project, in the files that its users share. known
// is false if a file can't be read, and the list may lack its agent.
func Owners(p schema.Places, scope schema.Scope) (list []adapter.Dialect, known bool) {
	known = true
	list = adapter.Where(func(d adapter.Dialect) bool {
		res, _ := LoadScope(d, p, scope)
		if scope == schema.ScopeProject {
			res, _ = LoadShared(d, p)
		}
		known = known && !res.Failed
		return slices.ContainsFunc(res.Hooks, plan.IsOwn)
	})
	return list, known
}

// ProjectHooks returns a test for the hooks of the project itself: those in its files, and those of the plugins that
// its files enable.
func ProjectHooks(d dialect.Dialect, p schema.Places, configs []*schema.Config) func(*schema.Hook) bool {
	var plugins []schema.Source
	known := false
	return func(h *schema.Hook) bool {
		if h.Source.OfProject() {
			return true
		}
		if h.Source.Scope != schema.ScopePlugin {
			return false
		}
		if !known {
			var own []*schema.Config
			for _, c := range configs {
				if c.Source.OfProject() {
					own = append(own, c)
				}
			}
			plugins, known = d.Plugins(p, own, discover.Read), true
		}
		return slices.ContainsFunc(plugins, func(s schema.Source) bool { return s.File == h.Source.File })
	}
}

// ForEntry finds the hooks that an entry of the user runs in the places: those of all scopes, also of the usual folders
// if a variable moves them. If given names files, it finds the hooks in those.
func ForEntry(d dialect.Dialect, p schema.Places, given []string) (discover.Result, schema.Diagnostics) {
	return discover.Load(hookfile.Reader{Dialect: d}, p, given)
}

// LoadScope finds the hooks that an entry of the scope runs if the project, the user and the administrator have one
// each. Settings in the others' files don't apply to the project's.
func LoadScope(d dialect.Dialect, p schema.Places, scope schema.Scope) (discover.Result, schema.Diagnostics) {
	if scope == schema.ScopeProject {
		return discover.LoadBut(d, p, nil, func(s schema.Source) bool { return !s.OfProject() })
	}
	res, ds := discover.Load(d, p, nil)
	res.Hooks = slices.DeleteFunc(res.Hooks, func(h schema.Hook) bool {
		return h.Source.OfProject() || scope == schema.ScopeManaged && h.Source.Scope != scope
	})
	return res, ds
}

// LoadShared finds the hooks of a project in the files that its users share. It ignores a user's own hooks and
// switches: a shared file must be the same for everybody. If the shared files disable their hooks and the user enables
// them again, it finds them: an entry for them does nothing for others.
func LoadShared(d dialect.Dialect, p schema.Places) (discover.Result, schema.Diagnostics) {
	res, ds := discover.LoadBut(d, p, nil, func(s schema.Source) bool {
		return !s.OfProject() || s.Scope == schema.ScopeLocal
	})
	if len(res.Hooks) > 0 {
		return res, ds
	}

	own, found := LoadScope(d, p, schema.ScopeProject)
	own.Hooks = slices.DeleteFunc(own.Hooks, func(h schema.Hook) bool {
		return h.Source.Scope != schema.ScopeProject
	})
	if len(own.Hooks) == 0 {
		return res, ds
	}
	return own, found
}
