package claude

import "github.com/hookbridge/hookbridge/schema"

// words are Claude Code's closed vocabularies (observed 2.1.328, where no other
// source is named). Nearest and WriteOnly say what it would call things that only
// other agents know.
var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{ // types 0.3.328
		{Native: "default"}, {Native: "plan"}, {Native: "acceptEdits", Canonical: "accept-edits"}, {Native: "auto"},
		{Native: "dontAsk", Canonical: "dont-ask"}, {Native: "bypassPermissions", Canonical: "bypass"},
	}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup"}, {Native: "resume"}, {Native: "clear"}, {Native: "compact"},
		{Native: "fork", Since: "2.1.214"},
		{Native: "clear", Canonical: "new", WriteOnly: true, Source: "/new is another name of /clear"},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "clear"}, {Native: "resume"}, {Native: "logout"},
		{Native: "prompt_input_exit", Canonical: "prompt-exit", Nearest: []string{"window-close", "user-close"}},
		{Native: "other", Nearest: []string{"completed", "aborted", "error", "bypass-disabled", "timeout"}},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact}, Words: []schema.Word{
		{Native: "manual"}, {Native: "auto"},
	}},
	{Field: schema.FieldError, Events: []schema.Event{schema.StopFailure}, Words: []schema.Word{ // docs 2026-08
		{Native: "rate_limit"}, {Native: "authentication_failed"}, {Native: "billing_error"},
		{Native: "invalid_request"}, {Native: "server_error"}, {Native: "max_output_tokens"}, {Native: "unknown"},
		{Native: "oauth_org_not_allowed"}, {Native: "model_not_found"},
	}},
	// docs 2026-08
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "permission_prompt"}, {Native: "idle_prompt"}, {Native: "auth_success"},
		{Native: "elicitation_dialog"}, {Native: "elicitation_url_dialog"}, {Native: "elicitation_complete"},
		{Native: "elicitation_response"}, {Native: "agent_needs_input"}, {Native: "agent_completed"},
	}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents. The canonical words can't be the name
// of an agent, so that a user's agent named like another client's own keeps its
// name.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general-purpose", Canonical: "builtin/general-purpose"},
	{Native: "Explore", Canonical: "builtin/explore"}, {Native: "Plan", Canonical: "builtin/plan"},
	{Native: "statusline-setup", Canonical: "builtin/statusline-setup"},
	{Native: "claude-code-guide", Canonical: "builtin/guide", Source: "docs 2026-08: interactive sessions only"},
	{Native: "Bash", Canonical: "builtin/shell", Source: "builds of early 2026; 2.1.328 doesn't offer it"},
}}
