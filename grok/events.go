package grok

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	refuse = schema.EffectDeny | schema.EffectReason
	goOn   = schema.EffectKeepGoing | schema.EffectEndTurn
	since  = schema.AtMost + "1.0.41"
	seen   = "observed 1.0.41"
)

var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, Allow: schema.AllowPasses,
		Honors: schema.EffectAllow | schema.EffectAsk | refuse | schema.EffectInput | schema.EffectContext,
		Blocks: schema.EffectDeny, Since: since, Source: seen +
			": an allow spares no prompt; defer, continue false and systemMessage do nothing"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldDuration},
		Also:   []schema.Event{schema.PostToolFailure}, AlsoFor: []schema.Kind{schema.Shell, schema.Read, schema.Edit,
			schema.Write},
		Honors: schema.EffectFeedback | schema.EffectContext | schema.EffectOutput, Blocks: schema.EffectFeedback,
		Since: since, Source: seen + ": also for commands that fail and files that aren't there"},
	{Native: "PostToolUseFailure", Event: schema.PostToolFailure, Match: schema.MatchTool,
		Never:  []schema.Kind{schema.Shell, schema.Read, schema.Edit, schema.Write},
		Fields: []schema.Field{schema.FieldError, schema.FieldInterrupted, schema.FieldDuration},
		Honors: schema.EffectContext, Since: since, Source: seen},
	{Native: "PermissionDenied", Event: schema.PermissionDenied, Match: schema.MatchTool, Since: since, Source: seen},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt}, Honors: refuse,
		Blocks: schema.EffectDeny, InAgents: true, Since: since, Source: seen +
			": context and continue false do nothing; also for sub-agents"},
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Beside: true,
		Fields: []schema.Field{schema.FieldSource}, Since: since, Source: seen +
			": runs in parallel to the session, nothing is read"},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason}, Since: since, Source: seen},
	{Native: "Stop", Event: schema.Stop, MatchField: schema.FieldReason, Idle: []string{"shutdown"}, Fields: stopped,
		Honors: goOn, Blocks: schema.EffectKeepGoing, Since: since,
		Source: seen + ": raised once more when the session ends, where nothing is read"},
	{Native: "StopFailure", Event: schema.StopFailure, Match: schema.MatchField, MatchField: schema.FieldError,
		Fields: []schema.Field{schema.FieldError, schema.FieldErrorDetails, schema.FieldLastMessage}, Since: since,
		Source: seen},
	{Native: "StopCancelled", Event: schema.Interrupt, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason}, Since: since, Source: seen},
	{Native: "Notification", Event: schema.Notification, Match: schema.MatchField,
		MatchField: schema.FieldNotificationType, Beside: true,
		Fields: []schema.Field{schema.FieldNotificationType, schema.FieldMessage}, Since: since, Source: seen},
	{Native: "SubagentStart", Event: schema.SubagentStart, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Beside: true, Fields: []schema.Field{schema.FieldAgentID, schema.FieldAgentType}, Since: since, Source: seen},
	{Native: "SubagentStop", Event: schema.SubagentStop, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldAgentID, schema.FieldAgentType, schema.FieldStopActive,
			schema.FieldLastMessage, schema.FieldBackgroundTasks, schema.FieldCrons},
		Honors: goOn, Blocks: schema.EffectKeepGoing, Since: since, Source: seen},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger}, Since: since, Source: seen + ": can't block"},
	{Native: "PostCompact", Event: schema.PostCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger}, Since: since, Source: seen},
}

var stopped = []schema.Field{schema.FieldStopActive, schema.FieldLastMessage, schema.FieldBackgroundTasks,
	schema.FieldCrons}

// silent are the events whose answers aren't read.
var silent = []schema.Event{schema.SessionStart, schema.SessionEnd, schema.StopFailure, schema.Interrupt,
	schema.Notification,
	schema.SubagentStart, schema.PreCompact, schema.PostCompact, schema.PermissionDenied, schema.PromptSubmit,
	schema.Stop, schema.SubagentStop}

var actions = []dialect.Sequence{{Action: schema.PreTool, Source: seen, Events: []string{"PreToolUse", dialect.ToolRuns,
	"PostToolUse"}}}

