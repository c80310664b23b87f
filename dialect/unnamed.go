package dialect

import "github.com/hookbridge/hookbridge/schema"

// An Unnamed is a dialect of which some payloads don't name their event: the command
// that is registered for the event names it.
type Unnamed interface {
	// DecodeNamed is DecodeCall for a payload of the event native; a payload that names
	// another event counts.
	DecodeNamed(src []byte, native string, env schema.Environ) (*schema.Call, schema.Diagnostics)
}
