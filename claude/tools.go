package claude

import (
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// tools names the built-in tools and their members (observed 2.1.328; MultiEdit
// and LS are gone from new builds and live on in configurations). Of a
// rewritten input every member counts, so Replaces is all roles.
var tools = []schema.ToolRow{
	{Name: "Bash", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes,
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}, {Name: "description", Role: schema.RoleDescription},
			{Name: "timeout", Role: schema.RoleTimeout}, {Name: "run_in_background", Role: schema.RoleBackground}},
		Output: []schema.ArgRow{{Name: "stdout", Role: schema.RoleStdout}, {Name: "stderr", Role: schema.RoleStderr}, {Name: "interrupted", Role: schema.RoleInterrupted}}},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Replaces: all,
		Input:  []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "offset", Role: schema.RoleOffset}, {Name: "limit", Role: schema.RoleLimit}},
		Output: nil},
	{Name: "Write", Kinds: []schema.Kind{schema.Write}, Replaces: all,
		Input:  []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}},
		Output: changed},
	{Name: "Edit", Kinds: []schema.Kind{schema.Edit}, Replaces: all,
		Input: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "old_string", Role: schema.RoleOldText},
			{Name: "new_string", Role: schema.RoleNewText}, {Name: "replace_all", Role: schema.RoleReplaceAll}},
		Output: changed},
	{Name: "MultiEdit", Kinds: []schema.Kind{schema.MultiEdit}, Replaces: all,
		Input:  []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "edits", Role: schema.RoleEdits}},
		Output: changed},
	{Name: "NotebookEdit", Kinds: []schema.Kind{schema.Notebook}, Replaces: all,
		Input:  []schema.ArgRow{{Name: "notebook_path", Role: schema.RolePath}, {Name: "new_source", Role: schema.RoleCellSource}},
		Output: []schema.ArgRow{{Name: "original_file", Role: schema.RoleOriginal}, {Name: "updated_file", Role: schema.RoleContent}}},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep}, Replaces: all,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "path", Role: schema.RolePath},
			{Name: "glob", Role: schema.RoleGlob}, {Name: "output_mode", Role: schema.RoleOutputMode}}},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob}, Replaces: all,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RoleGlob}, {Name: "path", Role: schema.RolePath}}},
	{Name: "LS", Kinds: []schema.Kind{schema.List}, Replaces: all,
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "ignore", Role: schema.RoleIgnore}}},
	{Name: "WebFetch", Kinds: []schema.Kind{schema.Fetch}, Replaces: all,
		Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL}, {Name: "prompt", Role: schema.RolePrompt}}},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all,
		Input: []schema.ArgRow{{Name: "query", Role: schema.RoleQuery}}},
	{Name: "Agent", Aliases: []string{"Task"}, Before: []schema.Renamed{{Name: "Task", Until: "2.1.63", Source: "issue 29677 of claude-code"}}, Kinds: []schema.Kind{schema.Agent}, Replaces: all,
		Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt}, {Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}, {Name: "model", Role: schema.RoleModel}}},
	// Runs a command in the background. Hooks that accept Bash see a Bash call with its command (observed 2.1.328, PreToolUse only).
	{Name: "Monitor", Also: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes,
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}, {Name: "description", Role: schema.RoleDescription}}},
	// Tools without a kind of their own that go by two names (alias table of the SDK).
	{Name: "TaskStop", Aliases: []string{"KillShell", "KillBash"}},
	{Name: "ListAgents", Aliases: []string{"ListPeers"}},
	{Name: "SendUserMessage", Aliases: []string{"Brief"}},
	{Name: "ListMcpResourcesTool", Aliases: []string{"ListMcpResources"}},
	{Name: "ReadMcpResourceTool", Aliases: []string{"ReadMcpResource"}},
	{Name: "ReadMcpResourceDirTool", Aliases: []string{"ReadMcpResourceDir"}},
	{Name: "SetGoal", Aliases: []string{"ProposeGoal"}},
}

const all = ^schema.Roles(0)

// deletes: there is no tool that deletes files, so the model uses commands.
var deletes = []schema.Kind{schema.Delete}

var changed = []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent},
	{Name: "oldString", Role: schema.RoleOldText}, {Name: "newString", Role: schema.RoleNewText}, {Name: "originalFile", Role: schema.RoleOriginal},
	{Name: "replaceAll", Role: schema.RoleReplaceAll}}

// edit names the members of one entry of MultiEdit's edits.
var edit = schema.EditNames{Old: "old_string", New: "new_string", All: "replace_all"}

// toolNamed returns the row for a native name or alias, nil if there is none.
func toolNamed(name string) *schema.ToolRow {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i]
		}
		for _, a := range tools[i].Aliases {
			if a == name {
				return &tools[i]
			}
		}
	}
	return nil
}

func toolOfKind(k schema.Kind) *schema.ToolRow {
	for i := range tools {
		if len(tools[i].Kinds) > 0 && tools[i].Kinds[0] == k {
			return &tools[i]
		}
	}
	return nil
}

const mcpPrefix = "mcp__"

// mcpName builds the name under which an MCP tool is known.
// Characters that the name rules of tools do not allow become underscores.
func mcpName(server, tool string) string {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
				return r
			}
			return '_'
		}, s)
	}
	return mcpPrefix + plain(server) + "__" + plain(tool)
}

// splitMCP takes an MCP tool's name apart where nothing but the name tells: the
// first double underscore after the prefix ends the server.
func splitMCP(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, mcpPrefix)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "__")
}

// cutServer takes the tool out of an MCP tool's name, given the server's name.
func cutServer(name, server string) (tool string, ok bool) {
	if server == "" {
		return "", false
	}
	return strings.CutPrefix(name, mcpName(server, ""))
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
