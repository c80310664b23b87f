package claude

import (
	"hash/fnv"
	"math"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Claude Code dialect. Its zero value is ready to use and follows
// the newest version; Version ("2.1.85") selects an older one.
type Dialect struct {
	Version string
	profile *dialect.Profile // nil: the newest
}

// DecodeCall reads the document that Claude Code gives a hook on stdin. The
// Call is nil only with an Error diagnostic.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}
	c := &schema.Call{Dialect: "claude", Version: d.Version, Raw: src, Remote: env.Get(remoteVariable)}
	if c.Version == "" {
		c.Version = versionIn(env)
	}
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
	shape, usable := schema.CheckShape(c, false)
	ds, c.Malformed = append(ds, shape...), !usable
	byEvent(c, o)
	words.Read(c)
	c.Cwd = c.Str(schema.FieldCwd)
	if c.Project = env.Get("CLAUDE_PROJECT_DIR"); c.Project == "" {
		c.Project = c.Cwd
	}
	if row.Event.IsTool() {
		decodeTool(c)
	}
	return c, ds
}

// byEvent puts right what one name means on different events.
func byEvent(c *schema.Call, o ordjson.Object) {
	turn, extra := "prompt_id", "turn_id"
	if c.Event == schema.MessageDisplay {
		turn, extra = extra, turn
	}
	for i := range c.Values {
		if c.Values[i].Field == schema.FieldSource && c.Event == schema.PromptSubmit {
			c.Values[i].Field = schema.FieldPromptSource
		}
	}
	if raw, ok := o.Get(extra); ok {
		c.Extra.Take(turn)
		c.Extra.Take(extra)
		c.Extra = append(c.Extra, ordjson.Member{Name: extra, Value: raw})
		c.Values = slices.DeleteFunc(c.Values, func(v schema.Value) bool { return v.Field == schema.FieldTurn })
		if raw, ok := o.Get(turn); ok {
			c.Set(schema.FieldTurn, raw)
		}
	}
}

