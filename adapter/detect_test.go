package adapter_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDetectSurely: payloads of agents that copied a protocol don't count as payloads of its own agent.
func TestDetectSurely(t *testing.T) {
	claude := `"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","permission_mode":"default",` +
		`"tool_name":"Bash","tool_input":{"command":"ls"}`
	for _, test := range []struct{ name, payload, env, want string }{
		{"Claude Code's own folder", `{` + claude + `,"transcript_path":"/home/u/.claude/projects/p/s.jsonl",` +
			`"new_field":1}`, "", "claude"},
		{"no transcript", `{` + claude + `,"transcript_path":""}`, "", "claude"},
		{"a transcript elsewhere", `{` + claude + `,"transcript_path":"/home/u/.config/claude/s.jsonl"}`, "", "claude"},
		{"another agent's folder", `{` + claude + `,"transcript_path":"/home/u/.junie/sessions/s.jsonl"}`, "", ""},
		{"another agent started by Claude Code", `{` + claude + `,"transcript_path":"/home/u/.junie/sessions/s.jsonl"}`,
			"CLAUDECODE=1", ""},
		{"fields that Claude Code never sends", `{` + claude + `,"client_type":"other"}`, "", ""},
		{"the same with Claude Code's variable", `{` + claude + `,"client_type":"other"}`, "CLAUDECODE=1", "claude"},
		{"Qoder's folder", `{` + claude + `,"transcript_path":"/home/u/.qoder/projects/p/s.jsonl"}`, "", "qoder"},
		{"names in both styles", `{` + claude + `,"sessionId":"s","timestamp":"2026-11-23T05:15:45Z",` +
			`"hookEventName":"pre_tool_use"}`, "", ""},
	} {
		got := ""
		if d := adapter.Detect([]byte(test.payload), schema.Environ{test.env}); d != nil {
			got = d.Profile().Name
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestDetectPayloads reads recorded payloads of agents with and without a dialect.
func TestDetectPayloads(t *testing.T) {
	for _, agent := range material.Agents(t) {
		_, err := adapter.Find(agent)
		known := err == nil
		for _, p := range material.Payloads(t, agent) {
			switch d := adapter.Detect(p.Text, nil); {
			case d != nil && d.Profile().Name != agent:
				t.Errorf("%s: %s is taken for a payload of %s", agent, p.Name, d.Profile().Name)
			case d == nil && known:
				t.Errorf("%s: %s isn't recognized", agent, p.Name)
			}
		}
	}
}
