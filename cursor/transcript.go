package cursor

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Cursor's transcripts (the writer in SDK 1.0.32, which the editor and the CLI share; their files in public captures of
// 2026) have one line per message:
//
//	{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nhi\n</user_query>"}]}}
//	{"role":"assistant","message":{"content":[{"type":"text","text":".."},
//	    {"type":"tool_use","name":"Read","input":{..}}]}}
//	{"type":"turn_ended","status":"success"}
//
// There are no ids, no results of tools, no usage, and no time except in the user's text. Thinking is part of the text.
// The file is rewritten at the end of each turn, without the marks of earlier turns.

// transcriptTools are the tools under the model's names; hooks see other names. The first row of a kind is written.
var transcriptTools = []schema.ToolRow{
	{Name: "Shell", Kinds: []schema.Kind{schema.Shell},
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "working_directory", Role: schema.RoleCwd}, {Name: "timeout", Role: schema.RoleTimeout},
			{Name: "description", Role: schema.RoleDescription}}},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Input: readArgs},
	{Name: "ReadFile", Kinds: []schema.Kind{schema.Read}, Input: readArgs},
	{Name: "Write", Kinds: []schema.Kind{schema.Write}, Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath},
		{Name: "contents", Role: schema.RoleContent}, {Name: "content", Role: schema.RoleContent}}},
	{Name: "StrReplace", Kinds: []schema.Kind{schema.Edit},
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath},
			{Name: "old_string", Role: schema.RoleOldText}, {Name: "new_string", Role: schema.RoleNewText},
			{Name: "replace_all", Role: schema.RoleReplaceAll}}},
	{Name: "EditNotebook", Kinds: []schema.Kind{schema.Notebook},
		Input: []schema.ArgRow{{Name: "target_notebook", Role: schema.RolePath},
			{Name: "new_string", Role: schema.RoleCellSource}}},
	{Name: "Delete", Kinds: []schema.Kind{schema.Delete},
		Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath}}},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep}, Input: grepArgs},
	{Name: "rg", Kinds: []schema.Kind{schema.Grep}, Input: grepArgs},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob},
		Input: []schema.ArgRow{{Name: "glob_pattern", Role: schema.RoleGlob},
			{Name: "target_directory", Role: schema.RolePath}}},
	{Name: "LS", Kinds: []schema.Kind{schema.List}, Input: []schema.ArgRow{{Name: "path", Role: schema.RolePath},
		{Name: "target_directory", Role: schema.RolePath}}},
	{Name: "WebFetch", Kinds: []schema.Kind{schema.Fetch}, Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL}}},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch},
		Input: []schema.ArgRow{{Name: "search_term", Role: schema.RoleQuery}}},
	{Name: "Task", Kinds: []schema.Kind{schema.Agent}, Input: agentArgs},
	{Name: "Subagent", Kinds: []schema.Kind{schema.Agent}, Input: agentArgs},
}

var (
	readArgs = []schema.ArgRow{{Name: "path", Role: schema.RolePath}, {Name: "offset", Role: schema.RoleOffset},
		{Name: "limit", Role: schema.RoleLimit}}
	grepArgs = []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, {Name: "path", Role: schema.RolePath},
		{Name: "glob", Role: schema.RoleGlob},
		{Name: "output_mode", Role: schema.RoleOutputMode}}
	agentArgs = []schema.ArgRow{{Name: "description", Role: schema.RoleDescription},
		{Name: "prompt", Role: schema.RolePrompt},
		{Name: "subagent_type", Role: schema.RoleAgentType}, {Name: "model", Role: schema.RoleModel}}
)

// mcpCall is the tool with which the model calls the tools of MCP servers.
const mcpCall = "CallMcpTool"

var errNoRole = errors.New("the line isn't an object with a role or a type")

