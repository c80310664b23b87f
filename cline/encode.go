package cline

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// AppendCall writes c. Cline's own call is unchanged except for a rewritten input.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	row := d.Row(v.Event)
	if row == nil {
		return append(dst, "{}"...)
	}
	if c.Dialect == name {
		if came, err := ordjson.Parse(c.Raw); err == nil && len(came) > 0 {
			return d.again(dst, came, c, v)
		}
		c = c.Clone()
		c.Dialect = ""
	}
	flat, _ := ordjson.Parse(d.Agent.AppendCall(nil, c, v))
	return nested(dst, flat, c, v)
}

// again writes Cline's own payload as it came.
func (d Dialect) again(dst []byte, came ordjson.Object, c *schema.Call, v schema.View) []byte {
	first, _ := d.DecodeCall(c.Raw, nil)
	_, object := toolOf(came)
	if first == nil || object == "" || slices.EqualFunc(first.Tool.Input, c.Tool.Input, sameArg) {
		return ordjson.AppendCompact(dst, came.Append(nil))
	}
	input := native(v.Tool, schema.AppendOwn(nil, c.Tool.Input, d.ArgRows(v.Tool)))
	for i, m := range came {
		inner, err := ordjson.Members(m.Value, 0)
		if err != nil {
			continue
		}
		switch m.Name {
		case object:
			came[i].Value = replaced(inner, "input", input)
		case oldField, oldResult:
			came[i].Value = replaced(inner, "parameters", texts(input))
		}
	}
	return ordjson.AppendCompact(dst, came.Append(nil))
}

func sameArg(a, b schema.Arg) bool {
	return a.Role == b.Role && a.Name == b.Name && string(a.Raw) == string(b.Raw)
}

func replaced(o ordjson.Object, name string, value []byte) []byte {
	o = slices.Clone(o)
	for i := range o {
		if o[i].Name == name {
			o[i].Value = value
		}
	}
	return o.Append(nil)
}

// texts are the parameters of a tool, all of them texts.
func texts(input []byte) []byte {
	o, err := ordjson.Members(input, 0)
	if err != nil {
		return []byte("{}")
	}
	w := ordjson.NewWriter(nil)
	for _, m := range o {
		if ordjson.KindOf(m.Value) == ordjson.StringKind {
			w.Raw(m.Name, m.Value)
		} else {
			w.String(m.Name, string(ordjson.AppendCompact(nil, m.Value)))
		}
	}
	return w.Bytes()
}

// input writes the content of a written file as the tool's new text, and several edits as a patch.
func input(dst []byte, c *schema.Call, v schema.View) ([]byte, bool) {
	_, text := c.Tool.Input.Get(schema.RoleCommand)
	if !text && c.Dialect != name && v.Tool == patchTool && v.Kind.ChangesFile() {
		changed := patch.Append(nil, []patch.File{family.PatchFile(&c.Tool, v.Kind)})
		return ordjson.AppendTexts(dst, "input", string(changed)), true
	}

	row := profile.Tool(v.Tool)
	if c.Dialect == name || v.Tool != editTool || v.Kind == schema.Edit || row == nil {
		return dst, false
	}
	in := asNewText(c.Tool.Input, v.Tool)
	if source, ok := in.Get(schema.RoleCellSource); ok && v.Kind == schema.Notebook {
		in = in.Set(schema.RoleNewText, "", source)
	}
	return schema.AppendArgs(dst, in, row.Input), true
}

// Views marks the patch that shows another agent's file change, so that it can be read back.
func (d Dialect) Views(c *schema.Call) []schema.View {
	list := d.Agent.Views(c)
	for i := range list {
		if list[i].Tool == patchTool && c.Dialect != name {
			list[i].Fixed, list[i].Needs = true, list[i].Needs|schema.NeedChanges
		}
	}
	return list
}

