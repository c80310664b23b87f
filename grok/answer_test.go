package grok

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestAnswers checks the effects of output and exit code (observed 1.0.41).
func TestAnswers(t *testing.T) {
	const block = `{"decision":"block","reason":"r"`
	const deny = `{"decision":"deny","reason":"r"`
	for _, tt := range []struct {
		event, stdout, stderr string
		exit                  int
		want                  string // verdict, reason, message to continue with, feedback, context, end of the turn
	}{
		{"PreToolUse", `{"decision":"deny","reason":null}`, "", 0, "deny denied by a hook"},
		{"PreToolUse", deny + `,"hookSpecificOutput":null}`, "", 0, "deny r"},
		{"PreToolUse", deny + `,"continue":"x","stopReason":5,"systemMessage":3}`, "", 0, "deny r"},
		{"PreToolUse", deny + `,"hookSpecificOutput":{"permissionDecision":null,"additionalContext":5}}`, "", 0,
			"deny r"},
		{"PreToolUse", deny + `,"hookSpecificOutput":{"permissionDecision":7}}`, "", 0, "none"},
		{"PreToolUse", deny + `,"hookSpecificOutput":[]}`, "", 0, "none"},
		{"PreToolUse", `{"hookSpecificOutput":{"permissionDecision":" deny ","permissionDecisionReason":" "},` +
			`"reason":" r "}`, "", 0, "deny r"},
		{"PreToolUse", `{"decision":"DENY"}`, "", 0, "none"},
		{"PreToolUse", `{"decision":"defer","hookSpecificOutput":{"additionalContext":"c"}}`, "", 0, "none"},
		{"PreToolUse", `{"decision":"ask","reason":"r"}`, "", 1, "ask r"},
		{"PreToolUse", `{"hookSpecificOutput":{"additionalContext":"c"}}`, "", 1, "none"},
		{"PreToolUse", deny + `}`, "e", 2, "deny r"},
		{"PreToolUse", `{"decision":"deny"}`, "e\nf", 2, "deny e"},
		{"PreToolUse", `{"decision":"ask","reason":"r"}`, "e", 2, "deny e"},
		{"PreToolUse", deny + `,"hookSpecificOutput":{"additionalContext":"c"}}`, "", 2, "deny r"},
		{"UserPromptSubmit", block + `,"continue":"x","hookSpecificOutput":{"additionalContext":5}}`, "", 0, "deny r"},
		{"PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"bogus","additionalContext":"c"}}`, "", 0, "none"},
		{"UserPromptSubmit", block + `,"hookSpecificOutput":"x"}`, "", 0, "deny r"},
		{"UserPromptSubmit", block + `,"hookSpecificOutput":[]}`, "", 0, "deny r"},
		{"Stop", block + `,"hookSpecificOutput":[]}`, "", 0, "none going=r"},
		{"Stop", block + `,"hookSpecificOutput":5}`, "", 0, "none"},
		{"UserPromptSubmit", `{"decision":" block "}`, "", 0, "none"},
		{"UserPromptSubmit", block + `}`, "", 1, "deny r"},
		{"UserPromptSubmit", block + `}`, "e", 2, "deny r"},
		{"PostToolUse", `{"decision":"block","reason":null}`, "", 0, "none feedback=blocked by a hook"},
		{"PostToolUse", block + `,"hookSpecificOutput":{"permissionDecision":4}}`, "", 0, "none feedback=r"},
		{"PostToolUse", block + `,"hookSpecificOutput":{"additionalContext":5}}`, "", 0, "none"},
		{"PostToolUse", block + `,"hookSpecificOutput":{"additionalContext":"c"}}`, "", 1, "none feedback=r"},
		{"PostToolUse", `{"hookSpecificOutput":{"additionalContext":"c"}}`, "e", 2, "none feedback=e"},
		{"PostToolUse", block + `}`, "e", 2, "none feedback=r"},
		{"PostToolUseFailure", `{"hookSpecificOutput":{"additionalContext":"c"}}`, "e", 2, "none"},
		{"Stop", `{"decision":"block"}`, "", 0, "none going=blocked by a hook"},
		{"Stop", `{"decision":"block","hookSpecificOutput":{"permissionDecision":"allow"}}`, "", 0,
			"none going=blocked by a hook"},
		{"Stop", block + `,"continue":"x"}`, "", 0, "none"},
		{"Stop", block + `,"stopReason":5}`, "", 0, "none"},
		{"Stop", block + `,"continue":null}`, "", 0, "none going=r"},
		{"Stop", `{"hookSpecificOutput":{"additionalContext":"c"}}`, "", 1, "none going=c"},
		{"Stop", `{"continue":false,"stopReason":"s"}`, "", 1, "none end=s"},
		{"Stop", `{"hookSpecificOutput":{"additionalContext":"c"}}`, "e", 2, "none going=c"},
		{"Stop", `{"continue":false,"stopReason":"s"}`, "e", 2, "none end=s"},
		{"Stop", block + `}`, "e", 2, "none going=r"},
		{"Stop", "", "", 2, "none going=blocked by a hook"},
	} {
		h := &schema.Hook{Native: tt.event, Handler: schema.HandlerCommand}
		r, _ := New().DecodeReply(h, schema.View{Event: tt.event, Kind: schema.Shell},
			&process.Result{Exit: tt.exit, Stdout: []byte(tt.stdout), Stderr: []byte(tt.stderr)})
		got := r.Verdict.String()
		for _, part := range [][2]string{{" ", r.Reason}, {" going=", r.KeepGoing}, {" feedback=", r.Feedback},
			{" context=", r.Context}, {" end=", r.EndReason}} {
			if part[1] != "" {
				got += part[0] + part[1]
			}
		}
		if got != tt.want {
			t.Errorf("%s %s, %q, exit code %d: %s, want %s", tt.event, tt.stdout, tt.stderr, tt.exit, got, tt.want)
		}
	}
}
