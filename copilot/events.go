package copilot

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

const seen = "observed 1.0.102"

const (
	refuse  = schema.EffectDeny | schema.EffectReason
	context = schema.EffectContext
)

// contextLimits are the lengths at which Copilot cuts context after a tool (observed 1.0.102). At other events, 60,000
// units pass whole.
var contextLimits = []dialect.ContextLimit{{On: schema.PostTool, Units: 10240}, {On: schema.PostToolFailure,
	Units: 10240}}

// An eventRow is an event with both of its names.
type eventRow struct {
	schema.EventRow
	pascal string // Claude Code's name for it, "" if it has none
	// camel: the payload has Copilot's own names under either name of the event.
	camel bool
}

// camelSince is the version that introduced Claude Code's names, pascalSince the first with snake case payloads under
// them (changelog).
const camelSince, pascalSince = "0.0.362", "1.0.21"

// sinceCode is for VS Code, whose older versions weren't tried.
const sinceCode = schema.AtMost + "1.0"

var rows = []eventRow{
	{EventRow: schema.EventRow{Native: "sessionStart", Event: schema.SessionStart,
		Fields: []schema.Field{schema.FieldSource}, Honors: context, Beside: true,
		Since: camelSince, Source: seen + ": matchers are ignored; in the terminal it comes with the first prompt, " +
			"whose hooks run at the same time"}, pascal: "SessionStart"},
	{EventRow: schema.EventRow{Native: "sessionEnd", Event: schema.SessionEnd,
		Fields: []schema.Field{schema.FieldReason},
		Since:  camelSince, Source: seen + ": nothing is honored"}, pascal: "SessionEnd"},
	{EventRow: schema.EventRow{Native: "userPromptSubmitted", Event: schema.PromptSubmit,
		Fields: []schema.Field{schema.FieldPrompt},
		Honors: refuse | context, Blocks: schema.EffectDeny, InAgents: true, Continued: true, Since: camelSince,
		Source: seen + ": raised for the reason of a stop hook too, and for sub-agents; exit code 2 doesn't block"},
		pascal: "UserPromptSubmit"},
	{EventRow: schema.EventRow{Native: "userPromptTransformed", Event: schema.PromptTransformed,
		Fields:   []schema.Field{schema.FieldPrompt, schema.FieldText},
		InAgents: true, Since: "1.0.44", Source: "types 1.0.102: the transformed prompt may be replaced"}},
	{EventRow: schema.EventRow{Native: "preToolUse", Event: schema.PreTool, Match: schema.MatchTool,
		Honors: schema.EffectAllow | schema.EffectAsk | refuse | schema.EffectInput | context,
		Blocks: schema.EffectDeny, Allow: schema.AllowApproves,
		Since: camelSince, Source: seen + ": a hook that fails denies, one that times out doesn't; allow skips the " +
			"permission dialog"}, pascal: "PreToolUse"},
	{EventRow: schema.EventRow{Native: "permissionRequest", Event: schema.PermissionRequest, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldSuggestions}, Never: []schema.Kind{schema.Read, schema.Grep, schema.Glob,
			schema.List, schema.Agent},
		Honors: schema.EffectAllow | refuse | schema.EffectInterrupt, Blocks: schema.EffectDeny,
		Allow: schema.AllowApproves,
		Since: "1.0.16", Source: seen + ": raised for calls that nobody would be asked about, but not for reads and " +
			"sub-agents; a later allow overrules a deny"}, pascal: "PermissionRequest", camel: true},
	{EventRow: schema.EventRow{Native: "preMcpToolCall", Event: schema.PreMCPCall,
		Fields: []schema.Field{schema.FieldToolUseID, schema.FieldServerName},
		Since:  "1.0.51", Source: seen + ": a denial is ignored"}, pascal: "PreMcpToolCall", camel: true},
	{EventRow: schema.EventRow{Native: "postToolUse", Event: schema.PostTool,
		Also: []schema.Event{schema.PostToolFailure}, AlsoFor: []schema.Kind{schema.Shell},
		Match: schema.MatchTool, Honors: context | schema.EffectOutput, Blocks: schema.EffectOutput,
		Since: camelSince, Source: seen +
			": a block replaces the result; a command that fails is a success; exit code 2 doesn't block"},
		pascal: "PostToolUse"},
	{EventRow: schema.EventRow{Native: "postToolUseFailure", Event: schema.PostToolFailure,
		Fields: []schema.Field{schema.FieldError}, Honors: context,
		Since: "1.0.15", Source: seen + ": matchers are ignored; with exit code 2 stderr becomes context"},
		pascal: "PostToolUseFailure"},
	{EventRow: schema.EventRow{Native: "agentStop", Event: schema.Stop, Fields: []schema.Field{schema.FieldTranscript,
		schema.FieldStatus, schema.FieldStopActive},
		Honors: schema.EffectKeepGoing, Blocks: schema.EffectKeepGoing, InAgents: true,
		Since: "0.0.401", Source: seen + ": exit code 2 doesn't block; 8 blocks in a row; for a sub-agent a block " +
			"is ignored"}, pascal: "Stop"},
	{EventRow: schema.EventRow{Native: "subagentStart", Event: schema.SubagentStart, Match: schema.MatchField,
		MatchField: schema.FieldAgentType,
		Fields:     []schema.Field{schema.FieldTranscript, schema.FieldAgentType}, Honors: context,
		Since: "1.0.7", Source: seen + ": cannot refuse"}, pascal: "SubagentStart", camel: true},
	{EventRow: schema.EventRow{Native: "subagentStop", Event: schema.SubagentStop,
		Fields: []schema.Field{schema.FieldTranscript, schema.FieldAgentType, schema.FieldLastMessage,
			schema.FieldStatus, schema.FieldStopActive},
		Honors: schema.EffectKeepGoing, Blocks: schema.EffectKeepGoing,
		Since: "0.0.401", Source: seen + ": matchers are ignored"}, pascal: "SubagentStop"},
	{EventRow: schema.EventRow{Native: "errorOccurred", Event: schema.StopFailure, MatchField: schema.FieldFailure,
		Idle:   []string{"tool_execution", "system", "user_input"},
		Fields: []schema.Field{schema.FieldFailure, schema.FieldErrorDetails}, More: schema.EachTry,
		Since: camelSince, Source: seen}, pascal: "ErrorOccurred"},
	{EventRow: schema.EventRow{Native: "preCompact", Event: schema.PreCompact, Match: schema.MatchField,
		MatchField: schema.FieldTrigger,
		Fields:     []schema.Field{schema.FieldTranscript, schema.FieldTrigger, schema.FieldInstructions},
		Since:      "1.0.5", Source: seen + ": nothing is honored"}, pascal: "PreCompact"},
	{EventRow: schema.EventRow{Native: "notification", Event: schema.Notification, Match: schema.MatchField,
		MatchField: schema.FieldNotificationType,
		Fields:     []schema.Field{schema.FieldMessage, schema.FieldTitle, schema.FieldNotificationType},
		Honors:     context,
		Since:      "1.0.18", Source: seen + ": context starts another turn"}, pascal: "Notification", camel: true},
}

