package schema

// HTTPRules are an agent's ways with HTTP hooks.
type HTTPRules struct {
	// Event is the member of the body that has the agent's name of the event. It
	// comes before the members of every payload; "": none.
	Event string
	// Follow: redirects are followed.
	Follow bool
	// Text: an answer that isn't a JSON object counts as printed text.
	Text bool
	// AnyPort: in the list of addresses that may be called, an entry for every
	// host that names no port is for all ports.
	AnyPort bool
}
