package kimi

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	refuse = schema.EffectDeny | schema.EffectReason
	since  = schema.AtMost + "2.1.0" // no older version was tried
	seen   = "observed 2.1.0"
	source = "source 2.1.0"
	client = "client_type"
)

// events are the 20 events. For most of them the client reads no answer, and continues before the hooks have ended.
var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, Honors: refuse, Blocks: schema.EffectDeny,
		Since: since, Source: seen + ": no allow, ask, new input or context"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool, Beside: true, Since: since,
		Source: seen + ": nothing is read, and the last ones may be lost at the session's end"},
	{Native: "PostToolUseFailure", Event: schema.PostToolFailure, Match: schema.MatchTool, Beside: true,
		Fields: []schema.Field{schema.FieldError}, More: schema.Refused, Since: since,
		Source: seen + ": also for a command that failed, and for a call that a hook refused"},
	{Native: "PermissionRequest", Event: schema.PermissionRequest, Match: schema.MatchTool, Beside: true, Asked: true,
		Since: since, Source: source},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Match: schema.MatchField, MatchField: schema.FieldPrompt,
		Fields: []schema.Field{schema.FieldPrompt}, Honors: refuse | schema.EffectContext, Blocks: schema.EffectDeny,
		Text: schema.EffectContext, Since: since, Source: seen + ": matchers are searched for in the prompt"},
	{Native: "Stop", Event: schema.Stop, Match: schema.MatchConst, Fields: []schema.Field{schema.FieldStopActive},
		Honors: schema.EffectKeepGoing, Blocks: schema.EffectKeepGoing, InAgents: true,
		More: schema.AgentsUnmarked, Since: since,
		Source: seen + ": once a turn; matchers are compared with an empty text"},
	{Native: "StopFailure", Event: schema.StopFailure, Match: schema.MatchField, MatchField: schema.FieldError,
		Beside: true,
		Fields: []schema.Field{schema.FieldError, schema.FieldErrorDetails}, Since: since, Source: source},
	{Native: "Interrupt", Event: schema.Interrupt, Beside: true, Fields: []schema.Field{schema.FieldReason},
		Since: since, Source: source},
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource, schema.FieldModel}, Since: since, Source: seen +
			": nothing is read"},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason}, Since: since, Source: seen},
	{Native: "SubagentStart", Event: schema.SubagentStart, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldAgentType, schema.FieldPrompt}, Since: since, Source: seen},
	{Native: "SubagentStop", Event: schema.SubagentStop, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Beside: true,
		Fields: []schema.Field{schema.FieldAgentType, schema.FieldLastMessage}, Since: since, Source: seen},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldContextTokens}, Since: since, Source: source},
	{Native: "PostCompact", Event: schema.PostCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Beside: true,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldContextTokens}, Since: since, Source: source},
	{Native: "Notification", Event: schema.Notification, Match: schema.MatchField,
		MatchField: schema.FieldNotificationType, Beside: true,
		Fields: []schema.Field{schema.FieldNotificationType, schema.FieldTitle}, Since: since, Source: source},
	{Native: "PermissionResult", Event: schema.PermissionResult, Match: schema.MatchField,
		MatchField: schema.FieldToolName, Beside: true,
		Fields: []schema.Field{schema.FieldToolName}, Since: since, Source: source},
	{Native: "UserPromptQueued", Event: schema.PromptQueued, Match: schema.MatchField, MatchField: schema.FieldPrompt,
		Beside: true, Fields: []schema.Field{schema.FieldPrompt}, Since: since, Source: source},
	{Native: "TurnStarted", Event: schema.TurnStart, Match: schema.MatchField, MatchField: schema.FieldPromptSource,
		Beside: true, Fields: []schema.Field{schema.FieldPromptSource, schema.FieldPrompt}, Since: since, Source: seen},
	{Native: "SessionHeartbeat", Event: schema.SessionHeartbeat, Beside: true, Since: since, Source: source +
		": each minute"},
	{Native: "TaskStarted", Event: schema.TaskStart, Match: schema.MatchField, MatchField: schema.FieldTask,
		Beside: true,
		Fields: []schema.Field{schema.FieldTaskID, schema.FieldTask, schema.FieldDescription}, Since: since,
		Source: source},
}

