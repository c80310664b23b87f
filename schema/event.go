// Package schema is the canonical hook model, which every dialect is read into and written from, and the diagnostics
// that report what a translation lost. It holds data and the few table helpers that all dialects share. It performs no
// I/O and depends on no dialect.
//
// Canonical names differ from all native names: "pre-tool" isn't the spelling of any agent, so that a reader always
// sees whether a string is canonical.
package schema

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// An Event is a point in an agent's life at which hooks run. The zero Event is invalid, so a forgotten assignment is an
// error and never a silent pre-tool.
//
// The set is the union of the events of the known agents. Some agents send a second, more specific event for the same
// tool call, for example before a shell command. That event has the generic Event, and the call is marked as a gate.
type Event uint8

const (
	_ Event = iota
	SessionStart
	SessionEnd
	Setup
	PromptSubmit
	PromptExpand
	PreTool
	PostTool
	PostToolFailure
	PostToolBatch
	PermissionRequest
	PermissionDenied
	SubagentStart
	SubagentStop
	Stop
	StopFailure
	AgentResponse
	AgentThought
	MessageDisplay
	PreCompact
	PostCompact
	Notification
	InstructionsLoaded
	ConfigChange
	CwdChanged
	FileChanged
	DirectoryAdded
	WorkspaceOpen
	TaskCreated
	TaskCompleted
	TeammateIdle
	WorktreeCreate
	WorktreeRemove
	Elicitation
	ElicitationResult
	PreModelSwitch
	PostModelSwitch
	PreModel
	PostModel
	ToolSelection
	Interrupt
	PromptTransformed
	PreMCPCall
	SessionDelete
	SessionHeartbeat
	PromptQueued
	TurnStart
	PermissionResult
	TaskStart
	PreSkillCommand
	NumEvents
)

var eventNames = [NumEvents]string{
	0: "event(invalid)", SessionStart: "session-start", SessionEnd: "session-end", Setup: "setup",
	PromptSubmit: "prompt-submit", PromptExpand: "prompt-expand", PreTool: "pre-tool", PostTool: "post-tool",
	PostToolFailure: "post-tool-failure", PostToolBatch: "post-tool-batch", PermissionRequest: "permission-request",
	PermissionDenied: "permission-denied", SubagentStart: "subagent-start", SubagentStop: "subagent-stop",
	Stop: "stop", StopFailure: "stop-failure", AgentResponse: "agent-response", AgentThought: "agent-thought",
	MessageDisplay: "message-display", PreCompact: "pre-compact", PostCompact: "post-compact",
	Notification: "notification", InstructionsLoaded: "instructions-loaded", ConfigChange: "config-change",
	CwdChanged: "cwd-changed", FileChanged: "file-changed", DirectoryAdded: "directory-added",
	WorkspaceOpen: "workspace-open", TaskCreated: "task-created", TaskCompleted: "task-completed",
	TeammateIdle: "teammate-idle", WorktreeCreate: "worktree-create", WorktreeRemove: "worktree-remove",
	Elicitation: "elicitation", ElicitationResult: "elicitation-result", PreModelSwitch: "pre-model-switch",
	PostModelSwitch: "post-model-switch", PreModel: "pre-model", PostModel: "post-model",
	ToolSelection: "tool-selection", Interrupt: "interrupt", PromptTransformed: "prompt-transformed",
	PreMCPCall: "pre-mcp-call", SessionDelete: "session-delete",
	SessionHeartbeat: "session-heartbeat", PromptQueued: "prompt-queued", TurnStart: "turn-start",
	PermissionResult: "permission-result", TaskStart: "task-start",
	PreSkillCommand: "pre-skill-command",
}

// String returns the canonical name, "event(invalid)" for the zero Event.
func (e Event) String() string { return NameOfValue(eventNames[:], e) }

// MarshalText writes the canonical name into a document.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// ParseEvent returns the Event called name, 0 if there is none.
func ParseEvent(name string) Event {
	return Event(max(slices.Index(eventNames[:], name), 0))
}

// IsTool reports whether the event is about one tool call, so that matchers check the tool.
func (e Event) IsTool() bool {
	switch e {
	case PreTool, PostTool, PostToolFailure, PermissionRequest, PermissionDenied, PreSkillCommand:
		return true
	}
	return false
}

