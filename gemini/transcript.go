package gemini

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeMessage reads one line of a session's file (observed 0.61.0). The model's message is written when the model has
// spoken, and again, with the same id, when its tool calls have ended. Only the calls count in the second line. Results
// follow in messages of the user. Lines that replace earlier ones contain nothing new.
func (d Dialect) DecodeMessage(line []byte) ([]schema.Message, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return nil, err
	}

	m := schema.Message{Dialect: name, From: schema.User, Time: o.Str("timestamp")}
	calls := o.Objects("toolCalls")
	switch kind := o.Str("type"); {
	case kind == "user":
		m.Blocks = parts(o)
	case kind != "gemini":
		return nil, nil
	case len(calls) > 0:
		m.From = schema.Assistant
		for _, call := range calls {
			t := d.TranscriptTool(call.Str("name"), call.Value("args"))
			t.UseID = call.Str("id")
			if t.Kind() == schema.MCP { // nothing else shows where the server's name ends
				t.Server, t.Name, _ = strings.Cut(t.Name, "_")
			}
			m.Blocks = append(m.Blocks, schema.Block{Kind: schema.BlockUse, Tool: t})
		}
	default:
		m.From = schema.Assistant
		for _, thought := range o.Objects("thoughts") {
			said := ordjson.AppendString(nil, schema.JoinText(thought.Str("subject"), thought.Str("description")))
			m.Blocks = append(m.Blocks, schema.Block{Kind: schema.BlockThinking, Text: said})
		}
		m.Blocks = append(m.Blocks, parts(o)...)
	}

	if m.From == schema.Assistant {
		m.ID, m.Model = o.Str("id"), o.Str("model")
		if tokens, err := o.Members("tokens"); err == nil && len(calls) == 0 {
			count := func(name string) int64 { n, _ := tokens.Int(name); return n }
			m.Usage = schema.Usage{Known: true, Input: count("input"), Output: count("output"),
				CacheRead: count("cached")}
		}
	}

	return m.List(), nil
}

func parts(o ordjson.Object) (blocks []schema.Block) {
	if o.Str("content") != "" {
		return []schema.Block{{Kind: schema.BlockText, Text: o.Value("content")}}
	}
	for _, part := range o.Objects("content") {
		if said, ok := part.Get("text"); ok {
			blocks = append(blocks, schema.Block{Kind: schema.BlockText, Text: said})
		}
		if !part.Has("functionResponse") {
			continue
		}
		result, _ := part.Members("functionResponse")
		raw := result.Value("response")
		answer, _ := ordjson.Members(raw, 0)
		b := schema.Block{Kind: schema.BlockResult, Tool: schema.Tool{UseID: result.Str("id")}, Result: raw}
		if said, ok := answer.Get("error"); ok {
			b.Failed, b.Result = true, said
		} else if _, ok := answer.Get("output"); ok {
			said, _ := splitOutput(answer.Str("output"))
			b.Result = ordjson.AppendString(nil, said)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// AppendMessage writes m as lines of a session's file.
func (d Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	id := cmp.Or(m.ID, t.Session+"-"+strconv.Itoa(t.Lines))
	line := func(kind, member string, value []byte) {
		w := ordjson.NewWriter(dst)
		w.String("id", id)
		w.String("timestamp", t.At(m))
		w.String("type", kind)
		if member != "content" {
			w.String("content", "")
		}

		w.Raw(member, value)
		if model := cmp.Or(m.Model, t.Model); kind == "gemini" && model != "" {
			w.String("model", model)
		}
		dst = append(w.Bytes(), '\n')
		t.Lines++
	}

	object := func(write func(w *ordjson.Writer)) []byte {
		w := ordjson.NewWriter([]byte{'['})
		write(&w)
		return append(w.Bytes(), ']')
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		switch {
		case b.Kind == schema.BlockText && m.From == schema.User:
			line("user", "content", object(func(w *ordjson.Writer) { w.Raw("text", b.Text) }))
		case b.Kind == schema.BlockText:
			line("gemini", "content", b.Text)
		case b.Kind == schema.BlockThinking:
			line("gemini", "thoughts", object(func(w *ordjson.Writer) { w.Raw("description", b.Text) }))
		case b.Kind == schema.BlockUse:
			name, input := d.TranscriptInput(m.Dialect, &b.Tool)
			line("gemini", "toolCalls", object(func(w *ordjson.Writer) {
				w.String("id", b.Tool.UseID)
				w.String("name", name)
				w.Raw("args", input)
			}))
		case b.Kind == schema.BlockResult:
			member := "output"
			if b.Failed {
				member = "error"
			}
			result := ordjson.NewWriter(nil)
			result.String("id", b.Tool.UseID)
			result.Raw("response", ordjson.AppendTexts(nil, member, family.TextOf(b.Result)))
			line("user", "content", object(func(w *ordjson.Writer) { w.Raw("functionResponse", result.Bytes()) }))
		}
	}

	return dst
}