// fields are the fields of payloads.
var fields = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "error_type", Field: schema.FieldError, On: []schema.Event{schema.StopFailure}},
	{Name: "estimated_token_count", Field: schema.FieldContextTokens, On: []schema.Event{schema.PostCompact}},
	{Name: "hook_event_name", Field: schema.FieldEvent}, {Name: "session_id", Field: schema.FieldSession},
	{Name: "cwd", Field: schema.FieldCwd},
	{Name: "session_title", Field: schema.FieldSessionTitle}, {Name: "tool_name", Field: schema.FieldToolName},
	{Name: "tool_input", Field: schema.FieldToolInput}, {Name: "tool_call_id", Field: schema.FieldToolUseID},
	{Name: "tool_output", Field: schema.FieldToolOutput}, {Name: "error", Field: schema.FieldError},
	{Name: "error_message", Field: schema.FieldErrorDetails}, {Name: "prompt", Field: schema.FieldPrompt},
	{Name: "stop_hook_active", Field: schema.FieldStopActive}, {Name: "source", Field: schema.FieldSource},
	{Name: "model", Field: schema.FieldModel},
	{Name: "reason", Field: schema.FieldReason}, {Name: "agent_name", Field: schema.FieldAgentType},
	{Name: "response", Field: schema.FieldLastMessage},
	{Name: "trigger", Field: schema.FieldTrigger}, {Name: "token_count", Field: schema.FieldContextTokens},
	{Name: "notification_type", Field: schema.FieldNotificationType}, {Name: "title", Field: schema.FieldTitle},
	{Name: "origin_kind", Field: schema.FieldPromptSource}, {Name: "task_id", Field: schema.FieldTaskID},
	{Name: "kind", Field: schema.FieldTask}, {Name: "description", Field: schema.FieldDescription},
}}

// payload has the common fields, with defaults for fields that another agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldEvent}, {Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldCwd, Default: `""`},
	{Field: schema.FieldToolName, Tool: true}, {Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolUseID, Tool: true}, {Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Late: true, Field: schema.FieldError, Default: `""`}, {Late: true, Field: schema.FieldPrompt, Default: `""`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldSource, Default: `"startup"`},
	{Late: true, Field: schema.FieldReason, Only: []schema.Event{schema.SessionEnd}, Default: `"exit"`},
	{Late: true, Field: schema.FieldTrigger, Default: `"auto"`},
	{Late: true, Field: schema.FieldAgentType, Default: `""`},
	{Late: true, Field: schema.FieldNotificationType, Default: `""`},
}

const all = family.AllRoles

// slashed is how tools read a path (observed 2.1.0 for tools for a single file).
var slashed = schema.PathRules{Home: true, Slash: true}

// tools are the tools (schemas as sent to the model, observed 2.1.0). There is no tool for deleting files, so the model
// uses commands.
var tools = []schema.ToolRow{
	{Name: "Bash", Kinds: []schema.Kind{schema.Shell}, Parts: []schema.Kind{schema.Delete},
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "timeout", Role: schema.RoleTimeout, Scale: 1000},
			{Name: "run_in_background", Role: schema.RoleBackground}}},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Path: slashed,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "line_offset", Role: schema.RoleOffset},
			{Name: "n_lines", Role: schema.RoleLimit}}},
	{Name: "Write", Kinds: []schema.Kind{schema.Write, schema.Notebook}, Path: slashed,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}}},
	{Name: "Edit", Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Path: slashed,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "old_string", Role: schema.RoleOldText},
			{Name: "new_string", Role: schema.RoleNewText}, {Name: "replace_all", Role: schema.RoleReplaceAll}}},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep}, Path: slashed,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "path", Role: schema.RolePath},
			{Name: "glob", Role: schema.RoleGlob},
			{Name: "output_mode", Role: schema.RoleOutputMode, Words: &outputModes}}},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob}, Path: slashed, Input: family.GlobInput()},
	{Name: "Agent", Kinds: []schema.Kind{schema.Agent},
		Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}}},
	{Name: "AgentSwarm", Kinds: []schema.Kind{schema.Agent}, // a sub-agent for each item
		Input: []schema.ArgRow{{Name: "prompt_template", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}}},
	{Name: "FetchURL", Kinds: []schema.Kind{schema.Fetch}, Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL}}},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch}, Input: family.SearchInput()},
}

// outputModes are the possible results of a search.
var outputModes = schema.Vocabulary{Words: []schema.Word{{Native: "content"}, {Native: "files_with_matches"},
	{Native: "count_matches", Canonical: "count"}}}

// plainTools are tools without a row (schemas as sent to the model, observed 2.1.0).
var plainTools = []string{"TodoList", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "Skill", "CreateGoal",
	"GetGoal", "SetGoalBudget", "UpdateGoal", "CronCreate", "CronDelete", "CronList", "TaskList", "TaskOutput",
	"TaskStop", "WaitFor"}

// words are the closed vocabularies.
var words = schema.Vocabularies{
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup", Nearest: []string{"new", "clear", "compact", "fork"}}, {Native: "resume"}}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "exit", Canonical: "other", Nearest: []string{"clear", "resume", "logout", "prompt-exit",
			"bypass-disabled", "completed",
			"window-close", "user-close", "aborted", "error", "timeout"},
			Means: []string{"prompt-exit", "completed"}}}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact},
		Words: []schema.Word{{Native: "manual"}, {Native: "auto"}}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "coder", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/shell", "builtin/statusline-setup", "builtin/guide"}},
	{Native: "explore", Canonical: "builtin/explore"}, {Native: "plan", Canonical: "builtin/plan"}}}
