package cursor

import (
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// tools are the tools and their fields as sent (observed SDK 1.0.32; the same in captures of the CLI and the editor).
// Replaces are the keys that the client takes from updated_input, one by one; a Write's content isn't among them. Every
// edit tool appears as Write, so a Write may be an edit.
var tools = []schema.ToolRow{
	{Name: "Shell", Kinds: []schema.Kind{schema.Shell},
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand}, {Name: "cwd", Role: schema.RoleCwd},
			{Name: "timeout", Role: schema.RoleTimeout}},
		Output: []schema.ArgRow{{Name: "output", Role: schema.RoleStdout},
			{Name: "exitCode", Role: schema.RoleExitCode}},
		Replaces: 1<<schema.RoleCommand | 1<<schema.RoleCwd | 1<<schema.RoleTimeout},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Path: located,
		Input: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}},
		Output: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath},
			{Name: "content_length", Role: schema.RoleLength}},
		Replaces: 1 << schema.RolePath},
	{Name: "Write", Kinds: []schema.Kind{schema.Write, schema.Edit, schema.Notebook}, Path: located,
		Input: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath},
			{Name: "content", Role: schema.RoleContent}},
		Output:   []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "success", Role: schema.RoleOK}},
		Replaces: 1 << schema.RolePath},
	{Name: "Delete", Kinds: []schema.Kind{schema.Delete}, Path: located,
		Input:    []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}},
		Output:   []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "deleted", Role: schema.RoleOK}},
		Replaces: 1 << schema.RolePath},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep},
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "file_path", Role: schema.RolePath},
			{Name: "glob", Role: schema.RoleGlob},
			{Name: "output_mode", Role: schema.RoleOutputMode}},
		Output:   []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "success", Role: schema.RoleOK}},
		Replaces: 1<<schema.RolePattern | 1<<schema.RolePath},
	{Name: "List", Since: "2.5", Kinds: []schema.Kind{schema.List},
		Input:  []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "ignore", Role: schema.RoleIgnore}},
		Output: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "success", Role: schema.RoleOK}}},
	// The name in versions before List (docs 2026-01); giving it List's fields is a guess.
	{Name: "LS", Until: "2.5", Kinds: []schema.Kind{schema.List},
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "file_path", Role: schema.RolePath},
			{Name: "ignore", Role: schema.RoleIgnore}}},
	{Name: "Fetch", Kinds: []schema.Kind{schema.Fetch}, Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL},
		{Name: "prompt", Role: schema.RolePrompt}},
		Replaces: 1 << schema.RoleURL},
	{Name: "WebFetch", Kinds: []schema.Kind{schema.Fetch}, Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL},
		{Name: "prompt", Role: schema.RolePrompt}}},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch},
		Input: []schema.ArgRow{{Name: "query", Role: schema.RoleQuery}, {Name: "search_term", Role: schema.RoleQuery}}},
	{Name: "Task", Kinds: []schema.Kind{schema.Agent},
		Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes},
			{Name: "model", Role: schema.RoleModel}}},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob},
		Input: []schema.ArgRow{{Name: "glob_pattern", Role: schema.RoleGlob},
			{Name: "target_directory", Role: schema.RolePath}}},
	// Has no kind. A matcher "Write" finds it too, as Cursor searches names (observed SDK 1.0.32).
	{Name: "TodoWrite"},
	{Name: "ReadLints", Input: []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}},
		Replaces: 1 << schema.RolePath},
}

// located is how tools for a single file read a path (observed SDK 1.0.32).
var located = schema.PathRules{FileURL: true, Home: true}

// mcpTool is the row of all MCP tools: the input is free, any key can be replaced or added, and the result has the
// protocol's form.
var mcpTool = schema.ToolRow{Kinds: []schema.Kind{schema.MCP}, Replaces: ^schema.Roles(0),
	Output: []schema.ArgRow{{Name: "content", Role: schema.RoleBlocks}, {Name: "isError", Role: schema.RoleIsError}}}

// A gateRow is a field of gate payloads that belongs to the tool's input, or to its
// result.
type gateRow struct {
	Field schema.Field
	Role  schema.Role
	Out   bool // part of the result
}

var gateArgs = []gateRow{
	{schema.FieldCommand, schema.RoleCommand, false}, {schema.FieldToolCwd, schema.RoleCwd, false},
	{schema.FieldPath, schema.RolePath, false},
	{schema.FieldEdits, schema.RoleEdits, false}, {schema.FieldContent, schema.RoleContent, true},
	{schema.FieldOutput, schema.RoleStdout, true}}

func gateArg(f schema.Field) *gateRow {
	return lists.Find(gateArgs, func(g *gateRow) bool { return g.Field == f })
}

var edit = schema.EditNames{Old: "old_string", New: "new_string"}

const mcpPrefix = "MCP:"
