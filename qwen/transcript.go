package qwen

import (
	"cmp"
	"strconv"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeMessage reads one line of a session's file (observed 0.24.4): an envelope like Claude Code's around a content
// of Gemini's parts. Tool results have their own type.
func (d Dialect) DecodeMessage(line []byte) ([]schema.Message, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return nil, err
	}
	m := schema.Message{Dialect: name, Time: o.Str("timestamp"), Model: o.Str("model")}
	switch o.Str("type") {
	case "assistant":
		m.From, m.ID = schema.Assistant, o.Str("uuid")
		if used, err := o.Members("usageMetadata"); err == nil {
			count := func(name string) int64 { n, _ := used.Int(name); return n }
			m.Usage = schema.Usage{Known: true, Input: count("promptTokenCount"), Output: count("candidatesTokenCount"),
				CacheRead: count("cachedContentTokenCount")}
		}
	case "user", "tool_result":
	default:
		return nil, nil
	}
	body, _ := o.Members("message")
	for _, part := range body.Objects("parts") {
		if b := d.part(part); b.Kind != schema.BlockOther {
			m.Blocks = append(m.Blocks, b)
		}
	}
	return m.List(), nil
}

func (d Dialect) part(o ordjson.Object) (b schema.Block) {
	b.Text = o.Value("text")
	thought, _ := o.Bool("thought")
	call, isCall := o.Members("functionCall")
	answer, isAnswer := o.Members("functionResponse")
	switch {
	case b.Text != nil && thought:
		b.Kind = schema.BlockThinking
	case b.Text != nil:
		b.Kind = schema.BlockText
	case isCall == nil:
		b.Kind, b.Tool = schema.BlockUse, d.TranscriptTool(call.Str("name"), call.Value("args"))
		b.Tool.UseID = call.Str("id")
	case isAnswer == nil:
		b.Kind, b.Tool.UseID = schema.BlockResult, answer.Str("id")
		response, _ := answer.Members("response")
		if b.Result, b.Failed = response.Get("error"); !b.Failed {
			out, _, isCommand := printed(response.Str("output"))
			if b.Result = answer.Value("response"); isCommand {
				b.Result = ordjson.AppendString(nil, out)
			} else if response.Has("output") {
				b.Result = response.Value("output")
			}
		}
	}
	return b
}

// AppendMessage writes each block of m as a line.
func (d Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	id := func(line int) string { return t.Session + "-" + strconv.Itoa(line) }
	for i := range m.Blocks {
		part := d.appendPart(m.Dialect, &m.Blocks[i])
		if part == nil {
			continue
		}

		kind, role := "user", "user"
		switch {
		case m.Blocks[i].Kind == schema.BlockResult:
			kind = "tool_result"
		case m.From == schema.Assistant:
			kind, role = "assistant", "model"
		}
		w := ordjson.NewWriter(dst)
		w.String("uuid", id(t.Lines))
		if t.Lines == 0 {
			w.Raw("parentUuid", []byte("null"))
		} else {
			w.String("parentUuid", id(t.Lines-1))
		}
		w.String("sessionId", t.Session)
		w.String("timestamp", t.At(m))
		w.String("type", kind)
		w.String("cwd", t.Cwd)
		w.String("version", t.Version)
		if model := cmp.Or(m.Model, t.Model); role == "model" && model != "" {
			w.String("model", model)
		}
		message := ordjson.NewWriter(nil)
		message.String("role", role)
		message.Raw("parts", append(append([]byte{'['}, part...), ']'))
		w.Raw("message", message.Bytes())
		dst = append(w.Bytes(), '\n')
		t.Lines++
	}

	return dst
}

// appendPart returns a block as a part of a content; nil if it has no form there.
func (d Dialect) appendPart(from string, b *schema.Block) []byte {
	w, inner := ordjson.NewWriter(nil), ordjson.NewWriter(nil)
	switch b.Kind {
	case schema.BlockText, schema.BlockThinking:
		if w.Raw("text", b.Text); b.Kind == schema.BlockThinking {
			w.Bool("thought", true)
		}
	case schema.BlockUse:
		tool, input := d.TranscriptInput(from, &b.Tool)
		inner.String("id", b.Tool.UseID)
		inner.String("name", tool)
		inner.Raw("args", input)
		w.Raw("functionCall", inner.Bytes())
	case schema.BlockResult:
		field := "output"
		if b.Failed {
			field = "error"
		}
		inner.String("id", b.Tool.UseID)
		inner.Raw("response", ordjson.AppendTexts(nil, field, family.TextOf(b.Result)))
		w.Raw("functionResponse", inner.Bytes())
	default:
		return nil
	}
	return w.Bytes()
}
