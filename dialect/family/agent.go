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
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// An Agent is one agent of the family. A dialect embeds it and adds what only its
// agent has. It must not be changed once it is in use.
type Agent struct {
	ID       string // the dialect's name on the command line: "codex"
	Title    string // the agent's name in prose: "Codex"
	Data     *dialect.Profile
	Events   []schema.EventRow
	Tools    []schema.ToolRow
	Members  []schema.MemberRow // names of payload members
	Payload  []PayloadRow       // members of a payload, in order
	Grammar  matcher.Grammar    // of every matcher
	MCP      MCPNames
	File     FileRules
	Limits   []LimitRow // time limits, the first that fits counts
	MaxLimit time.Duration
	Merging  schema.MergeRules
	Steps    Steps
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

// A LimitRow is how long hooks may run that set no limit of their own, and at most.
// A zero Event or Handler stands for all; a zero Max for no maximum.
type LimitRow struct {
	Event        schema.Event
	Handler      schema.Handler
	Default, Max time.Duration
}

// Name returns the dialect's name.
func (a *Agent) Name() string { return a.ID }

// Profile returns the dialect's constants.
func (a *Agent) Profile() *dialect.Profile { return a.Data }

// EventRows returns the dialect's events.
func (a *Agent) EventRows() []schema.EventRow { return a.Events }

// ToolRows returns the dialect's tools.
func (a *Agent) ToolRows() []schema.ToolRow { return a.Tools }

// Row returns the event of that name, nil if there is none.
func (a *Agent) Row(native string) *schema.EventRow { return schema.RowNamed(a.Events, native) }

// Tool returns the tool of that name or alias, nil if there is none.
func (a *Agent) Tool(name string) *schema.ToolRow {
	for i := range a.Tools {
		if a.Tools[i].Name == name || slices.Contains(a.Tools[i].Aliases, name) {
			return &a.Tools[i]
		}
	}
	return nil
}

// ToolOf returns the tool that a kind of work is done with, nil if there is none.
func (a *Agent) ToolOf(k schema.Kind) *schema.ToolRow {
	if k == schema.Other || k == schema.MCP {
		return nil
	}
	for i := range a.Tools {
		if slices.Contains(a.Tools[i].Kinds, k) {
			return &a.Tools[i]
		}
	}
	return nil
}

// GrammarOf returns how a matcher of an event is read.
func (a *Agent) GrammarOf(string) matcher.Grammar { return a.Grammar }

// Timeout returns how long a hook may run.
func (a *Agent) Timeout(h *schema.Hook) time.Duration {
	for _, l := range a.Limits {
		if l.Event != 0 && l.Event != h.Event || l.Handler != 0 && l.Handler != h.Handler {
			continue
		}
		limit := h.Timeout
		if limit <= 0 {
			limit = l.Default
		}
		if l.Max > 0 {
			limit = min(limit, l.Max)
		}
		return limit
	}
	return h.Timeout
}

// Merge makes one reply of several.
func (a *Agent) Merge(rs []schema.Reply) schema.Reply { return a.Merging.Merge(rs) }
