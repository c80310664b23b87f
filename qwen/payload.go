package qwen

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// payload is the order of the fields (observed 0.24.4), with defaults for fields that Qwen Code always sends and
// another agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldTranscript, Default: `""`},
	{Field: schema.FieldCwd}, {Field: schema.FieldEvent},
	{Field: schema.FieldTime, Default: `"1970-01-01T00:00:00.000Z"`}, {Field: schema.FieldMode, Default: `"default"`},
	{Field: schema.FieldAgentID}, {Field: schema.FieldTurn},
	{Field: schema.FieldToolName, Tool: true}, {Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Field: schema.FieldToolUseID, Tool: true},
	{Late: true, Field: schema.FieldSource, Only: []schema.Event{schema.SessionStart}, Default: `"startup"`},
	{Late: true, Field: schema.FieldReason, Only: []schema.Event{schema.SessionEnd}, Default: `"other"`},
	{Late: true, Field: schema.FieldError, Only: []schema.Event{schema.StopFailure}, Default: `"unknown"`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldAgentTranscript, Default: `""`},
	{Late: true, Field: schema.FieldInterrupted, Default: "false"},
	{Late: true, Field: schema.FieldTrigger, Default: `"auto"`},
	{Late: true, Field: schema.FieldInstructions, Default: `""`},
	{Late: true, Field: schema.FieldPrompt, Default: `""`}, {Late: true, Field: schema.FieldLastMessage, Default: `""`},
	{Late: true, Field: schema.FieldBackgroundTasks, Default: "[]"},
	{Late: true, Field: schema.FieldCrons, Default: "[]"}}

// read removes the id from a todo that is already written: its event is raised a second time.
func read(_ *family.Agent, c *schema.Call, o ordjson.Object, _ schema.Environ) {
	if raw, ok := o.Get("todo_id"); ok && o.Str("phase") == "postWrite" {
		c.Drop(schema.FieldTaskID)
		c.Extra = append(c.Extra, ordjson.Member{Name: "todo_id", Value: raw})
	}
}

// more writes the client's additional fields, for calls of other agents: the prompt as it was typed, the model's id of
// a call, the state of a todo.
func more(w *ordjson.Writer, c *schema.Call, v schema.View) {
	switch {
	case c.Event == schema.PromptSubmit && c.Str(schema.FieldPrompt) != "":
		w.Raw("submitted_prompt", c.Get(schema.FieldPrompt))
	case c.Event == schema.TaskCreated:
		w.String("todo_status", "pending")
	case c.Event == schema.TaskCompleted:
		w.String("previous_status", "in_progress")
	}
	if c.Event == schema.TaskCreated || c.Event == schema.TaskCompleted {
		w.Raw("all_todos", []byte("[]"))
		w.String("phase", "validation")
	}
	if c.Event == schema.PostToolFailure {
		w.String("error", failure(c, v))
	}
	if c.Event.IsTool() && c.Event != schema.PermissionRequest && c.Tool.UseID != "" {
		w.String("tool_call_id", c.Tool.UseID)
	}
}

// view keeps the original name in the client's own call.
func view(c *schema.Call, v *schema.View) {
	if used := c.Str(schema.FieldToolName); c.Dialect == name && used != "" {
		v.Tool = used
	}
}

// classify sets the folder of a command, and the exit code of a failed one.
func classify(_ *family.Agent, c *schema.Call) {
	if c.Tool.Kind() != schema.Shell {
		return
	}
	if dir := c.Tool.Input.Text(schema.RoleCwd); filepath.IsAbs(dir) {
		c.Cwd = dir
	} else if dir != "" {
		c.Cwd = filepath.Join(c.Cwd, dir)
	}
	text := c.Str(schema.FieldError)
	if out, code, ok := printed(text); ok && c.Event == schema.PostToolFailure && printout(c, out, code) == text {
		c.Tool.Output = schema.Args{{Role: schema.RoleExitCode, Raw: []byte(code)}}
		c.SetStr(schema.FieldError, out)
	}
}

// AppendCall writes c as the client shows it; the error of its own command is reassembled.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	if _, split := c.Tool.Output.Get(schema.RoleExitCode); split && c.Dialect == name &&
		c.Event == schema.PostToolFailure {
		c = c.Clone()
		c.SetStr(schema.FieldError, failure(c, v))
	}
	return d.Agent.AppendCall(dst, c, v)
}

// The parts of a command's result, in order (observed 0.24.4).
const (
	commandMark, folderMark, outputMark = "Command: ", "\nDirectory: ", "\nOutput: "
	errorMark, exitMark, signalMark     = "\nError: ", "\nExit Code: ", "\nSignal: "
	noOutput                            = "(empty)"
)

