package simulate

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// replies are answers of entries, with each effect.
func replies() []schema.Reply {
	command := schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte(`"pwd"`)}}
	more := append(schema.Args{{Name: "more", Raw: []byte("1")}, {Role: schema.RolePath, Name: "path", Raw: []byte(
		`"b"`)}},
		command...)
	return []schema.Reply{{}, {Verdict: schema.Deny, Reason: "r"}, {Verdict: schema.Ask, Reason: "r"},
		{Verdict: schema.Allow}, {Verdict: schema.Allow, Input: command}, {Input: more}, {Input: more[:1]},
		{EndTurn: true, EndReason: "e"}, {EndTurn: true, Verdict: schema.Allow}, {KeepGoing: "k"}, {Context: "c"},
		{Notice: "n"}, {Feedback: "f"}, {Output: []byte(`"o"`), Context: "c"}, {Verdict: schema.Deny, Input: command},
		{Verdict: schema.Ask, Input: command, Context: "c"}}
}

// TestApplied compares, without starting anything, how each host applies answers at each event of its actions, with
// changing modes and ways to start it: what it honors, which of several answers it picks, which events follow, and the
// word for the result.
func TestApplied(t *testing.T) {
	var sums golden.Digests
	for i, d := range adapter.Dialects() {
		if golden.LeftOut(i, 3) {
			continue
		}
		out := sums.Of(d.Profile().Name)
		turn := 0
		for _, action := range appliedActions() {
			host := &Host{Dialect: d, Own: new(survey.Loaded),
				Places: schema.Places{OS: "linux", Project: "/p", Home: "/h"}}
			events, err := newPlay(host, action, 0).events()
			fmt.Fprintf(out, "%v %v %s %s: %q %v\n", action.Event, action.Part, action.Tool, action.Server, events,
				err != nil)
			for _, native := range events {
				row := d.Profile().Row(native)
				if row == nil {
					continue
				}
				for i, r := range replies() {
					turn++
					if modes := d.Profile().PermissionModes(); len(modes) > 0 {
						host.Mode = modes[turn%len(modes)].Name
					}
					if ways := d.Profile().StartedBy(); len(ways) > 0 {
						host.Way = map[bool]*dialect.Way{true: &ways[turn%len(ways)]}[turn%2 == 0]
					}
					p := newPlay(host, action, turn)
					if _, err := p.events(); err != nil {
						t.Fatal(err)
					}
					if err := p.raiseWith(native, r); err != nil {
						t.Fatal(err)
					}
					p.decide()
					s := &p.out.Steps[0]
					fmt.Fprintf(out, "  %s "+
						"%d %q %v: %+v ignores "+
						"%v\n    %s refused %v ended %v asked %v allowed %v, %q, asks %v, %+v %s\n",
						native, i, host.Mode, host.Way != nil, s.Reply, s.Ignored.Names(), p.out.Decision,
						p.refused, p.ended,
						p.asked, p.allowed, p.unasked(native), p.asks(), p.sample.Args, p.sample.Input)
					second := replies()[(i+turn)%len(replies())]
					s.Runs = []Run{{HookRun: bridge.HookRun{Reply: r, Result: process.Result{Exit: turn % 3}}},
						{HookRun: bridge.HookRun{Reply: second, Result: process.Result{Exit: turn / 3 % 3}}}}
					s.Merged = d.Merge([]schema.Reply{r, second})
					s.lone(d.Profile())
					s.moments(d.Profile())
					fmt.Fprintf(out, "    of two: %+v\n", s.Merged)
					for _, f := range s.found {
						fmt.Fprintf(out, "      %s %v\n", f.Code, f.Severity)
					}
				}
			}
		}
	}
	sums.Compare(t, "testdata/applied.txt")
}

func appliedActions() []Action {
	all := append([]Action(nil), actions...)
	for _, tool := range []string{"edit", "fetch", "agent"} {
		all = append(all, Action{Event: schema.PreTool, Tool: tool})
	}
	return append(all, Action{Event: schema.SubagentStop}, Action{Event: schema.PreCompact},
		Action{Event: schema.PreTool, Tool: "shell", Part: schema.PostToolFailure},
		Action{Event: schema.PreTool, Tool: "shell", Input: []byte(`{"command":"ls"}`), Output: []byte(`"out"`)})
}

