package qoder

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// allTools names the built-in tools of the CLI and their members (observed
// 1.1.52). A rewritten input replaces the old one, so Replaces is all roles. Those of
// the IDE follow (docs 2026-07; that their members are named as the CLI's is a
// guess); the CLI knows none of them (observed 1.1.52).
var allTools = []schema.ToolRow{
	{Name: "Bash", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes, Input: shellInput,
		Output: []schema.ArgRow{{Name: "stdout", Role: schema.RoleStdout}, {Name: "stderr", Role: schema.RoleStderr},
			{Name: "exitCode", Role: schema.RoleExitCode}, {Name: "interrupted", Role: schema.RoleInterrupted}}},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Replaces: all, Input: readInput, Path: trimmed},
	{Name: "Write", Kinds: []schema.Kind{schema.Write}, Replaces: all, Input: writeInput, Output: changed},
	{Name: "Edit", Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: editInput, Output: changed, Path: trimmed},
	{Name: "NotebookEdit", Kinds: []schema.Kind{schema.Notebook}, Replaces: all,
		Input: []schema.ArgRow{{Name: "notebook_path", Role: schema.RolePath}, {Name: "new_source", Role: schema.RoleCellSource}},
		Output: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "originalContent", Role: schema.RoleOriginal},
			{Name: "newContent", Role: schema.RoleContent}}},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: grepInput, Path: trimmed},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob}, Replaces: all, Input: globInput, Path: trimmed},
	{Name: "WebFetch", Kinds: []schema.Kind{schema.Fetch}, Replaces: all, Input: fetchInput},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all, Input: searchInput},
	{Name: "Agent", Kinds: []schema.Kind{schema.Agent}, Replaces: all, Input: agentInput},
	// Runs a command in the background. Qoder itself shows it to hooks on Bash under no name (observed 1.1.52).
	{Name: "Monitor", Also: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes,
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}, {Name: "description", Role: schema.RoleDescription}}},
	// The only two names that the CLI takes for others (package 1.1.52).
	{Name: "Workflow", Aliases: []string{"RunWorkflow"}},
	{Name: "ListAgents", Aliases: []string{"ListPeers"}},

	{Name: "run_in_terminal", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Input: shellInput},
	{Name: "read_file", Kinds: []schema.Kind{schema.Read}, Replaces: all, Input: readInput, Path: trimmed},
	{Name: "create_file", Kinds: []schema.Kind{schema.Write}, Replaces: all, Input: writeInput},
	{Name: "search_replace", Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: editInput, Path: trimmed},
	{Name: "edit_file", Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: editInput, Path: trimmed},
	{Name: "delete_file", Kinds: []schema.Kind{schema.Delete}, Replaces: all, Input: readInput, Path: trimmed},
	{Name: "grep_code", Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: grepInput, Path: trimmed},
	{Name: "search_file", Kinds: []schema.Kind{schema.Glob}, Replaces: all, Input: globInput, Path: trimmed},
	{Name: "list_dir", Kinds: []schema.Kind{schema.List}, Replaces: all, Input: listInput, Path: trimmed},
	{Name: "fetch_content", Kinds: []schema.Kind{schema.Fetch}, Replaces: all, Input: fetchInput},
	{Name: "search_web", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all, Input: searchInput},
	{Name: "task", Kinds: []schema.Kind{schema.Agent}, Replaces: all, Input: agentInput},
	{Name: "todo_write"},
}

const cliTools = 13

// tools are the CLI's and ideTools the IDE's.
var tools, ideTools = allTools[:cliTools], allTools[cliTools:]

// ideAliases are the names that matchers of the IDE accept for its tools too.
var ideAliases = map[string]string{
	"run_in_terminal": "Bash",
	"read_file":       "Read",
	"create_file":     "Write",
	"search_replace":  "Edit",
	"grep_code":       "Grep",
	"search_file":     "Glob",
	"list_dir":        "LS",
	"fetch_content":   "WebFetch",
	"search_web":      "WebSearch",
	"task":            "Task",
	"todo_write":      "TodoWrite",
}

