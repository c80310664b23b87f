package qoder

import (
	"bytes"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Qoder dialect. Its zero value is ready to use and means the
// CLI; Version is a version of the CLI, or "ide", "ide-2026-07", "qoderwork" or
// "sdk".
type Dialect struct {
	Version string
	profile *dialect.Profile // nil: the newest
}

// ideVariables are what the IDE tells a hook, and the CLI does not.
var ideVariables = []string{"QODER_SESSION_ID", "QODER_TOOL_NAME", "QODER_TRANSCRIPT_PATH", "QODER_TOOL_INPUT_FILE_PATH"}

// versionIn is the version or surface that the environment speaks of.
func (d Dialect) versionIn(env schema.Environ) string {
	if d.Version != "" {
		return d.Version
	}
	if env.Get("QODER_HOOK_SOURCE") == "" {
		for _, name := range ideVariables {
			if env.Get(name) != "" {
				return "ide"
			}
		}
	}
	return env.Get("QODER_HOOK_VERSION")
}

// DecodeCall reads the document that Qoder gives a hook on stdin. The Call is
// nil only with an Error diagnostic.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}
	c := &schema.Call{Dialect: "qoder", Version: d.versionIn(env), Raw: src}
	c.Values, c.Extra = schema.DecodeValues(o, members)
	c.Native = c.Str(schema.FieldEvent)
	if c.Native == "" {
		ds.Add(schema.CodeNoEventName, "/hook_event_name", "the payload has no hook_event_name")
		return nil, ds
	}
	row := Dialect{}.row(c.Native) // whatever the surface raises is read
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "/hook_event_name", "Qoder has no event "+c.Native)
		return nil, ds
	}
	c.Event = row.Event
	shape, usable := schema.CheckShape(c, false)
	ds, c.Malformed = append(ds, shape...), !usable
	if raw, ok := c.Extra.Get("type"); ok && c.Event == schema.SessionStart && c.Get(schema.FieldSource) == nil {
		c.Extra.Take("type")
		c.Set(schema.FieldSource, raw)
		c.Version = "ide"
	}
	words.Read(c)
	c.Cwd = c.Str(schema.FieldCwd)
	if c.Project = env.Get("QODER_PROJECT_DIR"); c.Project == "" {
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
	t.Name, t.Kinds = name, []schema.Kind{schema.Other}
	if server, tool, ok := splitMCP(name); ok {
		t.Name, t.Server, t.Kinds = tool, server, []schema.Kind{schema.MCP}
		decodeContext(c)
	} else if row != nil && len(row.Kinds) > 0 {
		t.Kinds = row.Kinds
	} else if row != nil && c.Event == schema.PreTool {
		t.Kinds = append(t.Kinds, row.Also...)
	}
	raw := c.Get(schema.FieldToolInput)
	if o, err := ordjson.Members(raw, 0); err == nil {
		t.Input = schema.DecodeArgs(o, inputRows(name))
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

// decodeContext takes the names of server and tool from mcp_context, where they
// are not changed to fit into a tool's name.
func decodeContext(c *schema.Call) {
	raw, _ := c.Extra.Get("mcp_context")
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return
	}
	server, _ := o.Get("server_name")
	tool, _ := o.Get("tool_name")
	s, _ := ordjson.String(server)
	n, _ := ordjson.String(tool)
	if n == "" && s != "" { // the tool is what follows the server's name
		n, _ = strings.CutPrefix(c.Str(schema.FieldToolName), mcpName(s, ""))
	}
	if s != "" && n != "" {
		c.Tool.Server, c.Tool.Name = s, n
	}
	raw, _ = o.Get("command")
	line, _ := ordjson.String(raw)
	raw, _ = o.Get("args")
	args, _ := ordjson.Elements(raw, 0)
	for _, m := range args {
		if s, ok := ordjson.String(m.Value); ok {
			line += " " + s
		}
	}
	if line != "" {
		c.SetStr(schema.FieldServerCommand, line)
	}
}

// AppendCall writes c as Qoder would show it to a hook in view v: one line of
// compact JSON. A call of Qoder itself keeps every member that it came with and
// gets no other.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	row := Dialect{}.row(v.Event)
	p := callWriter{w: ordjson.NewWriter(dst), d: d.of(c), c: c, row: row, own: c.Dialect == "qoder"}
	p.put(schema.FieldSession, `""`)
	p.put(schema.FieldTranscript, `""`)
	p.text("cwd", schema.FieldCwd, c.Cwd)
	p.text("hook_event_name", schema.FieldEvent, v.Event)
	p.put(schema.FieldModel, "")
	if row.Event != schema.PreCompact && row.Event != schema.PostCompact {
		p.put(schema.FieldMode, `"default"`)
		p.put(schema.FieldAgentID, "")
		p.put(schema.FieldAgentType, "")
	}
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
		p.put(f, fallback(c, row, f))
	}
	if v.Kind == schema.MCP && !p.own && row.Event != schema.PermissionRequest && row.Event != schema.PermissionDenied {
		x := ordjson.NewWriter(nil)
		x.String("server_name", v.Server)
		x.String("tool_name", c.Tool.Name)
		p.w.Raw("mcp_context", x.Bytes())
	}
	if p.own {
		for _, x := range c.Values {
			p.put(x.Field, "")
		}
		for _, m := range c.Extra {
			p.w.Raw(m.Name, m.Value)
		}
	}
	out := p.w.Bytes()
	if bytes.IndexByte(out[len(dst):], '\n') < 0 {
		return out
	}
	return ordjson.AppendCompact(out[:len(dst)], out[len(dst):]) // in its own place: it only shrinks
}

