package cursor

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	refuse = schema.EffectAllow | schema.EffectDeny | schema.EffectReason | schema.EffectUserReason
	after  = schema.EffectContext | schema.EffectFeedback
)

// Fields of a tool call at the top level of gate payloads. They are read into the tool's input and result.
var (
	shellGate   = []schema.Field{schema.FieldCommand, schema.FieldToolCwd, schema.FieldSandbox}
	shellResult = []schema.Field{schema.FieldCommand, schema.FieldOutput, schema.FieldDuration, schema.FieldSandbox}
	mcpGate     = []schema.Field{schema.FieldToolName, schema.FieldToolInput, schema.FieldServerName,
		schema.FieldElicitURL, schema.FieldServerURL, schema.FieldServerCommand}
	mcpResult = []schema.Field{schema.FieldToolName, schema.FieldToolInput, schema.FieldResult, schema.FieldDuration,
		schema.FieldServerName, schema.FieldServerURL}
	readGate     = []schema.Field{schema.FieldContent, schema.FieldPath, schema.FieldAttachments}
	fileEdits    = []schema.Field{schema.FieldPath, schema.FieldEdits}
	subagentDone = []schema.Field{schema.FieldAgentID, schema.FieldAgentType, schema.FieldStatus, schema.FieldDuration,
		schema.FieldSummary, schema.FieldAgentParent,
		schema.FieldMessageCount, schema.FieldToolCallCount, schema.FieldError, schema.FieldModifiedFiles,
		schema.FieldGitBranch, schema.FieldLoopCount,
		schema.FieldTask, schema.FieldDescription, schema.FieldChildSession, schema.FieldAgentTranscript}
)

var (
	agentStarts = []schema.Event{schema.SubagentStart}
	agentStops  = []schema.Event{schema.SubagentStop}
)

// The gates, by their tools.
var (
	shellOnly = &schema.Gate{Kinds: []schema.Kind{schema.Shell}}
	mcpOnly   = &schema.Gate{Kinds: []schema.Kind{schema.MCP}}
	readsOnly = &schema.Gate{Kinds: []schema.Kind{schema.Read}}
	editsOnly = &schema.Gate{Kinds: []schema.Kind{schema.Edit, schema.Notebook, schema.Write}}
	tabReads  = &schema.Gate{Kinds: []schema.Kind{schema.Read}, Inline: true}
	tabEdits  = &schema.Gate{Kinds: []schema.Kind{schema.Edit}, Inline: true}
)