// DecodeMessage reads a line of a transcript.
func (Dialect) DecodeMessage(line []byte) ([]schema.Message, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return nil, err
	}

	m := schema.Message{Dialect: name}
	switch role, ok := o.Text("role"); {
	case !ok && !o.Has("type"):
		return nil, errNoRole
	case role == "assistant":
		m.From = schema.Assistant
	case role != "user":
		return nil, nil
	}

	body, _ := o.Members("message")
	content := body.Value("content")
	if ordjson.KindOf(content) == ordjson.StringKind {
		addText(&m, content)
	}
	for _, b := range ordjson.Objects(content) {
		switch kind := b.Str("type"); kind {
		case "text":
			addText(&m, b.Value("text"))
		case "tool_use":
			m.Blocks = append(m.Blocks, schema.Block{Kind: schema.BlockUse, Tool: calledTool(b), Type: kind})
		}
	}
	return m.List(), nil
}

// redacted is the writer's replacement for thinking that it may not show.
const redacted = "[REDACTED]"

// addText adds a text; the user's without Cursor's wrapper.
func addText(m *schema.Message, raw []byte) {
	switch {
	case m.From == schema.User:
		s, ok := ordjson.String(raw)
		if !ok {
			return
		}
		said, injected, at := unwrap(s)
		if m.Meta = m.Meta || injected; m.Time == "" {
			m.Time = at
		}
		raw = ordjson.AppendString(nil, said)
	case bytes.HasSuffix(raw, []byte(redacted+`"`)):
		s, _ := ordjson.String(raw)
		s = strings.TrimSpace(strings.TrimSuffix(s, redacted))
		if s == "" {
			return
		}
		raw = ordjson.AppendString(nil, s)
	case ordjson.KindOf(raw) != ordjson.StringKind:
		return
	}
	m.Blocks = append(m.Blocks, schema.Block{Kind: schema.BlockText, Text: raw, Type: "text"})
}

const queryTag, queryEnd = "<user_query>", "</user_query>"

// unwrap extracts the user's input from a text, and the time before it. Text directly after the tag was injected by
// Cursor.
func unwrap(s string) (said string, injected bool, at string) {
	head, rest, tagged := strings.Cut(s, queryTag)
	if _, t, ok := strings.Cut(head, "<timestamp>"); ok {
		stamp, behind, _ := strings.Cut(t, "</timestamp>")
		if at = readTime(stamp); !tagged {
			return strings.TrimSpace(behind), false, at
		}
	}
	if !tagged {
		return s, false, at
	}
	if i := strings.LastIndex(rest, queryEnd); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSpace(rest), !strings.HasPrefix(rest, "\n"), at
}

// readTime reads "Friday, Sep 4, 2026, 2:21 AM (UTC+8)", "" for anything else.
func readTime(s string) string {
	s = strings.TrimSpace(s)
	local, zone, _ := strings.Cut(s, " (UTC")
	t, err := time.Parse("Monday, Jan 2, 2006, 3:04 PM", local)
	if err != nil {
		return ""
	}
	if zone = strings.TrimSuffix(zone, ")"); zone != "" {
		off, ok := offset(zone)
		if !ok {
			return ""
		}
		t = t.Add(-off)
	}
	return t.Format(schema.TranscriptTime)
}

// offset reads "+8", "-10" or "+5:30".
func offset(s string) (time.Duration, bool) {
	if len(s) < 2 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hours, minutes, ok := strings.Cut(s[1:], ":")
	if !ok {
		minutes = "0"
	}
	d, err := time.ParseDuration(hours + "h" + minutes + "m")
	if err != nil || d > 24*time.Hour {
		return 0, false
	}
	if s[0] == '-' {
		d = -d
	}
	return d, true
}

func calledTool(b ordjson.Object) (t schema.Tool) {
	t.Name, t.Kinds = b.Str("name"), []schema.Kind{schema.Other}
	input := b.Value("input")
	if t.Name == mcpCall {
		o, _ := ordjson.Members(input, 0)
		t.Server = o.Str("server")
		if name, ok := o.Text("toolName"); ok {
			t.Kinds, t.Name, input = []schema.Kind{schema.MCP}, name, o.Value("arguments")
		}
	}
	var rows []schema.ArgRow
	if r := lists.Find(transcriptTools, func(r *schema.ToolRow) bool { return r.Name == t.Name }); r != nil &&
		t.Kind() != schema.MCP {
		t.Kinds, rows = r.Kinds, r.Input
	}
	if input != nil {
		t.Input, t.Whole = decodeObject(input, rows)
	}
	return t
}