// named appends the rows to out under each of their names.
func named(out []schema.EventRow) []schema.EventRow {
	for i := range rows {
		out = append(out, rows[i].EventRow)
	}
	for i := range rows {
		r := &rows[i]
		if r.pascal == "" {
			continue
		}
		e := r.EventRow
		if e.Native = r.pascal; e.Match == schema.MatchTool {
			e.Grammar = pascalMatchers
		}
		if schema.CompareVersions(e.Since, pascalSince) < 0 {
			e.Since = pascalSince
		}
		out = append(out, e)
	}
	return out
}

// codeEvents are the events of VS Code (source 0.42.0). It also accepts camelCase names, but always sends these.
var codeEvents = []schema.EventRow{
	{Native: "SessionStart", Event: schema.SessionStart, Fields: []schema.Field{schema.FieldSource},
		Honors: context | schema.EffectNotice, Since: sinceCode, Source: code},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt},
		Honors: refuse | context | ends, Blocks: schema.EffectDeny, Since: sinceCode, Source: code},
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, Honors: schema.EffectAllow |
		schema.EffectAsk | refuse | schema.EffectInput | context | ends,
		Blocks: schema.EffectDeny, Allow: schema.AllowApproves, Since: sinceCode, Source: code +
			": a hook that fails doesn't deny"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool, Honors: schema.EffectFeedback | context |
		ends, Blocks: schema.EffectFeedback, Since: sinceCode, Source: code},
	{Native: "PreCompact", Event: schema.PreCompact, Fields: []schema.Field{schema.FieldTrigger}, Honors: ends,
		Since: sinceCode, Source: code},
	{Native: "SubagentStart", Event: schema.SubagentStart, Fields: []schema.Field{schema.FieldAgentID,
		schema.FieldAgentType}, Honors: context | schema.EffectNotice,
		Since: sinceCode, Source: code},
	{Native: "SubagentStop", Event: schema.SubagentStop, Fields: []schema.Field{schema.FieldAgentID,
		schema.FieldAgentType, schema.FieldStopActive},
		Honors: schema.EffectKeepGoing | ends, Blocks: schema.EffectKeepGoing, Since: sinceCode, Source: code},
	{Native: "Stop", Event: schema.Stop, Fields: []schema.Field{schema.FieldStopActive},
		Honors: schema.EffectKeepGoing | ends, Blocks: schema.EffectKeepGoing, Since: sinceCode, Source: code},
}

