package codex

import "github.com/hookbridge/hookbridge/schema"

// words are Codex's closed vocabularies (schemas in the 0.169.0 binary, where no
// other source is named). Nearest and WriteOnly are the nearest it has for what only
// other agents know.
var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{
		{Native: "default", Nearest: []string{"auto"}, Source: "observed 0.169.0"},
		{Native: "plan"}, {Native: "acceptEdits", Canonical: "accept-edits"},
		{Native: "dontAsk", Canonical: "dont-ask"},
		{Native: "bypassPermissions", Canonical: "bypass", Source: "observed 0.169.0"},
	}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{ // all observed
		{Native: "startup", Nearest: []string{"new"}},
		{Native: "resume"}, {Native: "clear"}, {Native: "compact"}, {Native: "fork", Since: "0.155"},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "other",
			Nearest: []string{"clear", "resume", "logout", "prompt-exit", "bypass-disabled", "completed",
				"window-close", "user-close", "aborted", "error", "timeout"},
			Means: []string{"prompt-exit", "completed"}, Source: "observed 0.169.0"},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact}, Words: []schema.Word{
		{Native: "manual"}, {Native: "auto"},
	}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents (observed 0.169.0).
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "default", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/plan", "builtin/shell", "builtin/statusline-setup", "builtin/guide"}},
	{Native: "explorer", Canonical: "builtin/explore"},
}}
