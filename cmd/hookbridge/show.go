package main

import (
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/schema"
)

// A show is what one agent made of a call.
type show struct {
	host  *simulate.Host
	out   *simulate.Outcome // nil: the agent has no such event
	why   string            // why it was not played
	event string            // that the payload's entry names
}

const calledForNone = "hookbridge was called, and no hook matches this call"

// idle says why the host calls nothing.
func (x *show) idle() string {
	host := x.host.Dialect.Profile()
	l := survey.Load(x.host.Dialect, x.host.Places, nil)
	owners, _ := plan.Owners(x.host.Places, schema.ScopeProject)
	for _, h := range l.Hooks {
		if why := x.host.Unreviewed(&h); why != "" {
			return shown(h.Source.File) + ": " + why
		}
	}
	elsewhere, _ := survey.Elsewhere(x.host.Dialect, x.host.Places.Project)
	switch {
	case len(l.Hooks) == 0 && elsewhere != "":
		return elsewhere
	case len(l.Hooks) == 1:
		return "its one entry doesn't match this call"
	case len(l.Hooks) > 0:
		return "none of its " + counted(len(l.Hooks), "entry") + " matches this call"
	case len(l.Found) > 0:
		return "no hook runs: " + inspect.Hinted(x.host.Dialect, *l.Found.Worst()).String()
	case len(adapter.Without(owners, x.host.Dialect)) == 0:
		return "no agent has hooks here that run"
	}
	return host.Title + " has no hooks here; to run those of other agents: " + plan.Command("install", x.host.Dialect)
}
