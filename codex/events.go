package codex

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// The effects that hooks may have, by event (observed 0.169.0).
const (
	notice  = schema.EffectNotice
	refuse  = schema.EffectDeny | schema.EffectReason
	endTurn = schema.EffectEndTurn
	context = schema.EffectContext
)

// preview is the length from which Codex writes context to a file: 2,500 tokens of 4 characters (observed 0.169.0).
const preview = 10000

var events = []schema.EventRow{
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Preview: preview,
		Fields:  []schema.Field{schema.FieldSource}, Honors: context | endTurn | notice, Text: context,
		Since: "0.114", Source: "observed 0.169.0: continue false ends the turn before the model is asked"},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason}, Since: "0.145",
		Source: "observed 0.169.0: nothing is read; 1 s, at most 3 s"},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt},
		Preview: preview,
		Honors:  refuse | context | endTurn | notice, Blocks: schema.EffectDeny, Text: context, InAgents: true,
		Since: "0.116", Source: "observed 0.169.0: raised for the task of a sub-agent too"},
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool,
		Preview: preview,
		Honors:  refuse | schema.EffectInput | context | notice, Blocks: schema.EffectDeny,
		Since: "0.124", Source: "observed 0.169.0: ask, defer, a bare allow and continue false void the answer"},
	{Native: "PermissionRequest", Event: schema.PermissionRequest, Match: schema.MatchTool, Asked: true,
		Honors: schema.EffectAllow | refuse | notice, Blocks: schema.EffectDeny, Allow: schema.AllowApproves,
		Since: "0.124", Source: "observed 0.169.0"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool,
		Preview: preview,
		Also:    []schema.Event{schema.PostToolFailure}, AlsoFor: []schema.Kind{schema.Shell}, AlsoAs: schema.AlsoAlike,
		Honors: schema.EffectOutput | schema.EffectFeedback | context | notice, Blocks: schema.EffectOutput,
		Since: "0.124", Source: "observed 0.169.0: a block replaces the result by its reason; continue false " +
			"doesn't end the turn; a command that failed looks like one that worked"},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger}, Honors: refuse | notice,
		Since: "0.130", Source: "observed 0.169.0: continue false stops the compaction, exit code 2 doesn't"},
	{Native: "PostCompact", Event: schema.PostCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger}, Honors: notice, Since: "0.130", Source: "observed 0.169.0"},
	{Native: "SubagentStart", Event: schema.SubagentStart, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldAgentID, schema.FieldAgentType}, Honors: context | notice, Text: context,
		Since: "0.135", Source: "observed 0.169.0: cannot block"},
	{Native: "SubagentStop", Event: schema.SubagentStop, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldStopActive, schema.FieldAgentID, schema.FieldAgentType,
			schema.FieldLastMessage},
		Honors: schema.EffectKeepGoing | endTurn | notice, Blocks: schema.EffectKeepGoing, Since: "0.135",
		Source: "observed 0.169.0"},
	{Native: "Stop", Event: schema.Stop, Fields: []schema.Field{schema.FieldStopActive, schema.FieldLastMessage},
		Honors: schema.EffectKeepGoing | endTurn | notice, Blocks: schema.EffectKeepGoing,
		Since: "0.114", Source: "observed 0.169.0: no limit on blocks in a row"},
	{Native: "Interrupt", Event: schema.Interrupt, Honors: notice, Since: "0.150", Source: "observed 0.169.0"},
	{Native: "PreModelRequest", Event: schema.PreModel, Since: "0.165", Source: "observed 0.171.0: nothing is honored"},
	{Native: "PostModelRequest", Event: schema.PostModel, Fields: []schema.Field{schema.FieldStatus, schema.FieldError,
		schema.FieldTokens, schema.FieldResponseID},
		Since: "0.165", Source: "observed 0.171.0: nothing is honored"},
}

var (
	toolEvents  = []schema.Event{schema.PreTool, schema.PermissionRequest, schema.PostTool}
	modelEvents = []schema.Event{schema.PreModel, schema.PostModel}
	agentEvents = []schema.Event{schema.SubagentStart, schema.SubagentStop}
	stopEvents  = []schema.Event{schema.Stop, schema.SubagentStop}
	// noTurn are the events outside of a turn, noMode those without permission_mode.
	noTurn = []schema.Event{schema.SessionStart, schema.SessionEnd}
	noMode = []schema.Event{schema.SessionEnd, schema.PreCompact, schema.PostCompact, schema.PreModel, schema.PostModel}
)

// newerModel is the first version that sends more about requests to the model (observed: 0.169.0 doesn't, 0.171.0
// does).
const newerModel = "0.171"

