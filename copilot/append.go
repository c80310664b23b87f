package copilot

import (
	"slices"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// AppendCall writes c as Copilot would show it to a hook in view v. A call of Copilot itself keeps all its original
// fields. A view of an unknown event is an empty object.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	w := ordjson.NewWriter(dst)
	if own, err := ordjson.Parse(c.Raw); err == nil && d.owns(c) && samePayload(c.Native, v.Event) {
		for _, m := range own {
			switch row := members.Named(m.Name, c.Event); {
			case row != nil && row.Field == schema.FieldToolInput && c.Event.IsTool():
				w.Value(m.Name, func(dst []byte) []byte { return d.appendInput(dst, c, v) })
			case row != nil && row.Field == schema.FieldPrompt:
				w.Raw(m.Name, c.Get(row.Field))
			default:
				w.Raw(m.Name, ordjson.AppendCompact(nil, m.Value))
			}
		}
		return w.Bytes()
	}
	row := d.Row(v.Event)
	if row == nil {
		return w.Bytes()
	}
	p := payload{Writer: w, d: d, c: c, v: v, camel: !d.onCode() && hasCamelPayload(v.Event), row: row}
	p.write()
	return p.Bytes()
}

// samePayload reports whether two event names have the same form of payload.
func samePayload(a, b string) bool { return samePair(a, b) && hasCamelPayload(a) == hasCamelPayload(b) }

type payload struct {
	ordjson.Writer
	d     Dialect
	c     *schema.Call
	v     schema.View
	row   *schema.EventRow
	camel bool
}

func (p *payload) write() {
	e := p.row.Event
	if pair := pairOf(p.v.Event); e == schema.PermissionRequest {
		p.String("hookName", pair.Native)
	} else if !p.camel {
		p.String("hook_event_name", p.v.Event)
	}

	p.put(schema.FieldSession)
	at, err := time.Parse(schema.TranscriptTime, p.c.Str(schema.FieldTime))
	if err != nil { // only package bridge adds it
		at = time.Unix(0, 0)
	}

	if p.camel {
		p.Int("timestamp", at.UnixMilli())
	} else {
		p.String("timestamp", at.UTC().Format(schema.TranscriptTime))
	}

	p.String("cwd", p.c.Cwd)
	if e.IsTool() || e == schema.PreMCPCall {
		p.tool()
	}
	for _, f := range p.row.Fields {
		if inAgent := f == schema.FieldAgentID || f == schema.FieldAgentType; inAgent && p.d.onCode() {
			continue // see agent
		}
		p.put(f)
	}
	if e == schema.Notification {
		p.String("hook_event_name", pairOf(p.v.Event).pascal)
	}
	if e == schema.StopFailure {
		p.Raw("error", ordjson.AppendTexts(nil, "message", p.c.Str(schema.FieldErrorDetails), "name", "Error"))
		if raw, said := p.c.Extra.Get("recoverable"); said && p.d.owns(p.c) {
			p.Raw("recoverable", raw)
		} else {
			p.Bool("recoverable", false)
		}
	}
	p.agent()
}

// agent writes the sub-agent. Under Claude Code's event names, agent ids are in snake case in any payload.
func (p *payload) agent() {
	names := [...]string{"agentId", "agentType"}
	if isPascal(p.v.Event) {
		names = [...]string{"agent_id", "agent_type"}
	}
	for i, f := range []schema.Field{schema.FieldAgentID, schema.FieldAgentType} {
		if raw := p.c.Get(f); raw != nil {
			p.Raw(names[i], words.Write(p.c, f, raw, false))
		}
	}
}

// tool writes a tool's name, input and result, whose names differ in permissionRequest and preMcpToolCall.
func (p *payload) tool() {
	input, e := "toolArgs", p.row.Event
	switch {
	case e == schema.PreMCPCall:
		input = "arguments"
	case e == schema.PermissionRequest:
		input = "toolInput"
	case !p.camel:
		input = "tool_input"
	}
	tool := p.v.Tool
	if tool == patchTool && p.v.Kind != schema.Other && !p.camel {
		tool = p.d.pascalName(tool)
	}
	p.String(p.name(schema.FieldToolName), tool)
	p.Value(input, func(dst []byte) []byte { return p.d.appendInput(dst, p.c, p.v) })
	switch {
	case p.d.onCode():
		p.String("tool_use_id", p.c.Tool.UseID)
		if e == schema.PostTool {
			p.String("tool_response", resultText(p.c, p.v, false))
		}
	case e == schema.PostTool:
		p.Raw(p.name(schema.FieldToolOutput), resultOf(p.c, p.v, p.camel))
	}
}

