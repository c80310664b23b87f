package plan

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// ProjectHooks returns what tells the hooks of the project itself: those in its
// files, and those of the plugins that its files switch on.
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

// LoadScope finds the hooks that an entry of the scope runs where the project and the
// user have one each. What the user's files say doesn't count for the project's.
func LoadScope(d dialect.Dialect, p schema.Places, scope schema.Scope) (discover.Result, schema.Diagnostics) {
	if scope == schema.ScopeProject {
		return discover.LoadBut(d, p, nil, func(s schema.Source) bool { return !s.OfProject() })
	}
	res, ds := discover.Load(d, p, nil)
	res.Hooks = slices.DeleteFunc(res.Hooks, func(h schema.Hook) bool { return h.Source.OfProject() })
	return res, ds
}

// Reviewed reports whether the agent runs one of its own hooks, as far as its
// record of reviews tells.
func Reviewed(d dialect.Dialect, h *schema.Hook, p schema.Places) bool {
	keeper := dialect.Ability[dialect.TrustKeeper](d)
	if keeper == nil {
		return true
	}
	switch keeper.Trust(h, p, discover.Read) {
	case dialect.Untrusted, dialect.TrustModified, dialect.TrustOff:
		return false
	}
	return true
}
