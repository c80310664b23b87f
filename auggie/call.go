package auggie

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// readPlace sets the project to the working directory: payloads name no other folder.
func readPlace(_ *family.Agent, c *schema.Call, _ ordjson.Object, env schema.Environ) {
	roots, _ := ordjson.Elements(c.Get(schema.FieldRoots), 0)
	for _, r := range roots {
		if s, _ := ordjson.String(r.Value); s != "" {
			c.Roots = append(c.Roots, s)
		}
	}
	c.Cwd = env.Get(project)
	if len(c.Roots) > 0 {
		c.Cwd = cmp.Or(c.Cwd, c.Roots[0])
	}
}

// AppendCall writes c. The error of a failed call is the text of its result.
func (a Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	if c.Event == schema.PostToolFailure {
		o, _ := ordjson.Parse(c.Raw)
		own := c.Dialect == profile.Name
		c = c.Clone()
		switch {
		case own:
			c.Set(schema.FieldError, o.Value("tool_error"))
		case v.Kind == schema.Shell:
			c.SetStr(schema.FieldError, ran(c))
		}
	}
	return a.Agent.AppendCall(dst, near(c), v)
}

// Shown returns the tool's input as a hook in view v sees it.
func (a Dialect) Shown(c *schema.Call, v schema.View) schema.Args { return a.Agent.Shown(near(c), v) }

// near returns another agent's call with its file as Auggie's model names it: relative to the project.
func near(c *schema.Call) *schema.Call {
	path := c.Tool.Input.Text(schema.RolePath)
	if short := relative(c, path); c.Dialect != profile.Name && short != path {
		c = c.Clone()
		c.Tool.Input = c.Tool.Input.Set(schema.RolePath, "", ordjson.AppendString(nil, short))
	}
	return c
}

// classify sets facts that a call has in other fields: a failure, the folder of a command, the tool's server, the files
// of a patch, a search in the tool that reads files.
func classify(_ *family.Agent, c *schema.Call) {
	t := &c.Tool
	if message, failed := ordjson.String(c.Get(schema.FieldError)); failed && c.Event == schema.PostTool {
		if printed, framed := t.Output.Get(schema.RoleStdout); framed && t.Kind() == schema.Shell {
			message, _ = ordjson.String(printed)
		}
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, message)
	}

	mcp, given := false, false
	for _, m := range c.Extra {
		if m.Name == mcpField {
			mcp, given = ordjson.Bool(m.Value)
		}
	}
	switch {
	case given && mcp:
		t.Name, t.Kinds = c.Str(schema.FieldToolName), []schema.Kind{schema.MCP}
	case t.Kind() == schema.MCP && given:
		t.Name, t.Kinds = c.Str(schema.FieldToolName), []schema.Kind{schema.Other}
	}

	switch {
	case t.Name == patchTool:
		t.Kinds = family.PatchKinds(c, patch.Grammar{}, t.Input.Text(schema.RoleCommand))
		return
	case t.Name == editTool:
		t.Kinds = append([]schema.Kind{schema.Edit, schema.MultiEdit}, t.Kinds[1:]...)
	case t.Name == viewTool && argument(t, searchField) != "": // shows parts of the file
		t.Kinds = []schema.Kind{schema.Grep, schema.Read}
		for i := range t.Input {
			if t.Input[i].Name == searchField {
				t.Input[i].Role = schema.RolePattern
			}
		}
	case t.Name == viewTool && argument(t, "type") == `"directory"`: // for a file, the client shows its text
		t.Kinds = []schema.Kind{schema.List, schema.Read}
	}
	family.Enter(c)
}

// mcpField is true for a tool of an MCP server.
const mcpField = "is_mcp_tool"

// argument returns the JSON of a tool's argument with that name, "" if it is missing.
func argument(t *schema.Tool, name string) string {
	for _, a := range t.Input {
		if a.Name == name {
			return string(a.Raw)
		}
	}
	return ""
}

