package inspect

import (
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// excluded examines a hook that hookbridge.yaml excludes from the host, nil if it doesn't. carried is what the host
// couldn't do with the hook.
func (x *examination) excluded(d dialect.Dialect, h *schema.Hook, entries []schema.Entry, carried []Problem) []Problem {
	c := choice.Excluded(x.what.File, x.places.Project, x.host, d, h)
	if c == nil {
		return nil
	}
	host, by := x.host.Profile().Title, fmt.Sprintf("%s:%d", projectfile.Name, c.Line)
	found := []Problem{{Excluded, schema.CodeExcluded, schema.Note, by + " excludes it from " + host, ""}}
	never := slices.ContainsFunc(carried, func(p Problem) bool { return p.Status == Never })
	if x.what.Assumed {
		return found
	}

	mark := choice.Mark(x.places.Project, h)
	for _, e := range entries {
		calls, _ := x.calls(d, h, e.Native)
		copies, _ := x.copies(d, h, e.Native)
		for _, own := range slices.Concat(calls, copies) {
			call, _ := cmdline.Parse(own.Command, own.Args)
			if !never && !slices.Contains(call.Excluded(), mark) && !x.waitsForTrust(h, own) {
				return []Problem{x.runsAnyway(d, h, own, &call, by)}
			}
		}
	}
	if x.runsImported(h) && x.importsForSure() {
		fix := x.importOff()
		if x.host.Profile().VoidMember.Name != "" && x.ofProject(h) { // install makes it skip the file
			fix = x.install(d, h)
		}
		return []Problem{{Weaker, schema.CodeForeignImport, schema.Weaker, host + " imports the file by itself and " +
			"runs the hook, which " + by + " excludes", fix}}
	}
	if x.runsImported(h) {
		found = append(found, Problem{Pending, schema.CodeForeignImport, schema.Note, host + " runs the hook, which " +
			by + " excludes, if its own import is on", x.importOff()})
	}
	return found
}

// runsAnyway is a hook that is excluded and that an entry runs.
func (x *examination) runsAnyway(d dialect.Dialect, h, own *schema.Hook, call *cmdline.Call, by string) Problem {
	fix := x.install(d, h)
	switch {
	case call.Installed(x.host.Profile().Name, d.Profile().Name) && own.Source.Scope != schema.ScopeProject:
		fix += ", whose entry then runs the project's hooks in the place of this one"
	case !call.Installed(x.host.Profile().Name, d.Profile().Name):
		fix = "remove that entry"
	}
	return Problem{Weaker, schema.CodeChoice, schema.Weaker, by + " excludes it from " + x.host.Profile().Title +
		", and the entry at " + x.placeOf(own) + " runs it", fix}
}

// leftOutBy is the problem of a hook that the host's entries leave out, nil if none does.
func (x *examination) leftOutBy(d dialect.Dialect, h *schema.Hook, entries []schema.Entry) *Problem {
	for i := range x.own.Hooks {
		own := &x.own.Hooks[i]
		call, ok := cmdline.Parse(own.Command, own.Args)
		at := slices.ContainsFunc(entries, func(e schema.Entry) bool { return e.Native == own.Native })
		if p := x.leftOut(d, h, own, &call); ok && at && p != nil && call.RunsHooksOf(d.Profile().Name) {
			p.Fix = x.install(d, h)
			return p
		}
	}
	return nil
}

// leftOut is the problem of a hook that an entry leaves out although hookbridge.yaml doesn't exclude it, nil if the
// entry runs it.
func (x *examination) leftOut(d dialect.Dialect, h, own *schema.Hook, call *cmdline.Call) *Problem {
	left := h.Source.OfProject() && slices.Contains(call.Excluded(), choice.Mark(x.places.Project, h))
	if !left || choice.Excluded(x.what.File, x.places.Project, x.host, d, h) != nil {
		return nil
	}
	return &Problem{Never, schema.CodeChoice, schema.Weaker, "the entry at " + x.placeOf(own) +
		" leaves the hook out, and " + projectfile.Name + " doesn't exclude it", ""}
}

// IdleChoices are the choices of hookbridge.yaml that change nothing, each once.
func IdleChoices(file *projectfile.File, p schema.Places) (found []Finding) {
	for _, idle := range choice.IdleIn(file, p) {
		agents := idle.Choice.Names()
		name := dialect.BaseName(agents[0].Name)
		found = append(found, Finding{Host: name, Hooks: name, File: file.Path, Line: idle.Choice.Line,
			Col: idle.Choice.Col, Problems: []Problem{{Weaker, schema.CodeChoice, schema.Weaker, idle.Why, idle.Fix}}})
	}
	return found
}
