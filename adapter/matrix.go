package adapter

import "github.com/hookbridge/hookbridge/schema"

// A Carry says what becomes of the hooks of one event on another agent.
type Carry struct {
	Event   schema.Event
	From    string         // native name of the event that the hooks are written for
	To      []string       // events of the host that raise it, the generic one first
	Carried schema.Feature // effects that the host has a channel for
	Lost    schema.Feature // effects that are reported when a hook uses them
}

// terminal effects concern the screen of the hook's own agent only.
const terminal = schema.EffectQuiet | schema.EffectTerminal

// Matrix tells, from the dialects' tables, what carries when hooks of one run
// under another, in the order of the hooks' dialect.
func Matrix(hooks, host Dialect) []Carry {
	var out []Carry
	for _, row := range hooks.EventRows() {
		if row.Inline {
			continue
		}
		c := Carry{Event: row.Event, From: row.Native}
		var honoured schema.Feature
		for _, h := range host.EventRows() {
			if !h.Raises(row.Event) || h.Inline || row.Gate && !kindsMeet(row, h) {
				continue
			}
			c.To = append(c.To, h.Native)
			honoured |= h.Honours
		}
		if row.Event.IsTool() && row.Event != schema.PreTool && honoured&schema.EffectContext != 0 {
			honoured |= schema.EffectOutput & mcpOutput(host, row.Event)
		}
		c.Carried = row.Honours & honoured &^ terminal
		c.Lost = row.Honours &^ honoured &^ terminal
		out = append(out, c)
	}
	return out
}

// kindsMeet reports whether a gate's kinds of tool can be the other event's.
func kindsMeet(gate, other schema.EventRow) bool {
	if len(other.Kinds) == 0 {
		return true
	}
	for _, a := range gate.Kinds {
		for _, b := range other.Kinds {
			if a == b {
				return true
			}
		}
	}
	return false
}

// mcpOutput asks the host about the one tool result that many can replace.
func mcpOutput(host Dialect, e schema.Event) schema.Feature {
	for _, row := range host.EventRows() {
		if row.Event == e && !row.Gate {
			c := &schema.Call{Dialect: host.Name(), Event: e, Native: row.Native, Tool: schema.Tool{Kinds: []schema.Kind{schema.MCP}}}
			return host.Honours(c, &schema.Reply{}) & schema.EffectOutput
		}
	}
	return 0
}
