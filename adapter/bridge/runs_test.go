package bridge

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestRuns compares the results of every event and tool of a host with several hooks of every other agent: the answer,
// the codes, which hooks ran and why the others didn't. Answers and settings vary from call to call.
func TestRuns(t *testing.T) {
	var sums golden.Digests
	for i, host := range adapter.Dialects() {
		calls := hostCalls(t, host)
		for j, own := range adapter.WithHooks() {
			if adapter.SameAgent(host, own) || golden.LeftOut(i+j, 3) {
				continue
			}
			out := sums.Of(own.Profile().Name + " " + host.Profile().Name)
			for n, c := range calls {
				once(out, host, own, c, n+3*i+5*j)
				once(out, host, own, c, 11*n+i+2*j+1)
			}
		}
	}
	sums.Compare(t, "testdata/runs.txt")
}

// turns lists settings; every call uses one.
var turns = []func(*Bridge){
	func(*Bridge) {}, func(b *Bridge) { b.FailClosed = true }, func(b *Bridge) { b.Ask = cmdline.AskRelay },
	func(b *Bridge) { b.Ask = cmdline.AskAllow }, func(b *Bridge) { b.Allow = cmdline.AllowApprove },
	func(b *Bridge) { b.BlockFailures = true }, func(b *Bridge) { b.Scope = schema.ScopeProject },
}

// once runs hooks for one call. turn selects answers, settings and lists of hooks.
func once(w io.Writer, host, own dialect.Dialect, c *schema.Call, turn int) {
	b := &Bridge{Host: host, Hooks: own, Trace: true, Now: func() time.Time { return time.Unix(1, 0) },
		Places: schema.Places{OS: "linux", Home: "/nowhere/home", Project: "/nowhere"}}
	turns[turn%len(turns)](b)
	said := replySeeds[turn%len(replySeeds)]
	second := replySeeds[turn/2%len(replySeeds)]
	answers := map[string]process.Result{
		"first":  {Exit: said.exit, Stdout: []byte(said.stdout), Stderr: []byte(said.stderr)},
		"second": {Exit: second.exit, Stdout: []byte(second.stdout), Stderr: []byte(second.stderr)},
		"third":  {Exit: -1, TimedOut: turn%3 == 0, Err: map[bool]error{true: os.ErrNotExist}[turn%3 == 1]},
	}
	b.Start = func(h *schema.Hook, _ process.Spec) standIn {
		return func(context.Context) process.Result { return answers[h.Command] }
	}

	row := own.Profile().Row(own.Profile().Generic(c.Event))
	views := own.Views(c)
	if row == nil || len(views) == 0 {
		return
	}
	hook := func(command string, set func(*schema.Hook)) schema.Hook {
		h := schema.Hook{Event: c.Event, Native: views[turn%len(views)].Event, Handler: schema.HandlerCommand,
			Command: command, Path: "/" + command, Line: 1, Col: 1}
		set(&h)
		return h
	}
	user := schema.Source{File: "/nowhere/home/x.json", Scope: schema.ScopeUser}
	hooks := []schema.Hook{
		hook("first", func(h *schema.Hook) { h.Source.Scope, h.Sequential = schema.ScopeProject, turn%5 == 0 }),
		hook("first", func(h *schema.Hook) { h.Source = user }),
		hook("second", func(h *schema.Hook) { h.Matcher, h.HasMatcher = views[0].Tool, views[0].Tool != "" }),
		hook("second", func(h *schema.Hook) { h.Matcher, h.HasMatcher = "Unheard", true }),
		hook("third", func(h *schema.Hook) { h.Fail, h.Once = schema.FailPolicy(turn%3), turn%4 == 0 }),
		hook("first", func(h *schema.Hook) { h.Handler, h.Prompt = schema.HandlerPrompt, "right?" }),
	}
	answer, rep, err := runHooks(b, c.Raw, slices.Clone(hooks[turn%3:]))
	fmt.Fprintf(w, "%s %v %d: %s %v %s\n", c.Native, c.Tool.Kind(), turn, answer, err != nil, show(&rep.Reply))
	for _, d := range rep.Diagnostics {
		fmt.Fprintf(w, "  %s %v %s\n", d.Code, d.Severity, d.Path)
	}
	for _, r := range rep.Runs {
		fmt.Fprintf(w, "  %s %v %s %+v %s\n", r.Hook.Command, r.Ran, r.Stdin, r.View, show(&r.Reply))
	}
	if rep.Trace != nil {
		for _, s := range rep.Trace.Skipped {
			fmt.Fprintf(w, "  skipped %s %v\n", s.Hook.Path, s.Why)
		}
	}
}
