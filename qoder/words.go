package qoder

import "github.com/hookbridge/hookbridge/schema"

// words are Qoder's closed vocabularies (package 1.1.52, where no other source is
// named). The WriteOnly rows say what it would call things that only other agents
// know.
var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{ // default and yolo observed
		{Native: "default", Canonical: "default"}, {Native: "plan", Canonical: "plan"},
		{Native: "acceptEdits", Canonical: "accept-edits"}, {Native: "auto", Canonical: "auto"},
		{Native: "dontAsk", Canonical: "dont-ask"}, {Native: "yolo", Canonical: "bypass"},
	}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup", Canonical: "startup"}, {Native: "resume", Canonical: "resume"}, {Native: "clear", Canonical: "clear"},
		{Native: "new", Canonical: "new"}, {Native: "compact", Canonical: "compact"},
		{Native: "resume", Canonical: "fork", WriteOnly: true},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "clear", Canonical: "clear"}, {Native: "resume", Canonical: "resume"}, {Native: "logout", Canonical: "logout"},
		{Native: "prompt_input_exit", Canonical: "prompt-exit"},
		{Native: "bypass_permissions_disabled", Canonical: "bypass-disabled"}, {Native: "other", Canonical: "other"},
		{Native: "other", Canonical: "completed", WriteOnly: true},
		{Native: "prompt_input_exit", Canonical: "window-close", WriteOnly: true},
		{Native: "prompt_input_exit", Canonical: "user-close", WriteOnly: true},
		{Native: "other", Canonical: "aborted", WriteOnly: true}, {Native: "other", Canonical: "error", WriteOnly: true},
		{Native: "other", Canonical: "timeout", WriteOnly: true},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact}, Words: []schema.Word{
		{Native: "manual", Canonical: "manual"}, {Native: "auto", Canonical: "auto"},
	}},
	{Field: schema.FieldError, Events: []schema.Event{schema.StopFailure}, Words: []schema.Word{
		{Native: "rate_limit", Canonical: "rate_limit"},
		{Native: "authentication_failed", Canonical: "authentication_failed", Source: "observed 1.1.52"},
		{Native: "billing_error", Canonical: "billing_error"}, {Native: "invalid_request", Canonical: "invalid_request"},
		{Native: "server_error", Canonical: "server_error"}, {Native: "max_output_tokens", Canonical: "max_output_tokens"},
		{Native: "model_not_found", Canonical: "model_not_found"}, {Native: "unknown", Canonical: "unknown"},
		{Native: "authentication_failed", Canonical: "oauth_org_not_allowed", WriteOnly: true},
	}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "permission_prompt", Canonical: "permission_prompt", Source: "observed 1.1.52"},
		{Native: "idle_prompt", Canonical: "idle_prompt"}, {Native: "auth_success", Canonical: "auth_success"},
		{Native: "elicitation_dialog", Canonical: "elicitation_dialog", Source: "observed 1.1.52"},
		{Native: "elicitation_response", Canonical: "elicitation_response", Source: "observed 1.1.52"},
		{Native: "elicitation_complete", Canonical: "elicitation_complete"},
		{Native: "elicitation_dialog", Canonical: "elicitation_url_dialog", WriteOnly: true},
	}},
	agentTypes,
}

// agentTypes are the built-in sub-agents; general-purpose is observed.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general-purpose", Canonical: "builtin/general-purpose"},
	{Native: "Explore", Canonical: "builtin/explore"}, {Native: "Plan", Canonical: "builtin/plan"},
	{Native: "statusline-setup", Canonical: "builtin/statusline-setup"},
	{Native: "qoder-guide", Canonical: "builtin/guide"},
	{Native: "Bash", Canonical: "builtin/shell", WriteOnly: true},
}}
