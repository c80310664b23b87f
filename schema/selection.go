package schema

import "slices"

// KindsMeet reports whether a gate's kinds of tool can be the other event's.
func KindsMeet(gate, other *EventRow) bool {
	return other.Gate == nil || slices.ContainsFunc(gate.Kinds(), func(k Kind) bool {
		return slices.Contains(other.Kinds(), k)
	})
}

// A Pick is one thing that a matcher of a tool event selects.
type Pick struct {
	Kind Kind
	// native name of the tool, or of an MCP tool ("" : any of the server); "" : the agent's tool of that kind
	Name   string
	Server string // MCP server; "" : any
	// Written is how the matcher's agent writes both.
	Written NameRules
	// AnyForm: the server may have a name that only the agent with the entry gives it; see dialect.ServerForm.
	AnyForm bool
}

// A Selection is what a hook's matcher selects, in canonical terms. It is never
// narrower than the matcher; Exact says that it is not wider either.
type Selection struct {
	// Event is the event at which other agents send what this hook needs, if it isn't
	// the hook's own; 0: its own.
	Event Event
	All   bool
	Picks []Pick // in the matcher's order; not used with All
	// Search is a JavaScript expression: further tools in whose names, of MCP
	// servers too, it finds something. "": none.
	Search string
	Exact  bool
	Words  []string // canonical values for events that match one, such as the source of a session
}

// Meets reports whether both may select the same call.
func (s *Selection) Meets(o *Selection) bool {
	for _, one := range []*Selection{s, o} {
		if one.All || one.Search != "" {
			return true
		}
	}
	return slices.ContainsFunc(s.Picks, func(p Pick) bool {
		return slices.ContainsFunc(o.Picks, func(q Pick) bool { return p.Kind == q.Kind })
	})
}

// An Entry is a place in a dialect's configuration where a hook can be.
type Entry struct {
	Native  string
	Pointer string // JSON Pointer of the array that the entry goes into
	Matcher string // "" : none
	Exact   bool   // the matcher selects what the Selection says and no more
}
