package copilot

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// patchTool changes files for GPT models, which have no other tool for it.
const patchTool = "apply_patch"

// replacesTool makes several replacements, each of which is a call for hooks of other agents.
const replacesTool = "multi_replace_string_in_file"

// fetchTool fetches several pages, each of which is a call for hooks of other agents.
const fetchTool, fetched = "fetch_webpage", "urls"

// unjoined is how tools read a path: an absolute one goes to the system unchanged (observed 1.0.102).
var unjoined = schema.PathRules{Links: schema.WholeLinks}

// cliTools are the tools of the command line (observed 1.0.102). The aliases are Claude Code's names, which payloads
// and matchers have under Claude Code's event names. A rewritten input replaces the whole.
var cliTools = []schema.ToolRow{
	{Name: "bash", Aliases: []string{"Bash"}, Kinds: []schema.Kind{schema.Shell}, Replaces: all, Input: shellArgs},
	{Name: "view", Aliases: []string{"Read"}, Kinds: []schema.Kind{schema.Read}, Replaces: all, Path: unjoined,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath},
			{Name: "view_range", Role: schema.RoleOffset, Lines: schema.FirstAndLast},
			{Name: "view_range", Role: schema.RoleLimit, Lines: schema.FirstAndLast}}},
	{Name: "create", Aliases: []string{"Write"}, Kinds: []schema.Kind{schema.Write, schema.Notebook}, Replaces: all,
		Path:  unjoined,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "file_text", Role: schema.RoleContent}}},
	{Name: "edit", Aliases: []string{"Edit"}, Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Replaces: all,
		Path: unjoined, Input: editArgs},
	{Name: patchTool, Kinds: []schema.Kind{schema.Edit, schema.Write, schema.MultiEdit, schema.Delete, schema.Notebook},
		Replaces: 1 << schema.RoleCommand},
	{Name: "grep", Aliases: []string{"Grep"}, Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: grepArgs},
	{Name: "glob", Aliases: []string{"Glob"}, Kinds: []schema.Kind{schema.Glob}, Replaces: all,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RoleGlob}, {Name: "paths", Role: schema.RolePath}}},
	{Name: "task", Aliases: []string{"Agent", "Task"}, Kinds: []schema.Kind{schema.Agent}, Replaces: all,
		Input: []schema.ArgRow{{Name: "description", Role: schema.RoleDescription},
			{Name: "prompt", Role: schema.RolePrompt},
			{Name: "agent_type", Role: schema.RoleAgentType, Words: &agentTypes},
			{Name: "model", Role: schema.RoleModel}}},
	{Name: "web_fetch", Aliases: []string{"WebFetch"}, Kinds: []schema.Kind{schema.Fetch}, Replaces: all,
		Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL}}},
	{Name: "web_search", Aliases: []string{"WebSearch"}, Kinds: []schema.Kind{schema.WebSearch}, Replaces: all,
		Input: []schema.ArgRow{{Name: "query", Role: schema.RoleQuery}}},
	// The same under other names: on Windows, for models that use the name, and for GPT models. Matchers treat each
	// name separately.
	{Name: "powershell", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Input: shellArgs},
	{Name: "str_replace_editor", Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Replaces: all, Path: unjoined,
		Input: editArgs},
	{Name: "rg", Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: grepArgs},
	{Name: "ask_user", Aliases: []string{"AskUserQuestion"}}, {Name: "update_todo", Aliases: []string{"TodoWrite"}},
	// Types into a running command (source 1.0.102, which doesn't offer it to every model): a guard on commands sees
	// the text.
	{Name: "write_bash", Also: []schema.Kind{schema.Shell}, Replaces: all,
		Input: []schema.ArgRow{{Name: "input", Role: schema.RoleCommand}}},
	{Name: "read_bash"}, {Name: "stop_bash"}, {Name: "list_bash"}, {Name: "skill"}, {Name: "sql"},
	{Name: "session_store_sql"}, {Name: "fetch_copilot_cli_documentation"},
	{Name: "read_agent"}, {Name: "list_agents"}, {Name: "write_agent"},
}

var (
	shellArgs = []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
		{Name: "description", Role: schema.RoleDescription}}
	editArgs = []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "old_str", Role: schema.RoleOldText},
		{Name: "new_str", Role: schema.RoleNewText}}
	grepArgs = []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "paths", Role: schema.RolePath},
		{Name: "glob", Role: schema.RoleGlob},
		{Name: "output_mode", Role: schema.RoleOutputMode}}
)

