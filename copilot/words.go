package copilot

import "github.com/hookbridge/hookbridge/schema"

// words are the closed vocabularies (observed 1.0.102, where no other source is
// named). Nearest and WriteOnly are the nearest words for what only other agents know.
var words = schema.Vocabularies{
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "new", Canonical: "startup", Nearest: []string{"new", "clear"}},
		{Native: "resume", Nearest: []string{"compact", "fork"}},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "complete", Canonical: "completed", Nearest: []string{"other", "bypass-disabled"}},
		{Native: "user_exit", Canonical: "prompt-exit",
			Nearest: []string{"clear", "resume", "logout", "window-close", "user-close"}, Means: []string{"clear"}},
		{Native: "error"},
		{Native: "abort", Canonical: "aborted", Source: "types 1.0.102"},
		{Native: "timeout", Source: "types 1.0.102"},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact}, Words: []schema.Word{
		{Native: "manual"}, {Native: "auto"},
	}},
	{Field: schema.FieldStatus, Events: []schema.Event{schema.Stop, schema.SubagentStop}, Words: []schema.Word{
		{Native: "end_turn", Canonical: "completed", Nearest: []string{"aborted", "error"}},
	}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "permission_prompt"}, {Native: "elicitation_dialog"},
		{Native: "agent_idle", Canonical: "idle_prompt"}, {Native: "agent_completed"}, {Native: "shell_completed"},
		{Native: "shell_detached_completed"},
	}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents (types 1.0.102; explore was observed).
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general-purpose", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/plan", "builtin/statusline-setup", "builtin/guide"}},
	{Native: "explore", Canonical: "builtin/explore"}, {Native: "task", Canonical: "builtin/shell"},
}}