const (
	code = "source vscode-copilot-chat 0.42.0: matchers are ignored"
	ends = schema.EffectEndTurn | schema.EffectNotice
)

// members are the fields of payloads. Of a field's names, the first is for payloads in Copilot's own form, and the next
// for those in Claude Code's.
var members = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "sessionId", Field: schema.FieldSession}, {Name: "session_id", Field: schema.FieldSession},
	{Name: "cwd", Field: schema.FieldCwd}, {Name: "timestamp", Field: schema.FieldTime},
	{Name: "hook_event_name", Field: schema.FieldEvent},
	{Name: "agentId", Field: schema.FieldAgentID}, {Name: "agent_id", Field: schema.FieldAgentID},
	{Name: "agentName", Field: schema.FieldAgentType}, {Name: "agent_name", Field: schema.FieldAgentType},
	{Name: "agentType", Field: schema.FieldAgentType}, {Name: "agent_type", Field: schema.FieldAgentType},
	{Name: "parentAgentId", Field: schema.FieldAgentParent}, {Name: "parent_agent_id", Field: schema.FieldAgentParent},
	{Name: "toolName", Field: schema.FieldToolName}, {Name: "tool_name", Field: schema.FieldToolName},
	{Name: "toolArgs", Field: schema.FieldToolInput}, {Name: "tool_input", Field: schema.FieldToolInput},
	{Name: "toolInput", Field: schema.FieldToolInput},   // permissionRequest
	{Name: "arguments", Field: schema.FieldToolInput},   // preMcpToolCall
	{Name: "serverName", Field: schema.FieldServerName}, // preMcpToolCall
	{Name: "toolCallId", Field: schema.FieldToolUseID}, {Name: "tool_use_id", Field: schema.FieldToolUseID},
	{Name: "toolResult", Field: schema.FieldToolOutput}, {Name: "tool_result", Field: schema.FieldToolOutput},
	{Name: "tool_response", Field: schema.FieldToolOutput}, // VS Code
	{Name: "permissionSuggestions", Field: schema.FieldSuggestions},
	{Name: "permission_suggestions", Field: schema.FieldSuggestions},
	{Name: "transcriptPath", Field: schema.FieldTranscript}, {Name: "transcript_path", Field: schema.FieldTranscript},
	{Name: "stop_hook_active", Field: schema.FieldStopActive},
	{Name: "stopReason", Field: schema.FieldStatus}, {Name: "stop_reason", Field: schema.FieldStatus},
	{Name: "response", Field: schema.FieldLastMessage},
	{Name: "last_assistant_message", Field: schema.FieldLastMessage},
	{Name: "source", Field: schema.FieldSource}, {Name: "reason", Field: schema.FieldReason},
	{Name: "prompt", Field: schema.FieldPrompt}, {Name: "trigger", Field: schema.FieldTrigger},
	{Name: "customInstructions", Field: schema.FieldInstructions},
	{Name: "custom_instructions", Field: schema.FieldInstructions},
	{Name: "message", Field: schema.FieldMessage}, {Name: "title", Field: schema.FieldTitle},
	{Name: "notification_type", Field: schema.FieldNotificationType},
	{Name: "transformedPrompt", Field: schema.FieldText},
	{Name: "errorContext", Field: schema.FieldFailure}, {Name: "error_context", Field: schema.FieldFailure},
	{Name: "model", Field: schema.FieldModel}, {Name: "error", Field: schema.FieldError},
}}

