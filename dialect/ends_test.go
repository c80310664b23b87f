package dialect_test

import (
	"errors"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

func TestEnds(t *testing.T) {
	agent := &dialect.Profile{Answers: dialect.Answers{RefusalStatus: 3}}
	strict := dialect.Ends{process.Killed: {Fails: true}, process.Refused: {Fails: true}, process.Failed: {Fails: true}}
	for _, tt := range []struct {
		name    string
		res     process.Result
		outcome process.Outcome
		always  schema.Code // the report under every agent
		strict  schema.Code // the report under an agent that accepts only a clean end
	}{
		{"clean", process.Result{}, process.Clean, "", ""},
		{"not started", process.Result{Exit: -1, Err: errors.New("no")}, process.NotStarted,
			schema.CodeNotStarted, schema.CodeNotStarted},
		{"late", process.Result{Exit: -1, Signal: "SIGKILL", TimedOut: true}, process.Late,
			schema.CodeTimedOut, schema.CodeTimedOut},
		{"killed", process.Result{Exit: -1, Signal: "SIGTERM"}, process.Killed, "", schema.CodeHookFailed},
		{"the agent's exit code", process.Result{Exit: 3}, process.Refused, "", schema.CodeHookFailed},
		{"another's", process.Result{Exit: 2}, process.Failed, "", schema.CodeHookFailed},
		{"exit code 1", process.Result{Exit: 1}, process.Failed, "", schema.CodeHookFailed},
		{"in the background", process.Result{Exit: -1, Released: true}, process.Clean, "", ""},
	} {
		for rows, want := range map[*dialect.Ends]schema.Code{{}: tt.always, &strict: tt.strict} {
			var ds schema.Diagnostics
			if got := rows.Report(agent, &schema.Hook{Path: "/p"}, &tt.res, &ds); got != tt.outcome {
				t.Errorf("%s: outcome %d, want %d", tt.name, got, tt.outcome)
			}
			if len(ds) > 1 || len(ds) == 0 != (want == "") || len(ds) == 1 &&
				(ds[0].Code != want || ds[0].Path != "/p") {
				t.Errorf("%s: reports %v, want %s", tt.name, ds, want)
			}
		}
	}
}
