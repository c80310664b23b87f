package family

import (
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// The shared parts of the family's tools are functions: variables would make every start build the tables of other
// packages that use them.

// Renamed returns the tools under other names: each pair is a name and its replacement.
func Renamed(tools []schema.ToolRow, names ...[2]string) []schema.ToolRow {
	tools = slices.Clone(tools)
	for _, n := range names {
		for i := range tools {
			if tools[i].Name == n[0] {
				tools[i].Name = n[1]
			}
		}
	}
	return tools
}

// ShellInput lists the input fields of tools that run a command.
func ShellInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
		{Name: "description", Role: schema.RoleDescription},
		{Name: "timeout", Role: schema.RoleTimeout}, {Name: "run_in_background", Role: schema.RoleBackground}}
}

// WatchInput lists the input fields of tools that watch a command.
func WatchInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
		{Name: "description", Role: schema.RoleDescription}}
}

// ReadInput lists the input fields of tools that read a file.
func ReadInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "offset", Role: schema.RoleOffset},
		{Name: "limit", Role: schema.RoleLimit}}
}

// WriteInput lists the input fields of tools that write a file.
func WriteInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}}
}

// EditInput lists the input fields of tools that replace a text.
func EditInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "old_string", Role: schema.RoleOldText},
		{Name: "new_string", Role: schema.RoleNewText}, {Name: "replace_all", Role: schema.RoleReplaceAll}}
}

// NotebookInput lists the input fields of tools that change a notebook.
func NotebookInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "notebook_path", Role: schema.RolePath},
		{Name: "new_source", Role: schema.RoleCellSource}}
}

// GrepInput lists the input fields of tools that search files.
func GrepInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "path", Role: schema.RolePath},
		{Name: "glob", Role: schema.RoleGlob}, {Name: "output_mode", Role: schema.RoleOutputMode}}
}

// GlobInput lists the input fields of tools that find files.
func GlobInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "pattern", Role: schema.RoleGlob}, {Name: "path", Role: schema.RolePath}}
}

// ListInput lists the input fields of tools that list a folder.
func ListInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "ignore", Role: schema.RoleIgnore}}
}

// FetchInput lists the input fields of tools that fetch a page.
func FetchInput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "url", Role: schema.RoleURL}, {Name: "prompt", Role: schema.RolePrompt}}
}

// SearchInput lists the input fields of tools that search the web.
func SearchInput() []schema.ArgRow { return []schema.ArgRow{{Name: "query", Role: schema.RoleQuery}} }

// ChangeOutput lists the result fields of tools that change a file.
func ChangeOutput() []schema.ArgRow {
	return []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent},
		{Name: "oldString", Role: schema.RoleOldText}, {Name: "newString", Role: schema.RoleNewText},
		{Name: "originalFile", Role: schema.RoleOriginal}, {Name: "replaceAll", Role: schema.RoleReplaceAll}}
}

// AllRoles is for tools that use every field of a rewritten input.
const AllRoles = ^schema.Roles(0)

func (a *Agent) convertEdits(as schema.Args, from, to schema.EditNames) schema.Args {
	if a.Edits == (schema.EditNames{}) {
		return as
	}
	for i := range as {
		if as[i].Role == schema.RoleEdits {
			as[i].Raw = from.Convert(as[i].Raw, to)
		}
	}
	return as
}

// unwrap returns a tool's own input.
func (a *Agent) unwrap(k schema.Kind, raw []byte) []byte {
	if a.Steps.Unwrap == nil || k != schema.MCP {
		return raw
	}
	return a.Steps.Unwrap(raw)
}

// wrapped writes an input of a tool with that name in the form of tool_input.
func (a *Agent) wrapped(dst []byte, c *schema.Call, k schema.Kind, tool string, write func(dst []byte) []byte) []byte {
	if a.Steps.Wrap == nil || k != schema.MCP {
		return write(dst)
	}
	var came []byte
	if a.owns(c) {
		came = c.Get(schema.FieldToolInput)
	}
	return a.Steps.Wrap(dst, tool, came, write(nil))
}

func (a *Agent) appendInput(dst []byte, c *schema.Call, v schema.View) []byte {
	return a.wrapped(dst, c, v.Kind, v.Tool, func(dst []byte) []byte { return a.appendArgs(dst, c, v) })
}

func (a *Agent) appendArgs(dst []byte, c *schema.Call, v schema.View) []byte {
	t, row := &c.Tool, a.Tool(v.Tool)
	if t.Whole != nil {
		return append(dst, t.Whole...)
	}

	if a.Steps.Input != nil {
		if out, ok := a.Steps.Input(dst, c, v); ok {
			return out
		}
	}
	switch {
	case a.owns(c):
		return schema.AppendOwn(dst, a.ownInput(c), a.ArgRows(v.Tool))
	case v.Kind == schema.Delete && (row == nil || !slices.Contains(row.Kinds, schema.Delete)):
		return AppendRemove(dst, t)
	case row == nil || len(row.Kinds) == 0:
		return schema.AppendNamed(dst, t.Input)
	}
	in := t.Input
	if v.Kind == schema.MultiEdit {
		in = a.convertEdits(slices.Clone(in), schema.CanonicalEdits, a.Edits)
	}

	// another agent's change of the file
	if _, given := in.Get(schema.RoleCellSource); v.Kind == schema.Notebook && !given {
		if source := cellSource(in); source != nil {
			in = in.Set(schema.RoleCellSource, "", source)
		}
	}
	if all := (schema.Arg{Role: schema.RoleReplaceAll, Raw: []byte("false")}); v.Kind == schema.Edit && a.FullEdits &&
		!says(in, row.Input, all) {
		in = append(in[:len(in):len(in)], all)
	}

	return schema.AppendArgs(dst, in, row.Input)
}

