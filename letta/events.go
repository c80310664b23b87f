package letta

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	since      = schema.AtMost + "0.32.18" // no older version was tried
	refuse     = schema.EffectDeny | schema.EffectReason
	told       = schema.EffectFeedback | schema.EffectContext
	eventField = "event_type"
	afterTool  = "PostToolUse"
	failed     = "error" // status of a result
)

var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, Honors: refuse | schema.EffectInput,
		Blocks: schema.EffectDeny, Since: since, Source: seen + ": no ask or context"},
	{Native: "PermissionRequest", Event: schema.PermissionRequest, Match: schema.MatchTool, Asked: true, Honors: refuse,
		Blocks: schema.EffectDeny, Since: since, Source: fromSource},
	{Native: afterTool, Event: schema.PostTool, Also: []schema.Event{schema.PostToolFailure}, AlsoAs: schema.AlsoBoth,
		Match: schema.MatchTool, MatchField: schema.FieldStatus,
		Idle: []string{failed}, Honors: told, Blocks: schema.EffectFeedback, Since: since, Source: seen},
	{Native: "PostToolUseFailure", Event: schema.PostToolFailure, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldError}, Honors: told, Blocks: schema.EffectFeedback, Since: since,
		Source: seen},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt},
		Honors: refuse | schema.EffectContext, Blocks: schema.EffectDeny, Text: schema.EffectContext, Since: since,
		Source: fromSource},
	{Native: "SessionStart", Event: schema.SessionStart, Honors: schema.EffectContext, Text: schema.EffectContext,
		Since: since, Source: fromSource},
	{Native: "Stop", Event: schema.Stop, Fields: []schema.Field{schema.FieldReason, schema.FieldLastMessage},
		Honors: schema.EffectKeepGoing, Blocks: schema.EffectKeepGoing, Since: since, Source: fromSource},
	{Native: "SubagentStop", Event: schema.SubagentStop,
		Fields: []schema.Field{schema.FieldAgentType, schema.FieldAgentID, schema.FieldError}, Since: since,
		Source: seen},
	{Native: "SessionEnd", Event: schema.SessionEnd, Since: since, Source: fromSource},
	{Native: "PreCompact", Event: schema.PreCompact, Since: since, Source: fromSource},
	{Native: "Notification", Event: schema.Notification, Fields: []schema.Field{schema.FieldMessage}, Since: since,
		Source: fromSource},
}

var actions = []dialect.Sequence{{Action: schema.PreTool, Source: seen,
	Events: []string{"PreToolUse", "PermissionRequest", dialect.ToolRuns, afterTool}}}

// fields are the names of payload fields. The agent's id replaces the session's, which payloads lack.
var fields = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "error", Field: schema.FieldError, On: []schema.Event{schema.SubagentStop}},
	{Name: "subagent_id", Field: schema.FieldAgentID, On: []schema.Event{schema.SubagentStop}},
	{Name: "subagent_type", Field: schema.FieldAgentType, On: []schema.Event{schema.SubagentStop}},
	{Name: eventField, Field: schema.FieldEvent}, {Name: "working_directory", Field: schema.FieldCwd},
	{Name: "tool_name", Field: schema.FieldToolName}, {Name: "tool_input", Field: schema.FieldToolInput},
	{Name: "tool_call_id", Field: schema.FieldToolUseID}, {Name: "tool_result", Field: schema.FieldToolOutput},
	{Name: "error_message", Field: schema.FieldError}, {Name: "agent_id", Field: schema.FieldSession},
	{Name: "prompt", Field: schema.FieldPrompt}, {Name: "stop_reason", Field: schema.FieldReason},
	{Name: "assistant_message", Field: schema.FieldLastMessage}, {Name: "message", Field: schema.FieldMessage},
}}

// payload is the order of the fields (observed 0.32.18), with defaults for fields that another agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldEvent}, {Field: schema.FieldCwd, Default: `""`}, {Field: schema.FieldToolName, Tool: true},
	{Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolUseID, Tool: true, Not: []schema.Event{schema.PermissionRequest}},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Late: true, Field: schema.FieldError, Only: []schema.Event{schema.PostToolFailure}, Default: `""`},
	{Field: schema.FieldSession, Not: []schema.Event{schema.Stop, schema.Notification}, Default: `""`},
	{Late: true, Field: schema.FieldPrompt, Default: `""`}, {Late: true, Field: schema.FieldMessage, Default: `""`},
}

// more writes fields that other agents' payloads lack.
func more(w *ordjson.Writer, c *schema.Call, _ schema.View) {
	switch c.Event {
	case schema.PostToolFailure:
		w.String("error_type", "tool_error")
	case schema.SubagentStop:
		w.Bool("success", true)
		w.String("conversation_id", "default")
	}
}

// tools returns Claude Code's tools that the client also has; hooks see Agent under its older name.
func tools(from *dialect.Profile) (out []schema.ToolRow) {
	for _, name := range []string{"Bash", "Read", "Write", "Edit", "Grep", "Glob", "Agent"} {
		t := *from.Tool(name)
		t.Aliases, t.Before, t.Output = nil, nil, nil
		if t.Kinds[0] == schema.Read || t.Kinds[0].ChangesFile() {
			t.Path = located
		}
		switch t.Kinds[0] {
		case schema.Agent:
			t.Name = "Task"
		case schema.Write, schema.Edit:
			t.Kinds = append(slices.Clip(t.Kinds), schema.Notebook)
		}
		out = append(out, t)
	}
	return out
}

// located is how tools find a file (observed 0.32.18).
var located = schema.PathRules{Home: true, HomeName: true, Links: schema.WholeLinks}

// plainTools are tools without a row (as sent to the model, observed 0.32.18).
var plainTools = []string{"Monitor", "EnterWorktree", "ExitWorktree", "SetWorkingDirectory", "TaskStop", "memory",
	"Skill", "Workflow", "SendAgentMessage", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"}
