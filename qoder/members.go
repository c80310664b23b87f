package qoder

import "github.com/hookbridge/hookbridge/schema"

// members names the payload members (observed 1.1.52; type is SessionStart's
// source in the IDE). What is not here stays as it came: error_type, details,
// image_urls, mcp_context, original_request_name and others.
var members = []schema.MemberRow{
	{Name: "session_id", Field: schema.FieldSession},
	{Name: "transcript_path", Field: schema.FieldTranscript},
	{Name: "cwd", Field: schema.FieldCwd},
	{Name: "hook_event_name", Field: schema.FieldEvent},
	{Name: "model", Field: schema.FieldModel},
	{Name: "permission_mode", Field: schema.FieldMode, In: modeIn, Out: modeOut},
	{Name: "agent_id", Field: schema.FieldAgentID},
	{Name: "agent_type", Field: schema.FieldAgentType},
	{Name: "tool_use_id", Field: schema.FieldToolUseID},
	{Name: "tool_name", Field: schema.FieldToolName},
	{Name: "tool_input", Field: schema.FieldToolInput},
	{Name: "tool_response", Field: schema.FieldToolOutput},
	{Name: "error", Field: schema.FieldError},
	{Name: "error_details", Field: schema.FieldErrorDetails},
	{Name: "is_interrupt", Field: schema.FieldInterrupted},
	{Name: "permission_suggestions", Field: schema.FieldSuggestions},
	{Name: "reason", Field: schema.FieldReason, In: reasonIn, Out: reasonOut},
	{Name: "prompt", Field: schema.FieldPrompt},
	{Name: "source", Field: schema.FieldSource},
	{Name: "stop_hook_active", Field: schema.FieldStopActive},
	{Name: "last_assistant_message", Field: schema.FieldLastMessage},
	{Name: "agent_transcript_path", Field: schema.FieldAgentTranscript},
	{Name: "trigger", Field: schema.FieldTrigger},
	{Name: "custom_instructions", Field: schema.FieldInstructions},
	{Name: "compact_summary", Field: schema.FieldCompactSummary},
	{Name: "notification_type", Field: schema.FieldNotificationType},
	{Name: "message", Field: schema.FieldMessage},
	{Name: "title", Field: schema.FieldTitle},
	{Name: "file_path", Field: schema.FieldPath},
	{Name: "memory_type", Field: schema.FieldMemoryType},
	{Name: "load_reason", Field: schema.FieldLoadReason},
	{Name: "globs", Field: schema.FieldGlobs},
	{Name: "trigger_file_path", Field: schema.FieldTriggerPath},
	{Name: "parent_file_path", Field: schema.FieldParentPath},
	{Name: "old_cwd", Field: schema.FieldOldCwd},
	{Name: "new_cwd", Field: schema.FieldNewCwd},
	{Name: "event", Field: schema.FieldFileEvent},
	{Name: "name", Field: schema.FieldWorktreeName},
	{Name: "worktree_path", Field: schema.FieldWorktreePath},
	{Name: "mcp_server_name", Field: schema.FieldServerName},
	{Name: "mode", Field: schema.FieldElicitMode},
	{Name: "url", Field: schema.FieldElicitURL},
	{Name: "elicitation_id", Field: schema.FieldElicitID},
	{Name: "requested_schema", Field: schema.FieldElicitSchema},
	{Name: "action", Field: schema.FieldElicitAction},
	{Name: "content", Field: schema.FieldContent},
	{Name: "task_id", Field: schema.FieldTaskID},
	{Name: "task_subject", Field: schema.FieldTaskSubject},
	{Name: "task_description", Field: schema.FieldTaskDescription},
	{Name: "teammate_name", Field: schema.FieldTeammate},
	{Name: "team_name", Field: schema.FieldTeam},
}

// modes are the words of permission_mode: default and yolo observed, the others
// from the package.
var modes = schema.Words{
	{"default", "default"}, {"plan", "plan"}, {"acceptEdits", "accept-edits"}, {"auto", "auto"},
	{"dontAsk", "dont-ask"}, {"yolo", "bypass"},
}

// reasons are the words of SessionEnd.reason; what Qoder has no word for
// becomes "other".
var reasons = schema.Words{
	{"clear", "clear"}, {"resume", "resume"}, {"logout", "logout"}, {"prompt_input_exit", "prompt-exit"}, {"other", "other"},
	{"other", "completed"}, {"prompt_input_exit", "window-close"}, {"prompt_input_exit", "user-close"}, {"other", "aborted"}, {"other", "error"},
}

// sources are those words of SessionStart.source that differ.
var sources = schema.Words{{"resume", "resume"}, {"resume", "fork"}}

// The converters are functions and not method values: the table then needs no
// work at start-up.
func modeIn(raw []byte) []byte    { return modes.In(raw) }
func modeOut(raw []byte) []byte   { return modes.Out(raw) }
func reasonIn(raw []byte) []byte  { return reasons.In(raw) }
func reasonOut(raw []byte) []byte { return reasons.Out(raw) }
