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

// Matrix tells, from the dialects' tables, what carries when hooks of one run
// under another, in the order of the hooks' dialect.
func Matrix(hooks, host Dialect) []Carry {
	var out []Carry
	for _, row := range hooks.EventRows() {
		if row.Inline {
			continue
		}
		c := Carry{Event: row.Event, From: row.Native}
		if ride := hooks.Select(&schema.Hook{Native: row.Native, Event: row.Event}).Event; ride != 0 {
			c.Event = ride
		}
		var honoured schema.Feature
		for _, h := range host.EventRows() {
			if !h.Raises(c.Event) || h.Inline || row.Gate && !kindsMeet(row, h) {
				continue
			}
			c.To = append(c.To, h.Native)
			honoured |= channels(host, &h)
		}
		c.Carried = row.Honours & honoured &^ silent
		c.Lost = row.Honours &^ honoured &^ silent
		out = append(out, c)
	}
	return out
}

// channels are the effects that a host has a channel for on an event, of the
// tools that of an MCP server, whose result many can replace.
func channels(host Dialect, row *schema.EventRow) schema.Feature {
	c := &schema.Call{Dialect: host.Name(), Event: row.Event, Native: row.Native, Gate: row.Gate}
	if row.Event.IsTool() && !row.Gate {
		c.Tool.Kinds = []schema.Kind{schema.MCP}
	}
	f := host.Honours(c, &schema.Reply{})
	if host.SetsEnv(c) != "" {
		f |= schema.EffectEnv
	}
	return f
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