// events are all 21 events. Since is the editor's version.
var events = []schema.EventRow{
	{Native: "sessionStart", Event: schema.SessionStart, Fields: []schema.Field{schema.FieldBackground,
		schema.FieldComposer},
		Honors: schema.EffectEnv | schema.EffectContext | schema.EffectEndTurn, Blocks: schema.EffectEndTurn,
		Since:  "2.4",
		Source: "observed SDK 1.0.32; the editor drops the context, and honors continue up to 2.4 only"},
	{Native: "sessionEnd", Event: schema.SessionEnd,
		Fields: []schema.Field{schema.FieldReason, schema.FieldDuration, schema.FieldBackground,
			schema.FieldFinalStatus, schema.FieldError}, Since: "2.4", Source: "observed SDK 1.0.32"},
	{Native: "beforeSubmitPrompt", Event: schema.PromptSubmit, Match: schema.MatchConst, MatchConst: "UserPromptSubmit",
		Fields: []schema.Field{schema.FieldPrompt, schema.FieldAttachments, schema.FieldComposer},
		Honors: schema.EffectDeny | schema.EffectReason | schema.EffectUserReason | schema.EffectContext,
		Blocks: schema.EffectDeny, Since: "1.7", Source: "observed SDK 1.0.32; additional_context is undocumented"},
	{Native: "preToolUse", Event: schema.PreTool, Match: schema.MatchTool,
		Honors: refuse | schema.EffectInput | schema.EffectContext, Allow: schema.AllowPasses,
		Blocks: schema.EffectDeny, Since: "2.4", Source: "observed SDK 1.0.32: ask is a no-op, context is forwarded"},
	{Native: "postToolUse", Event: schema.PostTool, Also: []schema.Event{schema.PostToolFailure},
		AlsoFor: []schema.Kind{schema.MCP}, Match: schema.MatchTool, Fields: []schema.Field{schema.FieldDuration},
		Honors: after, Since: "2.4", Source: "observed SDK 1.0.32"},
	{Native: "postToolUseFailure", Event: schema.PostToolFailure, Also: []schema.Event{schema.PermissionDenied},
		Match:  schema.MatchTool,
		Fields: []schema.Field{schema.FieldError, schema.FieldFailure, schema.FieldDuration, schema.FieldInterrupted},
		Honors: after, Since: "2.4", Source: "observed SDK 1.0.32: context is undocumented and works"},
	{Native: "subagentStart", Event: schema.SubagentStart, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldAgentID, schema.FieldAgentType, schema.FieldTask, schema.FieldAgentParent,
			schema.FieldToolCallID, schema.FieldSubagentModel, schema.FieldParallel, schema.FieldGitBranch},
		Honors: refuse | schema.EffectContext, Allow: schema.AllowPasses, Blocks: schema.EffectDeny, Since: "2.4",
		Source: "observed SDK 1.0.32"},
	{Native: "subagentStop", Event: schema.SubagentStop, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: subagentDone, Honors: schema.EffectKeepGoing, Since: "2.4", Source: "observed SDK 1.0.32"},
	{Native: "beforeShellExecution", Event: schema.PreTool, Gate: shellOnly,
		Match: schema.MatchField, MatchField: schema.FieldCommand,
		Fields: shellGate, Honors: refuse | schema.EffectAsk, Allow: schema.AllowPasses, Blocks: schema.EffectDeny,
		Since: "1.7", Source: "observed SDK 1.0.32: updated_input and additional_context are ignored"},
	{Native: "afterShellExecution", Event: schema.PostTool, Also: []schema.Event{schema.PostToolFailure},
		Gate: shellOnly, Match: schema.MatchField, MatchField: schema.FieldCommand,
		Fields: shellResult, Since: "2.0", Source: "observed SDK 1.0.32: the answer is discarded"},
	{Native: "beforeMCPExecution", Event: schema.PreTool, Gate: mcpOnly,
		Match:  schema.MatchTool,
		Fields: mcpGate, Honors: refuse, Allow: schema.AllowPasses, Blocks: schema.EffectDeny, Since: "1.7",
		Source: "observed SDK 1.0.32: ask is ignored"},
	{Native: "afterMCPExecution", Event: schema.PostTool, Also: []schema.Event{schema.PostToolFailure},
		Gate: mcpOnly, Match: schema.MatchTool,
		Fields: mcpResult, Since: "2.0", Source: "observed SDK 1.0.32: the answer is discarded"},
	{Native: "beforeReadFile", Event: schema.PreTool, Gate: readsOnly,
		Match: schema.MatchConst, MatchConst: "Read",
		Fields: readGate, Honors: refuse, Allow: schema.AllowPasses, Blocks: schema.EffectDeny, Since: "1.7",
		Source: "observed SDK 1.0.32: allow and deny only"},
	{Native: "afterFileEdit", Event: schema.PostTool, Gate: editsOnly,
		Match: schema.MatchConst, MatchConst: "Write",
		Fields: fileEdits, Since: "1.7", Source: "observed SDK 1.0.32: a rewrite of the file by the hook is picked up"},
	{Native: "beforeTabFileRead", Event: schema.PreTool, Gate: tabReads,
		Match: schema.MatchConst, MatchConst: "TabRead",
		Fields: []schema.Field{schema.FieldPath, schema.FieldContent}, Honors: refuse, Allow: schema.AllowPasses,
		Blocks: schema.EffectDeny, Since: "2.0", Source: "docs 2026-08"},
	{Native: "afterTabFileEdit", Event: schema.PostTool, Gate: tabEdits,
		Match: schema.MatchConst, MatchConst: "TabWrite", Fields: fileEdits, Since: "2.0", Source: "docs 2026-08"},
	{Native: "afterAgentResponse", Event: schema.AgentResponse, Match: schema.MatchConst, MatchConst: "AgentResponse",
		Fields: []schema.Field{schema.FieldText, schema.FieldInputTokens, schema.FieldOutputTokens,
			schema.FieldCacheReadTokens, schema.FieldCacheWriteTokens}, Since: "2.0", Source: "observed SDK 1.0.32"},
	{Native: "afterAgentThought", Event: schema.AgentThought, Match: schema.MatchConst, MatchConst: "AgentThought",
		Fields: []schema.Field{schema.FieldText, schema.FieldDuration}, Since: "2.0", Source: "observed SDK 1.0.32"},
	{Native: "preCompact", Event: schema.PreCompact,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldContextPercent, schema.FieldContextTokens,
			schema.FieldContextWindow, schema.FieldMessageCount, schema.FieldToCompact, schema.FieldFirstCompaction},
		Honors: schema.EffectNotice, Since: "2.4", Source: "observed SDK 1.0.32"},
	{Native: "stop", Event: schema.Stop, Also: []schema.Event{schema.StopFailure}, Match: schema.MatchConst,
		MatchConst: "Stop",
		Fields: []schema.Field{schema.FieldStatus, schema.FieldLoopCount, schema.FieldInputTokens,
			schema.FieldOutputTokens, schema.FieldCacheReadTokens, schema.FieldCacheWriteTokens},
		Honors: schema.EffectKeepGoing, Since: "1.7", Source: "observed SDK 1.0.32: exit code 2 does nothing"},
	{Native: "workspaceOpen", Event: schema.WorkspaceOpen, Honors: schema.EffectPluginPaths, Since: "3.0",
		Source: "docs 2026-08"},
}

