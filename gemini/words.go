package gemini

import "github.com/hookbridge/hookbridge/schema"

// words are the closed vocabularies (observed 0.61.0, where no other source is
// named). The WriteOnly rows say what it would call things that only other agents
// know.
var words = schema.Vocabularies{
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup", Canonical: "startup"}, {Native: "resume", Canonical: "resume"}, {Native: "clear", Canonical: "clear"},
		{Native: "startup", Canonical: "new", WriteOnly: true}, {Native: "resume", Canonical: "compact", WriteOnly: true},
		{Native: "resume", Canonical: "fork", WriteOnly: true},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "exit", Canonical: "prompt-exit"}, {Native: "clear", Canonical: "clear"},
		{Native: "logout", Canonical: "logout", Source: "source"}, // prompt_input_exit stays as it is
		{Native: "other", Canonical: "other", Source: "source"},
		{Native: "exit", Canonical: "completed", WriteOnly: true}, {Native: "exit", Canonical: "window-close", WriteOnly: true},
		{Native: "exit", Canonical: "user-close", WriteOnly: true}, {Native: "exit", Canonical: "resume", WriteOnly: true},
		{Native: "exit", Canonical: "aborted", WriteOnly: true}, {Native: "exit", Canonical: "error", WriteOnly: true},
		{Native: "exit", Canonical: "bypass-disabled", WriteOnly: true}, {Native: "exit", Canonical: "timeout", WriteOnly: true},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact}, Words: []schema.Word{
		{Native: "manual", Canonical: "manual"},
		{Native: "auto", Canonical: "auto", WriteOnly: true, Source: "observed 0.61.0: sent before each request, whether or not anything is compressed"},
	}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "ToolPermission", Canonical: "permission_prompt"},
	}},
	agentTypes,
}

var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "generalist", Canonical: "builtin/general-purpose"},
	{Native: "codebase_investigator", Canonical: "builtin/explore", Source: "source"},
	{Native: "cli_help", Canonical: "builtin/guide", Source: "source"},
	{Native: "generalist", Canonical: "builtin/plan", WriteOnly: true},
	{Native: "generalist", Canonical: "builtin/shell", WriteOnly: true},
	{Native: "generalist", Canonical: "builtin/statusline-setup", WriteOnly: true},
}}
