package claude

import (
	"hash/fnv"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Claude Code dialect. Its zero value is ready to use and follows
// the newest version; Version ("2.1.85") selects an older one.
type Dialect struct{ Version string }

// Name returns "claude".
func (Dialect) Name() string { return "claude" }

// DecodeCall reads the document that Claude Code gives a hook on stdin. The
// Call is nil only with an Error diagnostic.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}
	c := &schema.Call{Dialect: "claude", Version: d.Version, Raw: src}
	c.Values, c.Extra = schema.DecodeValues(o, members)
	c.Native = c.Str(schema.FieldEvent)
	if c.Native == "" {
		ds.Add(schema.CodeNoEventName, "/hook_event_name", "the payload has no hook_event_name")
		return nil, ds
	}
	row := rowOf(c.Native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "/hook_event_name", "Claude Code has no event "+c.Native)
		return nil, ds
	}
	c.Event = row.Event
	c.Cwd = c.Str(schema.FieldCwd)
	if c.Project = env.Get("CLAUDE_PROJECT_DIR"); c.Project == "" {
		c.Project = c.Cwd
	}
	if row.Event.IsTool() {
		decodeTool(c)
	}
	return c, ds
}

func decodeTool(c *schema.Call) {
	t := &c.Tool
	name := c.Str(schema.FieldToolName)
	t.UseID = c.Str(schema.FieldToolUseID)
	row := toolNamed(name)
	if server, tool, ok := splitMCP(name); ok {
		t.Name, t.Server, t.Kinds = tool, server, []schema.Kind{schema.MCP}
	} else if t.Name = name; row != nil && len(row.Kinds) > 0 {
		t.Kinds = row.Kinds
	} else {
		t.Kinds = []schema.Kind{schema.Other}
	}
	var in []schema.ArgRow
	if row != nil {
		in = row.Input
	}
	raw := c.Get(schema.FieldToolInput)
	if o, err := ordjson.Members(raw, 0); err == nil {
		t.Input = convertEdits(schema.DecodeArgs(o, in), edit, schema.CanonicalEdits)
	} else {
		t.Whole = raw
	}
	if raw := c.Get(schema.FieldToolOutput); raw != nil {
		t.Output = decodeResult(t.Kind(), row, raw)
	}
	if c.Event == schema.PostToolFailure && t.Kind() == schema.Shell {
		splitShellError(c)
	}
}

func convertEdits(as schema.Args, from, to schema.EditNames) schema.Args {
	for i := range as {
		if as[i].Role == schema.RoleEdits {
			as[i].Raw = from.Convert(as[i].Raw, to)
		}
	}
	return as
}

// AppendCall writes c as Claude Code would show it to a hook in view v: one
// line of compact JSON.
func (Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	row := rowOf(v.Event)
	w := ordjson.NewWriter(dst)
	put := func(f schema.Field, fallback string) {
		r := schema.NameOf(members, f)
		raw := c.Get(f)
		if f == schema.FieldReason && c.Event != schema.SessionEnd { // free text on the other events
			r = &schema.MemberRow{Name: r.Name}
		}
		switch {
		case raw == nil || string(raw) == "null" && fallback != "":
			if fallback == "" {
				return
			}
			raw = []byte(fallback)
		case r.Out != nil:
			raw = r.Out(raw)
		}
		w.Raw(r.Name, raw)
	}
	put(schema.FieldSession, `""`)
	put(schema.FieldTranscript, `""`)
	w.String("cwd", c.Cwd)
	if v.Event != "MessageDisplay" {
		put(schema.FieldTurn, "")
	}
	if hasMode(row.Event) {
		put(schema.FieldMode, `"default"`)
	}
	put(schema.FieldAgentID, "")
	put(schema.FieldAgentType, "")
	put(schema.FieldEffort, "")
	w.String("hook_event_name", v.Event)
	if row.Event.IsTool() {
		appendTool(&w, c, v)
	}
	for _, f := range row.Fields {
		if f == schema.FieldError && (v.Kind == schema.Shell || v.Kind == schema.Delete) {
			w.Raw("error", shellError(c))
			continue
		}
		put(f, fallbacks(c, row, f))
	}
	if c.Dialect == "claude" {
		for _, m := range c.Extra {
			w.Raw(m.Name, m.Value)
		}
	}
	return w.Bytes()
}

func hasMode(e schema.Event) bool {
	for _, m := range modeEvents {
		if m == e {
			return true
		}
	}
	return false
}

