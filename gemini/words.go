package gemini

import "github.com/hookbridge/hookbridge/schema"

// words are the closed vocabularies (observed 0.61.0, where no other source is
// named). Nearest and WriteOnly say what it would call things that only other agents
// know.
var words = schema.Vocabularies{
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup", Nearest: []string{"new"}},
		{Native: "resume", Nearest: []string{"compact", "fork"}},
		{Native: "clear"},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "exit", Canonical: "prompt-exit",
			Nearest: []string{"other", "logout", "completed", "window-close", "user-close", "resume", "aborted",
				"error",
				"bypass-disabled", "timeout"}, Means: []string{"completed"}}, // logout and other are types only
		{Native: "clear"},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact}, Words: []schema.Word{
		{Native: "manual"},
		{Native: "auto", WriteOnly: true, Source: "observed 0.61.0: sent before each request, whether or not " +
			"anything is compressed"},
	}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "ToolPermission", Canonical: "permission_prompt"},
	}},
	&agentTypes,
}

var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "generalist", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/plan", "builtin/shell", "builtin/statusline-setup"}},
	{Native: "codebase_investigator", Canonical: "builtin/explore", Source: "source"},
	{Native: "cli_help", Canonical: "builtin/guide", Source: "source"},
}}
