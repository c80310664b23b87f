package cline

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeCall reads a payload. A value inside an object of the payload counts as part of the field with that object.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	o, err := ordjson.Parse(src)
	if err != nil {
		return d.Agent.DecodeCall(src, env)
	}
	flat := flatten(o)
	c, ds := d.Agent.DecodeCall(flat.Append(nil), env)
	for i := range ds {
		ds[i].Path = outer(ds[i].Path)
	}
	if c == nil {
		return nil, ds
	}

	c.Raw = src
	var values []schema.Value
	for _, v := range c.Values {
		switch {
		case v.Field == schema.FieldAgentID && ordjson.KindOf(o.Value(parentField)) != ordjson.StringKind:
			c.Extra = append(c.Extra, ordjson.Member{Name: v.Name, Value: v.Raw}) // of the run itself
			continue
		case v.Field == schema.FieldToolInput:
			v.Raw = inputOf(o)
		case v.Field == schema.FieldSession && !o.Has("sessionContext"):
			v.Name = taskField
		}
		v.Name, _, _ = strings.Cut(v.Name, ".")
		for object, old := range map[string]string{"tool_call": oldField, "tool_result": oldResult} {
			if v.Name == object && !o.Has(object) { // from the VS Code extension
				v.Name = old
			}
		}
		values = append(values, v)
	}
	c.Values = values
	roots := ordjson.Strings(c.Get(schema.FieldRoots))
	if len(roots) > 0 {
		c.Roots, c.Cwd, c.Project = roots, roots[0], roots[0]
	}
	return c, ds
}

const (
	parentField = "parent_agent_id"
	taskField   = "taskId"
	oldField    = "preToolUse" // from the VS Code extension; the client sends it next to tool_call
	oldResult   = "postToolUse"
)

// outer returns the place of the object that contains a flat field.
func outer(path string) string {
	field, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if object, _, cut := strings.Cut(field, "."); cut {
		return "/" + object
	}
	return path
}

// flatten returns a payload with the values of its objects as separate fields, and with the event's file name.
func flatten(o ordjson.Object) (flat ordjson.Object) {
	add := func(name string, value []byte) {
		if value != nil {
			flat = append(flat, ordjson.Member{Name: name, Value: value})
		}
	}

	call, object := toolOf(o)
	for _, m := range o {
		switch m.Name {
		case "hookName":
			name, _ := ordjson.String(m.Value)
			add(m.Name, ordjson.AppendString(nil, eventOf(name)))
		case "sessionContext":
			inner, _ := ordjson.Members(m.Value, 0)
			add(sessionField, inner.Value("rootSessionId"))
		case taskField:
			if o.Has("sessionContext") {
				add(m.Name, m.Value)
			} else {
				add(sessionField, m.Value)
			}
		case "turn":
			inner, _ := ordjson.Members(m.Value, 0)
			add("turn.outputText", inner.Value("outputText"))
		case "userPromptSubmit":
			inner, _ := ordjson.Members(m.Value, 0)
			add("userPromptSubmit.prompt", inner.Value("prompt"))
		case "tool_call", "tool_result", oldField, oldResult:
		default:
			add(m.Name, m.Value)
		}
	}

	if object == "" {
		return flat
	}

	tool := call.Str("name")
	add(object+".id", call.Value("id"))
	add(object+".name", call.Value("name"))
	if input := inputOf(o); input != nil {
		add(object+".input", plain(tool, input))
	}

	add(object+".output", call.Value("output"))
	add(object+".durationMs", call.Value("durationMs"))
	return flat
}

// toolOf returns a payload's object for a tool, and its name. If the object is missing, as in the VS Code extension, it
// is made from the other one, which has only texts.
func toolOf(o ordjson.Object) (call ordjson.Object, object string) {
	for _, pair := range [][2]string{{"tool_call", oldField}, {"tool_result", oldResult}} {
		if inner, err := o.Members(pair[0]); err == nil && o.Has(pair[0]) {
			return inner, pair[0]
		}
		old, err := o.Members(pair[1])
		if err != nil || !o.Has(pair[1]) {
			continue
		}
		call = ordjson.Object{{Name: "name", Value: old.Value("toolName")}}
		if result := old.Value("result"); result != nil {
			call = append(call, ordjson.Member{Name: "output", Value: unquoted(result)})
		}
		return call, pair[0]
	}
	return nil, ""
}

// inputOf returns the input of a payload's tool with its types; nil if there is none.
func inputOf(o ordjson.Object) []byte {
	for _, pair := range [][2]string{{"tool_call", oldField}, {"tool_result", oldResult}} {
		if inner, err := o.Members(pair[0]); err == nil && o.Has(pair[0]) {
			return inner.Value("input")
		}
		old, _ := o.Members(pair[1])
		parameters, err := old.Members("parameters")
		if err != nil || !old.Has("parameters") {
			continue
		}
		w := ordjson.NewWriter(nil)
		for _, m := range parameters {
			w.Raw(m.Name, unquoted(m.Value))
		}
		return w.Bytes()
	}
	return nil
}