// A callWriter writes the members of one payload, each field once.
type callWriter struct {
	w    ordjson.Writer
	d    Dialect
	c    *schema.Call
	row  *schema.EventRow
	own  bool // the call is Qoder's own
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

// text writes a field whose value is known as text. A value of Qoder's own that
// nobody has changed stays as it was spelt.
func (p *callWriter) text(name string, f schema.Field, s string) {
	if p.own && p.c.Str(f) == s {
		p.put(f, "")
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
	named := schema.NameOf(members, f)
	if named == nil { // a field of another dialect, or one that the bridge added
		return
	}
	raw, r := p.c.Get(f), *named
	if f == schema.FieldSource && p.row.Event == schema.SessionStart && p.d.surface() == ide {
		r.Name = "type"
	}
	switch {
	case !p.own && (raw == nil || string(raw) == "null" && fallback != ""):
		raw = []byte(fallback)
	case raw != nil:
		raw = words.Write(p.c, f, raw, p.own)
	}
	if len(raw) > 0 {
		p.raw(r.Name, f, raw)
	}
}

// fallback gives the value that Qoder always sends and another agent may lack;
// "" leaves the member out.
func fallback(c *schema.Call, row *schema.EventRow, f schema.Field) string {
	switch f {
	case schema.FieldSource:
		if row.Event == schema.SessionStart {
			return `"startup"`
		}
	case schema.FieldReason:
		if row.Event == schema.PermissionDenied {
			return string(ordjson.AppendString(nil, c.Str(schema.FieldError)))
		}
		return `"other"`
	case schema.FieldStopActive:
		n, _ := c.Int(schema.FieldLoopCount)
		return strconv.FormatBool(n > 0)
	case schema.FieldTrigger:
		if row.Event == schema.Setup {
			return `"init"`
		}
		return `"auto"`
	case schema.FieldError:
		if row.Event == schema.StopFailure {
			return `"unknown"`
		}
		return `""`
	case schema.FieldInstructions, schema.FieldPrompt, schema.FieldMessage:
		return `""`
	case schema.FieldLastMessage:
		switch row.Event {
		case schema.Stop:
			return `""`
		case schema.SubagentStop:
			return string(c.Get(schema.FieldSummary))
		}
	}
	return ""
}

func (p *callWriter) tool(v schema.View) {
	c := p.c
	if !p.own && c.Event != schema.PermissionRequest {
		id := c.Tool.UseID
		if id == "" {
			id = syntheticID(c, v)
		}
		p.text("tool_use_id", schema.FieldToolUseID, id)
	}
	p.put(schema.FieldToolUseID, "")
	p.text("tool_name", schema.FieldToolName, v.Tool)
	if !p.own || c.Get(schema.FieldToolInput) != nil {
		p.value("tool_input", schema.FieldToolInput, func(dst []byte) []byte { return p.d.appendInput(dst, c, v) })
	}
	if c.Event == schema.PostTool && (!p.own || c.Get(schema.FieldToolOutput) != nil) {
		p.value("tool_response", schema.FieldToolOutput, func(dst []byte) []byte { return appendResult(dst, c, v) })
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