// input writes fields that the tools require and other agents' don't have.
func input(dst []byte, c *schema.Call, v schema.View) ([]byte, bool) {
	row := profile.Tool(v.Tool)
	if c.Dialect == profile.Name || row == nil {
		return dst, false
	}

	t, w := &c.Tool, ordjson.NewWriter(dst)
	switch v.Tool {
	case removeTool:
		path, ok := t.Input.Get(schema.RolePath)
		if !ok {
			return dst, false
		}
		w.Raw(removedFiles, append(append([]byte("["), path...), ']'))
	case "launch-process":
		if v.Kind != schema.Shell {
			return dst, false
		}
		if command, ok := t.Input.Get(schema.RoleCommand); ok {
			w.Raw("command", command)
		}
		background, _ := t.Input.Get(schema.RoleBackground)
		w.Bool("wait", string(background) != "true")
		w.Int("max_wait_seconds", 600)
		w.String("cwd", cmp.Or(t.Input.Text(schema.RoleCwd), c.Cwd))
	case viewTool:
		w.String("type", map[bool]string{true: "directory", false: "file"}[v.Kind == schema.List])
		o, _ := ordjson.Members(schema.AppendArgs(nil, t.Input, row.Input), 0)
		for _, m := range o {
			if m.Name != "type" && m.Name != searchField { // another agent's field with that name
				w.Raw(m.Name, m.Value)
			}
		}
		if pattern, given := t.Input.Get(schema.RolePattern); given && v.Kind == schema.Grep {
			w.Raw(searchField, pattern)
		}
	case editTool:
		w.String("command", "str_replace")
		if path, ok := t.Input.Get(schema.RolePath); ok {
			w.Raw("path", path)
		}
		if edits := editsOf(t); edits != nil {
			w.Raw("str_replace_entries", schema.CanonicalEdits.Convert(edits, editNames))
		}
	default:
		return dst, false
	}

	return w.Bytes(), true
}

// editsOf returns the edits of a call, even a single one, nil if there is none.
func editsOf(t *schema.Tool) []byte {
	if raw, ok := t.Input.Get(schema.RoleEdits); ok {
		return raw
	}
	_, before := t.Input.Get(schema.RoleOldText)
	if _, after := t.Input.Get(schema.RoleNewText); !before && !after {
		return nil
	}
	return schema.CanonicalEdits.Append(nil, []schema.TextEdit{{Old: t.Input.Text(schema.RoleOldText),
		New: t.Input.Text(schema.RoleNewText)}})
}

// more writes the client's additional fields, for calls of other agents.
func more(w *ordjson.Writer, c *schema.Call, v schema.View) {
	if !c.Event.IsTool() {
		return
	}
	if c.Event == schema.PreTool {
		w.String("tool_output", "[undefined]") // the client's own text for a missing value
		w.Raw("tool_error", []byte("null"))
	}
	w.Bool(mcpField, v.Kind == schema.MCP)
}

// removedFiles are the files of a deletion.
const removedFiles = "file_paths"

// environment returns the client's additions to a hook's environment.
func environment(h *schema.Hook, c *schema.Call) []schema.EnvVar {
	vars := schema.Vars(project, c.Project, sessionVariable, c.Str(schema.FieldSession), eventVariable, h.Native)
	return append(vars, schema.GivenVars(toolVariable, c.Tool.Name)...)
}

