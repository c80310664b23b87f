package family

import (
	"cmp"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TranscriptRules are the rules for session transcripts of the family. Each line is an event with a type, and an event
// of type user or assistant holds a message of the Messages API, or one block of it.
type TranscriptRules struct {
	Version string // of the writer, if the thread names none
	// PlainPrompt: the user's input is a string, not a list with one text block.
	PlainPrompt bool
	// CountsTokens: every message of the model has a usage, with zeros if unknown.
	CountsTokens bool
}

var errNoEvent = errors.New("the line isn't an object with a type")

// DecodeMessage reads one line. Events other than messages yield nothing.
func (a *Agent) DecodeMessage(line []byte) ([]schema.Message, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return nil, err
	}

	m := schema.Message{Dialect: a.Data.Agent()}
	switch kind, ok := o.Text("type"); {
	case !ok:
		return nil, errNoEvent
	case kind == "assistant":
		m.From = schema.Assistant
	case kind != "user":
		return nil, nil
	}
	m.Time = o.Str("timestamp")
	m.Meta, _ = o.Bool("isMeta")
	m.Side, _ = o.Bool("isSidechain")
	m.Outcome, _ = o.Get("toolUseResult")
	body, err := o.Members("message")
	if err != nil {
		return nil, nil
	}

	m.ID = body.Str("id")
	m.Model = body.Str("model")
	m.Stop = body.Str("stop_reason")
	m.Usage = usage(body)
	m.Blocks = a.blocks(body.Value("content"))
	return m.List(), nil
}

func (a *Agent) blocks(content []byte) []schema.Block {
	if ordjson.KindOf(content) == ordjson.StringKind {
		return []schema.Block{{Kind: schema.BlockText, Text: content, Type: "text"}}
	}
	list, err := ordjson.Elements(content, 0)
	if err != nil {
		return nil
	}
	blocks := make([]schema.Block, 0, len(list))
	for _, e := range list {
		if o, err := ordjson.Members(e.Value, 0); err == nil {
			blocks = append(blocks, a.block(e.Value, o))
		}
	}
	return blocks
}

func (a *Agent) block(raw []byte, o ordjson.Object) (b schema.Block) {
	b.Type = o.Str("type")
	switch b.Type {
	case "text":
		b.Kind = schema.BlockText
		b.Text, _ = o.Get("text")
	case "thinking":
		b.Kind = schema.BlockThinking
		b.Text, _ = o.Get("thinking")
		b.Raw = raw // its signature
	case "tool_use":
		b.Kind = schema.BlockUse
		b.Tool = a.TranscriptTool(o.Str("name"), o.Value("input"))
		b.Tool.UseID = o.Str("id")
	case "tool_result":
		b.Kind = schema.BlockResult
		b.Result, _ = o.Get("content")
		b.Failed, _ = o.Bool("is_error")
		b.Tool.UseID = o.Str("tool_use_id")
	default:
		b.Raw = raw
	}
	return b
}

// AppendMessage writes m as the agents do. The user's text and each tool result are one line each, and so is every
// block of the model.
func (a *Agent) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	if m.From == schema.User {
		return a.appendUser(dst, m, t)
	}
	id := m.ID
	if id == "" {
		id = "msg_hb" + stamp(t, "message")
	}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind == schema.BlockResult {
			continue
		}
		dst = a.line(dst, m, t, "assistant", func(w *ordjson.Writer) { a.reply(w, m, b, t, id, i == len(m.Blocks)-1) })
	}
	return dst
}

func (a *Agent) appendUser(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	var said []schema.Block
	for i := range m.Blocks {
		if b := m.Blocks[i]; b.Kind != schema.BlockResult {
			said = append(said, b)
			continue
		}
		dst = a.line(dst, m, t, "user", func(w *ordjson.Writer) {
			w.Value("message", func(dst []byte) []byte { return a.prompt(dst, m.Blocks[i:i+1], t) })
			if m.Outcome != nil {
				w.Raw("toolUseResult", m.Outcome)
			}
		})
	}
	if len(said) == 0 {
		return dst
	}
	return a.line(dst, m, t, "user", func(w *ordjson.Writer) {
		w.Value("message", func(dst []byte) []byte { return a.prompt(dst, said, t) })
		if m.Meta {
			w.Bool("isMeta", true)
		}
	})
}

func (a *Agent) prompt(dst []byte, blocks []schema.Block, t *schema.Thread) []byte {
	w := ordjson.NewWriter(dst)
	w.String("role", "user")
	if a.Record.PlainPrompt && len(blocks) == 1 && blocks[0].Kind == schema.BlockText {
		w.Raw("content", blocks[0].Text)
	} else {
		w.Value("content", func(dst []byte) []byte { return a.list(dst, blocks, "", t) })
	}
	return w.Bytes()
}

