package cline

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	since  = schema.AtMost + known // no older version was tried
	seen   = "observed " + known
	refuse = schema.EffectDeny | schema.EffectReason | schema.EffectEndTurn
)

// events are those that the client raises headless. Only tool calls can be denied.
var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Since: since, EndDenies: true,
		Honors: refuse | schema.EffectInput | schema.EffectContext, Blocks: schema.EffectDeny,
		Source: seen + ": a cancel ends the run, also for a tool of a server; context comes with the result"},
	{Native: "PostToolUse", Event: schema.PostTool, Since: since, Also: []schema.Event{schema.PostToolFailure},
		Honors: schema.EffectContext | schema.EffectEndTurn, Blocks: schema.EffectEndTurn,
		Source: seen + ": also for calls that fail"},
	{Native: "TaskStart", Event: schema.SessionStart, Since: since, Beside: true,
		Source: seen + ": the run doesn't wait, and the answer isn't read"},
	{Native: "TaskComplete", Event: schema.Stop, Since: since, Beside: true,
		Fields: []schema.Field{schema.FieldLastMessage}, Source: seen + ": the answer isn't read"},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Since: since, Fields: []schema.Field{schema.FieldPrompt},
		Source: seen + ": the answer isn't read"},
	{Native: "SessionShutdown", Event: schema.SessionEnd, Only: schema.AfterCancel, Since: since, Source: seen},
}

// ways lists what the only observed way leaves out.
var ways = []dialect.Way{{Command: "cline --json", Less: []dialect.Less{{Native: "UserPromptSubmit", Never: true,
	Source: seen + ": --yolo raises it for the client's own messages, never for the user's prompt"}}}}

var actions = []dialect.Sequence{{Action: schema.PreTool, Source: seen,
	Events: []string{"PreToolUse", dialect.ToolRuns, "PostToolUse"}}}

// hookNames are the events with their names in payloads and in file names.
var hookNames = [][2]string{{"PreToolUse", "tool_call"}, {"PostToolUse", "tool_result"}, {"TaskStart", "agent_start"},
	{"TaskComplete", "agent_end"}, {"UserPromptSubmit", "prompt_submit"},
	{"SessionShutdown", "session_shutdown"}}

// after are the events of a tool's result.
var after = []schema.Event{schema.PostTool, schema.PostToolFailure}

// members are the fields of payloads; a field in an object has the object's name and a dot as its prefix.
var members = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "hookName", Field: schema.FieldEvent}, {Name: sessionField, Field: schema.FieldSession},
	{Name: "workspaceRoots", Field: schema.FieldRoots}, {Name: "agent_id", Field: schema.FieldAgentID},
	{Name: "tool_call.id", Field: schema.FieldToolUseID, On: []schema.Event{schema.PreTool}},
	{Name: "tool_call.name", Field: schema.FieldToolName, On: []schema.Event{schema.PreTool}},
	{Name: "tool_call.input", Field: schema.FieldToolInput, On: []schema.Event{schema.PreTool}},
	{Name: "tool_result.id", Field: schema.FieldToolUseID, On: after},
	{Name: "tool_result.name", Field: schema.FieldToolName, On: after},
	{Name: "tool_result.input", Field: schema.FieldToolInput, On: after},
	{Name: "tool_result.output", Field: schema.FieldToolOutput, On: after},
	{Name: "tool_result.durationMs", Field: schema.FieldDuration, On: after},
	{Name: "turn.outputText", Field: schema.FieldLastMessage},
	{Name: "userPromptSubmit.prompt", Field: schema.FieldPrompt},
}}

const sessionField = "sessionContext.rootSessionId"

// payload is the order of the fields.
var payload = []family.PayloadRow{
	{Field: schema.FieldEvent}, {Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldRoots, Default: `[]`},
	{Field: schema.FieldAgentID}, {Field: schema.FieldToolUseID, Tool: true}, {Field: schema.FieldToolName, Tool: true},
	{Field: schema.FieldToolInput, Tool: true}, {Field: schema.FieldToolOutput, Only: after},
	{Field: schema.FieldDuration, Only: after}, {Late: true, Field: schema.FieldLastMessage, Default: `""`},
	{Late: true, Field: schema.FieldPrompt, Default: `""`},
}

