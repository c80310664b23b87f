package bridge

import (
	"context"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestZeroBridge holds that a Bridge without a clock answers.
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
}
