package bridge

import (
	"context"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestMeanings: a hook for one of several reasons runs if the host has one word for them all.
func TestMeanings(t *testing.T) {
	for _, tt := range []struct {
		host, reason, hooks, native, matcher string
		runs                                 bool
	}{
		{"codex", "other", "claude", "SessionEnd", "prompt_input_exit", true},
		{"codex", "other", "claude", "SessionEnd", "other", true},
		{"codex", "other", "claude", "SessionEnd", "clear", false},
		{"gemini", "exit", "claude", "SessionEnd", "other", true},
		{"gemini", "exit", "copilot", "sessionEnd", "", true},
		{"gemini", "clear", "claude", "SessionEnd", "other", false},
		{"claude", "other", "gemini", "SessionEnd", "exit", true},
		{"claude", "prompt_input_exit", "gemini", "SessionEnd", "exit", true},
		{"claude", "clear", "gemini", "SessionEnd", "exit", false},
	} {
		b := newBridge(t, tt.host, tt.hooks, "")
		b.Single = &schema.Hook{Event: schema.SessionEnd, Native: tt.native, Handler: schema.HandlerCommand,
			Command: "true", Matcher: tt.matcher, HasMatcher: tt.matcher != ""}
		payload := `{"session_id":"s","transcript_path":"","cwd":"` + b.Places.Project +
			`","hook_event_name":"SessionEnd","reason":"` + tt.reason + `"}`
		_, rep, err := b.Run(context.Background(), []byte(payload), "")
		if ran := len(rep.Runs) == 1; err != nil || ran != tt.runs {
			t.Errorf("%s %s, %s %q: ran %v, %v", tt.host, tt.reason, tt.hooks, tt.matcher, ran, err)
		}
	}
}
