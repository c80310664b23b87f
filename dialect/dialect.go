// Package dialect is the contract between hookbridge and one coding agent's hook protocol. A dialect is a Profile,
// which is data, and five behaviors that read and write the agent's files, payloads and answers. Features of only some
// agents are fields of Abilities.
//
// Every type in these signatures can be named outside this module, so that a dialect can be written anywhere.
package dialect

import (
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// A Dialect describes one agent and depends on no other. Implementations are stateless and safe for concurrent use.
type Dialect interface {
	// Profile returns the dialect's data. It is shared and must not be changed.
	Profile() *Profile
	// At returns the dialect as of a version ("2.4") or for one of the agent's programs ("ide"). The error names the
	// available ones; see Profile.At.
	At(version string) (Dialect, error)

	// Abilities returns the optional interfaces that the dialect implements.
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
	// A Result is the outcome of a program.
	Result = process.Result
	// A ReadFile returns the content of a file.
	ReadFile = func(path string) ([]byte, error)
)

// Config finds and reads hook files. run, doctor, check, convert, install and
// trust all use it, so that a hook found by one is found by all.
type Config interface {
	// Locate lists the files and folders that the agent loads hooks from, in order of precedence.
	Locate(p schema.Places) []schema.Source
	// Plugins lists the files of the plugins that the files read so far turn on.
	Plugins(p schema.Places, cfgs []*schema.Config, read ReadFile) []schema.Source
	// Given returns the source for a file that the user named.
	Given(file string) schema.Source
	// ParseConfig reads a file. It continues after a finding, so that one run reports everything.
	ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics)
	// Resolve returns the hooks that are in effect, from several files.
	Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics)
}

// Payload reads and writes the payload that a hook gets on stdin.
type Payload interface {
	// DecodeCall reads the payload of a hook. The Call is nil only with an Error
	// diagnostic.
	DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics)
	// Views lists the ways in which the agent may show c to its hooks, the likeliest first.
	Views(c *schema.Call) []schema.View
	// Shown returns the tool's input as a hook in view v sees it.
	Shown(c *schema.Call, v schema.View) schema.Args
	AppendCall(dst []byte, c *schema.Call, v schema.View) []byte
}

// Reply reads, merges and writes the answers of hooks.
type Reply interface {
	DecodeReply(h *schema.Hook, v schema.View, res *Result) (schema.Reply, schema.Diagnostics)
	// Merge combines several replies, given in configuration order, into one.
	Merge(rs []schema.Reply) schema.Reply
	// Honors returns the effects of r that the agent applies to c.
	Honors(c *schema.Call, r *schema.Reply) schema.Feature
	// Replaces returns the input fields that the agent takes from a rewritten input, and whether the rewrite replaces
	// the whole input.
	Replaces(c *schema.Call) (roles schema.Roles, whole bool)
	// Asks returns the event at which the agent can ask the user about c if it can't at the event of c, and whether it
	// certainly asks.
	Asks(c *schema.Call) (gate string, sure bool)
	AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte
	// Refuse writes the strictest answer for an event that may be unknown.
	Refuse(dst []byte, native, reason string) []byte
}

// Exec starts a hook as the agent does.
type Exec interface {
	Spec(h *schema.Hook, c *schema.Call, p schema.Places) (Spec, error)
}

// Author writes hooks into the agent's configuration.
type Author interface {
	// Select returns the selection of a hook's matcher.
	Select(h *schema.Hook) schema.Selection
	// Plan lists the entries that a hook for h.Event with that selection needs;
	// none if the agent has no such event.
	Plan(h *schema.Hook, sel schema.Selection) []schema.Entry
	// WriteHook writes one entry as compact JSON, and returns the features of hooks that the entry expresses.
	WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature)
}
