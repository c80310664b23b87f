package qwen

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// since: no older version was tried.
const since = schema.AtMost + "0.24.4"

const refuse = schema.EffectDeny | schema.EffectReason

// events are the 22 events. Plain text on stdout is context on three of them. On the others it is for the user, but
// only a stop shows it (source 0.24.4).
var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, Allow: schema.AllowPasses,
		Honors: refuse | schema.EffectAsk, Blocks: schema.EffectDeny,
		Since: since, Source: seen + ": new input and context are dropped, an allow spares no dialog, continue " +
			"false is a denial"},
	{Native: "PermissionRequest", Event: schema.PermissionRequest, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldSuggestions},
		Asked:  true, Allow: schema.AllowApproves, Honors: schema.EffectAllow | refuse | schema.EffectInput |
			schema.EffectInterrupt, Since: since, Source: seen + ": before PreToolUse"},
	{Native: "PermissionDenied", Event: schema.PermissionDenied, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldReason}, Since: since, Source: fromSource},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldDuration},
		Honors: schema.EffectOutput | schema.EffectContext, Since: since, Source: seen +
			": a block and exit code 2 do nothing, continue false replaces the result by an error"},
	{Native: "PostToolUseFailure", Event: schema.PostToolFailure, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldInterrupted, schema.FieldDuration}, Honors: schema.EffectContext,
		Since: since, Source: seen + ": also for a command that failed"},
	{Native: "PostToolBatch", Event: schema.PostToolBatch, Fields: []schema.Field{schema.FieldToolCalls},
		Honors: schema.EffectOutput | schema.EffectContext, Blocks: schema.EffectOutput, Since: since,
		Source: seen + ": a block replaces the result of the last call"},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, MatchField: schema.FieldPrompt, Idle: []string{""},
		Fields: []schema.Field{schema.FieldPrompt},
		Honors: refuse | schema.EffectContext, Blocks: schema.EffectDeny, Text: schema.EffectContext,
		Since: since, Source: seen + ": raised with an empty prompt for each tool result too, where a block ends " +
			"the turn in the middle"},
	{Native: "UserPromptExpansion", Event: schema.PromptExpand, Match: schema.MatchField,
		MatchField: schema.FieldCommandName,
		Fields:     []schema.Field{schema.FieldCommandName, schema.FieldCommandArgs, schema.FieldPrompt},
		Honors:     refuse | schema.EffectContext, Blocks: schema.EffectDeny, Text: schema.EffectContext, Since: since,
		Source: "docs 0.24.4"},
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource, schema.FieldModel}, Honors: schema.EffectContext,
		Text: schema.EffectContext, Since: since, Source: seen},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason}, Since: since, Source: seen},
	{Native: "SessionDelete", Event: schema.SessionDelete, Since: since, Source: fromSource},
	{Native: "Stop", Event: schema.Stop, Fields: []schema.Field{schema.FieldStopActive, schema.FieldLastMessage,
		schema.FieldBackgroundTasks, schema.FieldCrons,
		schema.FieldContextPercent, schema.FieldContextWindow, schema.FieldInputTokens},
		Honors: schema.EffectKeepGoing | schema.EffectNotice, Blocks: schema.EffectKeepGoing, Since: since,
		Source: seen + ": continue false sends the agent on too"},
	{Native: "StopFailure", Event: schema.StopFailure, Match: schema.MatchField, MatchField: schema.FieldError,
		Fields: []schema.Field{schema.FieldError, schema.FieldErrorDetails, schema.FieldLastMessage}, Since: since,
		Source: fromSource},
	{Native: "SubagentStart", Event: schema.SubagentStart, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldAgentType}, Honors: schema.EffectContext, Since: since,
		Source: "docs 0.24.4"},
	{Native: "SubagentStop", Event: schema.SubagentStop, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldStopActive, schema.FieldAgentType, schema.FieldAgentTranscript,
			schema.FieldLastMessage, schema.FieldBackgroundTasks, schema.FieldCrons},
		Honors: schema.EffectKeepGoing, Blocks: schema.EffectKeepGoing, Since: since, Source: seen},
	{Native: "Notification", Event: schema.Notification, Match: schema.MatchField,
		MatchField: schema.FieldNotificationType,
		Fields:     []schema.Field{schema.FieldMessage, schema.FieldNotificationType, schema.FieldTitle},
		Honors:     schema.EffectTerminal, Since: since, Source: seen},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldInstructions}, Honors: schema.EffectContext,
		Since: since, Source: fromSource + ": can't block"},
	{Native: "PostCompact", Event: schema.PostCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldCompactSummary}, Since: since, Source: fromSource},
	{Native: "TodoCreated", Event: schema.TaskCreated, MatchField: schema.FieldTaskID, Idle: []string{""}, Fields: todo,
		Honors: refuse, Blocks: schema.EffectDeny, Since: since, Source: seen + ": raised again once it is written"},
	{Native: "TodoCompleted", Event: schema.TaskCompleted, MatchField: schema.FieldTaskID, Idle: []string{""},
		Fields: todo,
		Honors: refuse, Blocks: schema.EffectDeny, Since: since, Source: seen + ": raised again once it is written"},
	{Native: "InstructionsLoaded", Event: schema.InstructionsLoaded, Match: schema.MatchField,
		MatchField: schema.FieldPath,
		Fields: []schema.Field{schema.FieldPath, schema.FieldMemoryType, schema.FieldLoadReason,
			schema.FieldTriggerPath, schema.FieldParentPath}, Since: since, Source: seen},
	{Native: "MessageDisplay", Event: schema.MessageDisplay, Fields: []schema.Field{schema.FieldMessageID,
		schema.FieldText, schema.FieldFinal}, Since: since, Source: seen + ": the text so far"},
}

