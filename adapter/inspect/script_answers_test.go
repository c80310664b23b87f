package inspect

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDenials lists scripts, and whether their printed answer has no effect in the agent that runs them.
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

// TestBackgroundAnswers checks agents that can run a hook in the background: a denial from such a hook is reported. It
// isn't reported from a hook that the agent waits for, or that wakes the agent.
func TestBackgroundAnswers(t *testing.T) {
	for _, name := range []string{"claude", "qoder", "codex", "commandcode"} {
		d, err := adapter.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"exit 2",
			`echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'`} {
			for _, runs := range []struct{ async, rewake, reported bool }{{true, false, true}, {true, true, false},
				{false, false, false}} {
				h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Command: command, Async: runs.async,
					Rewake: runs.rewake, Handler: schema.HandlerCommand, Path: "/hooks"}
				list, _, _ := Scripts(d, nil, schema.Places{}, []schema.Hook{h})
				reported := false
				for _, s := range list {
					for _, found := range s.Found {
						reported = reported || found.Code == schema.CodeScriptExit
					}
				}
				if reported != runs.reported {
					t.Errorf("%s, %+v, %s: reported %t", name, runs, command, reported)
				}
			}
		}
	}
}
