package cursor

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Cursor dialect. Its zero value is ready to use and follows the
// newest version; Version ("2.4", "3.15.19") selects an older one where the
// payload does not say.
type Dialect struct{ Version string }

// Name returns "cursor".
func (Dialect) Name() string { return "cursor" }

// DecodeCall reads the document that Cursor gives a hook on stdin. The Call is
// nil only with an Error diagnostic.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}
	c := &schema.Call{Dialect: "cursor", Raw: src}
	c.Values, c.Extra = schema.DecodeValues(o, members)
	c.Native = c.Str(schema.FieldEvent)
	if c.Native == "" {
		ds.Add(schema.CodeNoEventName, "/hook_event_name", "the payload has no hook_event_name")
		return nil, ds
	}
	row := rowOf(c.Native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "/hook_event_name", "Cursor has no event "+c.Native)
		return nil, ds
	}
	c.Event, c.Gate, c.Inline = row.Event, row.Gate, row.Inline
	c.Version = d.Version
	if c.Version == "" {
		c.Version = c.Str(schema.FieldVersion)
	}
	if c.Version == "" {
		c.Version = env.Get("CURSOR_VERSION")
	}
	decodePlace(c, env)
	if c.Event == schema.Stop && failed(c.Str(schema.FieldStatus)) {
		c.Event = schema.StopFailure
	}
	switch {
	case row.Gate:
		decodeGate(c, row)
	case row.Event.IsTool():
		decodeTool(c)
	}
	return c, ds
}

// decodePlace finds the project and the folder of the act: roots may be empty
// (editor 3.15, agents window), the tool's folder may be "" (all surfaces).
func decodePlace(c *schema.Call, env schema.Environ) {
	roots, _ := ordjson.Elements(c.Get(schema.FieldRoots), 0)
	for _, r := range roots {
		if s, _ := ordjson.String(r.Value); s != "" {
			c.Project = fixRoot(s)
			break
		}
	}
	for _, name := range []string{"CURSOR_PROJECT_DIR", "PWD"} {
		if c.Project == "" {
			c.Project = env.Get(name)
		}
	}
	if c.Cwd = fixRoot(c.Str(schema.FieldToolCwd)); c.Cwd == "" {
		c.Cwd = c.Project
	}
}

// fixRoot takes the slash off a Windows path that was written like a URL's.
func fixRoot(s string) string {
	if len(s) > 2 && s[0] == '/' && s[2] == ':' && (s[1]|0x20) >= 'a' && (s[1]|0x20) <= 'z' {
		return s[1:]
	}
	return s
}

func decodeTool(c *schema.Call) {
	t := &c.Tool
	name := c.Str(schema.FieldToolName)
	t.UseID = c.Str(schema.FieldToolUseID)
	row := toolNamed(name)
	if tool, ok := strings.CutPrefix(name, mcpPrefix); ok {
		t.Name, row = tool, &mcpTool
	} else {
		t.Name = name
	}
	t.Kinds = []schema.Kind{schema.Other}
	var in, out []schema.ArgRow
	if row != nil {
		in, out = row.Input, row.Output
		if len(row.Kinds) > 0 {
			t.Kinds = row.Kinds
		}
	}
	t.Server = c.Str(schema.FieldServerName)
	raw := c.Get(schema.FieldToolInput)
	if t.Input, t.Whole = decodeObject(raw, in); t.Whole != nil && raw == nil {
		t.Whole = nil
	}
	if raw := c.Get(schema.FieldToolOutput); raw != nil {
		t.Output = decodeOutput(raw, out)
	}
	dropValues(c, schema.FieldToolName, schema.FieldToolInput, schema.FieldToolOutput, schema.FieldToolUseID, schema.FieldServerName)
}

// decodeObject reads an object, or a string that holds one; anything else is
// returned whole.
func decodeObject(raw []byte, rows []schema.ArgRow) (schema.Args, []byte) {
	if s, ok := ordjson.String(raw); ok {
		if o, err := ordjson.Parse([]byte(s)); err == nil {
			return schema.DecodeArgs(o, rows), nil
		}
		return nil, raw
	}
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return nil, raw
	}
	return schema.DecodeArgs(o, rows), nil
}

func decodeOutput(raw []byte, rows []schema.ArgRow) schema.Args {
	as, whole := decodeObject(raw, rows)
	if whole != nil {
		return schema.Args{{Role: schema.RoleWhole, Raw: whole}}
	}
	return as
}

// decodeGate reads a payload whose tool call lies spread over its top level.
func decodeGate(c *schema.Call, row *schema.EventRow) {
	t := &c.Tool
	t.Kinds, t.UseID = row.Kinds, c.Str(schema.FieldToolUseID)
	if t.Kind() == schema.MCP {
		t.Name, t.Server = strings.TrimPrefix(c.Str(schema.FieldToolName), mcpPrefix), c.Str(schema.FieldServerName)
		t.Input, t.Whole = decodeObject(c.Get(schema.FieldToolInput), nil)
		if raw := c.Get(schema.FieldResult); raw != nil {
			t.Output = decodeOutput(raw, mcpTool.Output)
		}
		dropValues(c, schema.FieldToolName, schema.FieldToolInput, schema.FieldServerName, schema.FieldResult, schema.FieldToolUseID)
		return
	}
	if tool := toolOfKind(t.Kind()); tool != nil {
		t.Name = tool.Name
	} else {
		t.Name = "Write" // edits have no name of their own
	}
	for _, g := range gateArgs {
		raw := c.Get(g.Field)
		if raw == nil {
			continue
		}
		if g.Role == schema.RoleEdits {
			raw = edit.Convert(raw, schema.CanonicalEdits)
		}
		a := schema.Arg{Role: g.Role, Raw: raw}
		if g.Out {
			t.Output = append(t.Output, a)
		} else {
			t.Input = append(t.Input, a)
		}
		dropValues(c, g.Field)
	}
	if row.Native == "afterFileEdit" {
		decodeEdits(t)
	}
}