func (p *payload) name(f schema.Field) string {
	rows := members.Rows
	i := slices.IndexFunc(rows, func(m schema.MemberRow) bool { return m.Field == f })
	if i < 0 {
		return ""
	}
	if !p.camel && i+1 < len(rows) && rows[i+1].Field == f {
		i++
	}
	return rows[i].Name
}

func (p *payload) put(f schema.Field) {
	raw := p.c.Get(f)
	if raw == nil || string(raw) == "null" {
		raw = []byte(p.fallback(f))
	} else {
		raw = words.Write(p.c, f, raw, false)
	}
	if len(raw) == 0 {
		return
	}
	if name := p.name(f); name != "" { // otherwise it is inside another field
		p.Raw(name, raw)
	}
}

// fallback returns the default of a field that another agent didn't send, "" if there is none.
func (p *payload) fallback(f schema.Field) string {
	if f == schema.FieldStopActive {
		n, _ := p.c.Int(schema.FieldLoopCount)
		return strconv.FormatBool(n > 0)
	}
	for _, s := range defaults {
		if s.field == f {
			return s.json
		}
	}
	return `""`
}

var defaults = []struct {
	field schema.Field
	json  string
}{
	{schema.FieldSource, `"new"`}, {schema.FieldReason, `"complete"`}, {schema.FieldTrigger, `"auto"`},
	{schema.FieldStatus, `"end_turn"`},
	{schema.FieldFailure, `"model_call"`}, {schema.FieldSuggestions, "[]"}, {schema.FieldErrorDetails, ""},
	{schema.FieldTitle, ""}}

func (d Dialect) appendInput(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	command, isPatch := t.Input.Get(schema.RoleCommand)
	row := d.toolOf(v.Kind)
	switch {
	case isPatch && t.Name == patchTool && d.owns(c) && !d.onCode():
		return append(dst, command...)
	case v.Tool == patchTool && !d.owns(c) && v.Kind != schema.Other:
		return ordjson.AppendString(dst, string(patch.Append(nil, []patch.File{family.PatchFile(t, v.Kind)})))
	case t.Whole != nil:
		return append(dst, t.Whole...)
	case d.owns(c):
		in := slices.DeleteFunc(slices.Clone(t.Input), func(a schema.Arg) bool { return a.Name == "" })
		return schema.AppendOwn(dst, in, d.Tool(t.Name).InputRows())
	case v.Event == "permissionRequest" || v.Event == "PermissionRequest":
		return appendRequest(dst, c, v, row.InputRows())
	case v.Kind == schema.MCP || row == nil || len(row.Input) == 0:
		return schema.AppendNamed(dst, t.Input)
	case v.Kind == schema.Delete:
		return family.AppendRemove(dst, t)
	}
	in := t.Input
	if url, ok := in.Get(schema.RoleURL); ok && row.Name == fetchTool {
		in = in.Set(schema.RoleURL, "", slices.Concat([]byte{'['}, url, []byte{']'}))
	}
	return schema.AppendArgs(dst, in, row.Input)
}

func appendRequest(dst []byte, c *schema.Call, v schema.View, rows []schema.ArgRow) []byte {
	t := &c.Tool
	w := ordjson.NewWriter(dst)
	switch v.Kind {
	case schema.Shell:
		w.String("command", t.Input.Text(schema.RoleCommand))
	case schema.Delete:
		w.String("command", "rm "+shell.Quote(t.Input.Text(schema.RolePath)))
	case schema.Write, schema.Edit, schema.MultiEdit, schema.Notebook:
		w.String("file_path", t.Input.Text(schema.RolePath))
		w.String("diff", diffOf(t, v.Kind))
	default:
		if len(rows) == 0 {
			return schema.AppendNamed(dst, t.Input)
		}
		return schema.AppendArgs(dst, t.Input, rows)
	}
	return w.Bytes()
}

// Shown returns the tool's input as a hook in view v sees it.
func (d Dialect) Shown(c *schema.Call, v schema.View) schema.Args {
	raw := d.appendInput(nil, c, v)
	if s, ok := ordjson.String(raw); ok {
		if _, err := grammar.Parse(s); err != nil {
			return nil
		}
		return schema.Args{{Role: schema.RoleCommand, Raw: raw}}
	}
	o, _ := ordjson.Members(raw, 0)
	return schema.DecodeArgs(o, d.toolOf(v.Kind).InputRows())
}
