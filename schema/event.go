// Package schema is the canonical hook model: what every dialect is read into
// and written from, and the diagnostics that report what a translation lost. It
// holds data and the few table helpers that all dialects share; it performs no I/O
// and knows no dialect.
//
// Canonical names are nobody's native names: "pre-tool", not the spelling of
// one agent, so that a reader always sees which world a string belongs to.
package schema

import "slices"

// An Event is a point in an agent's life at which hooks run. The zero Event is
// invalid, so a forgotten assignment is an error and never a silent pre-tool.
//
// The set is the union of the events of the known agents. For an agent that sends a
// second, more specific event for the same tool call (before a shell command, for
// example), that event has the generic Event, and the call is marked as a gate.
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
	PreMCPCall: "pre-mcp-call",
}

// String returns the canonical name, "event(invalid)" for the zero Event.
func (e Event) String() string { return NameOfValue(eventNames[:], e) }

// MarshalText writes the same into a document.
func (e Event) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// ParseEvent returns the Event called name, 0 if there is none.
func ParseEvent(name string) Event {
	return Event(max(slices.Index(eventNames[:], name), 0))
}

// IsTool reports whether the event is about one tool call, so that matchers
// look at the tool.
func (e Event) IsTool() bool {
	switch e {
	case PreTool, PostTool, PostToolFailure, PermissionRequest, PermissionDenied:
		return true
	}
	return false
}
