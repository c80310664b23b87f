package codex

import "github.com/hookbridge/hookbridge/schema"

// words are Codex's closed vocabularies (schemas in the 0.169.0 binary, where no
// other source is named). The WriteOnly rows are the nearest it has for what only
// other agents know.
var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{
		{Native: "default", Canonical: "default", Source: "observed 0.169.0"}, {Native: "plan", Canonical: "plan"},
		{Native: "acceptEdits", Canonical: "accept-edits"}, {Native: "dontAsk", Canonical: "dont-ask"},
		{Native: "bypassPermissions", Canonical: "bypass", Source: "observed 0.169.0"},
		{Native: "default", Canonical: "auto", WriteOnly: true},
	}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{ // all observed
		{Native: "startup", Canonical: "startup"}, {Native: "resume", Canonical: "resume"}, {Native: "clear", Canonical: "clear"},
		{Native: "compact", Canonical: "compact"}, {Native: "fork", Canonical: "fork", Since: "0.155"},
		{Native: "startup", Canonical: "new", WriteOnly: true},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "other", Canonical: "other", Source: "observed 0.169.0"},
		{Native: "other", Canonical: "clear", WriteOnly: true}, {Native: "other", Canonical: "resume", WriteOnly: true},
		{Native: "other", Canonical: "logout", WriteOnly: true}, {Native: "other", Canonical: "prompt-exit", WriteOnly: true},
		{Native: "other", Canonical: "bypass-disabled", WriteOnly: true}, {Native: "other", Canonical: "completed", WriteOnly: true},
		{Native: "other", Canonical: "window-close", WriteOnly: true}, {Native: "other", Canonical: "user-close", WriteOnly: true},
		{Native: "other", Canonical: "aborted", WriteOnly: true}, {Native: "other", Canonical: "error", WriteOnly: true},
		{Native: "other", Canonical: "timeout", WriteOnly: true},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact}, Words: []schema.Word{
		{Native: "manual", Canonical: "manual"}, {Native: "auto", Canonical: "auto"},
	}},
	agentTypes,
}

// agentTypes are the built-in sub-agents (observed 0.169.0).
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "default", Canonical: "builtin/general-purpose"}, {Native: "explorer", Canonical: "builtin/explore"},
	{Native: "default", Canonical: "builtin/plan", WriteOnly: true},
	{Native: "default", Canonical: "builtin/shell", WriteOnly: true},
	{Native: "default", Canonical: "builtin/statusline-setup", WriteOnly: true},
	{Native: "default", Canonical: "builtin/guide", WriteOnly: true},
}}
