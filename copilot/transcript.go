package copilot

import (
	"errors"
	"strconv"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Copilot's transcripts (observed 1.0.102), ~/.copilot/session-state/ID/events.jsonl, have one event per line: {"type",
// "data", "id", "timestamp", "parentId"}, and "agentId" for an event of a sub-agent, which is in the session's file
// too. A line is written about 100 ms after its event.
const (
	lineUser   = "user.message"
	lineModel  = "assistant.message"
	lineResult = "tool.execution_complete"
	lineHook   = "hook.start"
)

var errNoType = errors.New("the line isn't an object with a type")

// DecodeMessage reads a line of a transcript. The start of a hook yields a message without blocks: it dates the file.
func (d Dialect) DecodeMessage(line []byte) ([]schema.Message, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return nil, err
	}
	kind, ok := o.Text("type")
	if !ok {
		return nil, errNoType
	}
	data, _ := o.Members("data")
	m := schema.Message{Dialect: name}
	m.Time = o.Str("timestamp")
	switch {
	case o.Has("agentId"):
		return nil, nil
	case kind == lineHook:
		return []schema.Message{m}, nil
	case kind == lineUser:
		m.Blocks = []schema.Block{{Kind: schema.BlockText, Text: data.Value("content")}}
	case kind == lineModel:
		m.From, m.ID, m.Model, m.Blocks = schema.Assistant, data.Str("messageId"), data.Str("model"), d.said(data)
	case kind == lineResult:
		m.Blocks = []schema.Block{resultBlock(data)}
	}
	return m.List(), nil
}

func (d Dialect) said(data ordjson.Object) (blocks []schema.Block) {
	if s, _ := data.Text("content"); s != "" {
		blocks = append(blocks, schema.Block{Kind: schema.BlockText, Text: data.Value("content")})
	}
	for _, r := range data.Objects("toolRequests") {
		c := &schema.Call{Dialect: name, Event: schema.PreTool}
		for _, m := range []struct {
			name  string
			field schema.Field
		}{{"toolCallId", schema.FieldToolUseID}, {"name", schema.FieldToolName}, {"arguments", schema.FieldToolInput}} {
			if raw, ok := r.Get(m.name); ok {
				c.Values = append(c.Values, schema.Value{Field: m.field, Name: m.name, Raw: raw})
			}
		}
		d.decodeTool(c)
		if server, ok := r.Text("mcpServerName"); ok {
			c.Tool.Server, c.Tool.Name = server, r.Str("mcpToolName")
		}
		blocks = append(blocks, schema.Block{Kind: schema.BlockUse, Tool: c.Tool})
	}
	return blocks
}

// resultBlock is the result of a call, without the line about the shell.
func resultBlock(data ordjson.Object) schema.Block {
	b := schema.Block{Kind: schema.BlockResult, Result: []byte(`""`)}
	b.Tool.UseID, _ = data.Text("toolCallId")
	worked, ok := data.Bool("success")
	b.Failed = ok && !worked
	for _, place := range [][2]string{{"result", "content"}, {"error", "message"}} {
		o, _ := data.Members(place[0])
		if s, ok := o.Text(place[1]); ok {
			out, code := splitOutput(s)
			b.Failed = b.Failed || code != "" && code != "0"
			b.Result = ordjson.AppendString(nil, out)
			break
		}
	}
	return b
}

// AppendMessage writes m as events, one per line.
func (d Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	data := ordjson.NewWriter(nil)
	kind, calls := lineModel, []byte{'['}
	var content []byte
	for i := range m.Blocks {
		switch b := &m.Blocks[i]; b.Kind {
		case schema.BlockText:
			if content = b.Text; m.From == schema.User {
				kind = lineUser
			}
		case schema.BlockUse:
			if len(calls) > 1 {
				calls = append(calls, ',')
			}
			calls = d.appendToolRequest(calls, &b.Tool, t)
		case schema.BlockResult:
			dst = appendLine(dst, lineResult, resultData(b), m, t)
		}
	}
	if content == nil && len(calls) == 1 {
		return dst
	}

	if content == nil {
		content = []byte(`""`)
	}
	data.Raw("content", content)
	if kind == lineModel {
		data.String("messageId", m.ID)
		data.Raw("toolRequests", append(calls, ']'))
	}

	return appendLine(dst, kind, data.Bytes(), m, t)
}

func (d Dialect) appendToolRequest(dst []byte, tool *schema.Tool, t *schema.Thread) []byte {
	c := &schema.Call{Event: schema.PreTool, Cwd: t.Cwd, Tool: *tool}
	v := schema.View{Event: "preToolUse", Kind: tool.Kind(), Tool: tool.Name}
	if vs := d.Views(c); len(vs) > 0 {
		v = vs[0]
	}
	w := ordjson.NewWriter(dst)
	w.String("toolCallId", tool.UseID)
	w.String("name", v.Tool)
	w.Value("arguments", func(dst []byte) []byte { return d.appendInput(dst, c, v) })
	if v.Kind == schema.MCP {
		w.String("mcpServerName", tool.Server)
		w.String("mcpToolName", tool.Name)
	}
	return w.Bytes()
}

func resultData(b *schema.Block) []byte {
	w := ordjson.NewWriter(nil)
	w.String("toolCallId", b.Tool.UseID)
	w.Bool("success", !b.Failed)
	member, text := "result", "content"
	if b.Failed {
		member, text = "error", "message"
	}
	w.Raw(member, ordjson.AppendTexts(nil, text, family.TextOf(b.Result)))
	return w.Bytes()
}

// appendLine writes an event, whose id is derived from its place.
func appendLine(dst []byte, kind string, data []byte, m *schema.Message, t *schema.Thread) []byte {
	w := ordjson.NewWriter(dst)
	w.String("type", kind)
	w.Raw("data", data)
	w.String("id", t.Session+"-"+strconv.Itoa(t.Lines))
	w.String("timestamp", t.At(m))
	t.Lines++
	return append(w.Bytes(), '\n')
}
