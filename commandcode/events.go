package commandcode

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	since = schema.AtMost + "1.64.0" // no older version was tried
	ends  = schema.EffectEndTurn | schema.EffectNotice
)

// noMatcher is how a matcher is read on an event without a tool: a hook with one never runs (package 1.64.0).
var noMatcher = schema.Grammar{Values: true}

// events are all four.
var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, Blocks: schema.EffectDeny,
		Honors: schema.EffectDeny | schema.EffectReason | schema.EffectContext | ends, Since: since,
		Source: seen + ": no allow, ask or new input"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool, Blocks: schema.EffectFeedback,
		Also:   []schema.Event{schema.PostToolFailure},
		Honors: schema.EffectFeedback | schema.EffectContext | ends, Since: since,
		Source: seen + ": also for commands that fail"},
	{Native: "Stop", Event: schema.Stop, Match: schema.MatchConst, Grammar: noMatcher,
		Fields: []schema.Field{schema.FieldStopActive}, Blocks: schema.EffectKeepGoing,
		Honors: schema.EffectKeepGoing | ends, Since: since, Source: seen},
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchConst, Grammar: noMatcher,
		Fields: []schema.Field{schema.FieldSource}, Honors: schema.EffectContext | schema.EffectNotice, Since: since,
		Source: fromSource},
}

var actions = []dialect.Sequence{{Action: schema.PreTool, Source: seen,
	Events: []string{"PreToolUse", dialect.ToolRuns, "PostToolUse"}}}

// payload is the order of the fields (observed 1.64.0), with defaults for those that the client always sends.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldTranscript, Default: `""`},
	{Field: schema.FieldCwd, Default: `""`}, {Field: schema.FieldEvent}, {Field: schema.FieldMode,
		Default: `"default"`},
	{Field: schema.FieldToolUseID, Tool: true}, {Field: schema.FieldToolName, Tool: true},
	{Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool, schema.PostToolFailure}, Default: `""`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldSource, Default: `"startup"`},
}

var words = schema.Vocabularies{
	{Field: schema.FieldMode, Words: []schema.Word{{Native: "default"}, {Native: "plan"},
		{Native: "auto-accept", Canonical: "accept-edits"}, {Native: "dont-ask"},
		{Native: "bypass", Nearest: []string{"auto"}}}},
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup", Nearest: []string{"new", "fork", "compact"}}, {Native: "resume"}, {Native: "clear"}}},
	&agentTypes,
}

// agentTypes are the built-in sub-agents (schema as sent to the model, package 1.64.0).
var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/shell", "builtin/statusline-setup", "builtin/guide"}},
	{Native: "explore", Canonical: "builtin/explore"}, {Native: "plan", Canonical: "builtin/plan"}}}

