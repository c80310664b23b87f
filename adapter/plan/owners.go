package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/schema"
)

// Owners lists the agents that have hooks of their own in a scope. known is false if a
// file of one of them can't be read, and the list may lack it.
func Owners(p schema.Places, scope schema.Scope) (list []adapter.Dialect, known bool) {
	known = true
	list = adapter.Where(func(d adapter.Dialect) bool {
		res, _ := LoadScope(d, p, scope)
		known = known && !res.Failed
		return slices.ContainsFunc(res.Hooks, IsOwn)
	})
	return list, known
}

// Broken are the findings about hook files of the project that no agent can read.
func Broken(p schema.Places) (list schema.Diagnostics) {
	for _, d := range adapter.Dialects() {
		_, ds := LoadScope(d, p, schema.ScopeProject)
		list = append(list, slices.DeleteFunc(ds, func(found schema.Diagnostic) bool { return found.Severity < schema.Weaker })...)
	}
	return list
}

// IsOwn reports whether a hook does something itself: a call of hookbridge that finds
// its hooks is a way to the hooks of others.
func IsOwn(h schema.Hook) bool {
	call, ok := cmdline.Parse(h.Command, h.Args)
	return !ok || !call.FindsHooks()
}

// Counted is a number of things, as "1 entry" or "2 entries".
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		what = stem + "ie"
	}
	return strconv.Itoa(n) + " " + what + "s"
}
