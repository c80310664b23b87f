package qoder

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// tools names the built-in tools of the CLI and their members (observed
// 1.1.52). A rewritten input replaces the old one, so Replaces is all roles.
var tools = []schema.ToolRow{
	{Name: "Bash", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Input: shellInput,
		Output: []schema.ArgRow{{Name: "stdout", Role: schema.RoleStdout}, {Name: "stderr", Role: schema.RoleStderr},
			{Name: "exitCode", Role: schema.RoleExitCode}, {Name: "interrupted", Role: schema.RoleInterrupted}}},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Replaces: all, Input: readInput},
	{Name: "Write", Kinds: []schema.Kind{schema.Write}, Replaces: all, Input: writeInput, Output: changed},
	{Name: "Edit", Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: editInput, Output: changed},
	{Name: "NotebookEdit", Kinds: []schema.Kind{schema.Notebook}, Replaces: all,
		Input: []schema.ArgRow{{Name: "notebook_path", Role: schema.RolePath}, {Name: "new_source", Role: schema.RoleCellSource}},
		Output: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "originalContent", Role: schema.RoleOriginal},
			{Name: "newContent", Role: schema.RoleContent}}},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: grepInput},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob}, Replaces: all, Input: globInput},
	{Name: "WebFetch", Kinds: []schema.Kind{schema.Fetch}, Replaces: all, Input: fetchInput},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all, Input: searchInput},
	{Name: "Agent", Kinds: []schema.Kind{schema.Agent}, Replaces: all, Input: agentInput},
	// Runs a command in the background. Qoder itself shows it to hooks on Bash under no name (observed 1.1.52).
	{Name: "Monitor", Also: []schema.Kind{schema.Shell}, Replaces: all,
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}, {Name: "description", Role: schema.RoleDescription}}},
	// The only two names that the CLI takes for others (package 1.1.52).
	{Name: "Workflow", Aliases: []string{"RunWorkflow"}},
	{Name: "ListAgents", Aliases: []string{"ListPeers"}},
}

// ideTools are the names of the IDE (docs 2026-07; that their members are named
// as the CLI's is a guess). Matchers there accept Alias too. The CLI knows none
// of them (observed 1.1.52).
var ideTools = []struct {
	Row   schema.ToolRow
	Alias string
}{
	{schema.ToolRow{Name: "run_in_terminal", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Input: shellInput}, "Bash"},
	{schema.ToolRow{Name: "read_file", Kinds: []schema.Kind{schema.Read}, Replaces: all, Input: readInput}, "Read"},
	{schema.ToolRow{Name: "create_file", Kinds: []schema.Kind{schema.Write}, Replaces: all, Input: writeInput}, "Write"},
	{schema.ToolRow{Name: "search_replace", Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: editInput}, "Edit"},
	{schema.ToolRow{Name: "edit_file", Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: editInput}, ""},
	{schema.ToolRow{Name: "delete_file", Kinds: []schema.Kind{schema.Delete}, Replaces: all, Input: readInput}, ""},
	{schema.ToolRow{Name: "grep_code", Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: grepInput}, "Grep"},
	{schema.ToolRow{Name: "search_file", Kinds: []schema.Kind{schema.Glob}, Replaces: all, Input: globInput}, "Glob"},
	{schema.ToolRow{Name: "list_dir", Kinds: []schema.Kind{schema.List}, Replaces: all, Input: listInput}, "LS"},
	{schema.ToolRow{Name: "fetch_content", Kinds: []schema.Kind{schema.Fetch}, Replaces: all, Input: fetchInput}, "WebFetch"},
	{schema.ToolRow{Name: "search_web", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all, Input: searchInput}, "WebSearch"},
	{schema.ToolRow{Name: "task", Kinds: []schema.Kind{schema.Agent}, Replaces: all, Input: agentInput}, "Task"},
	{schema.ToolRow{Name: "todo_write"}, "TodoWrite"},
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

// ToolRows returns the tools of the CLI and, after them, the IDE's, which reads
// the same settings; the SDK runs the CLI.
func (d Dialect) ToolRows() []schema.ToolRow {
	rows := slices.Clone(tools)
	if d.surface() == sdk {
		return rows
	}
	for _, t := range ideTools {
		rows = append(rows, t.Row)
	}
	return rows
}

// toolNamed returns the row for a native name, whichever surface has it, nil if
// there is none: both read the same settings, and one payload may come from
// either.
func toolNamed(name string) *schema.ToolRow {
	for i := range tools {
		if tools[i].Name == name || slices.Contains(tools[i].Aliases, name) {
			return &tools[i]
		}
	}
	for i := range ideTools {
		if ideTools[i].Row.Name == name {
			return &ideTools[i].Row
		}
	}
	return nil
}

// toolOfKind returns the surface's tool for a kind, nil if it has none.
func (d Dialect) toolOfKind(k schema.Kind) *schema.ToolRow {
	if d.surface() == ide {
		for i := range ideTools {
			if r := &ideTools[i].Row; len(r.Kinds) > 0 && r.Kinds[0] == k {
				return r
			}
		}
	}
	for i := range tools {
		if len(tools[i].Kinds) > 0 && tools[i].Kinds[0] == k {
			return &tools[i]
		}
	}
	return nil
}

// spellings are the names that a matcher may know a tool by.
func spellings(name string) []string {
	names := []string{name}
	for _, t := range ideTools {
		if t.Row.Name == name && t.Alias != "" {
			return append(names, t.Alias)
		}
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

// ServerIn returns the MCP server that a matcher names, "" if none: the text
// between the prefix and the next double underscore when it is plain.
func (Dialect) ServerIn(matcher string) string {
	_, rest, _ := strings.Cut(matcher, mcpPrefix)
	server, _, ok := strings.Cut(rest, "__")
	if !ok || strings.ContainsAny(server, `.*+?()[]{}|\^$ `) {
		return ""
	}
	return server
}

// ServersIn returns what servers could be called that a matcher selects. A tool's
// own name is none: an expression would find it in every name made of it.
func (Dialect) ServersIn(pattern string) []string {
	return matcher.Between(pattern, mcpPrefix, "__", func(s string) bool { return toolNamed(s) != nil })
}
