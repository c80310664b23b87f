package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// located lists the agents that one of their sources speaks for.
func located(p schema.Places, speaks func(schema.Source) bool) (list []adapter.Dialect) {
	for _, d := range adapter.Dialects() {
		if slices.ContainsFunc(d.Locate(p), speaks) {
			list = append(list, d)
		}
	}
	return list
}

// usedIn lists the agents that a project uses: those that have a folder of their own
// in it.
func usedIn(p schema.Places) []adapter.Dialect {
	return located(p, func(s schema.Source) bool {
		dir := filepath.Dir(s.File)
		if s.Folder { // what holds it, such as .github, may be there for another reason
			dir = s.File
		}
		return s.OfProject() && dir != p.Project && discover.IsFolder(dir)
	})
}

// onMachine lists the agents that have a folder in the user's home.
func onMachine(p schema.Places) []adapter.Dialect {
	return located(p, func(s schema.Source) bool {
		dir := filepath.Dir(s.File)
		return s.Scope == schema.ScopeUser && dir != p.Home && discover.IsFolder(dir)
	})
}

// hookOwners lists the agents that have hooks of their own in a scope. known is false
// if a file of one of them can't be read, and the list may lack it.
func hookOwners(p schema.Places, scope schema.Scope) (list []adapter.Dialect, known bool) {
	known = true
	for _, d := range adapter.Dialects() {
		res, _ := plan.LoadScope(d, p, scope)
		known = known && !res.Failed
		if slices.ContainsFunc(res.Hooks, isOwnHook) {
			list = append(list, d)
		}
	}
	return list, known
}

// brokenFiles are the findings about hook files of the project that no agent can read.
func brokenFiles(p schema.Places) (list schema.Diagnostics) {
	for _, d := range adapter.Dialects() {
		_, ds := plan.LoadScope(d, p, schema.ScopeProject)
		for _, found := range ds {
			if found.Severity == schema.Error {
				list = append(list, found)
			}
		}
	}
	return list
}

// noHooks is the error where a project has no hooks, as far as its files can be read.
func noHooks(p schema.Places, msg string) error {
	if broken := brokenFiles(p); len(broken) > 0 {
		msg = "found no hooks, because a hook file can't be read: " + broken[0].String()
	}
	return errors.New(msg)
}

// isOwnHook reports whether a hook does something itself: a call of the bridge that
// finds its hooks is a way to the hooks of others.
func isOwnHook(h schema.Hook) bool {
	call, ok := cmdline.Parse(h.Command, h.Args)
	return !ok || !call.FindsHooks()
}

// dialectsNamed finds the agents of a flag that takes several, separated by commas or
// given again.
func dialectsNamed(flag string, given listFlag) (list []adapter.Dialect, err error) {
	for _, part := range given {
		for _, name := range strings.Split(part, ",") {
			d, err := findDialect(flag, name)
			if err != nil {
				return nil, err
			}
			list = with(list, d)
		}
	}
	return list, nil
}

// sameAgent reports whether two dialects are of one agent, whatever their versions.
func sameAgent(a, b adapter.Dialect) bool { return a.Profile().Name == b.Profile().Name }

func hasDialect(list []adapter.Dialect, d adapter.Dialect) bool {
	return slices.ContainsFunc(list, func(x adapter.Dialect) bool { return sameAgent(x, d) })
}

// with is a list with the agents that it lacks.
func with(list []adapter.Dialect, more ...adapter.Dialect) []adapter.Dialect {
	for _, d := range more {
		if !hasDialect(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// without is a list without an agent.
func without(list []adapter.Dialect, d adapter.Dialect) []adapter.Dialect {
	return slices.DeleteFunc(list, func(x adapter.Dialect) bool { return sameAgent(x, d) })
}

func namesOf(list []adapter.Dialect) []string {
	return each(list, func(d adapter.Dialect) string { return d.Profile().Name })
}