func isPascal(native string) bool { return native != "" && native[0] >= 'A' && native[0] <= 'Z' }

func pairOf(native string) *eventRow {
	return lists.Find(rows, func(r *eventRow) bool { return r.Native == native || r.pascal == native && native != "" })
}

func hasCamelPayload(native string) bool {
	pair := pairOf(native)
	return pair != nil && (pair.camel || !isPascal(native))
}

// actions are the events of calls and prompts, by their first names: entries under the other name run at the same time.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.MCP}, Source: seen,
		Events: []string{"preToolUse", "permissionRequest", "preMcpToolCall", dialect.ToolRuns, "postToolUse"}},
	{Action: schema.PreTool, Source: seen, Events: []string{"preToolUse", "permissionRequest", dialect.ToolRuns,
		"postToolUse"}},
	{Action: schema.PromptSubmit, Source: seen, Events: []string{"userPromptSubmitted", "userPromptTransformed"}},
}

// modes ask the user unless --allow-tool or --allow-all-tools is given.
var modes = []dialect.Mode{
	{Name: "default", Asks: &family.Changing, Source: seen},
	{Name: "allow-all", Source: seen},
}

// codeActions are those of VS Code.
var codeActions = []dialect.Sequence{
	{Action: schema.PreTool, Source: code, Events: []string{"PreToolUse", dialect.ToolRuns, "PostToolUse"}},
}

var ways = []dialect.Way{{Command: "copilot -p", Program: onCLI, Less: []dialect.Less{
	{Native: "preToolUse", Effects: schema.EffectAsk, Refuses: true, Source: seen + ", with --yolo too"}}}}

// words are the closed vocabularies (observed 1.0.102, unless another source is named). Nearest and WriteOnly are the
// nearest words for values that only other agents have.
var words = schema.Vocabularies{
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "new", Canonical: "startup", Nearest: []string{"new", "clear"}},
		{Native: "resume", Nearest: []string{"compact", "fork"}},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "complete", Canonical: "completed", Nearest: []string{"other", "bypass-disabled"}},
		{Native: "user_exit", Canonical: "prompt-exit",
			Nearest: []string{"clear", "resume", "logout", "window-close", "user-close"}, Means: []string{"clear"}},
		{Native: "error"},
		{Native: "abort", Canonical: "aborted", Source: "types 1.0.102"},
		{Native: "timeout", Source: "types 1.0.102"},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact}, Words: []schema.Word{
		{Native: "manual"}, {Native: "auto"},
	}},
	{Field: schema.FieldStatus, Events: []schema.Event{schema.Stop, schema.SubagentStop}, Words: []schema.Word{
		{Native: "end_turn", Canonical: "completed", Nearest: []string{"aborted", "error"}},
	}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification}, Words: []schema.Word{
		{Native: "permission_prompt"}, {Native: "elicitation_dialog"},
		{Native: "agent_idle", Canonical: "idle_prompt"}, {Native: "agent_completed"}, {Native: "shell_completed"},
		{Native: "shell_detached_completed"},
	}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents (types 1.0.102; explore was observed).
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general-purpose", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/plan", "builtin/statusline-setup", "builtin/guide"}},
	{Native: "explore", Canonical: "builtin/explore"}, {Native: "task", Canonical: "builtin/shell"},
}}