// A Kind is what a tool does, independent of its name. The zero Kind is "other": a tool that keeps its native name
// everywhere.
type Kind uint8

const (
	Other Kind = iota
	Shell
	Read
	Write
	Edit
	MultiEdit
	Notebook
	Delete
	Grep
	Glob
	List
	Fetch
	WebSearch
	MCP
	Agent
	NumKinds
)

var kindNames = [NumKinds]string{
	Other: "other", Shell: "shell", Read: "read", Write: "write", Edit: "edit", MultiEdit: "multi-edit",
	Notebook: "notebook", Delete: "delete", Grep: "grep", Glob: "glob", List: "list", Fetch: "fetch",
	WebSearch: "web-search", MCP: "mcp", Agent: "agent",
}

// String returns the canonical name of the kind.
func (k Kind) String() string { return NameOfValue(kindNames[:], k) }

// ParseKind returns the Kind called name; ok is false if there is none.
func ParseKind(name string) (k Kind, ok bool) {
	i := slices.Index(kindNames[:], name)
	return Kind(max(i, 0)), i >= 0
}

// A Role is the meaning of a field of a tool's input or result. The zero Role is Rest: a field that isn't in a table
// and keeps its native name.
type Role uint8

const (
	Rest Role = iota
	// Input roles.
	RoleCommand
	RoleCwd
	RoleTimeout // milliseconds
	RoleDescription
	RoleBackground
	RolePath
	RoleContent
	RoleOldText
	RoleNewText
	RoleReplaceAll
	RoleEdits // array of {old, new} pairs, see Edits
	RolePattern
	RoleGlob
	RoleOutputMode
	RoleIgnore
	RoleOffset
	RoleLimit
	RoleURL
	RolePrompt
	RoleQuery
	RoleAgentType
	RoleModel
	RoleCellSource
	// Result roles.
	RoleStdout
	RoleStderr
	RoleExitCode
	RoleInterrupted
	RoleOK
	RoleBlocks // array of content blocks of an MCP result
	RoleIsError
	RoleOriginal // text of the file before the change, null for a new file
	RoleLength
	RoleWhole // the whole value, if it isn't an object
	NumRoles
)

var roleNames = [NumRoles]string{
	Rest: "rest", RoleCommand: "command", RoleCwd: "cwd", RoleTimeout: "timeout", RoleDescription: "description",
	RoleBackground: "background", RolePath: "path", RoleContent: "content", RoleOldText: "old-text",
	RoleNewText:    "new-text",
	RoleReplaceAll: "replace-all", RoleEdits: "edits", RolePattern: "pattern", RoleGlob: "glob",
	RoleOutputMode: "output-mode",
	RoleIgnore:     "ignore", RoleOffset: "offset", RoleLimit: "limit", RoleURL: "url", RolePrompt: "prompt",
	RoleQuery: "query", RoleAgentType: "agent-type", RoleModel: "model", RoleCellSource: "cell-source",
	RoleStdout: "stdout", RoleStderr: "stderr", RoleExitCode: "exit-code", RoleInterrupted: "interrupted", RoleOK: "ok",
	RoleBlocks: "blocks", RoleIsError: "is-error", RoleOriginal: "original", RoleLength: "length", RoleWhole: "whole",
}

// String returns the canonical name of the role.
func (r Role) String() string { return NameOfValue(roleNames[:], r) }

// Roles is a set of Role values; bit n is Role n.
type Roles uint64

// RoleSet returns the set of the given roles.
func RoleSet(roles ...Role) (s Roles) {
	for _, r := range roles {
		s |= 1 << r
	}
	return s
}

// Has reports whether r is in the set.
func (s Roles) Has(r Role) bool { return s&(1<<r) != 0 }

// An Arg is one field of a tool's input or result: its meaning, its agent's name for it, and the original JSON value.
type Arg struct {
	Role Role
	Name string
	Raw  []byte
}

// Args are fields in source order.
type Args []Arg

// Get returns the value in the given role.
func (a Args) Get(r Role) ([]byte, bool) {
	for i := range a {
		if a[i].Role == r {
			return a[i].Raw, true
		}
	}
	return nil, false
}

// Text returns the text in role r, "" if there is none.
func (a Args) Text(r Role) string {
	raw, _ := a.Get(r)
	s, _ := ordjson.String(raw)
	return s
}

