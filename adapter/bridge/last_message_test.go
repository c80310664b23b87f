package bridge

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSaid: the agent's text from one event reaches each hook at the end of the turn, and no hook in the next turn.
func TestSaid(t *testing.T) {
	dir := t.TempDir()
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	b := &Bridge{Host: host, Hooks: hooks, StateDir: dir + "/state", TempDir: dir, Now: time.Now,
		Inline: []byte(`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"cat >&2; exit 2"}]}]}}`),
		Places: schema.Places{OS: "linux", Home: dir, Project: dir, Env: schema.Environ{"PATH=/usr/bin:/bin"}}}
	tell := func(payload string) string {
		out, _, err := b.Run(context.Background(), []byte(payload), "")
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if out := tell(
		`{"hook_event_name":"afterAgentResponse","conversation_id":"c","generation_id":"1","text":"all ` +
			`<b>done</b>"}`); out != "{}" {
		t.Errorf("the words are answered %s", out)
	}
	const stop = `{"hook_event_name":"stop","conversation_id":"c","generation_id":"1","status":"completed",` +
		`"loop_count":0}`
	for range 2 { // each converted hook is a call of hookbridge
		if out := tell(stop); !strings.Contains(out, `all <b>done</b>`) {
			t.Errorf("the end of the turn does not tell them: %s", out)
		}
	}
	if out := tell(strings.Replace(stop, `"1"`, `"2"`, 1)); strings.Contains(out, "done") {
		t.Errorf("told in the next turn: %s", out)
	}

	long := `{"hook_event_name":"afterAgentResponse","conversation_id":"c","text":"` +
		strings.Repeat("x", session.MaxText+1) + `"}`
	_, rep, err := b.Run(context.Background(), []byte(long), "")
	if err != nil || len(rep.Diagnostics) != 1 || rep.Diagnostics[0].Code != schema.CodeContextCut {
		t.Errorf("a long text is cut without a word: %v, %v", err, rep.Diagnostics)
	}
}
