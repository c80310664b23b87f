package inspect

import (
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// excluded returns the problems of a hook that hookbridge.yaml excludes from the host, nil if it doesn't. carried has
// the problems of the hook under the host.
func (b *bridged) excluded(carried []Problem) []Problem {
	by, excluded := b.excludedBy()
	if !excluded {
		return nil
	}
	host := b.host.Profile().Title
	found := []Problem{{Excluded, schema.CodeExcluded, schema.Note, by + " excludes it from " + host, ""}}
	never := slices.ContainsFunc(carried, func(p Problem) bool { return p.Status == Never })
	if b.what.Assumed {
		return found
	}

	mark := choice.Mark(b.places.Project, b.h)
	for _, e := range b.Entries() {
		calls, _ := b.calls(e.Native)
		copies, _ := b.copies(e.Native)
		for _, c := range slices.Concat(calls, copies) {
			if !never && !slices.Contains(c.call.Excluded(), mark) && !c.waitsForTrust() {
				return []Problem{c.runsAnyway(by)}
			}
		}
	}
	if b.imports.runs(b.h) && b.imports.sure() {
		fix := b.imports.off()
		if b.host.Profile().VoidMember.Name != "" && b.ofProject(b.h) { // install makes the host skip the file
			fix = b.install()
		}
		return []Problem{{Weaker, schema.CodeForeignImport, schema.Weaker, host + " imports the file by itself and " +
			"runs the hook, which " + by + " excludes", fix}}
	}
	if b.imports.runs(b.h) {
		found = append(found, Problem{Pending, schema.CodeForeignImport, schema.Note, host + " runs the hook, which " +
			by + " excludes, if its own import is on", b.imports.off()})
	}
	return found
}

// runsAnyway returns the problem of an excluded hook that an entry runs.
func (c *caller) runsAnyway(by string) Problem {
	fix := c.install()
	switch {
	case c.installed() && c.entry.Source.Scope != schema.ScopeProject:
		fix += ", whose entry then runs the project's hooks in the place of this one"
	case !c.installed():
		fix = "remove that entry"
	}
	return Problem{Weaker, schema.CodeChoice, schema.Weaker, by + " excludes it from " + c.host.Profile().Title +
		", and the entry at " + c.placeOf(c.entry) + " runs it", fix}
}

// excludedBy returns the place in hookbridge.yaml that excludes the hook from the host.
func (b *bridged) excludedBy() (place string, excluded bool) {
	c := choice.Excluded(b.what.File, b.places.Project, b.host, b.d, b.h)
	if c == nil {
		return "", false
	}
	return fmt.Sprintf("%s:%d", projectfile.Name, c.Line), true
}

// leftOutBy returns the problem of a hook that the host's entries leave out, nil if none does.
func (b *bridged) leftOutBy() *Problem {
	for _, e := range b.Entries() {
		for _, c := range b.callers(e.Native, b.forAgent) {
			if p := c.leftOut(); p != nil {
				return p
			}
		}
	}
	return nil
}

// leftOut returns the problem of a hook that an entry leaves out although hookbridge.yaml doesn't exclude it, nil if
// the entry runs it.
func (c *caller) leftOut() *Problem {
	left := c.h.Source.OfProject() && slices.Contains(c.call.Excluded(), choice.Mark(c.places.Project, c.h))
	if _, excluded := c.excludedBy(); !left || excluded {
		return nil
	}
	return &Problem{Never, schema.CodeChoice, schema.Weaker, "the entry at " + c.placeOf(c.entry) +
		" leaves the hook out, and " + projectfile.Name + " doesn't exclude it", c.install()}
}

// IdleChoices returns one finding for each choice in hookbridge.yaml without effect.
func IdleChoices(file *projectfile.File, p schema.Places) (found []Finding) {
	for _, idle := range choice.IdleIn(file, p) {
		agents := idle.Choice.Names()
		name := dialect.BaseName(agents[0].Name)
		found = append(found, Finding{Host: name, Hooks: name, File: file.Path, Line: idle.Choice.Line,
			Col: idle.Choice.Col, Problems: []Problem{{Weaker, schema.CodeChoice, schema.Weaker, idle.Why, idle.Fix}}})
	}
	return found
}