// Find returns the argument with the role of b or, if neither has a role, with its name.
func (a Args) Find(b Arg) (Arg, bool) {
	for _, m := range a {
		if m.Role == b.Role && (b.Role != Rest || m.Name == b.Name) {
			return m, true
		}
	}
	return Arg{}, false
}

// With replaces the arguments with the role of each of others, or with its name if it has no role, and appends new
// ones.
func (a Args) With(others ...Arg) Args {
next:
	for _, b := range others {
		if b.Role != Rest {
			a = a.Set(b.Role, b.Name, b.Raw)
			continue
		}
		a = append(Args(nil), a...)
		for i := range a {
			if a[i].Role == Rest && a[i].Name == b.Name {
				a[i].Raw = b.Raw
				continue next
			}
		}
		a = append(a, b)
	}
	return a
}

// Set replaces the value in the given role or appends it. It never writes into
// an array that another Args may share.
func (a Args) Set(r Role, name string, raw []byte) Args {
	out := make(Args, 0, len(a)+1)
	done := false
	for _, m := range a {
		if m.Role == r && !done {
			m.Raw, done = raw, true
		}
		out = append(out, m)
	}
	if !done {
		out = append(out, Arg{r, name, raw})
	}
	return out
}

// A Tool is the tool call that an event is about.
type Tool struct {
	// Kinds are the possible kinds of the call, the likeliest first. Cursor shows every edit as a whole-file write, so
	// its Write may be an edit too. Empty: no tool.
	Kinds []Kind
	Name  string // native name, without the server for an MCP tool
	// Cut is how many bytes of an MCP tool's Name are certain, if the host may have shortened the name; 0: all, -1:
	// none.
	Cut int
	// Begins is a prefix of the server's name as the calling agent writes it, if it may have cut off the rest.
	Begins string
	// Aliases are the names of a tool without a kind in matchers of the calling agent.
	Aliases []string
	Server  string // MCP server; "" if the agent didn't send it
	// Servers are the candidates if Server is unknown, in configuration order. If it is known, they are further names
	// that the hooks' agent may have for it.
	Servers []string
	Written NameRules // how the calling agent writes Server and Name
	UseID   string
	Input   Args
	Output  Args // result, on the events after the call
	// Whole is the input as the agent wrote it; nil if it isn't an object.
	Whole []byte
}

// Result returns the whole result if it has no parts and contains more than the input. A text or list of texts with
// which an agent confirms a file change doesn't count.
func (t *Tool) Result(k Kind) (raw []byte, ok bool) {
	raw, ok = t.Output.Get(RoleWhole)
	changes := k == Write || k == Edit || k == MultiEdit || k == Notebook
	said := ordjson.KindOf(raw) == ordjson.StringKind || ordjson.KindOf(raw) == ordjson.Array
	return raw, ok && !(changes && said)
}

// Skip removes the first n bytes of the name.
func (t *Tool) Skip(n int) {
	t.Name = t.Name[n:]
	if t.Cut > n {
		t.Cut -= n
	} else if t.Cut > 0 {
		t.Cut = -1
	}
}

// Owners lists the possible servers of an MCP tool: Server and its further names, or the candidates.
func (t *Tool) Owners() []string {
	switch {
	case len(t.Servers) == 0:
		return []string{t.Server}
	case t.Server != "":
		return append([]string{t.Server}, t.Servers...)
	}
	return t.Servers
}

// Kind returns the likeliest kind, Other if there is no tool.
func (t *Tool) Kind() Kind {
	if len(t.Kinds) == 0 {
		return Other
	}
	return t.Kinds[0]
}

// ChangesFile reports whether tools of the kind write, edit or delete a file.
func (k Kind) ChangesFile() bool {
	switch k {
	case Write, Edit, MultiEdit, Notebook, Delete:
		return true
	}
	return false
}

// Base returns the kind that covers all kinds of the same call: an edit is a write.
func (k Kind) Base() Kind {
	switch k {
	case Edit, MultiEdit, Notebook:
		return Write
	}
	return k
}

// HasKind reports whether a list contains a kind, or another kind for the same call.
func HasKind(list []Kind, k Kind) bool {
	return slices.ContainsFunc(list, func(l Kind) bool { return l.Base() == k.Base() })
}
