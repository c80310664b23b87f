package sample

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// notPlayed are fields that a usual payload of an event doesn't have although each recorded one does.
var notPlayed = []struct{ agent, event, field, why string }{
	{"copilot", "PermissionRequest", "agent_id", "recorded in subagents only"},
	{"copilot", "PermissionRequest", "agent_type", "recorded in subagents only"},
	{"copilot", "PermissionRequest", "parent_agent_id", "recorded in subagents only"},
	{"copilot", "preToolUse", "toolArgs", "a text for patches only"},
	{"copilot", "postToolUse", "toolArgs", "a text for patches only"},
	{"cursor", "beforeMCPExecution", "command", "sent for a server with a command: which one isn't known"},
	{"droid", "SessionStart", "CLAUDE_ENV_FILE", "a file that the client makes for the session"},
}

func isPlayed(agent, event, field string) bool {
	if strings.Contains(strings.ToLower(field), "transcript") { // no session has a file to name
		return false
	}
	for _, n := range notPlayed {
		if n.agent == agent && n.event == event && n.field == field {
			return false
		}
	}
	return true
}

// TestRecordedFields compares a payload played by fire and test with the client's recorded payloads of the event. It
// must have every field that all of them have, with its type.
func TestRecordedFields(t *testing.T) {
	events := 0
	for _, name := range material.Agents(t) {
		d, err := adapter.Find(name)
		if err != nil {
			continue // it has no dialect yet
		}
		always := map[string]ordjson.Object{} // by event: what every payload has
		for _, p := range material.Payloads(t, name) {
			c, _ := d.DecodeCall(p.Text, nil)
			if c == nil {
				continue
			}
			o, err := ordjson.Parse(p.Text)
			if err != nil {
				t.Fatal(err)
			}
			have, known := always[c.Native]
			if !known {
				always[c.Native] = o
				continue
			}
			var both ordjson.Object
			for _, m := range have {
				if o.Has(m.Name) {
					both = append(both, m)
				}
			}
			always[c.Native] = both
		}
		for native, sent := range always {
			events++
			text, err := Payload(d, Event{Event: native, Project: "/p", Session: "s"})
			if err != nil {
				t.Error(err)
				continue
			}
			o, _ := ordjson.Parse(text)
			for _, m := range sent {
				switch made, ok := o.Get(m.Name); {
				case !isPlayed(name, native, m.Name):
				case !ok:
					t.Errorf("%s %s: no %s, which the client sends: %.60s", name, native, m.Name, m.Value)
				case ordjson.KindOf(made) != ordjson.KindOf(m.Value):
					t.Errorf("%s %s: %s is %s, and the client sends %.60s", name, native, m.Name, made, m.Value)
				}
			}
		}
	}
	if events < 100 {
		t.Errorf("only %d events have recorded payloads", events)
	}
}
