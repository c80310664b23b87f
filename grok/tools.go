package grok

import (
	"cmp"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const all = family.AllRoles

// unquoted is how tools read a path (observed 1.0.41).
var unquoted = schema.PathRules{Trim: schema.UnicodeBlanks, Quotes: `"'`, Home: true, Links: schema.AllLinks}

// found is how tools look for an existing file (observed 1.0.41).
var found = schema.PathRules{Trim: schema.UnicodeBlanks, Quotes: `"'`, Home: true, Links: schema.AllLinks,
	Tries: [5]schema.Variant{schema.VaryTime, schema.VaryBlanks}}

// tools are the tools (schemas as sent to the model, observed 1.0.41), with the Claude Code names that matchers accept
// for them. There is no tool for deleting files, so the model uses commands.
var tools = []schema.ToolRow{
	{Name: "run_terminal_command", Aliases: []string{"Bash"}, Kinds: []schema.Kind{schema.Shell}, Replaces: all,
		Parts: []schema.Kind{schema.Delete},
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "timeout", Role: schema.RoleTimeout}, {Name: "background", Role: schema.RoleBackground}}},
	{Name: "read_file", Aliases: []string{"Read"}, Kinds: []schema.Kind{schema.Read}, Path: found, Replaces: all,
		Input: []schema.ArgRow{{Name: "target_file", Role: schema.RolePath}, {Name: "offset", Role: schema.RoleOffset},
			{Name: "limit", Role: schema.RoleLimit}}},
	{Name: "write", Aliases: []string{"Write"}, Kinds: []schema.Kind{schema.Write, schema.Notebook}, Path: unquoted,
		Replaces: all, Input: family.WriteInput()},
	{Name: "search_replace", Aliases: []string{"Write", "Edit", "MultiEdit", "NotebookEdit"},
		Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Path: found, Replaces: all,
		Input: family.EditInput()},
	{Name: "grep", Aliases: []string{"Grep"}, Kinds: []schema.Kind{schema.Grep}, Path: unquoted, Replaces: all,
		Input: family.GrepInput()},
	{Name: "list_dir", Aliases: []string{"Glob"}, Kinds: []schema.Kind{schema.List}, Path: unquoted, Replaces: all,
		Input: []schema.ArgRow{{Name: "target_directory", Role: schema.RolePath}}},
	{Name: "spawn_subagent", Aliases: []string{"Task", "Agent"}, Kinds: []schema.Kind{schema.Agent}, Replaces: all,
		Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes},
			{Name: "model", Role: schema.RoleModel}}},
	{Name: "web_search", Aliases: []string{"WebSearch"}, Kinds: []schema.Kind{schema.WebSearch}, Replaces: all,
		Input: family.SearchInput()},
	{Name: "web_fetch", Aliases: []string{"WebFetch"}, Kinds: []schema.Kind{schema.Fetch}, Replaces: all,
		Input: family.FetchInput()},
	{Name: "monitor", Also: []schema.Kind{schema.Shell}, Replaces: all, Input: family.WatchInput()},
	{Name: "todo_write", Aliases: []string{"TodoWrite"}},
	{Name: "ask_user_question", Aliases: []string{"AskUserQuestion"}},
	{Name: "get_command_or_subagent_output", Aliases: []string{"TaskOutput", "BashOutput"}},
	{Name: "kill_command_or_subagent", Aliases: []string{"TaskStop", "KillShell"}},
	{Name: "search_tool", Aliases: []string{"ToolSearch"}},
	{Name: "enter_plan_mode", Aliases: []string{"EnterPlanMode"}},
	{Name: "exit_plan_mode", Aliases: []string{"ExitPlanMode"}},
	{Name: "skill", Aliases: []string{"Skill"}},
}

var plainTools = []string{"scheduler_create", "scheduler_delete", "scheduler_list", "workflow", "send_feedback",
	"image_gen", "image_edit", "image_to_video", "reference_to_video", "session_title"}

// MCP tools are called through another tool, whose input contains theirs.
func unwrap(raw []byte) []byte {
	if inner := ordjson.At(raw, "/tool_input"); inner != nil {
		return inner
	}
	return raw
}

func wrap(dst []byte, tool string, came, raw []byte) []byte {
	w := ordjson.NewWriter(dst)
	if o, err := ordjson.Members(came, 0); err == nil && !o.Has("tool_input") {
		return append(dst, raw...)
	} else if err == nil {
		for _, m := range o {
			if m.Name == "tool_input" {
				m.Value = raw
			}
			w.Raw(m.Name, m.Value)
		}
		return w.Bytes()
	}
	w.String("tool_name", tool)
	w.Raw("tool_input", raw)
	return w.Bytes()
}

// ownName keeps the name of a tool in Grok's own call.
func ownName(c *schema.Call, v *schema.View) {
	if c.Dialect == "grok" {
		v.Tool = c.Tool.Name
	}
}

