package family

import (
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A PayloadRow is a member that payloads of several events have.
type PayloadRow struct {
	Field schema.Field
	Only  []schema.Event // events that have it; nil: all but those of Not
	Not   []schema.Event
	Stand string // JSON for what another agent didn't send; "": the member is left out
}

func (r *PayloadRow) on(e schema.Event) bool {
	return (r.Only == nil || slices.Contains(r.Only, e)) && !slices.Contains(r.Not, e)
}

// DecodeCall reads the document that the agent gives a hook on stdin. The Call is
// nil only with an Error diagnostic.
func (a *Agent) DecodeCall(src []byte, _ schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}
	c := &schema.Call{Dialect: a.Data.Name, Raw: src}
	c.Values, c.Extra = schema.DecodeValues(o, a.Data.Fields)
	c.Native = c.Str(schema.FieldEvent)
	at := "/" + schema.NameOf(a.Data.Fields, schema.FieldEvent).Name
	if c.Native == "" {
		ds.Add(schema.CodeNoEventName, at, "the payload names no event")
		return nil, ds
	}
	row := a.Row(c.Native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, at, a.Data.Title+" has no event "+c.Native)
		return nil, ds
	}
	c.Event, c.Gate, c.Cwd = row.Event, row.Gate, c.Str(schema.FieldCwd)
	c.Project = c.Cwd
	shape, usable := schema.CheckShape(c, false)
	ds, c.Malformed = append(ds, shape...), !usable
	a.Data.Vocabularies.Read(c)
	if row.Event.IsTool() {
		a.decodeTool(c)
	}
	return c, ds
}

func (a *Agent) decodeTool(c *schema.Call) {
	t := &c.Tool
	name := c.Str(schema.FieldToolName)
	t.UseID, t.Name, t.Kinds = c.Str(schema.FieldToolUseID), name, []schema.Kind{schema.Other}
	row := a.Tool(name)
	if server, tool, ok := a.Data.MCP.Split(name); ok {
		t.Name, t.Server, t.Kinds = tool, server, []schema.Kind{schema.MCP}
	} else if row != nil && len(row.Kinds) > 0 {
		t.Kinds = row.Kinds[:1]
	}
	raw := c.Get(schema.FieldToolInput)
	if o, err := ordjson.Members(raw, 0); err == nil {
		t.Input = schema.DecodeArgs(o, a.ArgRows(name))
	} else {
		t.Whole = raw
	}
	if raw := c.Get(schema.FieldToolOutput); raw != nil {
		t.Output = a.readResult(t.Kind(), row, raw)
	}
	if a.Steps.Classify != nil {
		a.Steps.Classify(c)
	}
}

// ArgRows are the input members of a tool, nil if it is not known.
func (a *Agent) ArgRows(tool string) []schema.ArgRow {
	if row := a.Tool(tool); row != nil {
		return row.Input
	}
	return nil
}

func (a *Agent) readResult(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args {
	if a.Steps.ReadResult != nil {
		return a.Steps.ReadResult(k, row, raw)
	}
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	}
	if row == nil {
		return schema.DecodeArgs(o, nil)
	}
	return schema.DecodeArgs(o, row.Output)
}