// Restore reads the patch that shows another agent's file change.
func (Dialect) Restore(v schema.View, in schema.Args) (args schema.Args, ok bool) {
	files, err := patch.Grammar{}.Parse(in.Text(schema.RoleCommand))
	if v.Tool != patchTool || err != nil || len(in) != 1 || len(files) != 1 || files[0].MoveTo != "" {
		return nil, false
	}
	return family.PatchArgs(files[0], files[0].Path), true
}

// asNewText converts the content of a file to the editor's new text.
func asNewText(in schema.Args, tool string) schema.Args {
	return exchanged(in, tool, schema.RoleContent, schema.RoleNewText)
}

// asContent converts the editor's fields to those in a view: the new text of a written file is its content.
func asContent(in schema.Args, v schema.View) schema.Args {
	if v.Kind != schema.Write {
		return in
	}
	return exchanged(in, v.Tool, schema.RoleNewText, schema.RoleContent)
}

func exchanged(in schema.Args, tool string, from, to schema.Role) schema.Args {
	if tool != editTool {
		return in
	}
	in = slices.Clone(in)
	for i := range in {
		if in[i].Role == from {
			in[i].Role = to
		}
	}
	return in
}

// Shown returns the tool's input as a hook in view v sees it.
func (d Dialect) Shown(c *schema.Call, v schema.View) schema.Args {
	return asContent(d.Agent.Shown(c, v), v)
}

// nested returns the payload for flat fields. It makes up values that no other agent has.
func nested(dst []byte, flat ordjson.Object, c *schema.Call, v schema.View) []byte {
	roots := ordjson.Strings(flat.Value("workspaceRoots"))
	root := c.Project
	if len(roots) > 0 {
		root = roots[0]
	}
	w := ordjson.NewWriter(dst)
	w.String("clineVersion", "")
	w.Raw(taskField, flat.Value(sessionField))
	w.Raw("sessionContext", ordjson.Object{{Name: "rootSessionId", Value: flat.Value(sessionField)}}.Append(nil))
	w.Raw("workspaceRoots", flat.Value("workspaceRoots"))
	w.Raw("workspaceInfo", ordjson.AppendTexts(nil, "rootPath", root, "hint", filepath.Base(root)))
	w.String("userId", "")
	if id := flat.Value("agent_id"); id != nil {
		w.Raw("agent_id", id)
		w.String(parentField, "agent_main")
	} else {
		w.String("agent_id", "agent_main")
		w.Raw(parentField, []byte("null"))
	}
	w.String("hookName", hookNameOf(v.Event))

	switch v.Event {
	case "PreToolUse":
		w.Int("iteration", 1)
		w.Raw("tool_call", toolCall(flat, "tool_call").Append(nil))
		parameters := ordjson.Object{{Name: "toolName", Value: flat.Value("tool_call.name")},
			{Name: "parameters", Value: texts(native(v.Tool, flat.Value("tool_call.input")))}}
		w.Raw(oldField, parameters.Append(nil))
	case "PostToolUse":
		w.Int("iteration", 1)
		w.Raw("tool_result", toolCall(flat, "tool_result").Append(nil))
		w.Raw(oldResult, oldOf(flat, v))
	case "TaskStart":
		w.Raw("taskStart", []byte(`{"taskMetadata":{}}`))
	case "UserPromptSubmit":
		prompt := ordjson.Object{{Name: "prompt", Value: flat.Value("userPromptSubmit.prompt")},
			{Name: "attachments", Value: []byte("[]")}}
		w.Raw("userPromptSubmit", prompt.Append(nil))
	case "TaskComplete":
		w.Int("iteration", 1)
		turn := ordjson.Object{{Name: "outputText", Value: flat.Value("turn.outputText")},
			{Name: "status", Value: []byte(`"completed"`)}}
		w.Raw("turn", turn.Append(nil))
		w.Raw("taskComplete", []byte(`{"taskMetadata":{}}`))
	}
	return w.Bytes()
}