// newPlay returns an action after calls that were allowed, denied or asked about, depending on turn.
func newPlay(host *Host, action Action, turn int) *play {
	return &play{ctx: context.Background(), host: host, profile: host.Dialect.Profile(), action: action,
		out: &Outcome{}, allowed: turn%5 == 1, asked: turn%7 == 1}
}

// raiseWith plays an event with this answer of its entries.
func (p *play) raiseWith(native string, r schema.Reply) error {
	event := p.sample
	event.Event, event.Refused = native, p.refused
	if row := p.profile.Row(native); !row.Event.IsTool() && p.action.Event.IsTool() {
		event.Tool, event.Server, event.Input, event.Output, event.Args = "", "", nil, nil, nil
	}
	payload, err := sample.Payload(p.host.Dialect, event)
	if err != nil {
		return err
	}
	c, ds := p.host.Dialect.DecodeCall(payload, nil)
	if c == nil {
		return fmt.Errorf("%s: %v", payload, ds)
	}
	s := Step{Event: native, Call: c, Merged: r}
	p.apply(&s)
	p.out.Steps = append(p.out.Steps, s)
	return nil
}

// TestFailed: the entries that have failed.
func TestFailed(t *testing.T) {
	const refusal = 3
	entry := schema.Hook{Command: "hookbridge run --host cursor --hooks claude"}
	inside := func(err error) *Inside { return &Inside{Report: &bridge.Report{}, Err: err} }
	for _, tt := range []struct {
		name   string
		run    Run
		failed bool
	}{
		{"an answer", Run{Inside: inside(nil), HookRun: bridge.HookRun{Result: process.Result{Exit: 1}}}, false},
		{"no answer", Run{Inside: inside(errors.New("x")), HookRun: bridge.HookRun{Result: process.Result{
			Exit: 1}}}, true},
		{"no answer, in time", Run{Inside: inside(errors.New("x")),
			HookRun: bridge.HookRun{Result: process.Result{Exit: 1, TimedOut: true}}}, false},
		{"no answer that counts as one", Run{Inside: inside(errors.New("x"))}, false},
		{"started, silent", Run{HookRun: bridge.HookRun{Hook: entry, Ran: true}}, true},
		{"started, blank", Run{HookRun: bridge.HookRun{Hook: entry, Ran: true,
			Result: process.Result{Stdout: []byte(" \n")}}}, true},
		{"started, silent where that is no opinion", Run{quiet: true, HookRun: bridge.HookRun{Hook: entry,
			Ran: true}}, false},
		{"started, with an answer", Run{HookRun: bridge.HookRun{Hook: entry, Ran: true,
			Result: process.Result{Stdout: []byte("{}")}}}, false},
		{"started, refusing", Run{HookRun: bridge.HookRun{Hook: entry, Ran: true, Result: process.Result{
			Exit: refusal}}}, false},
		{"started, ending as another agent's would", Run{HookRun: bridge.HookRun{Hook: entry, Ran: true,
			Result: process.Result{Exit: 2}}}, true},
		{"started, failing", Run{HookRun: bridge.HookRun{Hook: entry, Ran: true, Result: process.Result{Exit: 1}}},
			true},
		{"started, too slow", Run{HookRun: bridge.HookRun{Hook: entry, Ran: true,
			Result: process.Result{Exit: 1, TimedOut: true}}}, false},
		{"not started", Run{HookRun: bridge.HookRun{Hook: entry, Result: process.Result{Exit: 1}}}, false},
		{"a hook of its own", Run{HookRun: bridge.HookRun{Hook: schema.Hook{Command: "x"}, Ran: true,
			Result: process.Result{Exit: 1}}}, false},
	} {
		if got := tt.run.failed(refusal); got != tt.failed {
			t.Errorf("%s: %v", tt.name, got)
		}
		s := Step{Runs: []Run{{}, tt.run}}
		if got := s.failed(refusal); got != tt.failed {
			t.Errorf("%s among others: %v", tt.name, got)
		}
	}
	if s := (Step{err: errors.New("x")}); !s.failed(refusal) {
		t.Error("a step that can't be played hasn't failed")
	}
}
