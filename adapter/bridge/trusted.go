package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// foreign reports whether whoever wrote the repository has the say in a source.
func (r *loader) foreign(s schema.Source) bool { return trust.Foreign(r.places.Project, r.Given)(s) }

// trusted reports whether the user has trusted the project as it is now, or it
// has nothing to trust. If not, what was found is as if the project's files were
// not there: they neither bring hooks, nor switch the user's off, nor widen what
// those may do.
func (r *loader) trusted(res *discover.Result) bool {
	hooks, files := 0, res.Failed
	for _, c := range res.Configs {
		if r.foreign(c.Source) {
			files = true
			hooks += len(c.Hooks)
		}
	}
	if !files {
		return true
	}
	if records := trust.Recorded(r.TrustFile, r.places.Project); len(records) > 0 && !res.Failed { // who was never trusted is not read any further
		sum, _, err := trust.Fingerprint(r.places.Project, r.call.Cwd, *res, r.foreign)
		if err == nil && slices.Contains(records, sum) {
			return true
		}
	}
	all, failed := len(res.Hooks), res.Failed
	*res, _ = discover.LoadBut(hookfile.Terse{Reader: hookfile.Reader{Dialect: r.Hooks}}, r.places, r.Given, r.foreign)
	failed = failed && !res.Failed // a failure that also occurs without the project's files isn't theirs
	if hooks == 0 && all == len(res.Hooks) && !failed {
		return true // settings that have nothing to do with hooks
	}
	if r.Scope == schema.ScopeUser && (registration{r.stage}).hasEntry(schema.ScopeProject, r.places.Project) {
		return true // which runs them
	}
	d := r.log.note(schema.CodeUntrusted, "the hook files of "+r.places.Project+" aren't trusted in their current state, so they didn't run")
	d.Fix = "read them, then run: hookbridge trust "
	for _, file := range r.Given {
		if trust.Inside(r.places.Project, file) {
			d.Fix += "--config " + file + " "
		}
	}
	d.Fix += r.places.Project
	return hooks == 0 && !failed
}
