package qoder

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// allTools are the built-in tools of the CLI and their fields (observed 1.1.52). A rewritten input replaces the old
// one, so Replaces is all roles. Those of the IDE follow (docs 2026-07; giving them the CLI's field names is a guess);
// the CLI has none of them (observed 1.1.52).
var allTools = []schema.ToolRow{
	{Name: "Bash", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes, Input: family.ShellInput(),
		Output: []schema.ArgRow{{Name: "stdout", Role: schema.RoleStdout}, {Name: "stderr", Role: schema.RoleStderr},
			{Name: "exitCode", Role: schema.RoleExitCode}, {Name: "interrupted", Role: schema.RoleInterrupted}}},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Replaces: all, Input: family.ReadInput(), Path: trimmed},
	{Name: "Write", Kinds: []schema.Kind{schema.Write}, Replaces: all, Input: family.WriteInput(),
		Output: family.ChangeOutput()},
	{Name: "Edit", Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: family.EditInput(),
		Output: family.ChangeOutput(), Path: trimmed},
	{Name: "NotebookEdit", Kinds: []schema.Kind{schema.Notebook}, Replaces: all, Input: family.NotebookInput(),
		Output: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath},
			{Name: "originalContent", Role: schema.RoleOriginal},
			{Name: "newContent", Role: schema.RoleContent}}},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: family.GrepInput(), Path: trimmed},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob}, Replaces: all, Input: family.GlobInput(), Path: trimmed},
	{Name: "WebFetch", Kinds: []schema.Kind{schema.Fetch}, Replaces: all, Input: family.FetchInput()},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all, Input: family.SearchInput()},
	{Name: "Agent", Kinds: []schema.Kind{schema.Agent}, Replaces: all, Input: agentInput},
	// Runs a command in the background. Qoder itself never shows it to hooks on Bash (observed 1.1.52).
	{Name: "Monitor", Also: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes, Input: family.WatchInput()},
	// The only two names that the CLI treats as other names (package 1.1.52).
	{Name: "Workflow", Aliases: []string{"RunWorkflow"}},
	{Name: "ListAgents", Aliases: []string{"ListPeers"}},

	{Name: "run_in_terminal", Programs: onIDE, Kinds: []schema.Kind{schema.Shell}, Replaces: all,
		Input: family.ShellInput()},
	{Name: "read_file", Programs: onIDE, Kinds: []schema.Kind{schema.Read}, Replaces: all, Input: family.ReadInput(),
		Path: trimmed},
	{Name: "create_file", Programs: onIDE, Kinds: []schema.Kind{schema.Write}, Replaces: all,
		Input: family.WriteInput()},
	{Name: "search_replace", Programs: onIDE, Kinds: []schema.Kind{schema.Edit}, Replaces: all,
		Input: family.EditInput(), Path: trimmed},
	{Name: "edit_file", Programs: onIDE, Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: family.EditInput(),
		Path: trimmed},
	{Name: "delete_file", Programs: onIDE, Kinds: []schema.Kind{schema.Delete}, Replaces: all,
		Input: family.ReadInput(), Path: trimmed},
	{Name: "grep_code", Programs: onIDE, Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: family.GrepInput(),
		Path: trimmed},
	{Name: "search_file", Programs: onIDE, Kinds: []schema.Kind{schema.Glob}, Replaces: all, Input: family.GlobInput(),
		Path: trimmed},
	{Name: "list_dir", Programs: onIDE, Kinds: []schema.Kind{schema.List}, Replaces: all, Input: family.ListInput(),
		Path: trimmed},
	{Name: "fetch_content", Programs: onIDE, Kinds: []schema.Kind{schema.Fetch}, Replaces: all,
		Input: family.FetchInput()},
	{Name: "search_web", Programs: onIDE, Kinds: []schema.Kind{schema.WebSearch}, Replaces: all,
		Input: family.SearchInput()},
	{Name: "task", Programs: onIDE, Kinds: []schema.Kind{schema.Agent}, Replaces: all, Input: agentInput},
	{Name: "todo_write", Programs: onIDE},
}

var agentInput = []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
	{Name: "description", Role: schema.RoleDescription},
	{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}, {Name: "model", Role: schema.RoleModel}}

// cliTools are the CLI's, ideTools the others, which name their programs.
func cliTools() []schema.ToolRow { return allTools[:firstOfIDE()] }
func ideTools() []schema.ToolRow { return allTools[firstOfIDE():] }

func firstOfIDE() int {
	return slices.IndexFunc(allTools, func(t schema.ToolRow) bool { return t.Programs != nil })
}

var onIDE = []string{"ide", earlyIDE}

// ideAliases are further names for the IDE's tools in matchers.
var ideAliases = [][2]string{{"run_in_terminal", "Bash"}, {"read_file", "Read"}, {"create_file", "Write"},
	{"search_replace", "Edit"},
	{"grep_code", "Grep"}, {"search_file", "Glob"}, {"list_dir", "LS"}, {"fetch_content", "WebFetch"},
	{"search_web", "WebSearch"},
	{"task", "Task"}, {"todo_write", "TodoWrite"}}

// plainTools are tools without a row (names in the package of 1.1.52).
var plainTools = []string{"Skill", "TodoWrite", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "TaskCreate",
	"TaskGet", "TaskList", "TaskUpdate", "EnterWorktree", "ExitWorktree", "CronCreate", "SendMessage"}

const all = family.AllRoles

// deletes: no tool deletes files, so the model uses commands.
var deletes = []schema.Kind{schema.Delete}

// trimmed is how Read, Edit, Grep and Glob read a path. Write and NotebookEdit take
// it unchanged (observed 1.1.52).
var trimmed = schema.PathRules{Trim: schema.ScriptBlanks, Home: true, Backslash: true, Composed: true}

// spellings are a tool's possible names in a matcher.
func spellings(name string) []string {
	names := []string{name}
	for _, a := range ideAliases {
		if a[0] == name {
			return append(names, a[1])
		}
	}
	for _, t := range cliTools() {
		if t.Name == name {
			return append(names, t.Aliases...)
		}
		if slices.Contains(t.Aliases, name) {
			return append(names, t.Name)
		}
	}
	return names
}

const mcpPrefix = "mcp__"
