package copilot

import "github.com/hookbridge/hookbridge/schema"

// words are the closed vocabularies (observed 1.0.102, where no other source is
// named). The WriteOnly rows are the nearest words for what only other agents know.
var words = schema.Vocabularies{
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "new", Canonical: "startup"}, {Native: "resume", Canonical: "resume"},
		{Native: "new", Canonical: "new", WriteOnly: true}, {Native: "new", Canonical: "clear", WriteOnly: true},
		{Native: "resume", Canonical: "compact", WriteOnly: true}, {Native: "resume", Canonical: "fork", WriteOnly: true},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "complete", Canonical: "completed"}, {Native: "user_exit", Canonical: "prompt-exit"}, {Native: "error", Canonical: "error"},
		{Native: "abort", Canonical: "aborted", Source: "types 1.0.102"},
		{Native: "complete", Canonical: "other", WriteOnly: true}, {Native: "timeout", Canonical: "timeout", Source: "types 1.0.102"},
		{Native: "user_exit", Canonical: "clear", WriteOnly: true}, {Native: "user_exit", Canonical: "resume", WriteOnly: true},
		{Native: "user_exit", Canonical: "logout", WriteOnly: true}, {Native: "user_exit", Canonical: "window-close", WriteOnly: true},
		{Native: "user_exit", Canonical: "user-close", WriteOnly: true}, {Native: "complete", Canonical: "bypass-disabled", WriteOnly: true},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact}, Words: []schema.Word{
		{Native: "manual", Canonical: "manual"}, {Native: "auto", Canonical: "auto"},
	}},
	{Field: schema.FieldStatus, Events: []schema.Event{schema.Stop, schema.SubagentStop}, Words: []schema.Word{
		{Native: "end_turn", Canonical: "completed"},
		{Native: "end_turn", Canonical: "aborted", WriteOnly: true}, {Native: "end_turn", Canonical: "error", WriteOnly: true},
	}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "permission_prompt", Canonical: "permission_prompt"}, {Native: "elicitation_dialog", Canonical: "elicitation_dialog"},
		{Native: "agent_idle", Canonical: "idle_prompt"}, {Native: "agent_completed", Canonical: "agent_completed"},
		{Native: "shell_completed", Canonical: "shell_completed"}, {Native: "shell_detached_completed", Canonical: "shell_detached_completed"},
	}},
	agentTypes,
}

// agentTypes are the built-in sub-agents (types 1.0.102; explore was observed).
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general-purpose", Canonical: "builtin/general-purpose"},
	{Native: "explore", Canonical: "builtin/explore"}, {Native: "task", Canonical: "builtin/shell"},
	{Native: "general-purpose", Canonical: "builtin/plan", WriteOnly: true},
	{Native: "general-purpose", Canonical: "builtin/statusline-setup", WriteOnly: true},
	{Native: "general-purpose", Canonical: "builtin/guide", WriteOnly: true},
}}