// tools returns the tools with counterparts in other agents, under the names for matchers; see displayed. The client
// renames fields after its hooks have run, so hooks see the names that the model chose, in snake_case for file tools;
// see taken for the one that counts (package 1.64.0, fieldAliases).
func tools() []schema.ToolRow {
	return []schema.ToolRow{
		{Name: "SHELL", Kinds: []schema.Kind{schema.Shell}, Parts: []schema.Kind{schema.Delete},
			Input: append(argRows(schema.RoleCommand, commandNames...),
				schema.ArgRow{Name: "description", Role: schema.RoleDescription},
				schema.ArgRow{Name: "timeout", Role: schema.RoleTimeout},
				schema.ArgRow{Name: "run_in_background", Role: schema.RoleBackground})},
		{Name: "MONITOR", Kinds: []schema.Kind{schema.Shell}, Parts: []schema.Kind{schema.Delete},
			Input: append(argRows(schema.RoleCommand, commandNames...),
				schema.ArgRow{Name: "description", Role: schema.RoleDescription})},
		{Name: "READ", Kinds: []schema.Kind{schema.Read}, Path: toRead, Input: append(
			argRows(schema.RolePath, readNames...), schema.ArgRow{Name: "offset", Role: schema.RoleOffset},
			schema.ArgRow{Name: "limit", Role: schema.RoleLimit})},
		{Name: "READ_MULTI", Kinds: []schema.Kind{schema.Read}, Path: toRead,
			Input: argRows(schema.RolePath, readNames...)},
		{Name: "WRITE", Kinds: []schema.Kind{schema.Write, schema.Notebook}, Path: unlinked, Input: append(
			argRows(schema.RolePath, writeNames...), argRows(schema.RoleContent, "content", "text", "body", "data",
				"contents", "file_content")...)},
		{Name: "EDIT", Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Path: unlinked, Input: slices.Concat(
			argRows(schema.RolePath, writeNames...), argRows(schema.RoleOldText, "old_string", "old_value", "old",
				"old_str", "from", "old_text", "old_content"), argRows(schema.RoleNewText, "new_string", "new_value",
				"new", "new_str", "to", "new_text", "new_content"),
			argRows(schema.RoleReplaceAll, "replace_all", "replaceall", "all"))},
		{Name: "SEARCH", Kinds: []schema.Kind{schema.Grep}, Path: unlinked, Input: slices.Concat(
			argRows(schema.RolePattern, "pattern", "query", "regex", "search", "q", "expression", "text"),
			argRows(schema.RolePath, folderNames...), argRows(schema.RoleGlob, "glob"),
			argRows(schema.RoleOutputMode, "output_mode"))},
		{Name: "GLOB", Kinds: []schema.Kind{schema.Glob}, Path: unlinked, Input: append(
			argRows(schema.RoleGlob, "pattern", "query", "glob", "expression", "search", "include"),
			argRows(schema.RolePath, folderNames...)...)},
		{Name: "LIST", Kinds: []schema.Kind{schema.List}, Path: unlinked, Input: append(argRows(schema.RolePath, "path",
			"absolute_path", "directory", "dir", "folder", "directory_path"),
			schema.ArgRow{Name: "ignore", Role: schema.RoleIgnore})},
		{Name: "WEB_FETCH", Kinds: []schema.Kind{schema.Fetch}, Input: argRows(schema.RoleURL, "url", "uri", "link",
			"href", "address", "web_url", "webUrl", "page")},
		{Name: "WEB_SEARCH", Kinds: []schema.Kind{schema.WebSearch}, Input: argRows(schema.RoleQuery, "query", "q",
			"search", "search_query", "searchQuery", "term", "keywords", "prompt", "text")},
		{Name: "AGENT", Kinds: []schema.Kind{schema.Agent}, Input: []schema.ArgRow{
			{Name: "prompt", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}, {Name: "model",
				Role: schema.RoleModel}}},
		{Name: "SHELL_OUTPUT", Aliases: []string{"BASH_OUTPUT", "TASK_OUTPUT", "MONITOR_EVENTS"}},
	}
}

// The names of arguments, the tool's own first.
var (
	commandNames = []string{"command", "cmd", "bash", "shell", "script", "commandLine"}
	readNames    = []string{"file_path", "path", "filepath", "pathname", "target_file", "file", "absolute_path",
		"file_absolute_path"}
	writeNames = []string{"file_path", "path", "absolute_path", "filepath", "pathname", "target_file", "file_name",
		"filename"}
	folderNames = []string{"path", "directory", "dir", "folder", "searchPath", "search_path"}
)

// unlinked is how tools resolve a path: a link in Markdown is replaced by its target, and "~/" is the home folder.
var unlinked = schema.PathRules{Markdown: true, Home: true}

// toRead is the same for a tool that reads: it also accepts wildcards, tries further spellings of a name, and resolves
// ".." as the system does.
var toRead = schema.PathRules{Markdown: true, Home: true, Links: schema.WholeLinks, Pattern: true,
	Tries: [5]schema.Variant{schema.VaryTime, schema.VaryForm, schema.VaryQuote, schema.VaryForm | schema.VaryQuote}}

func argRows(role schema.Role, names ...string) []schema.ArgRow {
	return lists.Map(names, func(name string) schema.ArgRow { return schema.ArgRow{Name: name, Role: role} })
}

// plainTools are tools without a row (package 1.64.0).
var plainTools = []string{"TODOS", "AGENT_OUTPUT", "TASK_CREATE", "TASK_UPDATE", "TASK_LIST", "TASK_GET", "TASK_STOP",
	"QUESTION", "KILL_SHELL", "SHELL_TASKS", "CRON_CREATE", "CRON_LIST", "CRON_DELETE", "LOOP", "VISION",
	"ENTER_PLAN_MODE", "EXIT_PLAN_MODE", "DIAGNOSTICS", "GET_SELF_KNOWLEDGE", "SLEEP", "SEARCH_TOOLS", "ENTER_WORKTREE",
	"EXIT_WORKTREE"}
