package schema

// A Pick is one thing that a matcher of a tool event selects.
type Pick struct {
	Kind   Kind
	Name   string // native name of the tool, or of an MCP tool ("" : any of the server); "" : the agent's tool of that kind
	Server string // MCP server; "" : any
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

// An Entry is a place in a dialect's configuration where a hook can stand.
type Entry struct {
	Native  string
	Pointer string // JSON Pointer of the array that the entry goes into
	Matcher string // "" : none
	Exact   bool   // the matcher selects what the Selection says and no more
}
