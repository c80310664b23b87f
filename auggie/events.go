package auggie

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	since  = schema.AtMost + "0.36.0" // no older version was tried
	seen   = "observed 0.36.0"
	refuse = schema.EffectDeny | schema.EffectReason
)

// events are those that the client raises. Only tool calls can be denied.
var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Since: since, Match: schema.MatchTool, Allow: schema.AllowPasses,
		Honors: schema.EffectAllow | refuse | schema.EffectInput, Blocks: schema.EffectDeny,
		Source: seen + ": ask runs the call; context is dropped"},
	{Native: "PostToolUse", Event: schema.PostTool, Since: since, Match: schema.MatchTool,
		Also:   []schema.Event{schema.PostToolFailure},
		Honors: schema.EffectContext | schema.EffectFeedback, Blocks: schema.EffectFeedback,
		Source: seen + ": also for calls that fail, with tool_error; a block alone does nothing"},
	{Native: "PromptSubmit", Event: schema.PromptSubmit, Since: since, Fields: []schema.Field{schema.FieldPrompt},
		Beside: true, Source: seen + ": neither blocks nor adds; the turn doesn't wait"},
	{Native: "SessionStart", Event: schema.SessionStart, Since: since, Source: seen + ": the context is dropped"},
	{Native: "SessionEnd", Event: schema.SessionEnd, Since: since, Source: seen},
	{Native: "Stop", Event: schema.Stop, Since: since,
		Source: seen + ": neither a block nor exit code 2 keeps the agent at work"},
	{Native: "Notification", Event: schema.Notification, Since: since, Source: "program 0.36.0"},
}

var ways = []dialect.Way{{Command: "auggie --print", Less: []dialect.Less{
	{Native: "Notification", Never: true, Source: seen}}}}

var actions = []dialect.Sequence{{Action: schema.PreTool, Source: seen,
	Events: []string{"PreToolUse", dialect.ToolRuns, "PostToolUse"}}}

// members are the fields of payloads. tool_error has the same text as tool_output if the tool failed.
var members = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "hook_event_name", Field: schema.FieldEvent}, {Name: "conversation_id", Field: schema.FieldSession},
	{Name: "workspace_roots", Field: schema.FieldRoots}, {Name: "tool_name", Field: schema.FieldToolName},
	{Name: "tool_input", Field: schema.FieldToolInput}, {Name: "tool_output", Field: schema.FieldToolOutput},
	{Name: "tool_error", Field: schema.FieldError}, {Name: "user_prompt", Field: schema.FieldPrompt},
}}

// payload is the order of the fields. Before a tool, tool_output is the client's text for a missing value.
var payload = []family.PayloadRow{
	{Field: schema.FieldEvent}, {Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldRoots},
	{Field: schema.FieldToolName, Tool: true}, {Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool, schema.PostToolFailure}},
	{Field: schema.FieldError, Only: []schema.Event{schema.PostTool, schema.PostToolFailure}, Default: "null"},
	{Late: true, Field: schema.FieldPrompt, Default: `""`},
}

const (
	patchTool  = "apply_patch"
	removeTool = "remove-files"
	viewTool   = "view"
	editTool   = "str-replace-editor"

	searchField = "search_query_regex"
)

// located is how tools read a path: "~x" is x in the home folder (program 0.36.0).
var located = schema.PathRules{Home: true, AnyHome: true}

// tools are the tools with counterparts in other agents.
var tools = []schema.ToolRow{
	{Name: "launch-process", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Input: []schema.ArgRow{
		{Name: "command", Role: schema.RoleCommand}, {Name: "cwd", Role: schema.RoleCwd},
		{Name: "max_wait_seconds", Role: schema.RoleTimeout, Scale: 1000}, {Name: "wait"}},
		More: []string{"keep_stdin_open"}},
	{Name: viewTool, Kinds: []schema.Kind{schema.Read, schema.List, schema.Grep}, Replaces: all, // see classify
		Path: located,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath},
			{Name: "view_range", Role: schema.RoleOffset, Lines: schema.FirstAndLast},
			{Name: "view_range", Role: schema.RoleLimit, Lines: schema.FirstAndLast}, {Name: "type"},
			{Name: searchField}},
		More: []string{"case_sensitive", "context_lines_before", "context_lines_after"}},
	{Name: "save-file", Kinds: []schema.Kind{schema.Write, schema.Notebook}, Replaces: all, Path: located,
		Input: []schema.ArgRow{
			{Name: "path", Role: schema.RolePath}, {Name: "file_content", Role: schema.RoleContent}},
		More: []string{"add_last_line_newline"}},
	{Name: editTool, Kinds: []schema.Kind{schema.Edit, schema.MultiEdit, schema.Notebook}, Replaces: all,
		Path: located, Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath},
			{Name: "str_replace_entries", Role: schema.RoleEdits},
			{Name: "insert_line_entries", Role: schema.RoleEdits},
			{Name: "command", Role: schema.RoleOutputMode}}, // not a command: other agents' hooks don't get it
		More: none},
	{Name: patchTool, Kinds: []schema.Kind{schema.Edit, schema.Write, schema.MultiEdit, schema.Delete, schema.Notebook},
		Replaces: 1 << schema.RoleCommand, Input: []schema.ArgRow{{Name: "input", Role: schema.RoleCommand}}},
	{Name: removeTool, Kinds: []schema.Kind{schema.Delete}, Replaces: all, // of a list of files, see Split
		Path: located, Input: []schema.ArgRow{{Name: removedFiles}}},
	{Name: "web-fetch", Kinds: []schema.Kind{schema.Fetch}, Replaces: all,
		Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL}}, More: none},
	// Types into a running command: a guard on commands sees the text.
	{Name: "write-process", Also: []schema.Kind{schema.Shell}, Replaces: all,
		Input: []schema.ArgRow{{Name: "input_text", Role: schema.RoleCommand}}},
}

const all = ^schema.Roles(0)

var none = []string{} // of More

// plainTools are the client's other tools.
var plainTools = []string{"kill-process", "read-process", "list-processes", "codebase-retrieval", "view-session",
	"view-range-untruncated", "search-untruncated", "view_tasklist", "reorganize_tasklist", "update_tasks", "add_tasks"}
