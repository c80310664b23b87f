package codex

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeMessage reads one line of a rollout (observed 0.169.0): messages, reasoning, tool calls and their results are
// items of a response.
func (Dialect) DecodeMessage(line []byte) ([]schema.Message, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return nil, err
	}
	if o.Str("type") != "response_item" {
		return nil, nil
	}
	item, err := o.Members("payload")
	if err != nil {
		return nil, nil
	}

	m := schema.Message{Dialect: profile.Name, From: schema.Assistant, Time: o.Str("timestamp")}
	switch item.Str("type") {
	case "message":
		m.ID = item.Str("id")
		switch item.Str("role") {
		case "user":
			m.From = schema.User
		case "assistant":
		default:
			return nil, nil
		}
		m.Blocks = texts(item, "content", schema.BlockText)
		if len(m.Blocks) > 0 && strings.HasPrefix(string(m.Blocks[0].Text), `"<environment_context>`) {
			return nil, nil // the client's own
		}
	case "reasoning":
		m.Blocks = texts(item, "summary", schema.BlockThinking)
	case "function_call", "custom_tool_call":
		m.Blocks = []schema.Block{{Kind: schema.BlockUse, Tool: calledTool(item)}}
	case "function_call_output", "custom_tool_call_output":
		m.From = schema.User
		m.Blocks = []schema.Block{{Kind: schema.BlockResult, Tool: schema.Tool{UseID: item.Str("call_id")},
			Result: outputOf(item)}}
	}

	return m.List(), nil
}

func texts(item ordjson.Object, name string, kind schema.BlockKind) (blocks []schema.Block) {
	for _, part := range item.Objects(name) {
		if text, ok := part.Get("text"); ok {
			blocks = append(blocks, schema.Block{Kind: kind, Text: text})
		}
	}
	return blocks
}

// calledTool returns the tool of a call: the model has other names for tools than hooks see.
func calledTool(item ordjson.Object) schema.Tool {
	t := schema.Tool{UseID: item.Str("call_id"), Name: item.Str("name"), Kinds: []schema.Kind{schema.Other}}
	args, err := ordjson.Parse([]byte(item.Str("arguments")))
	switch {
	case t.Name == patchTool:
		files, err := grammar.Parse(item.Str("input"))
		if err != nil {
			break
		}
		part := family.PatchParts(&schema.Call{}, files[:1])[0]
		t.Kinds, t.Input = part.Tool.Kinds, part.Tool.Input
	case err != nil:
	case t.Name == "exec_command" || t.Name == "shell_command":
		t.Name, t.Kinds = "Bash", []schema.Kind{schema.Shell}
		t.Input = schema.DecodeArgs(args, []schema.ArgRow{{Name: "cmd", Role: schema.RoleCommand},
			{Name: "command", Role: schema.RoleCommand}})
	case strings.HasPrefix(item.Str("namespace"), profile.MCP.Prefix):
		t.Server, t.Kinds = strings.TrimPrefix(item.Str("namespace"), profile.MCP.Prefix), []schema.Kind{schema.MCP}
		t.Input = schema.DecodeArgs(args, nil)
	default:
		row := profile.Tool(t.Name)
		t.Input = schema.DecodeArgs(args, nil)
		if row != nil && len(row.Kinds) > 0 {
			t.Kinds, t.Input = row.Kinds[:1], schema.DecodeArgs(args, row.Input)
		}
	}

	return t
}

// outputOf returns the text of a result, without the client's text before a command's output.
func outputOf(item ordjson.Object) []byte {
	raw, _ := item.Get("output")
	if ordjson.KindOf(raw) == ordjson.Array {
		texts := lists.Map(ordjson.Objects(raw), func(part ordjson.Object) string { return part.Str("text") })
		return ordjson.AppendString(nil, strings.Join(texts, "\n"))
	}
	s, ok := ordjson.String(raw)
	if !ok {
		return raw
	}
	if _, text, found := strings.Cut(s, "\nOutput:\n"); found && strings.HasPrefix(s, "Chunk ID:") {
		s = text
	}
	return ordjson.AppendString(nil, s)
}

// AppendMessage writes m as items of a rollout, one per line.
func (Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	for i := range m.Blocks {
		b := &m.Blocks[i]
		item := ordjson.NewWriter(nil)
		switch b.Kind {
		case schema.BlockText:
			role, kind := "assistant", "output_text"
			if m.From == schema.User {
				role, kind = "user", "input_text"
			}
			item.String("type", "message")
			item.String("role", role)
			item.Raw("content", textList(kind, b.Text))
		case schema.BlockThinking:
			item.String("type", "reasoning")
			item.Raw("summary", textList("summary_text", b.Text))
		case schema.BlockUse:
			appendUse(&item, &b.Tool, t)
		case schema.BlockResult:
			item.String("type", "function_call_output")
			item.String("call_id", b.Tool.UseID)
			item.Raw("output", b.Result)
		default:
			continue
		}

		w := ordjson.NewWriter(dst)
		w.String("timestamp", t.At(m))
		w.Raw("ordinal", strconv.AppendInt(nil, int64(t.Lines), 10))
		w.String("type", "response_item")
		w.Raw("payload", item.Bytes())
		dst = append(w.Bytes(), '\n')
		t.Lines++
	}

	return dst
}

func textList(kind string, text []byte) []byte {
	w := ordjson.NewWriter([]byte{'['})
	w.String("type", kind)
	w.Raw("text", text)
	return append(w.Bytes(), ']')
}

func appendUse(item *ordjson.Writer, t *schema.Tool, thread *schema.Thread) {
	c := &schema.Call{Event: schema.PreTool, Cwd: thread.Cwd, Tool: *t}
	v := schema.View{Event: "PreToolUse", Kind: t.Kind(), Tool: t.Name}
	if vs := New().Views(c); len(vs) > 0 {
		v = vs[0]
	}

	input := New().appendTool(c, v)
	o, _ := ordjson.Members(input, 0)
	switch {
	case v.Tool == patchTool:
		item.String("type", "custom_tool_call")
		item.String("call_id", t.UseID)
		item.String("name", v.Tool)
		item.String("input", o.Str("command"))
		return
	case v.Tool == "Bash":
		input, v.Tool = ordjson.AppendTexts(nil, "cmd", o.Str("command")), "exec_command"
	}

	item.String("type", "function_call")
	if t.Kind() == schema.MCP {
		item.String("name", t.Name)
		item.String("namespace", profile.MCP.Prefix+t.Server)
	} else {
		item.String("name", v.Tool)
	}
	item.String("arguments", string(input))
	item.String("call_id", t.UseID)
}

func (d Dialect) appendTool(c *schema.Call, v schema.View) []byte {
	if out, ok := input(nil, c, v); ok {
		return out
	}
	if row := d.Tool(v.Tool); row != nil {
		return schema.AppendArgs(nil, c.Tool.Input, row.Input)
	}
	return schema.AppendNamed(nil, c.Tool.Input)
}
