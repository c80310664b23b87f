package claude

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Effects that every event accepts: a message to the user and two that only affect the terminal.
const common = schema.EffectNotice | schema.EffectQuiet | schema.EffectTerminal

const (
	decide = schema.EffectAllow | schema.EffectAsk | schema.EffectDeny | schema.EffectReason
	refuse = schema.EffectDeny | schema.EffectReason
	goOn   = schema.EffectKeepGoing | schema.EffectEndTurn
)

// preview is the length from which Claude Code writes context to a file (observed 2.1.328).
const preview = 10000

// events are all events. Since is the first version with the event, from the changelog or from bisecting the published
// declarations (scripts/since); versions before 2.0 are from 2025.
var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool,
		Preview: preview,
		Allow:   schema.AllowApproves,
		Honors: decide | schema.EffectDefer | schema.EffectInput | schema.EffectContext |
			schema.EffectEndTurn | common,
		Blocks: schema.EffectDeny, Since: "1.0.38", Source: "observed 2.1.328"},
	// For the commands in the text of a skill, before the model reads it. The user isn't asked there.
	{Native: "PreSkillShellCommand", Event: schema.PreSkillCommand, Also: []schema.Event{schema.PreTool},
		AlsoFor: []schema.Kind{schema.Shell}, AlsoAs: schema.AlsoForeign, Match: schema.MatchTool, EndDenies: true,
		Allow:  schema.AllowPasses,
		Fields: []schema.Field{schema.FieldCommandName, schema.FieldCommandSource, schema.FieldInvokedBy},
		Honors: refuse | schema.EffectAllow | schema.EffectEndTurn | common, Blocks: schema.EffectDeny,
		Since:  "2.1.332",
		Source: "observed 2.1.332: ask, defer and any updatedInput are denials; context and text do nothing"},
	{Native: "PermissionRequest", Event: schema.PermissionRequest, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldSuggestions}, Asked: true, Allow: schema.AllowApproves,
		Honors: schema.EffectAllow | refuse | schema.EffectInput | schema.EffectPermissions | schema.EffectInterrupt |
			common, Since: "2.0.45", Source: "observed 2.1.328: exit code 2 and a top-level decision are ignored"},
	{Native: "PermissionDenied", Event: schema.PermissionDenied, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldReason}, Honors: schema.EffectRetry | common, Since: "2.1.88",
		Source: "types 0.3.328"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool,
		Preview: preview,
		Fields:  []schema.Field{schema.FieldDuration},
		Honors: schema.EffectFeedback | schema.EffectContext | schema.EffectOutput | schema.EffectClassifier |
			schema.EffectEndTurn | common, Blocks: schema.EffectFeedback, Since: "1.0.38", Source: "observed 2.1.328"},
	{Native: "PostToolUseFailure", Event: schema.PostToolFailure, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldError, schema.FieldInterrupted, schema.FieldDuration},
		Honors: schema.EffectFeedback | schema.EffectContext | common,
		Blocks: schema.EffectFeedback, Since: "2.0.56", Source: "observed 2.1.328: continue false is ignored"},
	{Native: "PostToolBatch", Event: schema.PostToolBatch, Fields: []schema.Field{schema.FieldToolCalls},
		Honors: schema.EffectContext | schema.EffectEndTurn | common, Blocks: schema.EffectEndTurn, Since: "2.1.118",
		Source: "observed 2.1.328"},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit,
		Preview: preview,
		Fields:  []schema.Field{schema.FieldPrompt, schema.FieldPromptSource, schema.FieldSessionTitle},
		Honors: refuse | schema.EffectContext | schema.EffectSessionTitle | schema.EffectHidePrompt |
			schema.EffectEndTurn | common,
		Blocks: schema.EffectDeny, Text: schema.EffectContext, Since: "1.0.54", Source: "observed 2.1.328"},
	{Native: "UserPromptExpansion", Event: schema.PromptExpand, Match: schema.MatchField,
		MatchField: schema.FieldCommandName,
		Fields: []schema.Field{schema.FieldExpansion, schema.FieldCommandName, schema.FieldCommandArgs,
			schema.FieldCommandSource, schema.FieldPrompt},
		Honors: refuse | schema.EffectContext | schema.EffectEndTurn | common, Blocks: schema.EffectDeny,
		Text: schema.EffectContext, Since: "2.1.116", Source: "observed 2.1.328"},
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Preview: preview,
		Fields: []schema.Field{schema.FieldSource, schema.FieldModel, schema.FieldSessionTitle, schema.FieldIdleSeconds,
			schema.FieldContextTokens, schema.FieldCacheExpired, schema.FieldCacheCost},
		Honors: schema.EffectContext | schema.EffectInitialPrompt | schema.EffectSessionTitle |
			schema.EffectWatchPaths | schema.EffectReloadSkills | schema.EffectEnv | common,
		Text: schema.EffectContext, Since: "1.0.62",
		Source: "observed 2.1.328: continue false and exit code 2 are ignored"},
	{Native: "Setup", Event: schema.Setup, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger},
		Honors: schema.EffectContext | schema.EffectEnv | common, Since: "2.1.11", Source: "observed 2.1.328"},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason}, Honors: common, Since: "1.0.85", Source: "observed 2.1.328"},
	{Native: "Stop", Event: schema.Stop,
		Fields: []schema.Field{schema.FieldStopActive, schema.FieldLastMessage, schema.FieldBackgroundTasks,
			schema.FieldCrons},
		Honors: goOn | common, Blocks: schema.EffectKeepGoing, Since: "1.0.38",
		Source: "observed 2.1.328: continue false beats block"},
	{Native: "StopFailure", Event: schema.StopFailure, Match: schema.MatchField, MatchField: schema.FieldError,
		Grammar: namesOnly,
		Fields:  []schema.Field{schema.FieldError, schema.FieldErrorDetails, schema.FieldLastMessage}, Honors: common,
		Since: "2.1.78", Source: "docs 2026-08"},
	{Native: "SubagentStart", Event: schema.SubagentStart, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Honors: schema.EffectContext | common, Since: "2.0.43", Source: "observed 2.1.328: cannot block"},
	{Native: "SubagentStop", Event: schema.SubagentStop, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldStopActive, schema.FieldAgentTranscript, schema.FieldLastMessage,
			schema.FieldBackgroundTasks, schema.FieldCrons},
		Honors: goOn | common, Blocks: schema.EffectKeepGoing, More: schema.Compacting, Since: "1.0.41",
		Source: "observed 2.1.328"},
	{Native: "Notification", Event: schema.Notification, Match: schema.MatchField,
		MatchField: schema.FieldNotificationType,
		Fields:     []schema.Field{schema.FieldMessage, schema.FieldTitle, schema.FieldNotificationType},
		Honors:     schema.EffectTerminal, Since: "1.0.38", Source: "observed 2.1.328"},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldInstructions},
		Honors: refuse | schema.EffectContext | common, Blocks: schema.EffectDeny, Text: schema.EffectContext,
		Since: "1.0.48", Source: "observed 2.1.328: text is appended to the compaction instructions"},
	{Native: "PostCompact", Event: schema.PostCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldCompactSummary}, Honors: common, Since: "2.1.76",
		Source: "observed 2.1.328"},
	{Native: "PreModelSwitch", Event: schema.PreModelSwitch, Match: schema.MatchField,
		MatchField: schema.FieldToModel, Fields: modelSwitch, Honors: decide | common,
		Blocks: schema.EffectDeny, Since: "2.1.251", Source: "types 0.3.328"},
	{Native: "PostModelSwitch", Event: schema.PostModelSwitch, Match: schema.MatchField,
		MatchField: schema.FieldToModel, Fields: modelSwitch, Honors: schema.EffectContext |
			common, Since: "2.1.251", Source: "types 0.3.328"},
	{Native: "InstructionsLoaded", Event: schema.InstructionsLoaded, Match: schema.MatchField,
		MatchField: schema.FieldLoadReason,
		Fields: []schema.Field{schema.FieldPath, schema.FieldMemoryType, schema.FieldLoadReason, schema.FieldGlobs,
			schema.FieldTriggerPath, schema.FieldParentPath},
		Honors: common, Since: "2.1.69", Source: "observed 2.1.328"},
	{Native: "ConfigChange", Event: schema.ConfigChange, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource, schema.FieldPath}, Honors: refuse | common,
		Blocks: schema.EffectDeny, Since: "2.1.49", Source: "observed 2.1.328"},
	{Native: "CwdChanged", Event: schema.CwdChanged, Fields: []schema.Field{schema.FieldOldCwd, schema.FieldNewCwd},
		Honors: schema.EffectWatchPaths | schema.EffectEnv | common, Since: "2.1.83", Source: "observed 2.1.328"},
	{Native: "FileChanged", Event: schema.FileChanged, Match: schema.MatchField, MatchField: schema.FieldPath,
		Grammar: namesOnly,
		Fields:  []schema.Field{schema.FieldPath, schema.FieldFileEvent}, Honors: schema.EffectWatchPaths |
			schema.EffectEnv | common, More: schema.OwnChanges, Since: "2.1.83", Source: "observed 2.1.332"},
	{Native: "DirectoryAdded", Event: schema.DirectoryAdded, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldDirectory, schema.FieldSource}, Honors: common, Since: "2.1.219",
		Source: "observed 2.1.328"},
	{Native: "TaskCreated", Event: schema.TaskCreated, Fields: task, Honors: refuse | common, Blocks: schema.EffectDeny,
		Since: "2.1.84", Source: "observed 2.1.328"},
	{Native: "TaskCompleted", Event: schema.TaskCompleted, Fields: task, Honors: refuse | schema.EffectEndTurn | common,
		Blocks: schema.EffectDeny, Since: "2.1.33", Source: "docs 2026-08"},
	{Native: "TeammateIdle", Event: schema.TeammateIdle, Fields: []schema.Field{schema.FieldTeammate, schema.FieldTeam},
		Honors: goOn | common, Blocks: schema.EffectKeepGoing, Since: "2.1.33", Source: "docs 2026-08"},
	{Native: "WorktreeCreate", Event: schema.WorktreeCreate, Fields: []schema.Field{schema.FieldWorktreeName},
		Honors: schema.EffectWorktree | refuse | common, Blocks: schema.EffectDeny, Text: schema.EffectWorktree,
		Since: "2.1.50", Source: "observed 2.1.328"},
	{Native: "WorktreeRemove", Event: schema.WorktreeRemove, Fields: []schema.Field{schema.FieldWorktreePath},
		Honors: common, Since: "2.1.50", Source: "docs 2026-08"},
	{Native: "Elicitation", Event: schema.Elicitation, Match: schema.MatchField, MatchField: schema.FieldServerName,
		Fields: []schema.Field{schema.FieldServerName, schema.FieldMessage, schema.FieldElicitMode,
			schema.FieldElicitURL, schema.FieldElicitID, schema.FieldElicitSchema},
		Honors: schema.EffectElicit | schema.EffectDeny | common, Blocks: schema.EffectDeny, Since: "2.1.76",
		Source: "observed 2.1.328"},
	{Native: "ElicitationResult", Event: schema.ElicitationResult, Match: schema.MatchField,
		MatchField: schema.FieldServerName,
		Fields: []schema.Field{schema.FieldServerName, schema.FieldElicitAction, schema.FieldContent,
			schema.FieldElicitMode, schema.FieldElicitID},
		Honors: schema.EffectElicit | schema.EffectDeny | common, Blocks: schema.EffectDeny, Since: "2.1.76",
		Source: "observed 2.1.328"},
	{Native: "MessageDisplay", Event: schema.MessageDisplay,
		Fields: []schema.Field{schema.FieldTurn, schema.FieldMessageID, schema.FieldIndex, schema.FieldFinal,
			schema.FieldDelta},
		Honors: schema.EffectDisplay | common, Since: "2.1.152", Source: "observed 2.1.328"},
}