// members are the payload fields (observed SDK 1.0.32 and the captures of other surfaces; those of version 2.4 docs
// 2026-01, of its successors docs 2026-03).
var members = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "prompt", Field: schema.FieldTask, On: agentStarts, Until: "2.5"},
	{Name: "result", Field: schema.FieldSummary, On: agentStops, Until: "2.5"},
	{Name: "duration", Field: schema.FieldDuration, On: agentStops, Until: "2.5"},
	{Name: "duration_ms", Field: schema.FieldDuration, On: []schema.Event{schema.SubagentStop, schema.SessionEnd,
		schema.AgentThought}},
	{Name: "loop_count", Field: schema.FieldLoopCount, On: agentStops, Since: "2.5"},
	{Name: "message_count", Field: schema.FieldMessageCount, On: agentStops, Since: "2.5"},
	{Name: "conversation_id", Field: schema.FieldSession},
	{Name: "generation_id", Field: schema.FieldTurn},
	{Name: "model", Field: schema.FieldModel},
	{Name: "model_id", Field: schema.FieldModelID},
	{Name: "model_params", Field: schema.FieldModelParams},
	{Name: "session_id", Field: schema.FieldSession},
	{Name: "hook_event_name", Field: schema.FieldEvent},
	{Name: "cursor_version", Field: schema.FieldVersion},
	{Name: "workspace_roots", Field: schema.FieldRoots},
	{Name: "user_email", Field: schema.FieldUser},
	{Name: "transcript_path", Field: schema.FieldTranscript},
	{Name: "tool_name", Field: schema.FieldToolName},
	{Name: "tool_input", Field: schema.FieldToolInput},
	{Name: "tool_output", Field: schema.FieldToolOutput},
	{Name: "tool_use_id", Field: schema.FieldToolUseID},
	{Name: "parent_tool_call_id", Field: schema.FieldParentToolUse},
	{Name: "cwd", Field: schema.FieldToolCwd},
	{Name: "duration", Field: schema.FieldDuration},
	{Name: "duration_ms", Field: schema.FieldDuration},
	{Name: "error_message", Field: schema.FieldError},
	{Name: "failure_type", Field: schema.FieldFailure},
	{Name: "is_interrupt", Field: schema.FieldInterrupted},
	{Name: "command", Field: schema.FieldCommand},
	{Name: "command", Field: schema.FieldServerCommand}, // of an MCP server; see decodeGate
	{Name: "sandbox", Field: schema.FieldSandbox, Since: "2.5"},
	{Name: "output", Field: schema.FieldOutput},
	{Name: "mcp_server_name", Field: schema.FieldServerName},
	{Name: "mcp_server_url", Field: schema.FieldServerURL},
	{Name: "url", Field: schema.FieldElicitURL},
	{Name: "result_json", Field: schema.FieldResult},
	{Name: "file_path", Field: schema.FieldPath},
	{Name: "content", Field: schema.FieldContent},
	{Name: "edits", Field: schema.FieldEdits},
	{Name: "attachments", Field: schema.FieldAttachments},
	{Name: "prompt", Field: schema.FieldPrompt},
	{Name: "composer_mode", Field: schema.FieldComposer},
	{Name: "is_background_agent", Field: schema.FieldBackground},
	{Name: "reason", Field: schema.FieldReason},
	{Name: "final_status", Field: schema.FieldFinalStatus},
	{Name: "status", Field: schema.FieldStatus},
	{Name: "loop_count", Field: schema.FieldLoopCount, On: []schema.Event{schema.Stop}},
	{Name: "input_tokens", Field: schema.FieldInputTokens},
	{Name: "output_tokens", Field: schema.FieldOutputTokens},
	{Name: "cache_read_tokens", Field: schema.FieldCacheReadTokens},
	{Name: "cache_write_tokens", Field: schema.FieldCacheWriteTokens},
	{Name: "subagent_id", Field: schema.FieldAgentID, Since: "2.5"},
	{Name: "subagent_type", Field: schema.FieldAgentType},
	{Name: "task", Field: schema.FieldTask, Since: "2.5"},
	{Name: "description", Field: schema.FieldDescription, Since: "2.5"},
	{Name: "summary", Field: schema.FieldSummary, Since: "2.5"},
	{Name: "parent_conversation_id", Field: schema.FieldAgentParent, Since: "2.5"},
	{Name: "tool_call_id", Field: schema.FieldToolCallID, Since: "2.5"},
	{Name: "subagent_model", Field: schema.FieldSubagentModel, Since: "2.5"},
	{Name: "is_parallel_worker", Field: schema.FieldParallel, Since: "2.5"},
	{Name: "git_branch", Field: schema.FieldGitBranch, Since: "2.5"},
	{Name: "message_count", Field: schema.FieldMessageCount, On: []schema.Event{schema.PreCompact}},
	{Name: "tool_call_count", Field: schema.FieldToolCallCount, Since: "2.5"},
	{Name: "modified_files", Field: schema.FieldModifiedFiles, Since: "2.5"},
	{Name: "child_conversation_id", Field: schema.FieldChildSession, Since: "2.5"},
	{Name: "agent_transcript_path", Field: schema.FieldAgentTranscript},
	{Name: "trigger", Field: schema.FieldTrigger},
	{Name: "context_usage_percent", Field: schema.FieldContextPercent},
	{Name: "context_tokens", Field: schema.FieldContextTokens},
	{Name: "context_window_size", Field: schema.FieldContextWindow},
	{Name: "messages_to_compact", Field: schema.FieldToCompact},
	{Name: "is_first_compaction", Field: schema.FieldFirstCompaction},
	{Name: "text", Field: schema.FieldText},
}}

