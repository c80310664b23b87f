package bridge

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// The bridge may be installed in the project's hook file, which a team shares, and in
// the user's own. The --scope of each entry selects whose hooks it runs, so that each
// hook runs once and the project's file doesn't depend on a user's home folder:
//
//	project  the project's hooks; managed hooks where the user has no entry
//	user     all others; the project's where the project has no entry
//
// An entry without --scope runs all of them.

// withoutEqual leaves out what equals a hook that the project's own entry runs. keys
// are those of picked. The project's entry runs its hooks whatever the user has.
func (r selector) withoutEqual(picked []pick, keys, elsewhere []string) []pick {
	if r.Scope != schema.ScopeUser || len(elsewhere) == 0 {
		return picked
	}
	kept := picked[:0:0]
	for i := range picked {
		if slices.Contains(elsewhere, keys[i]) {
			r.log.skip(&picked[i].hook, SkipDuplicate, "the project's own entry runs the same hook")
			continue
		}
		kept = append(kept, picked[i])
	}
	return kept
}

// otherEntry says which other entry of the bridge runs a hook, "" if this one does.
func (r registration) otherEntry(h *schema.Hook) string {
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

// hasEntry reports whether an entry of the scope, in the project's or the user's files,
// calls the bridge for this call, and whether the host runs it.
func (r registration) hasEntry(scope schema.Scope, project string) bool {
	places := r.places
	places.Project = project
	res, _ := discover.LoadBut(hookfile.Terse{Reader: r.Host}, places, nil, func(s schema.Source) bool {
		return s.OfProject() != (scope == schema.ScopeProject)
	})
	return slices.ContainsFunc(res.Hooks, func(h schema.Hook) bool {
		call, ok := cmdline.Parse(h.Command, h.Args)
		return ok && h.Native == r.call.Native && call.Scope() == scope && r.sameCall(&call) && r.hostCalls(&h) &&
			plan.Reviewed(r.Host, &h, places)
	})
}

// sameCall reports whether an entry runs these hooks as install writes it, with
// nothing in it that makes an answer weaker than this one's.
func (r registration) sameCall(call *cmdline.Call) bool {
	if !call.RunsHooksOf(r.Hooks.Profile().Name) {
		return false
	}
	for _, f := range call.Flags {
		switch f.Name {
		case "host", "hooks", cmdline.ScopeFlag, "log", "log-payload", "pin-hooks":
		case "fail-closed":
			if r.FailClosed && f.Value == "false" {
				return false
			}
		case "require-trust":
			if !r.RequireTrust {
				return false
			}
		case "ask":
			if f.Value == "allow" && r.Ask != cmdline.AskAllow {
				return false
			}
		case "allow":
			if f.Value == "approve" && r.Allow != cmdline.AllowApprove {
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
