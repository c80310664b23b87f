package inspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/schema"
)

// repeated reports the hooks of several agents' files that start the same command at one event of the host: it runs as
// often. A guard decides the same each time, and what has other effects has them several times.
func (x *examination) repeated() {
	type start struct {
		event   schema.Event
		command string
	}
	by := map[start][]int{} // places in x.found
	for i, f := range x.found {
		if f.Hook == nil || f.Status() > Weaker || cmdline.FindsHooks(f.Hook.Command) {
			continue
		}
		d, err := adapter.Find(f.Hooks)
		if err != nil {
			continue
		}
		if command := Started(d, f.Hook, x.places); x.places.Project != "" && strings.Contains(command,
			x.places.Project) { // a script, not a command that says little
			at := start{f.Hook.Event, command}
			by[at] = append(by[at], i)
		}
	}
	for _, same := range by {
		for _, i := range same {
			x.alsoStarts(&x.found[i], same)
		}
	}
}

// alsoStarts adds to a finding that hooks of other agents start the same command for the same calls.
func (x *examination) alsoStarts(f *Finding, same []int) {
	var others []*schema.Hook
	for _, i := range same {
		if o := &x.found[i]; o.Hooks != f.Hooks && x.meet(f, o) {
			others = append(others, o.Hook)
		}
	}
	if len(others) == 0 {
		return
	}
	f.Problems = append(f.Problems, Problem{Twice, schema.CodeRunsTwice, schema.Loss, x.host.Profile().Title +
		" runs the same command for " + x.placesOf(others), "keep the hook in one agent's file, or install with " +
		"--hooks for one agent"})
	slices.SortStableFunc(f.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(b.Status, a.Status), cmp.Compare(b.Severity, a.Severity))
	})
}

// meet reports whether two hooks may run for one call of the host.
func (x *examination) meet(a, b *Finding) bool {
	if !a.Hook.Event.IsTool() {
		return true
	}
	kinds := func(f *Finding) []schema.Kind {
		d, err := adapter.Find(f.Hooks)
		if err != nil {
			return nil
		}
		return plan.New(d, x.host).Kinds(f.Hook)
	}
	theirs := kinds(b)
	return slices.ContainsFunc(kinds(a), func(k schema.Kind) bool { return slices.Contains(theirs, k) })
}
