package schema

import "slices"

// KindsMeet reports whether a gate's kinds of tools include one of the other event's.
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
	// AnyForm: the server may have a name that only the entry's agent uses; see dialect.ServerForm.
	AnyForm bool
}

// A Selection is the set of calls that a hook's matcher selects, in canonical terms. It is never narrower than the
// matcher; Exact means that it isn't wider either.
type Selection struct {
	// Event is the event at which other agents send the data that this hook needs; 0: the hook's own event.
	Event Event
	All   bool
	Picks []Pick // in the matcher's order; not used with All
	// Search is a JavaScript expression. It also selects tools whose names it matches, including those of MCP servers.
	// "": none.
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

// An Entry is a possible place of a hook in a dialect's configuration.
type Entry struct {
	Native  string
	Pointer string // JSON Pointer of the array for the entry
	Matcher string // "" : none
	Exact   bool   // the matcher selects exactly the Selection
}