func (a *Agent) reply(w *ordjson.Writer, m *schema.Message, b *schema.Block, t *schema.Thread, id string, last bool) {
	w.Value("message", func(dst []byte) []byte {
		w := ordjson.NewWriter(dst)
		w.String("id", id)
		w.String("type", "message")
		w.String("role", "assistant")
		w.String("model", cmp.Or(m.Model, t.Model))
		w.Value("content", func(dst []byte) []byte { return a.list(dst, []schema.Block{*b}, m.Dialect, t) })
		switch {
		case !last:
			w.Raw("stop_reason", []byte("null"))
		case m.Stop != "":
			w.String("stop_reason", m.Stop)
		case b.Kind == schema.BlockUse:
			w.String("stop_reason", "tool_use")
		default:
			w.String("stop_reason", "end_turn")
		}

		w.Raw("stop_sequence", []byte("null"))
		if a.Record.CountsTokens || m.Usage.Known {
			u := ordjson.NewWriter(nil)
			u.Int("input_tokens", m.Usage.Input)
			u.Int("cache_creation_input_tokens", m.Usage.CacheWrite)
			u.Int("cache_read_input_tokens", m.Usage.CacheRead)
			u.Int("output_tokens", m.Usage.Output)
			w.Raw("usage", u.Bytes())
		}
		return w.Bytes()
	})
}

func (a *Agent) list(dst []byte, blocks []schema.Block, from string, t *schema.Thread) []byte {
	return ordjson.AppendArray(dst, blocks, func(dst []byte, b schema.Block) []byte {
		return a.appendBlock(dst, &b, from, t)
	})
}

func (a *Agent) appendBlock(dst []byte, b *schema.Block, from string, t *schema.Thread) []byte {
	if b.Raw != nil {
		return append(dst, b.Raw...)
	}

	w := ordjson.NewWriter(dst)
	switch b.Kind {
	case schema.BlockText:
		w.String("type", "text")
		w.Raw("text", b.Text)
	case schema.BlockThinking:
		w.String("type", "thinking")
		w.Raw("thinking", b.Text)
		w.String("signature", "")
	case schema.BlockUse:
		name, input := a.TranscriptInput(from, &b.Tool)
		id := b.Tool.UseID
		if id == "" {
			id = "toolu_hb" + stamp(t, "use")
		}
		w.String("type", "tool_use")
		w.String("id", id)
		w.String("name", name)
		w.Raw("input", object(input))
	case schema.BlockResult:
		w.String("tool_use_id", b.Tool.UseID)
		w.String("type", "tool_result")
		if b.Result != nil {
			w.Raw("content", b.Result)
		} else {
			w.String("content", "")
		}
		w.Bool("is_error", b.Failed)
	}

	return w.Bytes()
}

// line writes an event. Its id and its parent's are derived from the thread and the line number, so that a new copy is
// identical.
func (a *Agent) line(dst []byte, m *schema.Message, t *schema.Thread, kind string, body func(*ordjson.Writer)) []byte {
	w := ordjson.NewWriter(dst)
	if t.Lines == 0 {
		w.Raw("parentUuid", []byte("null"))
	} else {
		w.String("parentUuid", lineID(t, t.Lines-1))
	}
	w.Bool("isSidechain", m.Side || t.Agent != "")
	if t.Agent != "" {
		w.String("agentId", t.Agent)
	}
	w.String("type", kind)
	body(&w)
	w.String("uuid", lineID(t, t.Lines))
	w.String("timestamp", t.At(m))
	w.String("userType", "external")
	w.String("entrypoint", "cli")
	w.String("cwd", t.Cwd)
	w.String("sessionId", t.Session)
	w.String("version", cmp.Or(t.Version, a.Record.Version))
	w.String("gitBranch", "")
	t.Lines++
	return append(w.Bytes(), '\n')
}

// object returns a model's input as an object.
func object(input []byte) []byte {
	switch ordjson.KindOf(input) {
	case ordjson.ObjectKind:
		return input
	case ordjson.Invalid, ordjson.Null:
		return []byte("{}")
	}
	w := ordjson.NewWriter(nil)
	w.Raw("input", input)
	return w.Bytes()
}

func hash(t *schema.Thread, what string, line int) []byte {
	h := fnv.New128a()
	_, _ = h.Write([]byte(t.Session + "\x00" + t.Agent + "\x00" + what + "\x00" + strconv.Itoa(line)))
	return h.Sum(nil)
}

// stamp returns an id for something in the next line.
func stamp(t *schema.Thread, what string) string {
	return hex.EncodeToString(hash(t, what, t.Lines)[:12])
}

// lineID returns a UUID (version 8: defined by the writer).
func lineID(t *schema.Thread, line int) string {
	h := hash(t, "line", line)
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	s := hex.EncodeToString(h)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

func usage(body ordjson.Object) (u schema.Usage) {
	o, err := body.Members("usage")
	if err != nil {
		return u
	}
	count := func(name string) int64 {
		n, _ := o.Int(name)
		return n
	}
	return schema.Usage{Known: true, Input: count("input_tokens"), Output: count("output_tokens"),
		CacheRead: count("cache_read_input_tokens"), CacheWrite: count("cache_creation_input_tokens")}
}