func decodeTool(c *schema.Call) {
	t := &c.Tool
	name := c.Str(schema.FieldToolName)
	t.UseID = c.Str(schema.FieldToolUseID)
	row := toolNamed(name)
	t.Name, t.Kinds = name, []schema.Kind{schema.Other}
	if server, tool, ok := splitMCP(name); ok {
		t.Name, t.Server, t.Kinds = tool, server, []schema.Kind{schema.MCP}
		nameServer(c, name)
	} else if row != nil && len(row.Kinds) > 0 {
		t.Kinds = row.Kinds
	} else if row != nil && c.Event == schema.PreTool {
		t.Kinds = append(t.Kinds, row.Also...)
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

// nameServer takes the server from the payload's own member: the tool's name
// does not tell where the server's name ends.
func nameServer(c *schema.Call, tool string) {
	o, err := ordjson.Members(c.Get(schema.FieldServer), 0)
	if err != nil {
		return
	}
	raw, _ := o.Get("name")
	server, _ := ordjson.String(raw)
	if rest, ok := cutServer(tool, server); ok {
		c.Tool.Server, c.Tool.Name = server, rest
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
// line of compact JSON. A call of Claude Code itself keeps every member that it
// came with and gets no other.
func (Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	row := rowOf(v.Event)
	p := callWriter{w: ordjson.NewWriter(dst), c: c, row: row, own: c.Dialect == "claude"}
	p.put(schema.FieldSession, `""`)
	p.put(schema.FieldTranscript, `""`)
	p.text("cwd", schema.FieldCwd, c.Cwd)
	if p.own && row.Event != schema.MessageDisplay || !p.own && row.Event != schema.SessionStart && c.Str(schema.FieldTurn) != "" {
		p.put(schema.FieldTurn, "") // only after the first prompt
	}
	if slices.Contains(modeEvents, row.Event) {
		p.put(schema.FieldMode, `"default"`)
	}
	p.put(schema.FieldAgentID, "")
	p.put(schema.FieldAgentType, "")
	p.put(schema.FieldEffort, "")
	p.text("hook_event_name", schema.FieldEvent, v.Event)
	if row.Event.IsTool() {
		p.tool(v)
	}
	for _, f := range row.Fields {
		if f == schema.FieldError && (v.Kind == schema.Shell || v.Kind == schema.Delete) {
			if _, ok := c.Tool.Output.Get(schema.RoleExitCode); ok || !p.own {
				p.raw("error", f, shellError(c))
				continue
			}
		}
		p.put(f, fallbacks(c, row, f))
	}
	if p.own {
		for _, x := range c.Values {
			p.put(x.Field, "")
		}
		for _, m := range c.Extra {
			p.w.Raw(m.Name, m.Value)
		}
	}
	return p.w.Bytes()
}

// A callWriter writes the members of one payload, each field once.
type callWriter struct {
	w    ordjson.Writer
	c    *schema.Call
	row  *schema.EventRow
	own  bool // the call is Claude Code's own
	done [schema.NumFields]bool
}

func (p *callWriter) raw(name string, f schema.Field, value []byte) {
	p.done[f] = true
	p.w.Raw(name, value)
}

// value is raw for a value that may be large.
func (p *callWriter) value(name string, f schema.Field, write func(dst []byte) []byte) {
	p.done[f] = true
	p.w.Value(name, write)
}

func (p *callWriter) text(name string, f schema.Field, s string) {
	if p.own && p.c.Get(f) == nil && s == "" {
		return
	}
	p.raw(name, f, ordjson.AppendString(nil, s))
}

// put writes a field unless it has been written; what another agent did not
// send gets the fallback, "" being none.
func (p *callWriter) put(f schema.Field, fallback string) {
	if p.done[f] {
		return
	}
	name := schema.NameOf(members, f)
	if name == nil {
		return
	}
	raw, r := p.c.Get(f), *name
	if f == schema.FieldTurn && p.row.Event == schema.MessageDisplay {
		r.Name = "turn_id"
	}
	switch {
	case !p.own && (raw == nil || string(raw) == "null" && fallback != ""):
		raw = []byte(fallback)
	case raw != nil && f == schema.FieldDuration && !p.own:
		raw = wholeNumber(raw)
	case raw != nil:
		raw = words.Write(p.c, f, raw, p.own)
	}
	if len(raw) > 0 {
		p.raw(r.Name, f, raw)
	}
}

// wholeNumber rounds: Claude Code counts in whole milliseconds.
func wholeNumber(raw []byte) []byte {
	f, ok := ordjson.Float(raw)
	if !ok {
		return raw
	}
	return strconv.AppendFloat(nil, math.Round(f), 'f', 0, 64)
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
		if row.Event == schema.SessionEnd {
			return `"other"`
		}
		return string(ordjson.AppendString(nil, c.Str(schema.FieldError)))
	case schema.FieldStopActive:
		n, _ := c.Int(schema.FieldLoopCount)
		return strconv.FormatBool(n > 0)
	case schema.FieldInstructions:
		return `""`
	case schema.FieldInterrupted:
		return "false"
	case schema.FieldTrigger:
		return `"auto"`
	case schema.FieldError:
		if row.Event == schema.StopFailure {
			return `"unknown"`
		}
		return `""`
	case schema.FieldPrompt:
		return `""`
	case schema.FieldLastMessage:
		if row.Event == schema.SubagentStop {
			return string(c.Get(schema.FieldSummary))
		}
	}
	return ""
}

func (p *callWriter) tool(v schema.View) {
	c, t := p.c, &p.c.Tool
	p.text("tool_name", schema.FieldToolName, v.Tool)
	if !p.own || c.Get(schema.FieldToolInput) != nil {
		p.value("tool_input", schema.FieldToolInput, func(dst []byte) []byte { return appendInput(dst, c, v) })
	}
	if c.Event == schema.PostTool && (!p.own || c.Get(schema.FieldToolOutput) != nil) {
		p.value("tool_response", schema.FieldToolOutput, func(dst []byte) []byte { return appendResult(dst, c, v) })
	}
	if id := t.UseID; !p.own && c.Event != schema.PermissionRequest {
		if id == "" {
			id = syntheticID(c, v)
		}
		p.text("tool_use_id", schema.FieldToolUseID, id)
	}
	p.put(schema.FieldToolUseID, "")
	p.put(schema.FieldServer, "")
	if v.Kind == schema.MCP && !p.own && !p.done[schema.FieldServer] {
		s := ordjson.NewWriter(nil)
		s.String("name", v.Server)
		p.raw("mcp_server", schema.FieldServer, s.Bytes())
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
		return schema.AppendNamed(dst, t.Input)
	}
	w := ordjson.NewWriter(dst)
	for _, a := range t.Input {
		if a.Role == schema.RoleEdits {
			a.Raw = ownEdits(c, a)
		}
		if a, ok := schema.NativeArg(row.Input, a); ok {
			w.Raw(a.Name, a.Raw)
		}
	}
	if v.Kind == schema.Edit && c.Dialect != "claude" {
		if _, ok := t.Input.Get(schema.RoleReplaceAll); !ok {
			w.Bool("replace_all", false) // Claude Code fills the default in
		}
	}
	return w.Bytes()
}

// ownEdits writes edits in this dialect's words: as they came where nothing has
// changed them, so that members nobody knows stay.
func ownEdits(c *schema.Call, a schema.Arg) []byte {
	if o, err := ordjson.Members(c.Get(schema.FieldToolInput), 0); err == nil && c.Dialect == "claude" {
		if raw, ok := o.Get(a.Name); ok && string(edit.Convert(raw, schema.CanonicalEdits)) == string(a.Raw) {
			return raw
		}
	}
	return schema.CanonicalEdits.Convert(a.Raw, edit)
}

// appendRemove shows the deletion of a file as the command that Claude Code
// would use for it: it has no tool for deleting.
func appendRemove(dst []byte, t *schema.Tool) []byte {
	raw, _ := t.Input.Get(schema.RolePath)
	path, _ := ordjson.String(raw)
	w := ordjson.NewWriter(dst)
	w.String("command", "rm "+shell.Quote(path))
	w.String("description", "Delete file")
	return w.Bytes()
}