// members are the snake_case names if payloads have both, or else the camelCase ones.
var members = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "source", Field: schema.FieldTrigger, On: []schema.Event{schema.PreCompact, schema.PostCompact}},
	{Name: "hook_event_name", Field: schema.FieldEvent}, {Name: "session_id", Field: schema.FieldSession},
	{Name: "cwd", Field: schema.FieldCwd},
	{Name: "transcript_path", Field: schema.FieldTranscript}, {Name: "permission_mode", Field: schema.FieldMode},
	{Name: "promptId", Field: schema.FieldTurn},
	{Name: "tool_name", Field: schema.FieldToolName}, {Name: "tool_input", Field: schema.FieldToolInput},
	{Name: "tool_response", Field: schema.FieldToolOutput},
	{Name: "tool_use_id", Field: schema.FieldToolUseID}, {Name: "duration_ms", Field: schema.FieldDuration},
	{Name: "is_interrupt", Field: schema.FieldInterrupted},
	{Name: "error", Field: schema.FieldError}, {Name: "errorDetails", Field: schema.FieldErrorDetails},
	{Name: "reason", Field: schema.FieldReason},
	{Name: "prompt", Field: schema.FieldPrompt}, {Name: "source", Field: schema.FieldSource},
	{Name: "stopHookActive", Field: schema.FieldStopActive},
	{Name: "lastAssistantMessage", Field: schema.FieldLastMessage},
	{Name: "backgroundTasks", Field: schema.FieldBackgroundTasks}, {Name: "sessionCrons", Field: schema.FieldCrons},
	{Name: "notificationType", Field: schema.FieldNotificationType}, {Name: "message", Field: schema.FieldMessage},
	{Name: "subagentId", Field: schema.FieldAgentID}, {Name: "subagentType", Field: schema.FieldAgentType},
}}

// copied are the fields that payloads have under a second name.
var copied = [][2]string{{"session_id", "sessionId"}, {"transcript_path", "transcriptPath"},
	{"permission_mode", "permissionMode"},
	{"tool_name", "toolName"}, {"tool_use_id", "toolUseId"}, {"tool_input", "toolInput"},
	{"tool_response", "toolResult"},
	{"duration_ms", "durationMs"}, {"is_interrupt", "isInterrupt"}}

// payload has defaults for fields that the client always sends and another agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldCwd},
	{Field: schema.FieldTranscript, Not: []schema.Event{schema.SessionStart, schema.PromptSubmit}},
	{Field: schema.FieldTurn, Only: []schema.Event{schema.PromptSubmit, schema.Stop, schema.StopFailure,
		schema.Interrupt, schema.SubagentStop}},
	{Field: schema.FieldEvent}, {Field: schema.FieldMode, Default: `"default"`},
	{Field: schema.FieldToolName, Tool: true}, {Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}}, {Field: schema.FieldToolUseID, Tool: true},
	{Late: true, Field: schema.FieldSource, Only: []schema.Event{schema.SessionStart}, Default: `"new"`},
	{Late: true, Field: schema.FieldReason, Only: []schema.Event{schema.SessionEnd}, Default: `"shutdown"`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldTrigger, Default: `"auto"`},
	{Late: true, Field: schema.FieldError, Default: `""`}, {Late: true, Field: schema.FieldPrompt, Default: `""`},
	{Late: true, Field: schema.FieldInterrupted, Default: "false"},
	{Late: true, Field: schema.FieldMessage, Default: `""`}}

// words are the closed vocabularies (observed 1.0.41).
var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{{Native: "default", Nearest: []string{"accept-edits", "dont-ask"}},
		{Native: "plan"}, {Native: "auto"},
		{Native: "bypassPermissions", Canonical: "bypass"}}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "new", Canonical: "startup", Nearest: []string{"new", "clear", "compact", "fork"}},
		{Native: "load", Canonical: "resume"}}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "shutdown", Canonical: "other", Nearest: []string{"clear", "resume", "logout", "prompt-exit",
			"bypass-disabled", "completed",
			"window-close", "user-close", "aborted", "error", "timeout"},
			Means: []string{"prompt-exit", "completed"}}}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact},
		Words: []schema.Word{{Native: "manual"}, {Native: "auto"}}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification},
		Words: []schema.Word{{Native: "permission_prompt"}, {Native: "idle_prompt"},
			{Native: "elicitation_dialog"}, {Native: "task_complete", Canonical: "agent_completed"},
			{Native: "agent_error"}}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general-purpose", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/explore", "builtin/plan", "builtin/shell",
			"builtin/statusline-setup", "builtin/guide"}}}}
