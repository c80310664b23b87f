package gemini

import "github.com/hookbridge/hookbridge/schema"

// tools are the tools and the fields of their input (observed 0.61.0). A rewritten input replaces the whole, so
// Replaces is all roles except those read from another field.
var tools = []schema.ToolRow{
	{Name: "run_shell_command", Kinds: []schema.Kind{schema.Shell}, Replaces: replaced, Parts: deletes,
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "dir_path", Role: schema.RoleCwd}, {Name: "is_background", Role: schema.RoleBackground}}},
	{Name: "read_file", Kinds: []schema.Kind{schema.Read}, Path: marked, Replaces: replaced,
		Input: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath},
			{Name: "start_line", Role: schema.RoleOffset},
			{Name: "end_line", Role: schema.RoleLimit, Lines: schema.LastLine}}},
	{Name: "write_file", Kinds: []schema.Kind{schema.Write, schema.Notebook}, Path: marked, Replaces: replaced,
		Output: changed,
		Input: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath},
			{Name: "content", Role: schema.RoleContent}}},
	{Name: "replace", Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Path: corrected, Replaces: replaced,
		Output: changed,
		Input: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath},
			{Name: "instruction", Role: schema.RoleDescription},
			{Name: "old_string", Role: schema.RoleOldText}, {Name: "new_string", Role: schema.RoleNewText},
			{Name: "allow_multiple", Role: schema.RoleReplaceAll}}},
	{Name: "grep_search", Aliases: []string{"search_file_content"}, Kinds: []schema.Kind{schema.Grep}, Path: searched,
		Replaces: replaced,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "dir_path", Role: schema.RolePath},
			{Name: "include_pattern", Role: schema.RoleGlob}}},
	{Name: "glob", Kinds: []schema.Kind{schema.Glob}, Path: searched, Replaces: replaced,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RoleGlob}, {Name: "dir_path", Role: schema.RolePath}}},
	{Name: "list_directory", Kinds: []schema.Kind{schema.List}, Replaces: replaced,
		Input: []schema.ArgRow{{Name: "dir_path", Role: schema.RolePath}, {Name: "ignore", Role: schema.RoleIgnore}}},
	{Name: "web_fetch", Kinds: []schema.Kind{schema.Fetch}, Replaces: replaced,
		Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt}}},
	{Name: "google_web_search", Kinds: []schema.Kind{schema.WebSearch}, Replaces: replaced,
		Input: []schema.ArgRow{{Name: "query", Role: schema.RoleQuery}}},
	{Name: "invoke_agent", Kinds: []schema.Kind{schema.Agent}, Replaces: replaced,
		Input: []schema.ArgRow{{Name: "agent_name", Role: schema.RoleAgentType, Words: &agentTypes},
			{Name: "prompt", Role: schema.RolePrompt}}},
	{Name: "write_todos"}, {Name: "update_topic"}, {Name: "complete_task"}, {Name: "ask_user"},
	{Name: "activate_skill"}, {Name: "list_background_processes"}, {Name: "read_background_output"},
	{Name: "enter_plan_mode"}, {Name: "exit_plan_mode"}, {Name: "read_mcp_resource"}, {Name: "list_mcp_resources"},
}

// marked is how tools for a single file read a path: "@a" is the file a if there is no "@a", and "%2e" is "." (observed
// 0.61.0).
var marked = schema.PathRules{Prefix: "@", Drop: "\x00", Percent: true}

// corrected is how the tool that replaces text reads a path (program 0.61.0).
var corrected = schema.PathRules{Prefix: "@", Drop: "\x00", Percent: true, Ending: true}

// searched is how search tools read a folder; the list tool takes it unchanged (observed 0.61.0).
var searched = schema.PathRules{Percent: true}

// deletes: no tool deletes files, so the model uses commands.
var deletes = []schema.Kind{schema.Delete}

const replaced = ^schema.Roles(1 << schema.RoleURL)

// changed are the fields of a file tool's returnDisplay.
var changed = []schema.ArgRow{{Name: "filePath", Role: schema.RolePath},
	{Name: "originalContent", Role: schema.RoleOriginal},
	{Name: "newContent", Role: schema.RoleContent}}

const mcpPrefix = "mcp_"
