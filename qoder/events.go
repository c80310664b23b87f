package qoder

import "github.com/hookbridge/hookbridge/schema"

// Effects that every event accepts: a message to the user, and one that hides
// that message.
const common = schema.EffectNotice | schema.EffectQuiet

const (
	refuse = schema.EffectDeny | schema.EffectReason
	goOn   = schema.EffectKeepGoing | schema.EffectEndTurn
)

// The sources of rows. The history of the CLI isn't public: Since is the version with which the row was checked.
const (
	since    = schema.AtMost + "1.1.52"
	observed = "observed 1.1.52"
	shipped  = "package 1.1.52"
)

// preview is the length from which Qoder writes context to a file, except a session's (observed 1.1.52).
const preview = 10000

// events are the events of the CLI.
var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, EndDenies: true,
		Preview: preview,
		Allow:   schema.AllowApproves,
		Honors: schema.EffectAllow | schema.EffectAsk | refuse | schema.EffectInput | schema.EffectContext |
			schema.EffectEndTurn | common,
		Blocks: schema.EffectDeny, Since: since, Source: observed +
			": continue false also refuses the call; defer has no effect"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool,
		Preview: preview,
		Honors:  schema.EffectFeedback | schema.EffectContext | schema.EffectOutput | schema.EffectEndTurn | common,
		Blocks:  schema.EffectFeedback, Since: since, Source: observed},
	{Native: "PostToolUseFailure", Event: schema.PostToolFailure, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldError, schema.FieldInterrupted},
		Honors: schema.EffectFeedback | schema.EffectContext | schema.EffectEndTurn | common,
		Blocks: schema.EffectFeedback, Since: since, Source: observed + ": a block replaces the error text"},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt},
		Preview: preview,
		Honors:  refuse | schema.EffectContext | schema.EffectSessionTitle | schema.EffectEndTurn | common,
		Blocks:  schema.EffectDeny, Text: schema.EffectContext, Since: since, Source: observed},
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource}, Honors: schema.EffectContext | schema.EffectEnv | common,
		Text: schema.EffectContext, Since: since, Source: observed + ": exit code 2 and continue false are ignored"},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason}, Honors: common, More: schema.OfSessionBefore, Since: since,
		Source: observed},
	{Native: "Stop", Event: schema.Stop, Fields: []schema.Field{schema.FieldStopActive, schema.FieldLastMessage},
		Honors: goOn | common, Blocks: schema.EffectKeepGoing, Since: since, Source: observed +
			": additionalContext is dropped"},
	{Native: "StopFailure", Event: schema.StopFailure, Match: schema.MatchField, MatchField: schema.FieldError,
		Fields: []schema.Field{schema.FieldError, schema.FieldErrorDetails, schema.FieldLastMessage},
		Honors: common, Since: since, Source: observed},
	{Native: "SubagentStart", Event: schema.SubagentStart, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Honors: schema.EffectContext | common, Since: since, Source: observed},
	{Native: "SubagentStop", Event: schema.SubagentStop, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldStopActive, schema.FieldAgentTranscript, schema.FieldLastMessage},
		Honors: goOn | common, Blocks: schema.EffectKeepGoing, Since: since, Source: observed},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldInstructions},
		Honors: refuse | schema.EffectContext | common, Blocks: schema.EffectDeny, Text: schema.EffectContext,
		Since: since, Source: shipped + ": continue false cancels too; context is appended to the instructions"},
	{Native: "PostCompact", Event: schema.PostCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldCompactSummary}, Honors: common, Since: since,
		Source: shipped},
	{Native: "Notification", Event: schema.Notification, Match: schema.MatchField,
		MatchField: schema.FieldNotificationType,
		Fields:     []schema.Field{schema.FieldNotificationType, schema.FieldMessage, schema.FieldTitle},
		Honors:     common, Since: since, Source: observed},
	{Native: "PermissionRequest", Event: schema.PermissionRequest, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldSuggestions}, Asked: true, Races: true,
		Allow: schema.AllowApproves,
		Honors: schema.EffectAllow | refuse | schema.EffectInput | schema.EffectPermissions | schema.EffectInterrupt |
			common,
		Since: since, Source: observed + ": exit code 2 and a top-level decision are " +
			"ignored"},
	{Native: "PermissionDenied", Event: schema.PermissionDenied, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldReason},
		Honors: schema.EffectRetry | common, Only: schema.ByClassifier, Since: since, Source: observed},
	{Native: "InstructionsLoaded", Event: schema.InstructionsLoaded, Match: schema.MatchField,
		MatchField: schema.FieldLoadReason,
		Fields: []schema.Field{schema.FieldPath, schema.FieldMemoryType, schema.FieldLoadReason, schema.FieldGlobs,
			schema.FieldTriggerPath, schema.FieldParentPath},
		Honors: common, Since: since, Source: observed},
	{Native: "ConfigChange", Event: schema.ConfigChange, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource, schema.FieldPath},
		Honors: refuse | common, Blocks: schema.EffectDeny, Since: since, Source: shipped +
			": never for policy_settings"},
	{Native: "CwdChanged", Event: schema.CwdChanged, Fields: []schema.Field{schema.FieldOldCwd, schema.FieldNewCwd},
		Honors: schema.EffectWatchPaths | schema.EffectContext | schema.EffectEnv | common, Since: since,
		Source: "docs 2026-07"},
	{Native: "FileChanged", Event: schema.FileChanged, Grammar: matchers, Match: schema.MatchField,
		MatchField: schema.FieldPath, Fields: []schema.Field{schema.FieldPath, schema.FieldFileEvent},
		Honors: schema.EffectWatchPaths | schema.EffectEnv | common, More: schema.OwnChanges, Since: since,
		Source: observed},
	{Native: "WorktreeCreate", Event: schema.WorktreeCreate, Fields: []schema.Field{schema.FieldWorktreeName},
		Honors: schema.EffectWorktree | refuse | common, Blocks: schema.EffectDeny, Text: schema.EffectWorktree,
		Since: since, Source: observed + ": fails unless a hook names a folder that exists"},
	{Native: "WorktreeRemove", Event: schema.WorktreeRemove, Fields: []schema.Field{schema.FieldWorktreePath},
		Honors: common, Since: since, Source: shipped},
	{Native: "Elicitation", Event: schema.Elicitation, Grammar: matchers, Match: schema.MatchField,
		MatchField: schema.FieldServerName,
		Fields: []schema.Field{schema.FieldServerName, schema.FieldMessage, schema.FieldElicitMode,
			schema.FieldElicitURL, schema.FieldElicitID, schema.FieldElicitSchema},
		Honors: schema.EffectElicit | schema.EffectDeny | common, Blocks: schema.EffectDeny, Since: since,
		Source: shipped},
	{Native: "ElicitationResult", Event: schema.ElicitationResult, Grammar: matchers,
		Match: schema.MatchField, MatchField: schema.FieldServerName,
		Fields: []schema.Field{schema.FieldServerName, schema.FieldElicitAction, schema.FieldContent,
			schema.FieldElicitMode, schema.FieldElicitID},
		Honors: schema.EffectElicit | schema.EffectDeny | common, Blocks: schema.EffectDeny, Since: since,
		Source: "docs 2026-07"},
	{Native: "TaskCreated", Event: schema.TaskCreated, Fields: task, Honors: refuse | schema.EffectEndTurn | common,
		Blocks: schema.EffectDeny, Since: since, Source: shipped + ": continue false refuses too"},
	{Native: "TaskCompleted", Event: schema.TaskCompleted, Fields: task, Honors: refuse | schema.EffectEndTurn | common,
		Blocks: schema.EffectDeny, Since: since, Source: shipped + ": continue false refuses too"},
	{Native: "TeammateIdle", Event: schema.TeammateIdle, Fields: []schema.Field{schema.FieldTeammate, schema.FieldTeam},
		Honors: schema.EffectKeepGoing | common, Blocks: schema.EffectKeepGoing, Since: since, Source: shipped +
			": continue false sends back too"},
	{Native: "Setup", Event: schema.Setup, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger},
		Honors: schema.EffectContext | schema.EffectEnv | common, Since: since, Source: "docs 2026-07"},
}

var task = []schema.Field{schema.FieldTaskID, schema.FieldTaskSubject, schema.FieldTaskDescription,
	schema.FieldTeammate, schema.FieldTeam}

func (d Dialect) eventRows() []schema.EventRow {
	var rows []schema.EventRow
	for i := range events {
		if d.has(events[i].Native) {
			rows = append(rows, d.narrow(events[i]))
		}
	}
	return rows
}

// words are Qoder's closed vocabularies (package 1.1.52, unless another source is named). Nearest and WriteOnly are for
// values that only other agents have.
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
