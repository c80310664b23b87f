package bridge

import (
	"errors"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestNoWay checks that a hook which Windows has no program to start denies what it could have denied. Other failures
// don't deny unless the user asks for that.
func TestNoWay(t *testing.T) {
	tables := []schema.EventRow{{Event: schema.PreTool, Native: "Before", Blocks: schema.EffectDeny},
		{Event: schema.PostTool, Native: "After"}}
	for _, c := range []struct {
		os     string
		event  string
		err    error
		denies bool
	}{
		{"windows", "Before", process.ErrNoWay, true},
		{"windows", "After", process.ErrNoWay, false},
		{"linux", "Before", process.ErrNoWay, false},
		{"windows", "Before", errors.New("not found"), false},
	} {
		r := &run{opts: &Bridge{}, rules: &dialect.Profile{Events: tables}}
		r.places.OS = c.os
		j := &job{}
		j.Ran, j.View.Event, j.Result.Err = true, c.event, c.err
		blockFailure(r, j)
		if denies := j.Reply.Verdict == schema.Deny; denies != c.denies {
			t.Errorf("%s, %s, %v: denies %v", c.os, c.event, c.err, denies)
		}
	}
}
