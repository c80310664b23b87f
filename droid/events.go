package droid

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	refuse = schema.EffectDeny | schema.EffectReason
	goOn   = schema.EffectKeepGoing | schema.EffectEndTurn
	since  = schema.AtMost + "0.225.2" // no older version was tried
	seen   = "observed 0.225.2"
	source = "program 0.225.2"
)

var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, EndDenies: true, Allow: schema.AllowApproves,
		Honors: schema.EffectAllow | refuse | schema.EffectInput | schema.EffectEndTurn, Blocks: schema.EffectDeny,
		Since: since,
		Source: seen + ": an allow raises the autonomy, an ask and a top-level decision do nothing, new input is " +
			"merged"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool,
		Honors: schema.EffectFeedback | schema.EffectContext | schema.EffectEndTurn, Blocks: schema.EffectFeedback,
		Since: since, Source: seen + ": not for a tool that failed; only exit code 2 blocks"},
	{Native: "Notification", Event: schema.Notification, Fields: []schema.Field{schema.FieldMessage}, Since: since,
		Source: "docs.factory.ai"},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt}, Honors: refuse,
		Blocks: schema.EffectDeny, Since: since, Source: source},
	{Native: "Stop", Event: schema.Stop, Fields: []schema.Field{schema.FieldMessageID, schema.FieldStopActive},
		Honors: goOn, Blocks: schema.EffectKeepGoing, Since: since, Source: seen + ": without a limit"},
	{Native: "SubagentStop", Event: schema.SubagentStop, Fields: []schema.Field{schema.FieldStopActive}, Honors: goOn,
		Blocks: schema.EffectKeepGoing, Since: since, Source: "docs.factory.ai"},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldInstructions, schema.FieldMessageCount},
		Honors: schema.EffectDeny,
		Blocks: schema.EffectDeny, Since: since, Source: source + ": only exit codes 2 and 3 block"},
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource}, Honors: schema.EffectContext, Text: schema.EffectContext,
		Since: since, Source: seen},
	{Native: "SessionEnd", Event: schema.SessionEnd, Fields: []schema.Field{schema.FieldReason,
		schema.FieldMessageCount}, Since: since, Source: seen},
}

// actions are the events of a call.
var actions = []dialect.Sequence{{Action: schema.PreTool, Source: seen, Events: []string{"PreToolUse", dialect.ToolRuns,
	"PostToolUse"}}}

// fields are the fields of payloads. None identifies the tool call.
var fields = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "session_id", Field: schema.FieldSession}, {Name: "transcript_path", Field: schema.FieldTranscript},
	{Name: "cwd", Field: schema.FieldCwd},
	{Name: "permission_mode", Field: schema.FieldMode}, {Name: "hook_event_name", Field: schema.FieldEvent},
	{Name: "tool_name", Field: schema.FieldToolName}, {Name: "tool_input", Field: schema.FieldToolInput},
	{Name: "tool_response", Field: schema.FieldToolOutput}, {Name: "message", Field: schema.FieldMessage},
	{Name: "prompt", Field: schema.FieldPrompt},
	{Name: "message_id", Field: schema.FieldMessageID}, {Name: "stop_hook_active", Field: schema.FieldStopActive},
	{Name: "trigger", Field: schema.FieldTrigger}, {Name: "custom_instructions", Field: schema.FieldInstructions},
	{Name: "message_count", Field: schema.FieldMessageCount}, {Name: "source", Field: schema.FieldSource},
	{Name: "reason", Field: schema.FieldReason}}}

// payload has the common fields, with defaults for fields that another agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldTranscript, Default: `""`},
	{Field: schema.FieldCwd, Default: `""`},
	{Field: schema.FieldMode, Default: `"off"`}, {Field: schema.FieldEvent},
	{Field: schema.FieldToolName, Tool: true}, {Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Late: true, Field: schema.FieldMessage, Default: `""`}, {Late: true, Field: schema.FieldPrompt, Default: `""`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldTrigger, Default: `"auto"`},
	{Late: true, Field: schema.FieldSource, Default: `"startup"`},
	{Late: true, Field: schema.FieldReason, Default: `"other"`}}