var todo = []schema.Field{schema.FieldTaskID, schema.FieldTaskSubject}

var members = schema.MemberTable{Shared: &family.AllFields, Rows: []schema.MemberRow{
	{Name: "timestamp", Field: schema.FieldTime}, {Name: "prompt_id", Field: schema.FieldTurn},
	{Name: "tool_call_id", Field: schema.FieldToolCallID},
	{Name: "duration_ms", Field: schema.FieldDuration}, {Name: "tool_calls", Field: schema.FieldToolCalls},
	{Name: "command_name", Field: schema.FieldCommandName}, {Name: "command_args", Field: schema.FieldCommandArgs},
	{Name: "background_tasks", Field: schema.FieldBackgroundTasks}, {Name: "crons", Field: schema.FieldCrons},
	{Name: "context_limit", Field: schema.FieldContextWindow}, {Name: "input_tokens", Field: schema.FieldInputTokens},
	{Name: "todo_id", Field: schema.FieldTaskID}, {Name: "todo_content", Field: schema.FieldTaskSubject},
	{Name: "message_id", Field: schema.FieldMessageID}, {Name: "displayed_text", Field: schema.FieldText},
	{Name: "is_final", Field: schema.FieldFinal}}}

const all = family.AllRoles

// unjoined is how tools read a path: only absolute ones, which go to the system unchanged (observed 0.24.4).
var unjoined = schema.PathRules{Links: schema.WholeLinks}

// tools are the tools, their further names in matchers, and the fields of their input (observed 0.24.4 for the first
// ten, the others from the source).
var tools = []schema.ToolRow{
	{Name: "run_shell_command", Aliases: []string{"Bash", "Shell", "ShellTool"}, Kinds: []schema.Kind{schema.Shell},
		Replaces: all, Parts: []schema.Kind{schema.Delete},
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "directory", Role: schema.RoleCwd}, {Name: "timeout", Role: schema.RoleTimeout},
			{Name: "is_background", Role: schema.RoleBackground}}},
	{Name: "read_file", Aliases: []string{"Read", "ReadFile", "ReadFileTool"}, Kinds: []schema.Kind{schema.Read},
		Replaces: all, Input: family.ReadInput(), Path: unjoined},
	{Name: "write_file", Aliases: []string{"Write", "WriteFile", "WriteFileTool"}, Kinds: []schema.Kind{schema.Write},
		Replaces: all, Input: family.WriteInput(), Path: unjoined},
	{Name: "edit", Aliases: []string{"Edit", "EditTool", "replace"}, Kinds: []schema.Kind{schema.Edit}, Replaces: all,
		Input: family.EditInput(), Path: unjoined},
	{Name: "grep_search", Aliases: []string{"Grep", "GrepTool", "SearchFiles", "search_file_content"},
		Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: family.GrepInput()},
	{Name: "glob", Aliases: []string{"Glob", "GlobTool", "FindFiles"}, Kinds: []schema.Kind{schema.Glob}, Replaces: all,
		Input: family.GlobInput()},
	{Name: "list_directory", Aliases: []string{"ListFiles", "ListFilesTool", "ReadFolder"},
		Kinds: []schema.Kind{schema.List}, Replaces: all, Input: family.ListInput()},
	{Name: "agent", Aliases: []string{"Agent", "AgentTool", "Task", "TaskTool", "task"},
		Kinds: []schema.Kind{schema.Agent}, Replaces: all,
		Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "run_in_background", Role: schema.RoleBackground}}},
	{Name: "get_goal"}, {Name: "update_goal"}, {Name: "list_agents"}, {Name: "tool_search"}, {Name: "tool_call"},
	{Name: "todo_write", Aliases: []string{"TodoWrite", "TodoList", "TodoWriteTool"}},
	{Name: "skill", Aliases: []string{"Skill", "SkillTool"}},
	{Name: "web_fetch", Aliases: []string{"WebFetch", "WebFetchTool"}, Kinds: []schema.Kind{schema.Fetch},
		Replaces: all, Input: family.FetchInput()},
	{Name: "web_search", Aliases: []string{"WebSearch", "WebSearchTool"}, Kinds: []schema.Kind{schema.WebSearch},
		Replaces: all, Input: family.SearchInput()},
	{Name: "notebook_edit", Aliases: []string{"NotebookEdit", "NotebookEditTool"},
		Kinds: []schema.Kind{schema.Notebook}, Replaces: all, Input: family.NotebookInput()},
	{Name: "exit_plan_mode", Aliases: []string{"ExitPlanMode", "ExitPlanModeTool"}},
	{Name: "enter_plan_mode", Aliases: []string{"EnterPlanMode", "EnterPlanModeTool"}},
	{Name: "ask_user_question", Aliases: []string{"AskUserQuestion", "AskUserQuestionTool"}},
}
