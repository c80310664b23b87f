// Package family implements what the agents share whose hook files look like
//
//	{"hooks": {EVENT: [{"matcher": "...", "hooks": [{"type": "command", ...}]}]}}
//
// and whose hooks answer with hookSpecificOutput: reading and writing such files,
// payloads and answers. What differs between the agents is data in an Agent, or one
// of its steps. The package knows none of them.
package family

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// An Agent is one agent of the family. A dialect embeds it and adds what only its
// agent has. It must not be changed once it is in use.
type Agent struct {
	Data    *dialect.Profile
	Payload []PayloadRow // members of a payload, in order
	File    FileRules
	Merging schema.MergeRules
	Steps   Steps
}

// Steps are what an agent does in a way of its own. Each may be nil: the common
// way.
type Steps struct {
	// Classify completes a decoded tool call: its kinds, and input by role.
	Classify func(c *schema.Call)
	// Views lists how a tool call is shown; nil: as a tool of each of its kinds.
	Views func(c *schema.Call, native string) []schema.View
	// Input writes tool_input for a view; false: the call's members in the tool's names.
	Input func(dst []byte, c *schema.Call, v schema.View) ([]byte, bool)
	// Result writes tool_response for a view.
	Result func(dst []byte, c *schema.Call, v schema.View) []byte
	// ReadResult gives a tool_response its roles.
	ReadResult func(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args
	// NewInput writes a rewritten input; nil: its members in the tool's names.
	NewInput func(dst []byte, c *schema.Call, r *schema.Reply) []byte
}

// Profile returns the dialect's data.
func (a *Agent) Profile() *dialect.Profile { return a.Data }

// Row returns the event of that name, nil if there is none.
func (a *Agent) Row(native string) *schema.EventRow { return a.Data.Row(native) }

// Tool returns the tool of that name or alias, nil if there is none.
func (a *Agent) Tool(name string) *schema.ToolRow { return a.Data.Tool(name) }

// ToolOf returns the tool that a kind of work is done with, nil if there is none.
func (a *Agent) ToolOf(k schema.Kind) *schema.ToolRow {
	if k == schema.Other || k == schema.MCP {
		return nil
	}
	for i := range a.Data.Tools {
		if slices.Contains(a.Data.Tools[i].Kinds, k) {
			return &a.Data.Tools[i]
		}
	}
	return nil
}

// Merge makes one reply of several.
func (a *Agent) Merge(rs []schema.Reply) schema.Reply { return a.Merging.Merge(rs) }
