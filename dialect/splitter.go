package dialect

import "github.com/hookbridge/hookbridge/schema"

// A Splitter is a dialect of which one call may do several things: change many
// files by one patch, or read files by a command. Hooks of another agent see each
// as a call of its own.
type Splitter interface {
	// Split lists the calls that c amounts to, nil if it is just what it is. Each
	// list is an alternative: a hook gets the calls of the first list of which its
	// matcher accepts any, and of that list every call that it accepts.
	Split(c *schema.Call) (alternatives [][]*schema.Call)
	// Join returns the input of c in which one of its parts has another input. ok is
	// false if c can't say that.
	Join(c, part *schema.Call, in schema.Args) (input schema.Args, ok bool)
}