// unquoted returns the array or object in a text, or the value unchanged.
func unquoted(raw []byte) []byte {
	text, _ := ordjson.String(raw)
	if text != "" && (text[0] == '[' || text[0] == '{') && ordjson.Check([]byte(text)) == nil {
		return []byte(text)
	}
	if _, err := ordjson.Elements([]byte(text), 0); text != "" && err == nil {
		return []byte(text)
	}
	return raw
}

// classify sets facts that a call has in other fields: that it failed, whether a file is written or edited.
func classify(_ *family.Agent, c *schema.Call) {
	t := &c.Tool
	switch t.Name {
	case patchTool:
		t.Kinds = family.PatchKinds(c, patch.Grammar{}, t.Input.Text(schema.RoleCommand))
	case editTool:
		kinds := []schema.Kind{schema.Write}
		_, replaces := t.Input.Get(schema.RoleOldText)
		inserts := false
		for i := range t.Input {
			inserts = inserts || t.Input[i].Name == "insert_line"
		}
		if replaces || inserts {
			kinds = []schema.Kind{schema.Edit}
		}
		for i := range t.Input {
			if t.Input[i].Role == schema.RoleNewText && kinds[0] == schema.Write {
				t.Input[i].Role = schema.RoleContent
			}
		}
		t.Kinds = append(kinds, t.Kinds[1:]...)
	}

	if c.Event == schema.PostTool && refused(c) {
		c.Event = schema.PermissionDenied
		return
	}
	fail(c, c.Get(schema.FieldToolOutput))
}

// refused reports whether a result belongs to a call that a hook denied with a void input. The client raises its event,
// but the call never ran.
func refused(c *schema.Call) bool {
	input := c.Get(schema.FieldToolInput)
	return c.Tool.Kind() != schema.MCP && voidFormOf(c.Tool.Name) != nil && isVoid(c.Tool.Name, input)
}

// fail turns a result with a failure into one of a failed call.
func fail(c *schema.Call, output []byte) {
	if c.Event != schema.PostTool {
		return
	}
	o, err := ordjson.Members(output, 0)
	results := []ordjson.Object{o}
	if err != nil {
		results = ordjson.Objects(output)
	}
	for _, r := range results {
		succeeded, given := r.Bool("success")
		isError, _ := r.Bool("isError")
		if !(given && !succeeded) && !isError {
			continue
		}
		message := r.Str("error")
		if isError {
			message = family.TextOf(r.Value("content"))
		}
		if _, status := exitOf(r); status && c.Tool.Kind() == schema.Shell {
			message = cmp.Or(strings.TrimRight(printed(r), "\n"), message)
		}
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, message)
		return
	}
}

const exited = "Command exited with code "

// exitOf returns the exit code in a command's result.
func exitOf(r ordjson.Object) (code string, ok bool) {
	code, ok = strings.CutPrefix(r.Str("error"), exited)
	return code, ok && code != "" && strings.Trim(code, "0123456789") == ""
}

// printed returns a command's output, without the client's line before it.
func printed(r ordjson.Object) string {
	text := r.Str("result")
	if code, failed := exitOf(r); failed {
		text = strings.TrimPrefix(text, "["+exited+code+"]\n")
	}
	return text
}

// readResult returns a result by role: the only element of a list, or an object.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	list := ordjson.Objects(raw)
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		if len(list) != 1 {
			return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
		}
		o = list[0]
	}

	text := func(r schema.Role, s string) schema.Arg {
		return schema.Arg{Role: r, Raw: ordjson.AppendString(nil, s)}
	}
	switch {
	case k == schema.MCP && o.Has("content"):
		return schema.Args{{Role: schema.RoleBlocks, Raw: o.Value("content")}}
	case k == schema.Shell && o.Has("result"):
		code, failed := exitOf(o)
		if !failed {
			code = "0"
		}
		return schema.Args{text(schema.RoleStdout, printed(o)), {Role: schema.RoleExitCode, Raw: []byte(code)}}
	case k == schema.Read && o.Has("result"):
		return schema.Args{text(schema.RoleContent, unnumbered(o.Str("result")))}
	case k.ChangesFile() && o.Has("success"):
		return schema.Args{{Role: schema.RoleOK, Raw: []byte("true")}}
	case o.Has("result"):
		return schema.Args{{Role: schema.RoleWhole, Raw: o.Value("result")}}
	}

	return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
}

// unnumbered removes the line numbers from a file's text.
func unnumbered(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		number, rest, ok := strings.Cut(line, " | ")
		if !ok || strings.Trim(number, " 0123456789") != "" {
			return text
		}
		lines[i] = rest
	}
	return strings.Join(lines, "\n")
}

// Traces lists the folders of a project and of the user.
func (Dialect) Traces(p schema.Places) (out []string) {
	for _, f := range folders(p) {
		out = append(out, filepath.Dir(f.File))
	}
	return out
}