var (
	task = []schema.Field{schema.FieldTaskID, schema.FieldTaskSubject, schema.FieldTaskDescription,
		schema.FieldTeammate, schema.FieldTeam}
	modelSwitch = []schema.Field{schema.FieldFromModel, schema.FieldToModel, schema.FieldRequestedModel,
		schema.FieldSource}
)

// modeEvents carry permission_mode (observed 2.1.328).
var modeEvents = []schema.Event{schema.PreTool, schema.PreSkillCommand, schema.PermissionRequest,
	schema.PermissionDenied, schema.PostTool, schema.PostToolFailure,
	schema.PostToolBatch, schema.PromptSubmit, schema.PromptExpand, schema.Stop, schema.SubagentStop}

// members are the payload fields (observed 2.1.328).
var members = schema.MemberTable{Shared: &family.AllFields, Rows: []schema.MemberRow{
	{Name: "prompt_id", Field: schema.FieldTurn}, {Name: "turn_id", Field: schema.FieldTurn},
	{Name: "effort", Field: schema.FieldEffort}, {Name: "mcp_server", Field: schema.FieldServer},
	{Name: "duration_ms", Field: schema.FieldDuration}, {Name: "tool_calls", Field: schema.FieldToolCalls},
	{Name: "source", Field: schema.FieldPromptSource}, // on UserPromptSubmit, see read
	{Name: "session_title", Field: schema.FieldSessionTitle}, {Name: "expansion_type", Field: schema.FieldExpansion},
	{Name: "command_name", Field: schema.FieldCommandName}, {Name: "command_args", Field: schema.FieldCommandArgs},
	{Name: "command_source", Field: schema.FieldCommandSource},
	{Name: "background_tasks", Field: schema.FieldBackgroundTasks}, {Name: "session_crons", Field: schema.FieldCrons},
	{Name: "directory", Field: schema.FieldDirectory}, {Name: "from_model", Field: schema.FieldFromModel},
	{Name: "to_model", Field: schema.FieldToModel}, {Name: "requested_model", Field: schema.FieldRequestedModel},
	{Name: "invoked_by", Field: schema.FieldInvokedBy},
	{Name: "message_id", Field: schema.FieldMessageID}, {Name: "index", Field: schema.FieldIndex},
	{Name: "final", Field: schema.FieldFinal}, {Name: "delta", Field: schema.FieldDelta},
	// of a resumed or forked session, as the next three
	{Name: "seconds_since_last_response", Field: schema.FieldIdleSeconds},
	{Name: "context_tokens", Field: schema.FieldContextTokens},
	{Name: "prompt_cache_likely_expired", Field: schema.FieldCacheExpired},
	{Name: "estimated_cache_write_usd", Field: schema.FieldCacheCost},
}}

// words are Claude Code's closed vocabularies (observed 2.1.328, unless another source is named). Nearest and WriteOnly
// are for values that only other agents have.
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

// agentTypes are the built-in sub-agents. The canonical words can't be the name of an agent, so that a user's agent
// keeps its name even if another client has a built-in agent of that name.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general-purpose", Canonical: "builtin/general-purpose"},
	{Native: "Explore", Canonical: "builtin/explore"}, {Native: "Plan", Canonical: "builtin/plan"},
	{Native: "statusline-setup", Canonical: "builtin/statusline-setup"},
	{Native: "claude-code-guide", Canonical: "builtin/guide", Source: "docs 2026-08: interactive sessions only"},
	{Native: "Bash", Canonical: "builtin/shell", Source: "builds of early 2026; 2.1.328 doesn't offer it"},
}}
