package common

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// ActionOf returns a call as an action of the host. why is set if the host has no such event.
func ActionOf(host adapter.Dialect, call scenario.Call) (action simulate.Action, why string, err error) {
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
			return action, "", NoEvent("--event", call.Event, host)
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
	names, _ := cli.Values("TOOL")
	for _, d := range adapter.Dialects() {
		names = append(names, lists.Map(d.Profile().Tools, func(t schema.ToolRow) string { return t.Name })...)
		names = append(names, d.Profile().PlainTools...)
	}
	return names
}

// SurveyOf returns the survey of a project and its hookbridge.yaml.
func SurveyOf(at schema.Places) (*survey.Survey, *projectfile.File, error) {
	file, err := LoadProjectFile(at.Project)
	if err != nil {
		return nil, nil, err
	}
	s, err := survey.Take(at, file)
	return s, file, err
}

// AgentsHere returns the agents of the survey.
func AgentsHere(at schema.Places) ([]adapter.Dialect, error) {
	s, _, err := SurveyOf(at)
	if err != nil {
		return nil, err
	}
	hosts := s.Hosts()
	if len(hosts) == 0 {
		return nil, NoHooks(at, "no agent has hooks in "+at.Project+"; name the project with --project, or an agent "+
			"with --host")
	}
	return hosts, nil
}

// HostIn returns an agent in its places for a simulation.
func HostIn(d adapter.Dialect, at schema.Places) *simulate.Host {
	m := Machine()
	imports := simulate.ImportsUnknown
	if file, err := LoadProjectFile(at.Project); err == nil { // other commands report it
		imports, _ = inspect.StatedImports(file, d)
	}
	return &simulate.Host{Dialect: d, Places: at, Machine: m, Imports: imports,
		Program: simulate.Program{File: m.Self(), Version: "hookbridge " + cli.VersionText(),
			Variable: cli.StateVariable, Depth: cli.DepthVariable}}
}

// AssumeInstalled gives a host an entry for each other agent with hooks, with the flags that install would write.
func AssumeInstalled(host *simulate.Host, flags []cmdline.Flag) {
	flags = slices.DeleteFunc(slices.Clone(flags), func(f cmdline.Flag) bool {
		return cmdline.Row(f.Name).Entries == ""
	})
	host.Assumed = []cmdline.Call{}
	file, _ := LoadProjectFile(host.Places.Project) // other commands report a mistake in it
	for _, d := range adapter.Without(adapter.Dialects(), host.Dialect) {
		if res, _ := survey.ForEntry(d, host.Places, nil); slices.ContainsFunc(res.Hooks, plan.IsOwn) {
			both := []cmdline.Flag{{Name: "host", Value: host.Dialect.Profile().Full()},
				{Name: "hooks", Value: d.Profile().Name}}
			if marks := choice.Marks(file, host.Places, host.Dialect, []adapter.Dialect{d}); marks != nil {
				both = append(both, cmdline.Flag{Name: cmdline.ExcludeFlag, Value: strings.Join(marks, ",")})
			}
			host.Assumed = append(host.Assumed, cmdline.Call{Flags: append(both, flags...)})
		}
	}
}