// cellSource returns the text that another agent's change writes into a notebook, nil if it isn't known.
func cellSource(in schema.Args) []byte {
	for _, role := range []schema.Role{schema.RoleNewText, schema.RoleContent} {
		if raw, ok := in.Get(role); ok {
			return raw
		}
	}
	raw, ok := in.Get(schema.RoleEdits)
	if !ok {
		return nil
	}
	var text []string
	for _, e := range schema.CanonicalEdits.Decode(raw) {
		text = append(text, e.New)
	}
	return ordjson.AppendString(nil, strings.Join(text, "\n"))
}

// says reports whether as has an argument with a's role or, if a has no role, with the name that rows give it.
func says(as schema.Args, rows []schema.ArgRow, a schema.Arg) bool {
	native, _ := schema.NativeArg(rows, a)
	return slices.ContainsFunc(as, func(x schema.Arg) bool {
		return x.Role == a.Role || x.Role == schema.Rest && x.Name == native.Name
	})
}

// ownInput returns the input of the agent's own call. Unchanged edits stay as they came, and so keep unknown fields.
func (a *Agent) ownInput(c *schema.Call) schema.Args {
	i := slices.IndexFunc(c.Tool.Input, func(x schema.Arg) bool { return x.Role == schema.RoleEdits })
	if i < 0 || a.Edits == (schema.EditNames{}) {
		return c.Tool.Input
	}
	in := slices.Clone(c.Tool.Input)
	came, _ := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	raw, ok := came.Get(in[i].Name)
	if !ok || string(a.Edits.Convert(raw, schema.CanonicalEdits)) != string(in[i].Raw) {
		raw = schema.CanonicalEdits.Convert(in[i].Raw, a.Edits)
	}
	in[i].Raw = raw
	return in
}

// Enter moves a call to the folder that its command enters, if any.
func Enter(c *schema.Call) {
	switch dir := c.Tool.Input.Text(schema.RoleCwd); {
	case filepath.IsAbs(dir):
		c.Cwd = dir
	case dir != "":
		c.Cwd = filepath.Join(c.Cwd, dir)
	}
}

// AppendRemove shows the deletion of a file as the equivalent command, for agents without a tool for deletion.
func AppendRemove(dst []byte, t *schema.Tool) []byte {
	return ordjson.AppendTexts(dst, "command", "rm "+shell.Quote(t.Input.Text(schema.RolePath)), "description",
		"Delete file")
}

// callID returns the id of a tool call, or a substitute if the host sent none. The same call always gets the same one,
// so that a hook can keep track of calls.
func (a *Agent) callID(c *schema.Call, v schema.View) string {
	if c.Tool.UseID != "" {
		return c.Tool.UseID
	}
	h := fnv.New64a()
	for _, s := range []string{c.Str(schema.FieldSession), c.Str(schema.FieldTurn), v.Tool} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	for _, x := range c.Tool.Input {
		h.Write(x.Raw)
	}
	return a.CallID + "hb" + strconv.FormatUint(h.Sum64(), 16)
}

// TranscriptTool interprets a tool's name and input in a transcript.
func (a *Agent) TranscriptTool(name string, input []byte) schema.Tool {
	c := schema.Call{Dialect: a.Data.Agent(), Event: schema.PreTool}
	c.SetStr(schema.FieldToolName, name)
	c.Set(schema.FieldToolInput, input)
	a.decodeTool(&c)
	return c.Tool
}

// TranscriptInput returns the agent's name and input for a tool that the dialect from read.
func (a *Agent) TranscriptInput(from string, t *schema.Tool) (name string, input []byte) {
	c := schema.Call{Dialect: from, Event: schema.PreTool, Tool: *t}
	views := a.Views(&c)
	if len(views) == 0 {
		return t.Name, schema.AppendNamed(nil, t.Input)
	}
	return views[0].Tool, a.appendInput(nil, &c, views[0])
}

// Shown returns the tool's input as a hook in view v sees it.
func (a *Agent) Shown(c *schema.Call, v schema.View) schema.Args {
	o, err := ordjson.Members(a.appendArgs(nil, c, v), 0)
	if err != nil {
		return nil
	}
	return a.convertEdits(schema.DecodeArgs(o, a.ArgRows(v.Tool)), a.Edits, schema.CanonicalEdits)
}

// Input returns tool_input as a hook in view v sees it.
func (a *Agent) Input(c *schema.Call, v schema.View) (ordjson.Object, error) {
	return ordjson.Members(a.appendInput(nil, c, v), 0)
}
