package gemini

import (
	"strconv"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// AppendCall writes c as Gemini CLI would show it to a hook in view v: one JSON
// object. A call of Gemini CLI itself keeps every member that it came with.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	w := ordjson.NewWriter(dst)
	if own, err := ordjson.Parse(c.Raw); err == nil && c.Dialect == name {
		for _, m := range own {
			switch m.Name {
			case "tool_input":
				w.Value(m.Name, func(dst []byte) []byte { return appendInput(dst, c, v) })
			case "prompt":
				w.Raw(m.Name, c.Get(schema.FieldPrompt))
			default:
				w.Raw(m.Name, ordjson.AppendCompact(nil, m.Value))
			}
		}
		return w.Bytes()
	}
	row := rowOf(v.Event)
	for _, f := range []schema.Field{schema.FieldSession, schema.FieldTranscript} {
		put(&w, c, f)
	}
	w.String("cwd", c.Cwd)
	w.String("hook_event_name", v.Event)
	w.String("timestamp", timestamp)
	if row.Event.IsTool() {
		w.String("tool_name", v.Tool)
		w.Value("tool_input", func(dst []byte) []byte { return appendInput(dst, c, v) })
		if row.Event == schema.PostTool {
			w.Value("tool_response", func(dst []byte) []byte { return appendResult(dst, c, v) })
		}
		if v.Kind == schema.MCP {
			x := ordjson.NewWriter(nil)
			x.String("server_name", v.Server)
			x.String("tool_name", c.Tool.Name)
			w.Raw("mcp_context", x.Bytes())
		}
	}
	for _, f := range row.Fields {
		put(&w, c, f)
	}
	return w.Bytes()
}

// timestamp stands for the time of another agent's event, which its payload does not
// tell: a translation is the same whenever it is made.
const timestamp = "1970-01-01T00:00:00.000Z"

// put writes a field, or what Gemini CLI always sends and the other agent lacks.
func put(w *ordjson.Writer, c *schema.Call, f schema.Field) {
	row := schema.NameOf(members, f)
	raw := c.Get(f)
	switch {
	case raw == nil || string(raw) == "null":
		raw = []byte(fallback(c, f))
	default:
		raw = words.Write(c, f, raw, false)
	}
	if len(raw) > 0 {
		w.Raw(row.Name, raw)
	}
}

// fallback is the value of a field that another agent did not send, "" for none.
func fallback(c *schema.Call, f schema.Field) string {
	switch f {
	case schema.FieldSource:
		return `"startup"`
	case schema.FieldReason:
		return `"exit"`
	case schema.FieldTrigger:
		return `"auto"`
	case schema.FieldStopActive:
		n, _ := c.Int(schema.FieldLoopCount)
		return strconv.FormatBool(n > 0)
	case schema.FieldSession, schema.FieldTranscript, schema.FieldPrompt, schema.FieldLastMessage, schema.FieldMessage:
		return `""`
	case schema.FieldDetails:
		return `{}`
	}
	return ""
}

// appendInput writes the tool's input in the words of v.
func appendInput(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	row := toolNamed(v.Tool)
	switch {
	case t.Whole != nil:
		return append(dst, t.Whole...)
	case row == nil || len(row.Input) == 0:
		return schema.AppendNamed(dst, t.Input)
	case c.Dialect == name:
		w := ordjson.NewWriter(dst)
		for _, a := range t.Input {
			if n, _ := schema.NativeArg(row.Input, a); a.Name != "" {
				w.Raw(a.Name, n.Raw)
			}
		}
		return w.Bytes()
	case v.Kind == schema.Delete:
		w := ordjson.NewWriter(dst)
		w.String("command", "rm "+shell.Quote(text(t.Input, schema.RolePath)))
		w.String("description", "Delete file")
		return w.Bytes()
	case v.Kind == schema.Fetch:
		w := ordjson.NewWriter(dst)
		w.String("prompt", schema.JoinText(text(t.Input, schema.RoleURL), text(t.Input, schema.RolePrompt)))
		return w.Bytes()
	}
	return schema.AppendArgs(dst, t.Input, row.Input)
}