// members are the payload fields (observed 0.171.0).
var members = schema.MemberTable{Shared: &family.Fields, Rows: []schema.MemberRow{
	{Name: "turn_id", Field: schema.FieldTurn}, {Name: "status", Field: schema.FieldStatus},
	{Name: "token_usage", Field: schema.FieldTokens}, {Name: "thread_id", Field: schema.FieldThread, Since: newerModel},
	{Name: "kind", Field: schema.FieldRequestKind, Since: newerModel},
	{Name: "request_id", Field: schema.FieldRequestID, Since: newerModel},
	{Name: "attempt_number", Field: schema.FieldAttempt, Since: newerModel},
	{Name: "response_id", Field: schema.FieldResponseID, Since: newerModel},
}}

// payload is the order of the fields (observed 0.171.0), with defaults for those that another agent didn't send.
var payload = []family.PayloadRow{
	{Field: schema.FieldRequestKind, Only: modelEvents, Default: `"sampling"`},
	{Field: schema.FieldRequestID, Only: modelEvents, Default: `""`},
	{Field: schema.FieldAttempt, Only: modelEvents, Default: "1"},
	{Field: schema.FieldSession, Default: `""`},
	{Field: schema.FieldThread, Only: modelEvents, Default: `""`},
	{Field: schema.FieldTurn, Not: noTurn, Default: `""`},
	{Field: schema.FieldAgentID, Not: agentEvents},
	{Field: schema.FieldAgentType, Not: agentEvents},
	{Field: schema.FieldTranscript, Not: modelEvents, Default: "null"},
	{Field: schema.FieldAgentTranscript, Only: []schema.Event{schema.SubagentStop}, Default: "null"},
	{Field: schema.FieldCwd, Default: `""`},
	{Field: schema.FieldTranscript, Only: modelEvents, Default: "null"},
	{Field: schema.FieldModel, Only: modelEvents, Default: `"unknown"`},
	{Field: schema.FieldEvent, Default: `""`},
	{Field: schema.FieldModel, Not: []schema.Event{schema.SessionEnd}, Default: `"unknown"`},
	{Field: schema.FieldMode, Not: noMode, Default: `"default"`},
	{Field: schema.FieldToolName, Only: toolEvents, Default: `""`},
	{Field: schema.FieldToolInput, Only: toolEvents, Default: "{}"},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}, Default: `""`},
	{Field: schema.FieldToolUseID, Only: []schema.Event{schema.PreTool, schema.PostTool}, Default: `""`},
	{Field: schema.FieldSource, Only: []schema.Event{schema.SessionStart}, Default: `"startup"`},
	{Field: schema.FieldReason, Only: []schema.Event{schema.SessionEnd}, Default: `"other"`},
	{Field: schema.FieldPrompt, Only: []schema.Event{schema.PromptSubmit}, Default: `""`},
	{Field: schema.FieldTrigger, Only: []schema.Event{schema.PreCompact, schema.PostCompact}, Default: `"auto"`},
	{Field: schema.FieldStopActive, Only: stopEvents, Default: "false"},
	{Field: schema.FieldAgentID, Only: agentEvents, Default: `""`},
	{Field: schema.FieldAgentType, Only: agentEvents, Default: `"default"`},
	{Field: schema.FieldLastMessage, Only: stopEvents, Default: "null"},
}

// words are Codex's closed vocabularies (schemas in the 0.169.0 binary, unless another source is named). Nearest and
// WriteOnly are its nearest words for values that only other agents have.
var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{
		{Native: "default", Nearest: []string{"auto"}, Source: "observed 0.169.0"},
		{Native: "plan"}, {Native: "acceptEdits", Canonical: "accept-edits"},
		{Native: "dontAsk", Canonical: "dont-ask"},
		{Native: "bypassPermissions", Canonical: "bypass", Source: "observed 0.169.0"},
	}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{ // all observed
		{Native: "startup", Nearest: []string{"new"}},
		{Native: "resume"}, {Native: "clear"}, {Native: "compact"}, {Native: "fork", Since: "0.155"},
	}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "other",
			Nearest: []string{"clear", "resume", "logout", "prompt-exit", "bypass-disabled", "completed",
				"window-close", "user-close", "aborted", "error", "timeout"},
			Means: []string{"prompt-exit", "completed"}, Source: "observed 0.169.0"},
	}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact}, Words: []schema.Word{
		{Native: "manual"}, {Native: "auto"},
	}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents (observed 0.169.0).
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "default", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/plan", "builtin/shell", "builtin/statusline-setup", "builtin/guide"}},
	{Native: "explorer", Canonical: "builtin/explore"},
}}
