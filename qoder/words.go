package qoder

import "github.com/hookbridge/hookbridge/schema"

// words are Qoder's closed vocabularies (package 1.1.52, where no other source is
// named). Nearest and WriteOnly say what it would call things that only other agents
// know.
var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{ // default and yolo observed
		{Native: "default"}, {Native: "plan"}, {Native: "acceptEdits", Canonical: "accept-edits"}, {Native: "auto"},
		{Native: "dontAsk", Canonical: "dont-ask"}, {Native: "yolo", Canonical: "bypass"},
	}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup"},
		{Native: "resume", Nearest: []string{"fork"}},
		{Native: "clear"}, {Native: "new"}, {Native: "compact"},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "clear"}, {Native: "resume"}, {Native: "logout"},
		{Native: "prompt_input_exit", Canonical: "prompt-exit", Nearest: []string{"window-close", "user-close"}},
		{Native: "bypass_permissions_disabled", Canonical: "bypass-disabled"},
		{Native: "other", Nearest: []string{"completed", "aborted", "error", "timeout"}},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact}, Words: []schema.Word{
		{Native: "manual"}, {Native: "auto"},
	}},
	{Field: schema.FieldError, Events: []schema.Event{schema.StopFailure}, Words: []schema.Word{
		{Native: "rate_limit"},
		{Native: "authentication_failed", Nearest: []string{"oauth_org_not_allowed"}, Source: "observed 1.1.52"},
		{Native: "billing_error"}, {Native: "invalid_request"}, {Native: "server_error"},
		{Native: "max_output_tokens"}, {Native: "model_not_found"}, {Native: "unknown"},
	}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "permission_prompt", Source: "observed 1.1.52"}, {Native: "idle_prompt"}, {Native: "auth_success"},
		{Native: "elicitation_dialog", Nearest: []string{"elicitation_url_dialog"}, Source: "observed 1.1.52"},
		{Native: "elicitation_response", Source: "observed 1.1.52"}, {Native: "elicitation_complete"},
	}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents; general-purpose is observed.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general-purpose", Canonical: "builtin/general-purpose"},
	{Native: "Explore", Canonical: "builtin/explore"}, {Native: "Plan", Canonical: "builtin/plan"},
	{Native: "statusline-setup", Canonical: "builtin/statusline-setup"},
	{Native: "qoder-guide", Canonical: "builtin/guide"},
	{Native: "Bash", Canonical: "builtin/shell", WriteOnly: true},
}}
