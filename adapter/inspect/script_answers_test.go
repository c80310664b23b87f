package inspect

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDenials holds which answers that a script prints refuse nothing in the agent that runs it.
func TestDenials(t *testing.T) {
	const (
		nested = `echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'`
		block  = `echo "{\"decision\":\"block\",\"reason\":\"no\"}"`
	)
	for _, tt := range []struct {
		agent, native, command string
		reported               bool
	}{
		{"letta", "PreToolUse", nested, true}, {"letta", "PreToolUse", block, true},
		{"letta", "PreToolUse", "jq -n '{decision: \"block\"}'", true},
		{"letta", "PreToolUse", block + "; exit 2", false},
		{"letta", "PreToolUse", "# " + block + "\ntrue", false},
		{"letta", "PreToolUse", "echo my_decision:block", false},
		{"letta", "PreToolUse", `echo '{"decision":"approve"}'`, false}, {"letta", "PostToolUse", block, false},
		{"claude", "PreToolUse", nested, false}, {"claude", "PreToolUse", block, false},
		{"claude", "PreToolUse", `echo '{"permission":"deny"}'`, true},
		{"cursor", "preToolUse", `echo '{"permission":"deny"}'`, false}, {"gemini", "BeforeTool", block, false},
	} {
		d, err := adapter.Find(tt.agent)
		if err != nil {
			t.Fatal(err)
		}
		h := schema.Hook{Event: d.Profile().Row(tt.native).Event, Native: tt.native, Command: tt.command,
			Handler: schema.HandlerCommand, Path: "/hooks"}
		list, _, _ := Scripts(d, nil, schema.Places{}, []schema.Hook{h})
		reported := false
		for _, s := range list {
			for _, found := range s.Found {
				reported = reported || found.Code == schema.CodeScriptExit
			}
		}
		if reported != tt.reported {
			t.Errorf("%s %s %s: reported %v", tt.agent, tt.native, tt.command, reported)
		}
	}
}
