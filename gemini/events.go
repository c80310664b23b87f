package gemini

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const seen = "observed 0.61.0"

// events are the 11 events. Since is the version that first raises them (source,
// tags).
var events = []schema.EventRow{
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource},
		Honors: schema.EffectContext | schema.EffectNotice, Since: "0.21.0", Source: seen +
			": a block does not stop the session"},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason}, More: schema.AtExitTwice, Since: "0.21.0", Source: seen},
	{Native: "BeforeAgent", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt}, Continued: true,
		Honors: blocks | schema.EffectEndTurn | schema.EffectContext | schema.EffectNotice, Blocks: schema.EffectDeny,
		Since: "0.19.0", Source: seen + ": raised for a continuation too, with the hook's reason as the prompt"},
	{Native: "AfterAgent", Event: schema.Stop, Fields: []schema.Field{schema.FieldPrompt, schema.FieldLastMessage,
		schema.FieldStopActive},
		Honors: schema.EffectKeepGoing | schema.EffectEndTurn | schema.EffectNotice, Blocks: schema.EffectKeepGoing,
		Since: "0.19.0", Source: seen + ": stop_hook_active is false again after a tool call"},
	{Native: "BeforeModel", Event: schema.PreModel, Fields: []schema.Field{schema.FieldModelRequest},
		Honors: blocks | schema.EffectEndTurn | schema.EffectNotice, Blocks: schema.EffectDeny, Since: "0.20.0",
		Source: seen},
	{Native: "BeforeToolSelection", Event: schema.ToolSelection, Fields: []schema.Field{schema.FieldModelRequest},
		Since: "0.20.0", Source: seen + ": the tools are chosen by hookSpecificOutput.toolConfig"},
	{Native: "AfterModel", Event: schema.PostModel, Fields: []schema.Field{schema.FieldModelRequest,
		schema.FieldModelResponse},
		Honors: schema.EffectEndTurn | schema.EffectNotice, Blocks: schema.EffectEndTurn, More: schema.EachChunk,
		Since: "0.20.0", Source: seen + ": a block does not take the text back"},
	{Native: "BeforeTool", Event: schema.PreTool, Match: schema.MatchTool, EndDenies: true,
		Honors: blocks | schema.EffectAsk | schema.EffectEndTurn | schema.EffectInput | schema.EffectNotice,
		Blocks: schema.EffectDeny, Since: "0.20.0",
		Source: seen + ": allow has no effect; ask also turns a denial by policy into a dialog, and ends a headless " +
			"process"},
	{Native: "AfterTool", Event: schema.PostTool, Also: []schema.Event{schema.PostToolFailure}, Match: schema.MatchTool,
		EndDenies: true,
		Honors:    schema.EffectOutput | schema.EffectContext | schema.EffectEndTurn | schema.EffectNotice,
		Blocks:    schema.EffectOutput, Since: "0.20.0",
		Source: seen + ": a block and the end of the turn hide the result; context is lost when the tool failed"},
	{Native: "Notification", Event: schema.Notification, Fields: []schema.Field{schema.FieldNotificationType,
		schema.FieldMessage, schema.FieldDetails},
		Honors: schema.EffectNotice, Since: "0.20.0", Source: seen + ": before each permission dialog"},
	{Native: "PreCompress", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Idle:   []string{"auto"},
		Fields: []schema.Field{schema.FieldTrigger}, Honors: schema.EffectNotice, Since: "0.21.0",
		Source: seen + ": trigger auto before each request, whether or not anything is compressed"},
}

const blocks = schema.EffectDeny | schema.EffectReason

var members = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "session_id", Field: schema.FieldSession}, {Name: "transcript_path", Field: schema.FieldTranscript},
	{Name: "cwd", Field: schema.FieldCwd}, {Name: "hook_event_name", Field: schema.FieldEvent},
	{Name: "timestamp", Field: schema.FieldTime}, {Name: "source", Field: schema.FieldSource},
	{Name: "reason", Field: schema.FieldReason}, {Name: "prompt", Field: schema.FieldPrompt},
	{Name: "prompt_response", Field: schema.FieldLastMessage},
	{Name: "stop_hook_active", Field: schema.FieldStopActive}, {Name: "llm_request", Field: schema.FieldModelRequest},
	{Name: "llm_response", Field: schema.FieldModelResponse}, {Name: "tool_name", Field: schema.FieldToolName},
	{Name: "tool_input", Field: schema.FieldToolInput}, {Name: "tool_response", Field: schema.FieldToolOutput},
	{Name: "notification_type", Field: schema.FieldNotificationType}, {Name: "message", Field: schema.FieldMessage},
	{Name: "details", Field: schema.FieldDetails}, {Name: "trigger", Field: schema.FieldTrigger},
}}

// modes are the approval modes.
var modes = []dialect.Mode{
	{Name: "default", Asks: &family.Changing, Source: seen},
	{Name: "auto_edit", Asks: &[]schema.Kind{schema.Shell, schema.MCP, schema.Fetch}, Source: seen},
	{Name: "yolo", Source: seen},
}

// actions are the events of a call. Those of requests to the model don't belong to an action that a user sees.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: seen, Events: []string{"BeforeTool", dialect.ToolRuns, "AfterTool"}},
}

var ways = []dialect.Way{{Command: "gemini -p", Less: []dialect.Less{
	{Native: "BeforeTool", Effects: schema.EffectAsk, Refuses: true, Source: "observed 0.61.0: the process ends"}}},
	{Command: "gemini --acp", Less: []dialect.Less{{Native: "SessionStart", Never: true, Source: "source 0.61.0"}}}}

// words are the closed vocabularies (observed 0.61.0, unless another source is named). Nearest and WriteOnly are for
// values that only other agents have.
var words = schema.Vocabularies{
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup", Nearest: []string{"new"}},
		{Native: "resume", Nearest: []string{"compact", "fork"}},
		{Native: "clear"},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "exit", Canonical: "prompt-exit",
			Nearest: []string{"other", "logout", "completed", "window-close", "user-close", "resume", "aborted",
				"error",
				"bypass-disabled", "timeout"}, Means: []string{"completed"}}, // logout and others exist in types only
		{Native: "clear"},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact}, Words: []schema.Word{
		{Native: "manual"},
		{Native: "auto", WriteOnly: true, Source: "observed 0.61.0: sent before each request, whether or not " +
			"anything is compressed"},
	}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "ToolPermission", Canonical: "permission_prompt"},
	}},
	&agentTypes,
}

var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "generalist", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/plan", "builtin/shell", "builtin/statusline-setup"}},
	{Native: "codebase_investigator", Canonical: "builtin/explore", Source: "source"},
	{Native: "cli_help", Canonical: "builtin/guide", Source: "source"},
}}