// AppendMessage writes a message as Cursor does. It leaves out the results of tools, which Cursor's transcripts don't
// have, and subagents' messages in the main thread.
func (d Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	if m.Side && t.Agent == "" {
		return dst
	}

	var blocks []byte
	add := func(write func(w *ordjson.Writer)) {
		if len(blocks) > 0 {
			blocks = append(blocks, ',')
		}
		w := ordjson.NewWriter(blocks)
		write(&w)
		blocks = w.Bytes()
	}
	if text := writtenText(m); text != nil {
		add(func(w *ordjson.Writer) { w.String("type", "text"); w.Raw("text", text) })
	}

	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == schema.BlockUse {
			name, input := writtenTool(&b.Tool)
			add(func(w *ordjson.Writer) { w.String("type", "tool_use"); w.String("name", name); w.Raw("input", input) })
		}
	}
	if len(blocks) == 0 {
		return dst
	}

	role := "user"
	if m.From == schema.Assistant {
		role = "assistant"
	}
	w := ordjson.NewWriter(dst)
	w.String("role", role)
	w.Value("message", func(dst []byte) []byte {
		w := ordjson.NewWriter(dst)
		w.Raw("content", append(append([]byte{'['}, blocks...), ']'))
		return w.Bytes()
	})
	t.Lines++
	return append(w.Bytes(), '\n')
}

// writtenText joins the text of a message in Cursor's format, nil if there is none: thinking comes after the text, a
// picture becomes a word.
func writtenText(m *schema.Message) []byte {
	var said, thought []string
	for i := range m.Blocks {
		b := &m.Blocks[i]
		s, _ := ordjson.String(b.Text)
		switch {
		case b.Kind == schema.BlockText && strings.TrimSpace(s) != "":
			said = append(said, s)
		case b.Kind == schema.BlockThinking && strings.TrimSpace(s) != "":
			thought = append(thought, s)
		case b.Type == "image":
			said = append(said, "[Image]")
		case b.Type == "document":
			said = append(said, "[File]")
		case b.Type == "redacted_thinking":
			thought = append(thought, redacted)
		}
	}

	text := strings.Join(said, "\n")
	switch {
	case len(said)+len(thought) == 0:
		return nil
	case len(said) == 0 || m.From != schema.User:
	case m.Meta:
		text = queryTag + text + queryEnd
	default:
		text = queryTag + "\n" + text + "\n" + queryEnd
	}
	if len(said) > 0 && len(thought) > 0 {
		text += "\n\n"
	}

	return ordjson.AppendString(nil, text+strings.Join(thought, "\n"))
}

func writtenTool(t *schema.Tool) (name string, input []byte) {
	if t.Whole != nil {
		return t.Name, t.Whole
	}
	if t.Kind() == schema.MCP {
		w := ordjson.NewWriter(nil)
		w.String("server", t.Server)
		w.String("toolName", t.Name)
		w.Raw("arguments", schema.AppendNamed(nil, t.Input))
		return mcpCall, w.Bytes()
	}
	kind, args := t.Kind(), t.Input
	if kind == schema.MultiEdit {
		kind, args = schema.Edit, joinEdits(t)
	}
	if r := lists.Find(transcriptTools, func(r *schema.ToolRow) bool { return r.Kinds[0] == kind }); r != nil {
		return r.Name, schema.AppendArgs(nil, args, r.Input)
	}
	return t.Name, schema.AppendNamed(nil, t.Input)
}

func joinEdits(t *schema.Tool) schema.Args {
	raw, _ := t.Input.Get(schema.RoleEdits)
	var old, new []string
	for _, e := range schema.CanonicalEdits.Decode(raw) {
		old, new = append(old, e.Old), append(new, e.New)
	}
	path, _ := t.Input.Get(schema.RolePath)
	return schema.Args{{Role: schema.RolePath, Raw: path},
		{Role: schema.RoleOldText, Raw: ordjson.AppendString(nil, strings.Join(old, "\n"))},
		{Role: schema.RoleNewText, Raw: ordjson.AppendString(nil, strings.Join(new, "\n"))}}
}
