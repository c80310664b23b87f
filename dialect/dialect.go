// Package dialect is the contract between hookbridge and one coding agent's
// hook protocol. A dialect is a Profile, which is data, and five behaviors that
// read and write the agent's files, payloads and answers. What only some agents
// have is a field of Abilities.
//
// Every type in these signatures can be named outside this module, so that a
// dialect can be written anywhere.
package dialect

import (
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// A Dialect knows one agent and nothing of the others. Implementations are
// stateless and safe for concurrent use.
type Dialect interface {
	// Profile returns the dialect's data. It is shared and must not be changed.
	Profile() *Profile
	// At returns the dialect as of a version ("2.4") or of one of the agent's programs
	// ("ide"). The error names the ones there are; see Profile.At.
	At(version string) (Dialect, error)

	// Abilities returns what the agent has beside this.
	Abilities() Abilities

	Config
	Payload
	Reply
	Exec
	Author
}

type (
	// A Spec is a program to start.
	Spec = process.Spec
	// A Result is what became of a program.
	Result = process.Result
	// A ReadFile returns the content of a file.
	ReadFile = func(path string) ([]byte, error)
)

// Config finds and reads hook files. run, doctor, check, convert, install and
// trust all use it, so that a hook found by one is found by all.
type Config interface {
	// Locate lists the files and folders that the agent loads hooks from, in the order
	// in which they count.
	Locate(p schema.Places) []schema.Source
	// Plugins lists the files of the plugins that the files read so far switch on.
	Plugins(p schema.Places, cfgs []*schema.Config, read ReadFile) []schema.Source
	// Given is the source for a file that the user named.
	Given(file string) schema.Source
	// ParseConfig reads a file. It goes on after a finding, so that one run reports
	// everything.
	ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics)
	// Resolve returns the hooks of several files that count.
	Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics)
}

// Payload reads and writes what a hook gets on stdin.
type Payload interface {
	// DecodeCall reads the payload of a hook. The Call is nil only with an Error
	// diagnostic.
	DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics)
	// Views lists how the agent would show c to its hooks, the likeliest first.
	Views(c *schema.Call) []schema.View
	// Shown returns the tool's input as a hook in view v sees it.
	Shown(c *schema.Call, v schema.View) schema.Args
	AppendCall(dst []byte, c *schema.Call, v schema.View) []byte
}

// Reply reads, merges and writes what hooks answer.
type Reply interface {
	DecodeReply(h *schema.Hook, v schema.View, res *Result) (schema.Reply, schema.Diagnostics)
	// Merge makes one reply of several, given in configuration order.
	Merge(rs []schema.Reply) schema.Reply
	// Honors returns the effects of r that the agent acts on for c.
	Honors(c *schema.Call, r *schema.Reply) schema.Feature
	// Replaces returns the input fields that the agent takes from a rewritten
	// input, and whether that replaces the old input as a whole.
	Replaces(c *schema.Call) (roles schema.Roles, whole bool)
	// Asks returns the event at which the agent can ask the user about c if it
	// can't at c's own, and whether it is known to ask.
	Asks(c *schema.Call) (gate string, sure bool)
	AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte
	// Refuse writes the strictest answer to an event that may be unknown.
	Refuse(dst []byte, native, reason string) []byte
}

// Exec says how the agent starts a hook.
type Exec interface {
	Spec(h *schema.Hook, c *schema.Call, p schema.Places) (Spec, error)
}

// Author writes hooks into the agent's configuration.
type Author interface {
	// Select returns what a hook's matcher selects.
	Select(h *schema.Hook) schema.Selection
	// Plan lists the entries that a hook for h.Event with that selection needs;
	// none if the agent has no such event.
	Plan(h *schema.Hook, sel schema.Selection) []schema.Entry
	// WriteHook writes one entry as compact JSON, and returns which features of
	// hooks an entry can express.
	WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature)
}
