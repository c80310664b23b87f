package bridge

import (
	"context"
	"errors"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestZeroBridge checks that a Bridge with only two agents and a project answers.
func TestZeroBridge(t *testing.T) {
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	payload := []byte(`{"hook_event_name":"preToolUse","conversation_id":"c","tool_name":"Shell",` +
		`"tool_input":{"command":"ls"}}`)
	home := t.TempDir()
	for _, state := range []string{"", t.TempDir()} {
		b := &Bridge{Host: host, Hooks: hooks, StateDir: state, Places: schema.Places{Project: home}}
		if out, rep, err := b.Run(context.Background(), payload, ""); err != nil || len(out) == 0 {
			t.Errorf("%q: %s, %v %v", state, out, err, rep.Diagnostics)
		}
	}
	b := &Bridge{Host: host, Hooks: hooks} // no project: its hooks can't be found
	if out, rep, err := b.Run(context.Background(), payload, ""); !errors.Is(err, ErrBridge) || out != nil ||
		rep.Diagnostics.Max() != schema.Error {
		t.Errorf("without places: %s, %v %v", out, err, rep.Diagnostics)
	}
}

// TestNoAgent checks that a Bridge without an agent fails with a finding, and denies if it fails closed.
func TestNoAgent(t *testing.T) {
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	payload := []byte(`{"hook_event_name":"preToolUse","conversation_id":"c","tool_name":"Shell",` +
		`"tool_input":{"command":"ls"}}`)
	for name, b := range map[string]Bridge{
		"neither":  {},
		"no host":  {Hooks: hooks},
		"no hooks": {Host: host},
		"others":   {Host: host, Hooks: hooks, Others: []dialect.Dialect{nil}},
	} {
		for _, closed := range []bool{false, true} {
			one := b
			one.FailClosed = closed
			out, rep, err := one.Run(context.Background(), payload, "preToolUse")
			if rep.Diagnostics.Max() != schema.Error {
				t.Errorf("%s: no finding of an error: %v", name, rep.Diagnostics)
			}
			if closed && b.Host != nil {
				if err != nil || rep.Reply.Verdict != schema.Deny || len(out) == 0 {
					t.Errorf("%s, fail-closed: %s %v", name, out, err)
				}
			} else if out != nil || !errors.Is(err, ErrBridge) {
				t.Errorf("%s: %s %v", name, out, err)
			}
		}
	}
}
