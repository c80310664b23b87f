package cursor

import "github.com/hookbridge/hookbridge/schema"

// words are Cursor's closed vocabularies (observed SDK 1.0.32, where no other
// source is named). Nearest and WriteOnly say what it would call things that only
// other agents know.
var words = schema.Vocabularies{
	{Field: schema.FieldFailure, Words: []schema.Word{
		{Native: "error"}, {Native: "timeout"}, {Native: "permission_denied", Canonical: "permission-denied"},
	}},
	{Field: schema.FieldStatus, Words: []schema.Word{
		{Native: "completed"}, {Native: "aborted"}, {Native: "error"},
	}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Canonical: "startup", Source: "the payload has no source, and a resumed session doesn't raise the event"},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "completed",
			Nearest: []string{"clear", "resume", "logout", "prompt-exit", "other", "bypass-disabled"}},
		{Native: "aborted"},
		{Native: "error", Nearest: []string{"timeout"}},
		{Native: "window_close", Canonical: "window-close"}, {Native: "user_close", Canonical: "user-close"},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact}, Words: []schema.Word{
		{Native: "manual"}, {Native: "auto"},
	}},
	{Field: schema.FieldError, Events: []schema.Event{schema.StopFailure}, Words: []schema.Word{
		{Canonical: "unknown", Source: "a stop has a status and no kind of error"},
	}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents (docs 2026-08 and the enumerations that
// models are given). Cursor also loads agents that were written for Claude Code:
// a type that it doesn't have itself keeps their spelling.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "generalPurpose", Canonical: "builtin/general-purpose"},
	{Native: "explore", Canonical: "builtin/explore", Source: "observed SDK 1.0.32"},
	{Native: "shell", Canonical: "builtin/shell"}, {Native: "cursor-guide", Canonical: "builtin/guide"},
	{Native: "Plan", Canonical: "builtin/plan", WriteOnly: true},
	{Native: "statusline-setup", Canonical: "builtin/statusline-setup", WriteOnly: true},
}}
