package pi

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestReplies checks how the extension treats an entry's answer.
func TestReplies(t *testing.T) {
	for _, row := range []struct {
		native, answer string
		fail           schema.FailPolicy
		exit           int
		verdict        schema.Verdict
		reason         string
	}{
		{"PreToolUse", `{"protocol":1,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
			`"permissionDecisionReason":"no"}}`, 0, 0, schema.Deny, "no"},
		{"PreToolUse", `{"protocol":1,"decision":"ask"}`, 0, 0, schema.Deny,
			"blocked by a hook"},
		{"PreToolUse", `{"protocol":1,"continue":false,"stopReason":"halt"}`, 0, 0, schema.Deny, "halt"},
		{"PreToolUse", `{"protocol":2,"decision":"block"}`, 0, 0, schema.NoOpinion, ""},
		{"PreToolUse", `{}`, schema.FailClosed, 0, schema.Deny, "hookbridge: the answer is of another protocol"},
		{"PreToolUse", ``, schema.FailClosed, 1, schema.Deny, ""},
		{"UserPromptSubmit", `{"protocol":1,"decision":"block","reason":"no"}`, 0, 0, schema.Deny, "no"},
	} {
		h := schema.Hook{Native: row.native, Event: New().Row(row.native).Event, Fail: row.fail}
		r, ds := New().DecodeReply(&h, schema.View{Event: row.native},
			&process.Result{Exit: row.exit, Stdout: []byte(row.answer)})
		if r.Verdict != row.verdict || row.reason != "" && r.Reason != row.reason {
			t.Errorf("%s: %v %q %v", row.answer, r.Verdict, r.Reason, ds)
		}
	}
}