// WriteHook writes an entry. A call of hookbridge with a backslash, which quotes only in a shell, becomes a list of
// words.
func (a Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	words := family.CallWords(h)
	if words == nil || usesShell(h.Command) || !strings.Contains(h.Command, `\`) {
		return a.Agent.WriteHook(e, h)
	}
	out := *h
	out.Command, out.Args = words[0], words[1:]
	return a.Agent.WriteHook(e, &out)
}

// The texts around a command's output, and around a file.
const (
	ranHead, ranMid, ranTail = "Here are the results from executing the command.\n<return-code>\n",
		"\n</return-code>\n<output>\n", "\n</output>"
	shownHead, shownMid = "Here's the result of running `cat -n` on ", ":\n"
	shownTail           = "Total lines in file: "
)

// readResult returns a tool_output, which is a text, by role.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	text, isText := ordjson.String(raw)
	if !isText {
		return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	}

	switch {
	case k == schema.Shell:
		rest, framed := strings.CutPrefix(text, ranHead)
		code, printed, ok := strings.Cut(rest, ranMid)
		printed, ended := strings.CutSuffix(printed, ranTail)
		if _, err := strconv.Atoi(code); framed && ok && ended && err == nil {
			printed = strings.TrimSuffix(printed, "\n")
			return schema.Args{{Role: schema.RoleStdout, Raw: ordjson.AppendString(nil, printed)},
				{Role: schema.RoleExitCode, Raw: []byte(code)}}
		}
		return schema.Args{{Role: schema.RoleStdout, Raw: raw}}
	case k == schema.Read:
		if _, rest, ok := strings.Cut(text, shownMid); ok && strings.HasPrefix(text, shownHead) {
			return schema.Args{{Role: schema.RoleContent, Raw: ordjson.AppendString(nil, plain(rest))}}
		}
	case k == schema.MCP:
		return schema.Args{{Role: schema.RoleBlocks, Raw: schema.TextBlocks(raw)}}
	case k.ChangesFile():
		return schema.Args{{Role: schema.RoleOK, Raw: []byte("true")}}
	}

	return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
}

// plain removes the line numbers from a file's text.
func plain(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		number, rest, ok := strings.Cut(line, "\t")
		if !ok || strings.Trim(number, " 0123456789") != "" {
			break
		}
		lines = append(lines, rest)
	}
	return strings.Join(lines, "\n")
}

// appendResult writes the tool_output that the client would send for another agent's call.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	if c.Event == schema.PostToolFailure {
		return ordjson.AppendString(dst, c.Str(schema.FieldError))
	}
	path := t.Input.Text(schema.RolePath)
	if whole, ok := t.Output.Get(schema.RoleWhole); ok && v.Kind != schema.Shell {
		return ordjson.AppendString(dst, family.TextOf(whole))
	}

	switch v.Kind {
	case schema.Shell:
		return ordjson.AppendString(dst, ran(c))
	case schema.Read:
		return ordjson.AppendString(dst, shown(relative(c, path), t.Output.Text(schema.RoleContent)))
	case schema.Write:
		return ordjson.AppendString(dst, "File saved.  Saved file {"+path+"}")
	case schema.Edit, schema.MultiEdit:
		return ordjson.AppendString(dst, "Successfully edited the file "+relative(c, path)+".\n")
	case schema.Delete:
		return ordjson.AppendString(dst, "File(s) removed: "+relative(c, path))
	case schema.MCP:
		blocks, _ := t.Output.Get(schema.RoleBlocks)
		return ordjson.AppendString(dst, family.TextOf(blocks))
	}
	return ordjson.AppendString(dst, string(schema.AppendNamed(nil, t.Output)))
}

// ran returns a command's output as the client shows it.
func ran(c *schema.Call) string {
	t := &c.Tool
	code, failed := "0", c.Event == schema.PostToolFailure
	if raw, known := t.Output.Get(schema.RoleExitCode); known {
		code = string(raw)
	} else if failed {
		code = "1"
	}
	printed := schema.JoinText(t.Output.Text(schema.RoleStdout), t.Output.Text(schema.RoleStderr))
	if failed && printed == "" {
		printed = c.Str(schema.FieldError)
	}
	if printed != "" && !strings.HasSuffix(printed, "\n") {
		printed += "\n" // some agents remove it
	}
	return ranHead + code + ranMid + printed + ranTail
}

// shown returns a file's text as the client shows it, with numbers.
func shown(path, text string) string {
	lines := strings.Split(text, "\n")
	var b strings.Builder
	b.WriteString(shownHead + path + shownMid)
	for i, line := range lines {
		n := strconv.Itoa(i + 1)
		b.WriteString(strings.Repeat(" ", max(0, 6-len(n))) + n + "\t" + line + "\n")
	}
	b.WriteString(shownTail + strconv.Itoa(len(lines)) + "\n")
	return b.String()
}

// relative returns a path relative to the project, like the client's own, if the agent works in that folder.
func relative(c *schema.Call, path string) string {
	if rel, err := filepath.Rel(c.Project, path); err == nil && filepath.IsLocal(rel) && c.Cwd == c.Project {
		return filepath.ToSlash(rel)
	}
	return path
}

// Split lists the files of a patch and of a deletion as separate calls. The name of an MCP tool is split at each place
// where the server's name may begin.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	t := &c.Tool
	switch {
	case t.Name == patchTool:
		return family.SplitPatch(c, patch.Grammar{}, t.Input.Text(schema.RoleCommand))
	case t.Kind() == schema.MCP && t.Server == "":
		for i := 1; i < len(t.Name)-1; i++ {
			if t.Name[i] == '_' {
				p := c.Clone()
				p.Tool.Name, p.Tool.Server = t.Name[:i], t.Name[i+1:]
				alternatives = append(alternatives, []*schema.Call{p})
			}
		}
		return alternatives
	case t.Name != removeTool:
		return nil
	}

	given := []byte(argument(t, removedFiles))
	list, err := ordjson.Elements(given, 0)
	switch {
	case ordjson.KindOf(given) == ordjson.StringKind:
		list = []ordjson.Member{{Value: given}}
	case err != nil || len(list) == 0:
		return nil
	}
	var parts []*schema.Call
	for _, m := range list {
		p := c.Clone()
		p.Tool.Input = schema.Args{{Role: schema.RolePath, Name: removedFiles, Raw: m.Value}}
		parts = append(parts, p)
	}
	return [][]*schema.Call{parts}
}

// Join returns the input of a call with another input for one of its parts.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	t := &c.Tool
	switch t.Name {
	case patchTool:
		text, ok := family.JoinPatch(c, patch.Grammar{}, t.Input.Text(schema.RoleCommand), part, in)
		return schema.Args{{Role: schema.RoleCommand, Name: "input", Raw: text}}, ok
	case removeTool:
		return nil, false
	}
	return in, true
}