const (
	all       = family.AllRoles
	shellTool = "Execute"
	patchTool = "ApplyPatch" // for GPT models, instead of Create and Edit
	globs     = "patterns"   // a text, or several
)

// tools are the tools (schemas as sent to the model, observed 0.225.2). There is no tool for deleting files, so the
// model uses commands.
var tools = []schema.ToolRow{
	{Name: shellTool, Kinds: []schema.Kind{schema.Shell}, Replaces: all, Parts: []schema.Kind{schema.Delete},
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "summary", Role: schema.RoleDescription},
			{Name: "timeout", Role: schema.RoleTimeout, Scale: 1000},
			{Name: "fireAndForget", Role: schema.RoleBackground}}},
	{Name: "Create", Kinds: []schema.Kind{schema.Write, schema.Notebook}, Replaces: all, Input: family.WriteInput()},
	{Name: "Edit", Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Replaces: all,
		Input: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "old_str", Role: schema.RoleOldText},
			{Name: "new_str", Role: schema.RoleNewText}, {Name: "change_all", Role: schema.RoleReplaceAll}}},
	{Name: patchTool, Kinds: []schema.Kind{schema.Edit, schema.Write, schema.Notebook}, Replaces: all,
		Parts: []schema.Kind{schema.Delete}, Input: []schema.ArgRow{{Name: "input", Role: schema.RoleCommand}}},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Replaces: all, Input: family.ReadInput(),
		Path: schema.PathRules{Tries: [5]schema.Variant{schema.VaryTime}}},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep}, Replaces: all,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "path", Role: schema.RolePath},
			{Name: "glob_pattern", Role: schema.RoleGlob},
			{Name: "output_mode", Role: schema.RoleOutputMode, Words: &outputModes}}},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob}, Replaces: all,
		Input: []schema.ArgRow{{Name: globs, Role: schema.RoleGlob}, {Name: "folder", Role: schema.RolePath},
			{Name: "excludePatterns", Role: schema.RoleIgnore}}},
	{Name: "LS", Kinds: []schema.Kind{schema.List}, Replaces: all,
		Input: []schema.ArgRow{{Name: "directory_path", Role: schema.RolePath},
			{Name: "ignorePatterns", Role: schema.RoleIgnore}}},
	{Name: "FetchUrl", Kinds: []schema.Kind{schema.Fetch}, Replaces: all,
		Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL}}},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all, Input: family.SearchInput()},
	{Name: "Task", Kinds: []schema.Kind{schema.Agent}, Replaces: all,
		Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}}},
}

// outputModes are the possible results of a search.
var outputModes = schema.Vocabulary{Words: []schema.Word{{Native: "file_paths", Canonical: "files_with_matches"},
	{Native: "content"}}}

// plainTools are tools without a row (schemas as sent to the model, observed 0.225.2; the first three from
// the program).
var plainTools = []string{"TodoWrite", "AskUser", "ExitSpecMode", "ConnectorSearch", "GenerateImage", "Skill",
	"TaskOutput", "TaskStop", "ToolSearch"}

// words are the closed vocabularies. The meanings of the modes are a guess, except for off and spec.
var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{{Native: "off", Canonical: "default", Nearest: []string{"dont-ask"}},
		{Native: "spec", Canonical: "plan"},
		{Native: "auto-low", Canonical: "accept-edits"}, {Native: "auto-medium", Canonical: "auto"},
		{Native: "auto-high", Canonical: "bypass"}}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup", Nearest: []string{"new", "fork"}}, {Native: "resume"}, {Native: "clear"},
		{Native: "compact"}}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "other", Nearest: []string{"resume", "bypass-disabled", "completed", "window-close", "user-close",
			"aborted", "error", "timeout"}},
		{Native: "clear"}, {Native: "logout"}, {Native: "prompt_input_exit", Canonical: "prompt-exit"}}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact}, Words: []schema.Word{{Native: "manual"},
		{Native: "auto"}}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents.
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "worker", Canonical: "builtin/general-purpose", Nearest: []string{"builtin/explore", "builtin/plan",
		"builtin/shell", "builtin/statusline-setup", "builtin/guide"}}}}
