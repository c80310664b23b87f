package main

import (
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// A trial is one event that was sent through the bridge after the files were written:
// a shell command that changes nothing, which only the hooks see.
type trial struct {
	host, hooks string
	ran         int
	outcome     string
	took        time.Duration
	wrong       schema.Diagnostics // what kept a hook from answering
}

// tried is the command that the hooks are shown.
const tried = `{"command":"git status"}`

// failed says why the trial failed, "" if it succeeded.
func (t trial) failed() string {
	switch {
	case t.outcome == "failed" && len(t.wrong) == 0:
		return "the bridge failed"
	case len(t.wrong) > 0:
		return t.wrong.Worst().Message
	}
	return ""
}

// try sends an event of each host to the hooks of each agent.
func (x *setup) try() {
	x.heading("Self-test: each host sends the shell command `git status`")
	progress := startProgress(&x.std, "init")
	defer progress.end()
	for _, t := range x.targets {
		for _, p := range t.parts {
			progress.at(t.host.Profile().Title + " with the hooks of " + p.in.Hooks.Profile().Title)
			one := x.send(t.host, p.in.Hooks)
			x.trials = append(x.trials, one)
			color, said := good, counted(one.ran, "hook")+" ran, the answer is "+one.outcome
			if why := one.failed(); why != "" {
				color, said = bad, why
			} else if one.ran == 0 {
				said = "answered; no hook is for this call"
			}
			x.printf("  %-14s hooks of %-14s %s (%d ms)\n", t.host.Profile().Title, p.in.Hooks.Profile().Title,
				painterFor(x.std.out).paint(color, schema.Printable(said)), one.took.Milliseconds())
		}
	}
}

// send makes the payload as the host would and runs the hooks as run does.
func (x *setup) send(host, hooks adapter.Dialect) (t trial) {
	t = trial{host: host.Profile().Name, hooks: hooks.Profile().Name, outcome: "failed"}
	row := eventNamed(host, defaultEvent)
	if row == nil {
		return t
	}
	sample := inspect.Sample{Event: row.Native, Tool: schema.Shell.String(), Input: []byte(tried), Project: x.base.Places.Project, Session: "init"}
	payload, err := inspect.Synthesize(host, sample)
	if err != nil {
		t.wrong.Add(schema.CodeBridge, "", err.Error())
		return t
	}
	b := *x.base
	b.Host, b.Hooks, b.Scope = host, hooks, schema.ScopeProject
	start := time.Now()
	s, err := send(&b, payload, "", "init")
	if err != nil {
		t.wrong.Add(schema.CodeState, "", err.Error())
		return t
	}
	t.took = time.Since(start)
	t.ran, t.outcome = len(s.report.Runs), s.outcome
	for _, d := range s.report.Diagnostics {
		if broken(d.Code) || d.Severity == schema.Error && t.outcome == "failed" {
			t.wrong = append(t.wrong, d)
		}
	}
	return t
}

// broken reports whether a finding means that a hook didn't work, whatever the call.
func broken(c schema.Code) bool {
	switch c {
	case schema.CodeNotStarted, schema.CodeTimedOut, schema.CodeBadAnswer, schema.CodeBadSchema, schema.CodeHookFailed, schema.CodeModule:
		return true
	}
	return false
}

// A trialDoc is a trial in JSON.
type trialDoc struct {
	Host        string              `json:"host"`
	Hooks       string              `json:"hooks"`
	Ran         int                 `json:"ran"`
	Answer      string              `json:"answer"`
	MS          float64             `json:"ms"`
	Failed      string              `json:"failed"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

func (t trial) doc() trialDoc {
	return trialDoc{t.host, t.hooks, t.ran, t.outcome, milliseconds(t.took), t.failed(), findingDocs(t.wrong)}
}