// toolCall returns the object of a tool's call, or of its result.
func toolCall(flat ordjson.Object, object string) (o ordjson.Object) {
	tool := flat.Str(object + ".name")
	for _, field := range []string{"id", "name", "input", "output", "durationMs"} {
		value := flat.Value(object + "." + field)
		switch {
		case field == "input" && value != nil:
			value = native(tool, value)
		case field == "durationMs" && value == nil && object == "tool_result":
			value = []byte("0")
		}
		if value != nil {
			o = append(o, ordjson.Member{Name: field, Value: value})
		}
	}
	return o
}

// oldOf returns postToolUse, whose success has no meaning.
func oldOf(flat ordjson.Object, v schema.View) []byte {
	w := ordjson.NewWriter(nil)
	w.Raw("toolName", flat.Value("tool_result.name"))
	w.Raw("parameters", texts(native(v.Tool, flat.Value("tool_result.input"))))
	result := flat.Value("tool_result.output")
	if ordjson.KindOf(result) != ordjson.StringKind {
		result = ordjson.AppendString(nil, string(ordjson.AppendCompact(nil, result)))
	}
	w.Raw("result", result)
	w.Bool("success", true)
	took := flat.Value("tool_result.durationMs")
	if took == nil {
		took = []byte("0")
	}
	w.Raw("executionTimeMs", took)
	return w.Bytes()
}

// appendResult writes the output that the client would send for another agent's call.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t, failed := &c.Tool, c.Event == schema.PostToolFailure
	if v.Kind == schema.MCP {
		w := ordjson.NewWriter(dst)
		blocks, ok := t.Output.Get(schema.RoleBlocks)
		if failed {
			w.Bool("isError", true)
			blocks, ok = schema.TextBlocks(ordjson.AppendString(nil, c.Str(schema.FieldError))), true
		}
		if !ok {
			blocks = schema.TextBlocks(ordjson.AppendString(nil, wholeText(t)))
		}
		w.Raw("content", blocks)
		return w.Bytes()
	}

	one := ordjson.NewWriter(nil)
	one.String("query", query(t, v))
	result, message := resultText(c, v), c.Str(schema.FieldError)
	if v.Kind == schema.Shell && failed {
		code := "1"
		if raw, known := t.Output.Get(schema.RoleExitCode); known {
			code = string(raw)
		}
		result, message = "["+exited+code+"]\n"+message, exited+code
	}
	one.String("result", result)
	if failed {
		one.String("error", message)
	}
	one.Bool("success", !failed)
	if listOf(v.Tool) == nil {
		return append(dst, one.Bytes()...)
	}
	return append(append(append(dst, '['), one.Bytes()...), ']')
}

func query(t *schema.Tool, v schema.View) string {
	for _, r := range []schema.Role{schema.RoleCommand, schema.RolePattern, schema.RoleURL} {
		if s := t.Input.Text(r); s != "" {
			return s
		}
	}
	path := t.Input.Text(schema.RolePath)
	if v.Kind.ChangesFile() {
		return "edit:" + path
	}
	return path
}

func resultText(c *schema.Call, v schema.View) string {
	t := &c.Tool
	switch {
	case c.Event == schema.PostToolFailure:
		return ""
	case v.Kind == schema.Shell:
		return schema.JoinText(t.Output.Text(schema.RoleStdout), t.Output.Text(schema.RoleStderr))
	case v.Kind == schema.Read:
		return numbered(t.Output.Text(schema.RoleContent))
	case v.Kind == schema.Write:
		return "File created successfully at: " + t.Input.Text(schema.RolePath)
	case v.Kind.ChangesFile():
		return "Edited " + t.Input.Text(schema.RolePath)
	}
	return wholeText(t)
}

func wholeText(t *schema.Tool) string {
	if whole, ok := t.Output.Get(schema.RoleWhole); ok {
		return family.TextOf(whole)
	}
	return string(schema.AppendNamed(nil, t.Output))
}

// numbered returns a file's text as the client shows it.
func numbered(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strconv.Itoa(i+1) + " | " + lines[i]
	}
	return strings.Join(lines, "\n")
}