// AppendCall writes c as the agent would show it to a hook in view v: one line of
// compact JSON. A call of the agent itself keeps every member that it came with and
// gets no other.
func (a *Agent) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	row := a.Row(v.Event)
	p := payloadWriter{w: ordjson.NewWriter(dst), agent: a, c: c, v: v, own: c.Dialect == a.Data.Name}
	for i := range a.Payload {
		if r := &a.Payload[i]; r.on(row.Event) {
			p.put(r.Field, r.Stand)
		}
	}
	for _, f := range row.Fields {
		p.put(f, "")
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

// A payloadWriter writes the members of one payload, each field once.
type payloadWriter struct {
	w     ordjson.Writer
	agent *Agent
	c     *schema.Call
	v     schema.View
	own   bool // the call is the agent's own
	done  [schema.NumFields]bool
}

// put writes a field; what another agent didn't send gets what stands for it.
func (p *payloadWriter) put(f schema.Field, stand string) {
	name := schema.NameOf(p.agent.Data.Fields, f)
	if p.done[f] || name == nil {
		return
	}
	if raw := p.value(f, name, stand); len(raw) > 0 {
		p.done[f] = true
		p.w.Raw(name.Name, raw)
	}
}

func (p *payloadWriter) value(f schema.Field, name *schema.MemberRow, stand string) []byte {
	raw := p.c.Get(f)
	switch {
	case f == schema.FieldEvent:
		return ordjson.AppendString(nil, p.v.Event)
	case f == schema.FieldToolName:
		return ordjson.AppendString(nil, p.v.Tool)
	case f == schema.FieldToolInput && (raw != nil || !p.own || p.c.Tool.Input != nil):
		return p.agent.appendInput(nil, p.c, p.v)
	case p.own && raw == nil:
		return nil
	case f == schema.FieldCwd:
		return ordjson.AppendString(nil, p.c.Cwd)
	case f == schema.FieldToolOutput:
		return p.result()
	case f == schema.FieldStopActive && raw == nil: // told by how often the agent was sent back
		n, _ := p.c.Int(schema.FieldLoopCount)
		return strconv.AppendBool(nil, n > 0)
	case f == schema.FieldToolUseID && raw == nil:
		return ordjson.AppendString(nil, useID(p.c, p.v))
	}
	switch {
	case !p.own && (raw == nil || string(raw) == "null" && stand != ""):
		return []byte(stand)
	}
	return p.agent.Data.Vocabularies.Write(p.c, f, raw, p.own)
}

func (p *payloadWriter) result() []byte {
	if p.own || p.agent.Steps.Result == nil {
		return p.c.Get(schema.FieldToolOutput)
	}
	return p.agent.Steps.Result(nil, p.c, p.v)
}

// useID is the id of a tool call, or what stands in for one that the host didn't
// send: the same for the same call, so that a hook's own bookkeeping works.
func useID(c *schema.Call, v schema.View) string {
	if c.Tool.UseID != "" {
		return c.Tool.UseID
	}
	h := fnv.New64a()
	for _, s := range []string{c.Str(schema.FieldSession), c.Str(schema.FieldTurn), v.Tool} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	for _, x := range c.Tool.Input {
		h.Write(x.Raw)
	}
	return "call_hb" + strconv.FormatUint(h.Sum64(), 16)
}

// appendInput writes the tool's input in the words of v.
func (a *Agent) appendInput(dst []byte, c *schema.Call, v schema.View) []byte {
	if c.Tool.Whole != nil {
		return append(dst, c.Tool.Whole...)
	}
	if a.Steps.Input != nil {
		if out, ok := a.Steps.Input(dst, c, v); ok {
			return out
		}
	}
	row := a.Tool(v.Tool)
	if row == nil || len(row.Kinds) == 0 || c.Dialect == a.Data.Name {
		return schema.AppendNamed(dst, named(c.Tool.Input, row))
	}
	return schema.AppendArgs(dst, c.Tool.Input, row.Input)
}

// named gives the members of the agent's own input its names and words.
func named(in schema.Args, row *schema.ToolRow) schema.Args {
	if row == nil {
		return in
	}
	out := slices.Clone(in)
	for i := range out {
		if arg, ok := schema.NativeArg(row.Input, out[i]); ok {
			out[i] = arg
		}
	}
	return out
}

// Shown returns the tool's input as a hook in view v sees it.
func (a *Agent) Shown(c *schema.Call, v schema.View) schema.Args {
	o, err := ordjson.Members(a.appendInput(nil, c, v), 0)
	if err != nil {
		return nil
	}
	return schema.DecodeArgs(o, a.ArgRows(v.Tool))
}

// Views lists the ways in which the agent would show c to its hooks, the likeliest
// first; none if it has no such event.
func (a *Agent) Views(c *schema.Call) []schema.View {
	row := schema.RowFor(a.Data.Events, c.Event)
	if row == nil || c.Inline {
		return nil
	}
	v := schema.View{Event: row.Native}
	switch row.Match {
	case schema.MatchField:
		v.Target = []string{a.target(c, row)}
		return []schema.View{v}
	case schema.MatchTool:
	default:
		if !row.Event.IsTool() {
			return []schema.View{v}
		}
	}
	if a.Steps.Views != nil {
		if vs := a.Steps.Views(c, row.Native); vs != nil {
			return vs
		}
	}
	var vs []schema.View
	for _, k := range c.Tool.Kinds {
		vs = append(vs, a.ToolViews(c, v, k)...)
	}
	return vs
}

// ToolViews are the views of a call as one kind of tool.
func (a *Agent) ToolViews(c *schema.Call, v schema.View, k schema.Kind) []schema.View {
	v.Kind = k
	if k == schema.MCP {
		servers := c.Tool.Servers
		if c.Tool.Server != "" || len(servers) == 0 {
			servers = []string{c.Tool.Server}
		}
		vs := make([]schema.View, len(servers))
		for i, s := range servers {
			v.Server, v.Tool = s, a.Data.MCP.Join(s, c.Tool.Name)
			v.Target = []string{v.Tool}
			vs[i] = v
		}
		return vs
	}
	v.Tool, v.Target = c.Tool.Name, []string{c.Tool.Name}
	row := a.ToolOf(k)
	if k == schema.Other {
		row = a.Tool(c.Tool.Name)
	}
	if row != nil {
		v.Tool, v.Target = row.Name, append([]string{row.Name}, row.Aliases...)
	}
	return []schema.View{v}
}

// target is what a matcher of a field event is compared with.
func (a *Agent) target(c *schema.Call, row *schema.EventRow) string {
	s := a.Data.Vocabularies.Target(c, row)
	for i := range a.Payload {
		if r := &a.Payload[i]; s == "" && r.Field == row.MatchField && r.on(row.Event) {
			s, _ = ordjson.String([]byte(r.Stand))
		}
	}
	return s
}