var (
	shellInput = []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}, {Name: "description", Role: schema.RoleDescription},
		{Name: "timeout", Role: schema.RoleTimeout}, {Name: "run_in_background", Role: schema.RoleBackground}}
	readInput  = []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "offset", Role: schema.RoleOffset}, {Name: "limit", Role: schema.RoleLimit}}
	writeInput = []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}}
	editInput  = []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "old_string", Role: schema.RoleOldText},
		{Name: "new_string", Role: schema.RoleNewText}, {Name: "replace_all", Role: schema.RoleReplaceAll}}
	grepInput = []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "path", Role: schema.RolePath},
		{Name: "glob", Role: schema.RoleGlob}, {Name: "output_mode", Role: schema.RoleOutputMode}}
	globInput   = []schema.ArgRow{{Name: "pattern", Role: schema.RoleGlob}, {Name: "path", Role: schema.RolePath}}
	listInput   = []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "ignore", Role: schema.RoleIgnore}}
	fetchInput  = []schema.ArgRow{{Name: "url", Role: schema.RoleURL}, {Name: "prompt", Role: schema.RolePrompt}}
	searchInput = []schema.ArgRow{{Name: "query", Role: schema.RoleQuery}}
	agentInput  = []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt}, {Name: "description", Role: schema.RoleDescription},
		{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}, {Name: "model", Role: schema.RoleModel}}
	changed = []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent},
		{Name: "oldString", Role: schema.RoleOldText}, {Name: "newString", Role: schema.RoleNewText}, {Name: "originalFile", Role: schema.RoleOriginal},
		{Name: "replaceAll", Role: schema.RoleReplaceAll}}
)

const all = ^schema.Roles(0)

// deletes: there is no tool that deletes files, so the model uses commands.
var deletes = []schema.Kind{schema.Delete}

// trimmed is how Read, Edit, Grep and Glob read a path. Write and NotebookEdit take
// it as it stands (observed 1.1.52).
var trimmed = schema.PathRules{Trim: true, Home: true}

// toolNamed returns the row for a native name, whichever surface has it, nil if
// there is none: both read the same settings, and one payload may come from
// either.
func toolNamed(name string) *schema.ToolRow {
	for i := range allTools {
		if allTools[i].Name == name || slices.Contains(allTools[i].Aliases, name) {
			return &allTools[i]
		}
	}
	return nil
}

// toolOfKind returns the surface's tool for a kind, nil if it has none.
func (d Dialect) toolOfKind(k schema.Kind) *schema.ToolRow {
	if d.surface() == ide {
		if row := toolFor(ideTools, k); row != nil {
			return row
		}
	}
	return toolFor(tools, k)
}

func toolFor(rows []schema.ToolRow, k schema.Kind) *schema.ToolRow {
	for i := range rows {
		if len(rows[i].Kinds) > 0 && rows[i].Kinds[0] == k {
			return &rows[i]
		}
	}
	return nil
}

// spellings are the names that a matcher may know a tool by.
func spellings(name string) []string {
	names := []string{name}
	if alias := ideAliases[name]; alias != "" {
		return append(names, alias)
	}
	for i := range tools {
		if tools[i].Name == name {
			return append(names, tools[i].Aliases...)
		}
		if slices.Contains(tools[i].Aliases, name) {
			return append(names, tools[i].Name)
		}
	}
	return names
}

const mcpPrefix = "mcp__"

// mcpName builds the name under which an MCP tool is known. Characters that the
// name rules of tools do not allow become underscores.
func mcpName(server, tool string) string {
	plain := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}
	return mcpPrefix + strings.Map(plain, server) + "__" + strings.Map(plain, tool)
}

// splitMCP takes an MCP tool's name apart: the first double underscore after the
// prefix ends the server.
func splitMCP(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, mcpPrefix)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "__")
}

// splitsMCP takes an MCP tool's name apart at each place where the server may
// end: server and tool.
func splitsMCP(name string) (splits [][2]string) {
	rest, ok := strings.CutPrefix(name, mcpPrefix)
	for i := 0; ok && i+2 <= len(rest); i++ {
		if rest[i:i+2] == "__" {
			splits = append(splits, [2]string{rest[:i], rest[i+2:]})
		}
	}
	return splits
}