const (
	shellTool = "run_commands"
	readTool  = "read_files"
	grepTool  = "search_codebase"
	editTool  = "editor"
	fetchTool = "fetch_web_content"
	patchTool = "apply_patch"
	agentTool = "spawn_agent"
)

const all = ^schema.Roles(0)

var none = []string{} // of More

// toRead is how a file to read is found; the editor takes paths as they are (program 3.0.65).
var toRead = schema.PathRules{Tries: [5]schema.Variant{schema.VaryTime, schema.VaryForm, schema.VaryQuote,
	schema.VaryForm | schema.VaryQuote, schema.VaryForm | schema.VaryBlanks}}

// tools are the tools with counterparts in other agents, each with the fields of one element of its list.
var tools = []schema.ToolRow{
	{Name: shellTool, Kinds: []schema.Kind{schema.Shell}, Parts: []schema.Kind{schema.Delete}, Replaces: all,
		Input: []schema.ArgRow{{Name: "commands", Role: schema.RoleCommand}}, More: none},
	{Name: readTool, Kinds: []schema.Kind{schema.Read}, Replaces: all, Path: toRead, Input: []schema.ArgRow{
		{Name: "files", Role: schema.RolePath}, {Name: "start_line", Role: schema.RoleOffset},
		{Name: "end_line", Role: schema.RoleLimit, Lines: schema.LastLine}}, More: none},
	{Name: grepTool, Kinds: []schema.Kind{schema.Grep}, Replaces: all,
		Input: []schema.ArgRow{{Name: "queries", Role: schema.RolePattern}}, More: none},
	{Name: editTool, Kinds: []schema.Kind{schema.Write, schema.Edit, schema.Notebook}, Replaces: all,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "old_text", Role: schema.RoleOldText},
			{Name: "new_text", Role: schema.RoleNewText}}, // the content of a written file
		More: []string{"insert_line"}},
	{Name: patchTool, Kinds: []schema.Kind{schema.MultiEdit, schema.Edit, schema.Write, schema.Notebook},
		Parts: []schema.Kind{schema.Delete}, Replaces: 1 << schema.RoleCommand,
		// program 3.0.65: for some models, instead of the editor
		Input: []schema.ArgRow{{Name: "input", Role: schema.RoleCommand}}},
	{Name: fetchTool, Kinds: []schema.Kind{schema.Fetch}, Replaces: all, Input: []schema.ArgRow{
		{Name: "requests", Role: schema.RoleURL}, {Name: "prompt", Role: schema.RolePrompt}}, More: none},
	{Name: agentTool, Kinds: []schema.Kind{schema.Agent}, Replaces: all, Input: []schema.ArgRow{
		{Name: "systemPrompt", Role: schema.RoleDescription}, {Name: "task", Role: schema.RolePrompt}}},
}

// plainTools are the client's other tools.
var plainTools = []string{"ask_question", "skills", "submit_and_exit", "team_attach_outcome_fragment",
	"team_await_runs", "team_broadcast", "team_cancel_run", "team_cleanup", "team_create_outcome",
	"team_finalize_outcome", "team_list_outcomes", "team_list_runs", "team_mission_log", "team_read_mailbox",
	"team_review_outcome_fragment", "team_run_task", "team_send_message", "team_shutdown_teammate",
	"team_spawn_teammate", "team_status", "team_task"}

// eventOf returns the event for a payload's hookName. The VS Code extension sends the name of the file (docs).
func eventOf(hookName string) string {
	i := slices.IndexFunc(hookNames, func(n [2]string) bool { return n[1] == hookName })
	if i < 0 {
		return hookName
	}
	return hookNames[i][0]
}

// hookNameOf returns an event's name in payloads.
func hookNameOf(native string) string {
	i := slices.IndexFunc(hookNames, func(n [2]string) bool { return n[0] == native })
	if i < 0 {
		return native
	}
	return hookNames[i][1]
}
