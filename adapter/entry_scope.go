package adapter

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// The bridge may stand in the host's file of the project, which a team shares, and
// in the user's own. Each entry says by --scope whose hooks it runs, so that each
// hook runs once and the project's file depends on nobody's home folder:
//
//	project  the project's hooks; managed hooks where the user has no entry
//	user     all others; the project's where the project has no entry
//
// An entry without --scope runs all of them.

// ScopeFlag is the flag of run that says whose hooks an entry runs.
const ScopeFlag = "scope"

// Scope is whose hooks the call runs: ScopeProject, ScopeUser, or ScopeGiven for all.
func (c *BridgeCall) Scope() schema.Scope {
	switch c.Value(ScopeFlag) {
	case schema.ScopeProject.String():
		return schema.ScopeProject
	case schema.ScopeUser.String():
		return schema.ScopeUser
	}
	return schema.ScopeGiven
}

// ProjectHooks returns what tells the hooks of the project itself: those in its
// files, and those of the plugins that its files switch on.
func ProjectHooks(d Dialect, p schema.Places, configs []*schema.Config) func(*schema.Hook) bool {
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
func LoadScope(d Dialect, p schema.Places, scope schema.Scope) (discover.Result, schema.Diagnostics) {
	if scope == schema.ScopeProject {
		return discover.LoadBut(d, p, nil, func(s schema.Source) bool { return !s.OfProject() })
	}
	res, ds := discover.Load(d, p, nil)
	res.Hooks = slices.DeleteFunc(res.Hooks, func(h schema.Hook) bool { return h.Source.OfProject() })
	return res, ds
}

// withoutEqual leaves out what equals a hook that the project's own entry runs. keys
// are those of picked. The project's entry runs its hooks whatever the user has.
func (r *run) withoutEqual(picked []pick, keys, elsewhere []string) []pick {
	if r.Scope != schema.ScopeUser || len(elsewhere) == 0 {
		return picked
	}
	kept := picked[:0:0]
	for i := range picked {
		if slices.Contains(elsewhere, keys[i]) {
			r.skip(&picked[i].hook, SkipDuplicate, "the project's own entry runs an equal hook")
			continue
		}
		kept = append(kept, picked[i])
	}
	return kept
}

// otherEntry says which other entry of the bridge runs a hook, "" if this one does.
func (r *run) otherEntry(h *schema.Hook) string {
	const user, project = "this entry is for the project's hooks; the user's entry runs it", "the project's own entry runs it"
	if r.project == nil { // there is no scope
		return ""
	}
	of := r.project(h)
	switch {
	case r.Scope == schema.ScopeProject && !of && h.Source.Scope != schema.ScopeManaged:
		return user
	case r.Scope == schema.ScopeProject && !of && r.hasEntry(schema.ScopeUser, r.places.Project):
		return user
	case r.Scope == schema.ScopeUser && of && r.hasEntry(schema.ScopeProject, cmp.Or(r.rootOfHook(h), r.places.Project)):
		return project
	}
	return ""
}

// hasEntry reports whether the host calls the bridge for this act by an entry of the
// scope, in the files of the project or of the user, and would run it.
func (r *run) hasEntry(scope schema.Scope, project string) bool {
	places := r.places
	places.Project = project
	res, _ := discover.LoadBut(r.Host, places, nil, func(s schema.Source) bool {
		return s.OfProject() != (scope == schema.ScopeProject)
	})
	return slices.ContainsFunc(res.Hooks, func(h schema.Hook) bool {
		call, ok := ParseBridgeCall(h.Command, h.Args)
		return ok && h.Native == r.call.Native && call.Scope() == scope && r.sameCall(&call) && r.hostCalls(&h) &&
			reviewed(r.Host, &h, places)
	})
}

// sameCall reports whether an entry runs these hooks as install writes it, with
// nothing in it that makes an answer weaker than this one's.
func (r *run) sameCall(call *BridgeCall) bool {
	if !call.RunsHooksOf(r.Hooks.Profile().Name) {
		return false
	}
	for _, f := range call.Flags {
		switch f.Name {
		case "host", "hooks", ScopeFlag, "log", "log-payload", "pin-hooks":
		case "fail-closed":
			if r.FailClosed && f.Value == "false" {
				return false
			}
		case "require-trust":
			if !r.RequireTrust {
				return false
			}
		case "ask":
			if f.Value == "allow" && r.Ask != AskAllow {
				return false
			}
		case "allow":
			if f.Value == "approve" && r.Allow != AllowApprove {
				return false
			}
		case "evaluator":
			if f.Value != r.Evaluator {
				return false
			}
		default:
			return false
		}
	}
	return !r.FailClosed || call.Has("fail-closed")
}

// reviewed reports whether the agent runs one of its own hooks, as far as its
// record of reviews tells.
func reviewed(d Dialect, h *schema.Hook, p schema.Places) bool {
	keeper := dialect.AbilitiesOf(d).Trust
	if keeper == nil {
		return true
	}
	switch keeper.Trust(h, p, discover.Read) {
	case dialect.Untrusted, dialect.TrustModified, dialect.TrustOff:
		return false
	}
	return true
}