// codeTools are the tools of VS Code (source toolNames.ts and package.json 0.42.0).
var codeTools = []schema.ToolRow{
	{Name: "run_in_terminal", Kinds: []schema.Kind{schema.Shell}, Replaces: all,
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "explanation", Role: schema.RoleDescription},
			{Name: "isBackground", Role: schema.RoleBackground}}},
	{Name: "read_file", Kinds: []schema.Kind{schema.Read}, Replaces: all,
		Input: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "startLine", Role: schema.RoleOffset},
			{Name: "endLine", Role: schema.RoleLimit, Lines: schema.LastLine}}},
	{Name: "create_file", Kinds: []schema.Kind{schema.Write}, Replaces: all,
		Input: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}}},
	{Name: "replace_string_in_file", Kinds: []schema.Kind{schema.Edit}, Replaces: all,
		Input: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "oldString", Role: schema.RoleOldText},
			{Name: "newString", Role: schema.RoleNewText}, {Name: "explanation", Role: schema.RoleDescription}}},
	{Name: replacesTool, Kinds: []schema.Kind{schema.Edit}},
	{Name: "insert_edit_into_file", Kinds: []schema.Kind{schema.Edit, schema.Write},
		Input: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "code", Role: schema.RoleContent}}},
	{Name: patchTool, Kinds: []schema.Kind{schema.Edit, schema.Write, schema.MultiEdit, schema.Delete},
		Replaces: 1 << schema.RoleCommand,
		Input: []schema.ArgRow{{Name: "input", Role: schema.RoleCommand},
			{Name: "explanation", Role: schema.RoleDescription}}},
	{Name: "edit_notebook_file", Kinds: []schema.Kind{schema.Notebook},
		Input: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath},
			{Name: "newCode", Role: schema.RoleCellSource}}},
	{Name: "grep_search", Kinds: []schema.Kind{schema.Grep}, Replaces: all,
		Input: []schema.ArgRow{{Name: "query", Role: schema.RolePattern},
			{Name: "includePattern", Role: schema.RoleGlob}}},
	{Name: "file_search", Kinds: []schema.Kind{schema.Glob}, Replaces: all,
		Input: []schema.ArgRow{{Name: "query", Role: schema.RoleGlob}}},
	{Name: "list_dir", Kinds: []schema.Kind{schema.List}, Replaces: all,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}}},
	{Name: fetchTool, Kinds: []schema.Kind{schema.Fetch}, Input: []schema.ArgRow{{Name: fetched, Role: schema.RoleURL},
		{Name: "query", Role: schema.RolePrompt}}},
	{Name: "runSubagent", Kinds: []schema.Kind{schema.Agent}, Replaces: all,
		Input: []schema.ArgRow{{Name: "description", Role: schema.RoleDescription},
			{Name: "prompt", Role: schema.RolePrompt},
			{Name: "agentName", Role: schema.RoleAgentType}}},
	{Name: "manage_todo_list"},
}

const all = ^schema.Roles(0)

// codeTool returns the tool of VS Code with that name, nil if there is none.
func codeTool(name string) *schema.ToolRow { return (&dialect.Profile{Tools: codeTools}).Tool(name) }

// mcpNames is how the tools of MCP servers are named (observed 1.0.102).
var mcpNames = dialect.MCPNames{Between: "-", NameRules: schema.NameRules{Else: '-', Kept: "-"}, Longest: 64}

// pascalName returns the name of a tool in payloads under Claude Code's event names.
func (d Dialect) pascalName(tool string) string {
	row := d.Tool(tool)
	switch {
	case d.onCode():
	case tool == patchTool:
		return "Edit"
	case row != nil && len(row.Kinds) > 0:
		return d.ToolOf(row.Kinds[0]).Aliases[0]
	case row != nil && len(row.Aliases) > 0:
		return row.Aliases[0]
	}
	return tool
}

// isMCP reports whether a tool belongs to an MCP server: its name includes the server's or a part of it, and Copilot's
// own tools have no hyphen.
func (d Dialect) isMCP(name string) bool {
	return d.Tool(name) == nil && (strings.ContainsAny(name, "-/") || len(name) == mcpNames.Longest)
}

// shownAs are kinds of work for which Copilot has no separate tool, with the kind of the tool that it uses instead.
var shownAs = []struct{ kind, as schema.Kind }{
	{schema.Delete, schema.Shell}, {schema.MultiEdit, schema.Edit}, {schema.Notebook, schema.Write},
	{schema.List, schema.Read}}

func (d Dialect) toolOf(k schema.Kind) *schema.ToolRow {
	for _, s := range shownAs {
		if s.kind == k {
			k = s.as
		}
	}
	return d.ToolOf(k)
}
