package schema

import "time"

// A ModuleGroup is one group of callbacks in a module that is to be written:
// what an event, or those of its calls that a matcher accepts, is answered by.
type ModuleGroup struct {
	Native  string        // event of the module's dialect
	Matcher string        // "": all
	Timeout time.Duration // for all of the group
	Config  []byte        // JSON: the hooks, as a file of their own dialect has them
	Flags   []string      // further arguments for the bridge
	Refusal []byte        // JSON: the answer if the bridge fails; nil: no opinion
}

// A Module is a file of callbacks that is to be written.
type Module struct {
	From   string   // dialect of the hooks
	Lost   []string // what was lost, a line each
	Groups []ModuleGroup
	Script bool // JavaScript instead of TypeScript
}
