package main

import (
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// places are the folders of a command that gets them from no payload.
func (f *runFlags) places() (schema.Places, error) {
	if err := projectIsThere(f.Text("project")); err != nil {
		return schema.Places{}, err
	}
	m := machine()
	f.findRoot(m)
	return m.Places(&f.Call), nil
}

// A show is what one agent made of a call.
type show struct {
	host  *simulate.Host
	out   *simulate.Outcome // nil: the agent has no such event
	why   string            // why it was not played
	event string            // that the payload's entry names
}

const assumeHelp = "as if hookbridge install had added the hooks of every other agent, with its defaults"

// actionOf is a call as an action of the host. why says that the host has no such event.
func actionOf(host adapter.Dialect, call scenario.Call) (action simulate.Action, why string, err error) {
	action = simulate.Action{Event: schema.PreTool, Tool: call.Tool, Server: call.Server, Input: call.Input,
		Output: call.Output}
	if call.Tool != "" && call.Server == "" && !sample.KnowsTool(call.Tool) {
		return action, "", fmt.Errorf("no agent has a tool %q%s", call.Tool, suggest.Question(call.Tool, toolNames()))
	}
	if call.Event == "" {
		return action, "", nil
	}
	row := adapter.EventNamed(host, call.Event)
	if row == nil {
		if adapter.EventOf(call.Event) == 0 {
			return action, "", noEvent("--event", call.Event, host)
		}
		return action, host.Profile().TitleChecked() + " doesn't know the event " + call.Event, nil
	}
	own := call.Event == row.Native && call.Event != row.Event.String()
	switch {
	case own:
		action.Event, action.Native = row.Event, row.Native
	case row.Event.IsTool():
		action.Part = row.Event
	default:
		action.Event = row.Event
	}
	return action, "", nil
}

func toolNames() []string {
	names, _ := values("TOOL")
	for _, d := range adapter.Dialects() {
		for _, t := range d.Profile().Tools {
			names = append(names, t.Name)
		}
	}
	return names
}

// surveyOf is the survey of a project, and its hookbridge.yaml.
func surveyOf(at schema.Places) (*survey.Survey, *projectfile.File, error) {
	file, err := loadProjectFile(at.Project)
	if err != nil {
		return nil, nil, err
	}
	s, err := survey.Take(at, file)
	return s, file, err
}

// agentsHere are the agents of the survey.
func agentsHere(at schema.Places) ([]adapter.Dialect, error) {
	s, _, err := surveyOf(at)
	if err != nil {
		return nil, err
	}
	hosts := s.Hosts()
	if len(hosts) == 0 {
		return nil, noHooks(at, "no agent has hooks in "+at.Project+"; name the project with --project, or an agent "+
			"with --host")
	}
	return hosts, nil
}

// hostIn is an agent in its places, as a simulation plays it.
func hostIn(d adapter.Dialect, at schema.Places) *simulate.Host {
	m := machine()
	imports := simulate.ImportsUnknown
	if file, err := loadProjectFile(at.Project); err == nil { // other commands report it
		imports, _ = inspect.StatedImports(file, d)
	}
	return &simulate.Host{Dialect: d, Places: at, Machine: m, Imports: imports,
		Program: simulate.Program{File: m.Self, Version: "hookbridge " + versionText(), Variable: stateVariable}}
}

// assumeInstalled gives a host an entry for the hooks of each other agent that has some, with the flags that
// install would write.
func assumeInstalled(host *simulate.Host, flags []cmdline.Flag) {
	flags = slices.DeleteFunc(slices.Clone(flags), func(f cmdline.Flag) bool {
		return cmdline.Row(f.Name).Entries == ""
	})
	host.Assumed = []cmdline.Call{}
	for _, d := range adapter.Without(adapter.Dialects(), host.Dialect) {
		if res, _ := discover.Load(d, host.Places, nil); slices.ContainsFunc(res.Hooks, plan.IsOwn) {
			both := []cmdline.Flag{{Name: "host", Value: host.Dialect.Profile().Full()},
				{Name: "hooks", Value: d.Profile().Name}}
			host.Assumed = append(host.Assumed, cmdline.Call{Flags: append(both, flags...)})
		}
	}
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