func rowOf(native string) *schema.EventRow { return schema.RowNamed(events, native) }

const seen = "observed SDK 1.0.32"

// actions are the events of calls and turns. A file is read before its gate event, whose payload has the text.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.Shell}, Source: seen,
		Events: []string{"preToolUse", "beforeShellExecution", dialect.ToolRuns, "afterShellExecution", "postToolUse"}},
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.MCP}, Source: seen,
		Events: []string{"preToolUse", "beforeMCPExecution", dialect.ToolRuns, "afterMCPExecution", "postToolUse"}},
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.Read}, Source: seen,
		Events: []string{"preToolUse", "beforeReadFile", dialect.ToolRuns, "postToolUse"}},
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.Write, schema.Edit, schema.MultiEdit, schema.Notebook},
		Source: seen, Events: []string{"preToolUse", dialect.ToolRuns, "afterFileEdit", "postToolUse"}},
	{Action: schema.PreTool, Source: seen, Events: []string{"preToolUse", dialect.ToolRuns, "postToolUse"}},
	{Action: schema.Stop, Source: seen, Events: []string{"afterAgentResponse", "stop"}},
}

// words are Cursor's closed vocabularies (observed SDK 1.0.32, unless another source is named). Nearest and WriteOnly
// are for values that only other agents have.
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

// agentTypes are the built-in sub-agents (docs 2026-08 and the enumerations that models are given). Cursor also loads
// agents that were written for Claude Code: a type that Cursor doesn't have keeps Claude Code's spelling.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "generalPurpose", Canonical: "builtin/general-purpose"},
	{Native: "explore", Canonical: "builtin/explore", Source: "observed SDK 1.0.32"},
	{Native: "shell", Canonical: "builtin/shell"}, {Native: "cursor-guide", Canonical: "builtin/guide"},
	{Native: "Plan", Canonical: "builtin/plan", WriteOnly: true},
	{Native: "statusline-setup", Canonical: "builtin/statusline-setup", WriteOnly: true},
}}
