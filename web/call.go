package web

import (
	"context"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

// Outcomes are the reactions of all agents to one call.
type Outcomes struct {
	Agents []Outcome `json:"agents"`
	Error  string    `json:"error"` // a mistake in the call or the agent; "": none
}

// An Outcome is one agent's part of Outcomes.
type Outcome struct {
	Title  string   `json:"title"`
	Event  string   `json:"event"`  // the agent's event for the call; "": none
	Hooks  []string `json:"hooks"`  // the hooks that it would run through hookbridge, each with the tool that it sees
	Denial string   `json:"denial"` // the agent's reaction when a hook denies or asks
	Left   []string `json:"left"`   // arguments that the agent's tool doesn't have, so that hooks don't see them
}

// CallOf shows for every agent which hooks of a file would run for a call, written as in scenarios: `shell "rm -rf /"`.
// It starts no hook.
func CallOf(from, text, line string) Outcomes {
	out := Outcomes{Agents: []Outcome{}}
	hooks, err := adapter.Find(from)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	call, err := scenario.ParseLine(line)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	if call.Event == "" {
		call.Event = schema.PreTool.String()
	}
	for _, host := range adapter.Dialects() {
		outcome, err := outcomeOf(host, hooks, text, call)
		if err != nil {
			out.Error = err.Error()
			return out
		}
		out.Agents = append(out.Agents, outcome)
	}
	return out
}

func outcomeOf(host, hooks dialect.Dialect, text string, call scenario.Call) (Outcome, error) {
	out := Outcome{Title: host.Profile().Title, Hooks: []string{}, Left: []string{}}
	row := adapter.EventNamed(host, call.Event)
	if row == nil {
		out.Denial = "has no such event"
		return out, nil
	}
	out.Event = row.Native
	event := sample.ForHost(host, sample.Event{Event: row.Native, Tool: call.Tool, Server: call.Server,
		Input: call.Input, Output: call.Output, Project: "/project", Session: "page"})
	out.Left = append(out.Left, event.Left...)
	report, err := played(host, hooks, text, event, silent)
	if err != nil {
		return out, err
	}
	for _, run := range report.Runs {
		name := run.Hook.Command
		if run.View.Tool != "" {
			name += " (sees " + run.View.Tool + ")"
		}
		out.Hooks = append(out.Hooks, name)
	}
	out.Denial = denial(host, report.Call)
	return out, nil
}

// played returns hookbridge's result for an event of the host. start starts each hook.
func played(host, hooks dialect.Dialect, text string, event sample.Event,
	start func(*schema.Hook, process.Spec) func(context.Context) process.Result) (*bridge.Report, error) {
	payload, err := sample.Payload(host, event)
	if err != nil {
		return nil, err
	}
	b := &bridge.Bridge{Host: host, Hooks: hooks, Inline: []byte(text),
		InlineAt: schema.Source{Scope: schema.ScopeGiven}, OwnHooks: true,
		Places: schema.Places{OS: "linux", Home: "/home", Project: "/project"}, Now: beginning, Start: start}
	_, report, err := b.Run(context.Background(), payload, event.Event)
	if err != nil && report.Call == nil {
		return nil, err
	}
	return report, nil
}

// silent replaces every hook and answers nothing.
func silent(*schema.Hook, process.Spec) func(context.Context) process.Result {
	return func(context.Context) process.Result { return process.Result{} }
}

// denial describes the agent's reaction to a denial and to a question.
func denial(host dialect.Dialect, c *schema.Call) string {
	honored := func(r schema.Reply, f schema.Feature) bool { return host.Honors(c, &r)&f != 0 }
	deny := honored(schema.Reply{Verdict: schema.Deny, Reason: "no"}, schema.EffectDeny)
	ask := honored(schema.Reply{Verdict: schema.Ask, Reason: "no"}, schema.EffectAsk)
	_, sure := host.Asks(c)
	switch {
	case deny && ask && sure:
		return "deny blocks the call, ask asks the user"
	case deny:
		return "deny blocks the call, ask becomes a denial"
	case honored(schema.Reply{KeepGoing: "no"}, schema.EffectKeepGoing):
		return "a block keeps the agent working"
	}
	return "ignores deny and ask here"
}

// beginning is the page's clock: its content doesn't depend on the time.
func beginning() time.Time { return time.Time{} }
