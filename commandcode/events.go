package commandcode

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	since = schema.AtMost + "1.64.0" // no older version was tried
	ends  = schema.EffectEndTurn | schema.EffectNotice
)

// noMatcher is how a matcher is read where there is no tool: a hook with one never runs (package 1.64.0).
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

// payload is the order of the fields (observed 1.64.0), and the defaults for those that the client always sends.
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

// tools are those of which other agents have the like, by the names that matchers know; see displayed. The client
// repairs fields that go by another name after its hooks have run, so hooks see the names that the model chose, in
// snake_case where the tool is about files; of several
// the first of these counts (package 1.64.0).
func tools() []schema.ToolRow {
	return []schema.ToolRow{
		{Name: "SHELL", Kinds: []schema.Kind{schema.Shell}, Parts: []schema.Kind{schema.Delete},
			Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}, {Name: "cmd", Role: schema.RoleCommand},
				{Name: "bash", Role: schema.RoleCommand}, {Name: "shell", Role: schema.RoleCommand},
				{Name: "script", Role: schema.RoleCommand}, {Name: "commandLine", Role: schema.RoleCommand},
				{Name: "description", Role: schema.RoleDescription}, {Name: "timeout", Role: schema.RoleTimeout},
				{Name: "run_in_background", Role: schema.RoleBackground}}},
		{Name: "MONITOR", Kinds: []schema.Kind{schema.Shell}, Parts: []schema.Kind{schema.Delete},
			Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}, {Name: "cmd", Role: schema.RoleCommand},
				{Name: "description", Role: schema.RoleDescription}}},
		{Name: "READ", Kinds: []schema.Kind{schema.Read}, Input: append(fileNames(),
			schema.ArgRow{Name: "offset", Role: schema.RoleOffset}, schema.ArgRow{Name: "limit",
				Role: schema.RoleLimit})},
		{Name: "READ_MULTI", Kinds: []schema.Kind{schema.Read}, Input: fileNames()},
		{Name: "WRITE", Kinds: []schema.Kind{schema.Write, schema.Notebook}, Input: append(fileNames(),
			schema.ArgRow{Name: "content", Role: schema.RoleContent}, schema.ArgRow{Name: "text",
				Role: schema.RoleContent})},
		{Name: "EDIT", Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Input: append(fileNames(),
			schema.ArgRow{Name: "old_string", Role: schema.RoleOldText},
			schema.ArgRow{Name: "old_value", Role: schema.RoleOldText},
			schema.ArgRow{Name: "old_str", Role: schema.RoleOldText},
			schema.ArgRow{Name: "new_string", Role: schema.RoleNewText},
			schema.ArgRow{Name: "new_value", Role: schema.RoleNewText},
			schema.ArgRow{Name: "new_str", Role: schema.RoleNewText},
			schema.ArgRow{Name: "replace_all", Role: schema.RoleReplaceAll})},
		{Name: "SEARCH", Kinds: []schema.Kind{schema.Grep}, Input: family.GrepInput()},
		{Name: "GLOB", Kinds: []schema.Kind{schema.Glob}, Input: family.GlobInput()},
		{Name: "LIST", Kinds: []schema.Kind{schema.List}, Input: []schema.ArgRow{
			{Name: "path", Role: schema.RolePath}, {Name: "absolute_path", Role: schema.RolePath},
			{Name: "directory", Role: schema.RolePath}, {Name: "ignore", Role: schema.RoleIgnore}}},
		{Name: "WEB_FETCH", Kinds: []schema.Kind{schema.Fetch}, Input: []schema.ArgRow{{Name: "url",
			Role: schema.RoleURL},
			{Name: "uri", Role: schema.RoleURL}, {Name: "link", Role: schema.RoleURL}, {Name: "href",
				Role: schema.RoleURL}}},
		{Name: "WEB_SEARCH", Kinds: []schema.Kind{schema.WebSearch}, Input: family.SearchInput()},
		{Name: "AGENT", Kinds: []schema.Kind{schema.Agent}, Input: []schema.ArgRow{
			{Name: "prompt", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}, {Name: "model",
				Role: schema.RoleModel}}},
		{Name: "SHELL_OUTPUT", Aliases: []string{"BASH_OUTPUT", "TASK_OUTPUT", "MONITOR_EVENTS"}},
	}
}

// fileNames are the names for a file's path.
func fileNames() (rows []schema.ArgRow) {
	for _, name := range strings.Fields("file_path path filepath pathname target_file file absolute_path " +
		"file_absolute_path file_name filename") {
		rows = append(rows, schema.ArgRow{Name: name, Role: schema.RolePath})
	}
	return rows
}

// plainTools are tools without a row (package 1.64.0).
var plainTools = []string{"TODOS", "AGENT_OUTPUT", "TASK_CREATE", "TASK_UPDATE", "TASK_LIST", "TASK_GET", "TASK_STOP",
	"QUESTION", "KILL_SHELL", "SHELL_TASKS", "CRON_CREATE", "CRON_LIST", "CRON_DELETE", "LOOP", "VISION",
	"ENTER_PLAN_MODE", "EXIT_PLAN_MODE", "DIAGNOSTICS", "GET_SELF_KNOWLEDGE", "SLEEP", "SEARCH_TOOLS", "ENTER_WORKTREE",
	"EXIT_WORKTREE"}