// decodeEdits tells a new or rewritten file from an edited one: a single edit
// without an old text is a whole file.
func decodeEdits(t *schema.Tool) {
	raw, _ := t.Input.Get(schema.RoleEdits)
	es := schema.CanonicalEdits.Decode(raw)
	t.Kinds = []schema.Kind{schema.Edit, schema.Write, schema.Notebook}
	if len(es) == 1 && es[0].Old == "" {
		t.Kinds = []schema.Kind{schema.Write, schema.Edit, schema.Notebook}
		t.Input = t.Input.Set(schema.RoleContent, "", ordjson.AppendString(nil, es[0].New))
	}
}

func dropValues(c *schema.Call, fields ...schema.Field) {
	kept := c.Values[:0]
next:
	for _, v := range c.Values {
		for _, f := range fields {
			if v.Field == f {
				continue next
			}
		}
		kept = append(kept, v)
	}
	c.Values = kept
}

// AppendCall writes c as Cursor would show it to a hook in view v: one JSON
// object, its members in the order that the client uses.
func (Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	row := rowOf(v.Event)
	e := encoder{Writer: ordjson.NewWriter(dst), c: c, v: v, row: row}
	own := c.Dialect == "cursor"
	session := v.Event != "workspaceOpen"
	if session {
		e.field(schema.FieldSession, `""`)
		e.field(schema.FieldTurn, `""`)
		e.field(schema.FieldModel, `"unknown"`)
		e.field(schema.FieldModelID, "")
		e.field(schema.FieldModelParams, "")
	}
	switch {
	case row.Gate:
		e.gate()
	case row.Event.IsTool():
		e.tool()
	case v.Event == "subagentStart" && c.Event == schema.PreTool:
		e.subagent()
	case v.Event == "afterAgentResponse" && c.Event != schema.AgentResponse:
		e.as("text", schema.FieldLastMessage, `""`)
	default:
		for _, f := range row.Fields {
			e.field(f, e.fallback(f))
		}
	}
	if session {
		if !own || !hasMember(c.Extra, "session_id") {
			e.field2("session_id", schema.FieldSession)
		}
	}
	if own {
		for _, m := range c.Extra {
			e.Raw(m.Name, m.Value)
		}
	}
	e.String("hook_event_name", v.Event)
	e.field(schema.FieldVersion, `"1.0.0"`)
	if raw := c.Get(schema.FieldRoots); raw != nil {
		e.Raw("workspace_roots", raw)
	} else {
		e.Raw("workspace_roots", append(ordjson.AppendString([]byte{'['}, c.Project), ']'))
	}
	e.field(schema.FieldUser, "null")
	if session {
		e.field(schema.FieldTranscript, "null")
	}
	return e.Bytes()
}

// failed reports whether a stop is none of the agent's own: nothing can be
// asked of it then.
func failed(status string) bool { return status == "error" || status == "aborted" }

func hasMember(o ordjson.Object, name string) bool {
	_, ok := o.Get(name)
	return ok
}

type encoder struct {
	ordjson.Writer
	c   *schema.Call
	v   schema.View
	row *schema.EventRow
}

// field writes a payload field under its native name; fallback "" leaves it
// out if the call lacks it.
func (e *encoder) field(f schema.Field, fallback string) {
	r := schema.NameOf(members, f)
	if r == nil {
		return
	}
	name := r.Name
	if f == schema.FieldDuration && !e.row.Event.IsTool() {
		name = "duration_ms"
	}
	raw := e.c.Get(f)
	switch {
	case raw == nil && fallback == "":
		return
	case raw == nil:
		raw = []byte(fallback)
	case r.Out != nil:
		raw = r.Out(raw)
	}
	e.Raw(name, raw)
}

func (e *encoder) field2(name string, f schema.Field) {
	if raw := e.c.Get(f); raw != nil {
		e.Raw(name, raw)
	} else {
		e.String(name, "")
	}
}

// as writes a field under the name of another.
func (e *encoder) as(name string, f schema.Field, fallback string) {
	raw := e.c.Get(f)
	if raw == nil {
		raw = []byte(fallback)
	}
	e.Raw(name, raw)
}

// fallback is what Cursor always sends and another agent may lack.
func (e *encoder) fallback(f schema.Field) string {
	if e.c.Dialect == "cursor" {
		return ""
	}
	switch f {
	case schema.FieldBackground, schema.FieldFirstCompaction, schema.FieldParallel:
		return "false"
	case schema.FieldAttachments, schema.FieldModifiedFiles:
		return "[]"
	case schema.FieldStatus, schema.FieldFinalStatus:
		return `"completed"`
	case schema.FieldLoopCount:
		if e.c.Bool(schema.FieldStopActive) {
			return "1"
		}
		return "0"
	case schema.FieldReason:
		return `"completed"`
	case schema.FieldTrigger:
		return `"auto"`
	case schema.FieldPrompt, schema.FieldText:
		return `""`
	}
	return ""
}

// Detect reports how surely src is a payload of Cursor: 0 not at all.
func (Dialect) Detect(src []byte, env schema.Environ) int {
	o, err := ordjson.Parse(src)
	if err != nil {
		return 0
	}
	raw, _ := o.Get("hook_event_name")
	name, _ := ordjson.String(raw)
	switch {
	case hasMember(o, "cursor_version"):
		return 9
	case rowOf(name) == nil:
		return 0
	case hasMember(o, "conversation_id"):
		return 5
	}
	return 4
}