// shownText is the text of a command's result that the model reads.
const shownText = "/output_for_prompt"

// readResult returns a tagged result by role.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) (as schema.Args) {
	add := func(role schema.Role, pointer string) {
		if v := ordjson.At(raw, pointer); v != nil && ordjson.KindOf(v) != ordjson.Null {
			as = append(as, schema.Arg{Role: role, Raw: v})
		}
	}
	switch k {
	case schema.Shell:
		if text, ok := ordjson.String(ordjson.At(raw, shownText)); ok {
			if first, rest, cut := strings.Cut(text, "\n"); cut && strings.HasPrefix(first, "exit: ") {
				text = rest
			}
			as = append(as, schema.Arg{Role: schema.RoleStdout, Raw: ordjson.AppendString(nil, text)})
		}
		add(schema.RoleExitCode, "/exit_code")
		add(schema.RoleInterrupted, "/timed_out")
	case schema.Read:
		add(schema.RolePath, "/FileContent/absolute_path")
		add(schema.RoleContent, "/FileContent/raw_output")
	case schema.Write:
		add(schema.RolePath, "/EditsApplied/absolute_path")
		add(schema.RoleContent, "/EditsApplied/new_string")
	case schema.Edit:
		add(schema.RolePath, "/EditsApplied/absolute_path")
		add(schema.RoleOldText, "/EditsApplied/old_string")
		add(schema.RoleNewText, "/EditsApplied/new_string")
	case schema.MCP:
		if text := ordjson.At(raw, "/output/OkayOutput"); ordjson.KindOf(text) == ordjson.StringKind {
			as = append(as, schema.Arg{Role: schema.RoleBlocks, Raw: schema.TextBlocks(text)})
		}
	}
	if as == nil {
		as = schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	}

	return as
}

// appendResult writes another agent's result with the tags and fields that hooks read.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t, w := &c.Tool, ordjson.NewWriter(dst)
	put := func(w *ordjson.Writer, name string, role schema.Role, missing string) {
		raw, ok := t.Output.Get(role)
		if !ok {
			raw, ok = t.Input.Get(role)
		}
		if !ok {
			raw = []byte(missing)
		}
		w.Raw(name, raw)
	}

	inner := ordjson.NewWriter(nil)
	switch v.Kind {
	case schema.Shell, schema.Delete:
		w.String("type", "Bash")
		code, ok := t.Output.Get(schema.RoleExitCode)
		if !ok {
			code = []byte("0")
		}
		text := "exit: " + string(code) + "\n" + schema.JoinText(cmp.Or(t.Output.Text(schema.RoleStdout),
			c.Str(schema.FieldError)), t.Output.Text(schema.RoleStderr))
		w.String("output_for_prompt", text)
		w.Raw("exit_code", code)
		put(&w, "command", schema.RoleCommand, `""`)
		put(&w, "timed_out", schema.RoleInterrupted, "false")
	case schema.Read:
		w.String("type", "ReadFile")
		put(&inner, "absolute_path", schema.RolePath, `""`)
		put(&inner, "raw_output", schema.RoleContent, `""`)
		w.Raw("FileContent", inner.Bytes())
	case schema.Write, schema.Edit:
		w.String("type", "SearchReplace")
		put(&inner, "old_string", schema.RoleOldText, `""`)
		role := schema.RoleNewText
		if v.Kind == schema.Write {
			role = schema.RoleContent
		}
		put(&inner, "new_string", role, `""`)
		put(&inner, "absolute_path", schema.RolePath, `""`)
		w.Raw("EditsApplied", inner.Bytes())
	case schema.MCP:
		w.String("type", "MCP")
		w.String("tool_name", t.Name)
		w.String("server_name", v.Server)
		blocks, _ := t.Output.Get(schema.RoleBlocks)
		w.Raw("output", ordjson.AppendTexts(nil, "OkayOutput", family.TextOf(blocks)))
	default:
		if raw, ok := t.Output.Get(schema.RoleWhole); ok {
			return append(dst, raw...)
		}
		return schema.AppendArgs(dst, t.Output, nil)
	}

	return w.Bytes()
}

// newOutput converts a replaced result to the tool's own form: for its own tools, the client accepts only the original
// result's object with changes (observed 1.0.41).
func newOutput(_ *family.Agent, c *schema.Call, raw []byte) (name string, value []byte) {
	text := ordjson.AppendString(nil, family.TextOf(raw))
	if c.Tool.Kind() == schema.MCP {
		return "updatedToolOutput", text
	}
	own, err := ordjson.Members(c.Get(schema.FieldToolOutput), 0)
	if err != nil {
		return "updatedToolOutput", raw
	}
	w := ordjson.NewWriter(nil)
	for _, m := range own {
		if m.Name == "output_for_prompt" {
			m.Value = text
		}
		w.Raw(m.Name, m.Value)
	}
	return "updatedToolOutput", w.Bytes()
}