// printed returns a command's output and its exit code.
func printed(text string) (out, code string, ok bool) {
	_, rest, ok := strings.Cut(text, outputMark)
	end := strings.LastIndex(rest, exitMark)
	if !ok || end < 0 || !strings.HasPrefix(text, commandMark) {
		return "", "", false
	}
	out, code = rest[:end], rest[end+len(exitMark):]
	if i := strings.LastIndex(out, errorMark); i >= 0 {
		out = out[:i]
	}
	if out == noOutput {
		out = ""
	}
	code, _, _ = strings.Cut(code, "\n")
	_, err := strconv.Atoi(code)
	return out, code, err == nil
}

func printout(c *schema.Call, out, code string) string {
	if out == "" {
		out = noOutput
	}
	return commandMark + c.Tool.Input.Text(schema.RoleCommand) + folderMark + "(root)" + outputMark + out + errorMark +
		"(none)" + exitMark + code + signalMark + "(none)\nProcess Group PGID: (none)"
}

// failure returns the error of a failed call.
func failure(c *schema.Call, v schema.View) string {
	text := c.Str(schema.FieldError)
	if code, ok := c.Tool.Output.Get(schema.RoleExitCode); ok && v.Kind == schema.Shell {
		return printout(c, text, string(code))
	}
	return text
}

// changed are the fields that a file tool shows the user.
var changed = []schema.ArgRow{{Name: "filePath", Role: schema.RolePath},
	{Name: "originalContent", Role: schema.RoleOriginal}, {Name: "newContent", Role: schema.RoleContent}}

// readResult returns a tool_response by role.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) (out schema.Args) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	}

	for _, m := range o {
		a := schema.Arg{Name: m.Name, Raw: m.Value}
		text, isText := ordjson.String(m.Value)
		switch {
		case m.Name == toUser && (k == schema.Write || k == schema.Edit):
			shown, _ := ordjson.Members(m.Value, 0)
			for _, x := range schema.DecodeArgs(shown, changed) {
				if x.Role != schema.Rest {
					out = append(out, x)
				}
			}
		case m.Name != toModel, k == schema.Write, k == schema.Edit:
		case k == schema.Shell && isText:
			a.Role = schema.RoleStdout
			if stdout, _, ok := printed(text); ok {
				a.Raw = ordjson.AppendString(nil, stdout)
			}
		case k == schema.Read && isText:
			a.Role = schema.RoleContent
		case k == schema.MCP && !isText:
			a.Role, a.Raw = schema.RoleBlocks, blocks(m.Value, true)
		default:
			a.Role = schema.RoleWhole
		}
		out = append(out, a)
	}

	return out
}

// blocks converts a list of parts to content blocks, or back.
func blocks(raw []byte, typed bool) []byte {
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return raw
	}
	return ordjson.AppendArray(nil, list, func(dst []byte, m ordjson.Member) []byte {
		o, _ := ordjson.Members(m.Value, 0)
		text, ok := o.Get("text")
		if !ok {
			return append(dst, m.Value...)
		}
		w := ordjson.NewWriter(dst)
		if typed {
			w.String("type", "text")
		}
		w.Raw("text", text)
		return w.Bytes()
	})
}

// result writes the tool_response that Qwen Code would send for another agent's call.
func result(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	value, whole := t.Output.Get(schema.RoleWhole)
	shown := []byte(`""`)
	switch content, _ := t.Output.Get(schema.RoleContent); {
	case v.Kind == schema.Shell, v.Kind == schema.Delete:
		out := schema.JoinText(strings.TrimSuffix(t.Output.Text(schema.RoleStdout), "\n"),
			t.Output.Text(schema.RoleStderr))
		value, shown = ordjson.AppendString(nil, printout(c, out, "0")), ordjson.AppendString(nil, out)
	case v.Kind == schema.Read && content != nil:
		value = content
	case v.Kind == schema.MCP:
		if list, ok := t.Output.Get(schema.RoleBlocks); ok {
			value, shown = blocks(list, false), ordjson.AppendString(nil, family.TextOf(list))
		}
	case v.Kind == schema.Write, v.Kind == schema.Edit:
		path := t.Input.Text(schema.RolePath)
		value, shown = ordjson.AppendString(nil, "Successfully modified file: "+path), fileShown(t, path)
	}
	if value == nil || whole && string(value) == "null" {
		value = ordjson.AppendString(nil, string(schema.AppendArgs(nil, t.Output, nil)))
	}
	w := ordjson.NewWriter(dst)
	w.Raw(toModel, value)
	w.Raw(toUser, shown)
	return w.Bytes()
}

// fileShown returns what a file tool shows the user, as far as the other agent sends it.
func fileShown(t *schema.Tool, path string) []byte {
	w := ordjson.NewWriter(nil)
	w.String("fileName", filepath.Base(path))
	w.String("filePath", path)
	given := append(t.Output[:len(t.Output):len(t.Output)], t.Input...)
	for _, row := range changed[1:] {
		if raw, ok := given.Get(row.Role); ok {
			if string(raw) == "null" { // no file
				raw = []byte(`""`)
			}
			w.Raw(row.Name, raw)
		}
	}
	return w.Bytes()
}
