package story

import (
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

// A Show is what one agent does with a call.
type Show struct {
	Host  *simulate.Host
	Out   *simulate.Outcome // nil: the agent has no such event
	Why   string            // why it was not simulated
	event string            // named in the payload's entry
}

// CalledForNone reports that the host called hookbridge but no hook matched.
const CalledForNone = "hookbridge was called, and no hook matches this call"

// Idle explains why the host calls nothing.
func (x *Show) Idle() string {
	host := x.Host.Dialect.Profile()
	l := survey.Load(x.Host.Dialect, x.Host.Places, nil)
	owners, _ := survey.Owners(x.Host.Places, schema.ScopeProject)
	for _, h := range l.Hooks {
		if why := x.Host.Unreviewed(&h); why != "" {
			return cli.Shown(h.Source.File) + ": " + why
		}
	}
	elsewhere, _ := survey.Elsewhere(x.Host.Dialect, x.Host.Places.Project)
	switch {
	case len(l.Hooks) == 0 && elsewhere != "":
		return elsewhere
	case len(l.Hooks) == 1:
		return "its one entry doesn't match this call"
	case len(l.Hooks) > 0:
		return "none of its " + cli.Counted(len(l.Hooks), "entry") + " matches this call"
	case len(l.Found) > 0:
		return "no hook runs: " + inspect.Hinted(x.Host.Dialect, *l.Found.Worst()).String()
	case len(adapter.Without(owners, x.Host.Dialect)) == 0:
		return "no agent has hooks here that run"
	}
	return host.Title + " has no hooks here; to run those of other agents: " + plan.Command("install", x.Host.Dialect)
}
