package schema

// HTTPRules are an agent's ways with HTTP hooks.
type HTTPRules struct {
	// Event is a member of the body that names the event in the agent's words,
	// before those that every hook is told; "": none.
	Event string
	// Follow: redirects are followed.
	Follow bool
	// Text: an answer that is no JSON object counts as printed text.
	Text bool
	// AnyPort: in the list of addresses that may be called, an entry for every
	// host that names no port is for all ports.
	AnyPort bool
}