// fallbacks gives the value that Claude Code always sends and another agent may
// lack; "" leaves the member out.
func fallbacks(c *schema.Call, row *schema.EventRow, f schema.Field) string {
	switch f {
	case schema.FieldSource:
		if row.Event == schema.SessionStart {
			return `"startup"`
		}
	case schema.FieldReason:
		return `"other"`
	case schema.FieldStopActive:
		n, _ := c.Int(schema.FieldLoopCount)
		return strconv.FormatBool(n > 0)
	case schema.FieldInstructions:
		return `""`
	case schema.FieldInterrupted:
		return "false"
	case schema.FieldTrigger:
		return `"auto"`
	case schema.FieldError, schema.FieldPrompt:
		return `""`
	}
	return ""
}

func appendTool(w *ordjson.Writer, c *schema.Call, v schema.View) {
	t := &c.Tool
	w.String("tool_name", v.Tool)
	w.Raw("tool_input", appendInput(nil, c, v))
	if c.Event == schema.PostTool {
		w.Raw("tool_response", appendResult(nil, c, v))
	}
	if c.Event != schema.PermissionRequest {
		id := t.UseID
		if id == "" {
			id = syntheticID(c, v)
		}
		w.String("tool_use_id", id)
	}
	if raw := c.Get(schema.FieldServer); raw != nil {
		w.Raw("mcp_server", raw)
	} else if v.Kind == schema.MCP {
		s := ordjson.NewWriter(nil)
		s.String("name", v.Server)
		w.Raw("mcp_server", s.Bytes())
	}
}

// syntheticID stands in for a tool_use_id that the host did not send: the same
// for the same call, so that a hook's own bookkeeping stays deterministic.
func syntheticID(c *schema.Call, v schema.View) string {
	h := fnv.New64a()
	for _, s := range []string{c.Str(schema.FieldSession), c.Str(schema.FieldTurn), v.Tool} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	for _, a := range c.Tool.Input {
		h.Write(a.Raw)
	}
	return "toolu_hb" + strconv.FormatUint(h.Sum64(), 16)
}

// appendInput writes the tool's input in the words of v.
func appendInput(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	if t.Whole != nil {
		return append(dst, t.Whole...)
	}
	if v.Kind == schema.Delete && c.Dialect != "claude" {
		return appendRemove(dst, t)
	}
	row := toolNamed(v.Tool)
	if row == nil || len(row.Kinds) == 0 {
		return schema.AppendArgs(dst, t.Input, nil)
	}
	w := ordjson.NewWriter(dst)
	for _, a := range t.Input {
		if a.Role == schema.RoleEdits {
			a.Raw = schema.CanonicalEdits.Convert(a.Raw, edit)
		}
		if name, ok := schema.NativeArg(row.Input, a); ok {
			w.Raw(name, a.Raw)
		}
	}
	if v.Kind == schema.Edit && c.Dialect != "claude" {
		if _, ok := t.Input.Get(schema.RoleReplaceAll); !ok {
			w.Bool("replace_all", false) // Claude Code fills the default in
		}
	}
	return w.Bytes()
}

// appendRemove shows the deletion of a file as the command that Claude Code
// would use for it: it has no tool for deleting.
func appendRemove(dst []byte, t *schema.Tool) []byte {
	raw, _ := t.Input.Get(schema.RolePath)
	path, _ := ordjson.String(raw)
	w := ordjson.NewWriter(dst)
	w.String("command", "rm "+quote(path))
	w.String("description", "Delete file")
	return w.Bytes()
}

// quote writes s as one word of a POSIX shell, plain where that is safe.
func quote(s string) string {
	plain := s != ""
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '/' || c == '.' || c == '_' || c == '-' && i > 0 || c >= 0x80
	}
	if plain {
		return s
	}
	out := []byte{'\''}
	for i := 0; i < len(s); i++ {
		if s[i] == '\'' {
			out = append(out, `'\''`...)
		} else {
			out = append(out, s[i])
		}
	}
	return string(append(out, '\''))
}

// Detect reports how surely src is a payload of Claude Code: 0 not at all.
func (Dialect) Detect(src []byte, env schema.Environ) int {
	o, err := ordjson.Parse(src)
	if err != nil {
		return 0
	}
	raw, _ := o.Get("hook_event_name")
	name, _ := ordjson.String(raw)
	if rowOf(name) == nil {
		return 0
	}
	if env.Get("CLAUDECODE") != "" {
		return 3
	}
	return 2
}
