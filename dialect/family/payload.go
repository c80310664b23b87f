package family

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Fields are the common fields of the family's payloads.
var Fields = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "session_id", Field: schema.FieldSession}, {Name: "transcript_path", Field: schema.FieldTranscript},
	{Name: "cwd", Field: schema.FieldCwd}, {Name: "hook_event_name", Field: schema.FieldEvent},
	{Name: "permission_mode", Field: schema.FieldMode}, {Name: "agent_id", Field: schema.FieldAgentID},
	{Name: "agent_type", Field: schema.FieldAgentType},
	{Name: "agent_transcript_path", Field: schema.FieldAgentTranscript}, {Name: "model", Field: schema.FieldModel},
	{Name: "tool_name", Field: schema.FieldToolName}, {Name: "tool_input", Field: schema.FieldToolInput},
	{Name: "tool_response", Field: schema.FieldToolOutput}, {Name: "tool_use_id", Field: schema.FieldToolUseID},
	{Name: "error", Field: schema.FieldError}, {Name: "reason", Field: schema.FieldReason},
	{Name: "prompt", Field: schema.FieldPrompt}, {Name: "source", Field: schema.FieldSource},
	{Name: "trigger", Field: schema.FieldTrigger}, {Name: "stop_hook_active", Field: schema.FieldStopActive},
	{Name: "last_assistant_message", Field: schema.FieldLastMessage},
}}

// AllFields are Fields and the fields of events that only some agents of the family raise.
var AllFields = schema.MemberTable{Shared: &Fields, Rows: []schema.MemberRow{
	{Name: "error_details", Field: schema.FieldErrorDetails}, {Name: "is_interrupt", Field: schema.FieldInterrupted},
	{Name: "permission_suggestions", Field: schema.FieldSuggestions},
	{Name: "custom_instructions", Field: schema.FieldInstructions},
	{Name: "compact_summary", Field: schema.FieldCompactSummary}, {Name: "message", Field: schema.FieldMessage},
	{Name: "title", Field: schema.FieldTitle}, {Name: "notification_type", Field: schema.FieldNotificationType},
	{Name: "file_path", Field: schema.FieldPath}, {Name: "memory_type", Field: schema.FieldMemoryType},
	{Name: "load_reason", Field: schema.FieldLoadReason}, {Name: "globs", Field: schema.FieldGlobs},
	{Name: "trigger_file_path", Field: schema.FieldTriggerPath},
	{Name: "parent_file_path", Field: schema.FieldParentPath}, {Name: "old_cwd", Field: schema.FieldOldCwd},
	{Name: "new_cwd", Field: schema.FieldNewCwd}, {Name: "event", Field: schema.FieldFileEvent},
	{Name: "task_id", Field: schema.FieldTaskID}, {Name: "task_subject", Field: schema.FieldTaskSubject},
	{Name: "task_description", Field: schema.FieldTaskDescription},
	{Name: "teammate_name", Field: schema.FieldTeammate}, {Name: "team_name", Field: schema.FieldTeam},
	{Name: "name", Field: schema.FieldWorktreeName}, {Name: "worktree_path", Field: schema.FieldWorktreePath},
	{Name: "mcp_server_name", Field: schema.FieldServerName}, {Name: "mode", Field: schema.FieldElicitMode},
	{Name: "url", Field: schema.FieldElicitURL}, {Name: "elicitation_id", Field: schema.FieldElicitID},
	{Name: "requested_schema", Field: schema.FieldElicitSchema}, {Name: "action", Field: schema.FieldElicitAction},
	{Name: "content", Field: schema.FieldContent},
}}

// A PayloadRow is a field in the payloads of several events. Fields of a single event are in that event's row; a
// PayloadRow for them only has their default.
type PayloadRow struct {
	Field schema.Field
	Tool  bool           // only events about a tool have it
	Only  []schema.Event // events that have it; nil: all except those in Not
	Not   []schema.Event
	// Default is the JSON for a value that another agent didn't send; "": the field is left out.
	Default string
	Late    bool // its place is the one in the event's row
	// OwnOnly are events at which calls of other agents don't get it.
	OwnOnly []schema.Event
}

func (r *PayloadRow) on(e schema.Event) bool {
	if r.Tool && !e.IsTool() {
		return false
	}
	return (r.Only == nil || slices.Contains(r.Only, e)) && !slices.Contains(r.Not, e)
}

// A Rename is another name of a field at one event.
type Rename struct {
	Field schema.Field
	Event schema.Event
	Name  string
}

// DecodeCall reads the payload that a hook gets on stdin. The Call is nil only with an Error diagnostic.
func (a *Agent) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}

	c := &schema.Call{Dialect: a.Data.Agent(), Version: a.Data.Version, Raw: src}
	c.Native = a.Data.Fields.Text(o, schema.FieldEvent)
	at := "/" + a.Data.Fields.Of(schema.FieldEvent).Name
	if c.Native == "" {
		ds.Add(schema.CodeNoEventName, at, "the payload has no event name")
		return nil, ds
	}

	row := a.Row(c.Native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, at, a.Data.TitleChecked()+" doesn't know the event "+c.Native)
		return nil, ds
	}

	c.Event, c.Gate = row.Event, row.Gate != nil
	c.Values, c.Extra = a.Data.Fields.Decode(o, row.Event)
	shape, usable := schema.CheckShape(c, false)
	ds, c.Malformed = append(ds, shape...), !usable
	if a.Names.Remote != "" {
		c.Remote = env.Get(a.Names.Remote)
	}
	if a.Steps.Version != nil && c.Version == "" {
		c.Version = a.Steps.Version(env)
	}
	if a.Steps.Read != nil {
		a.Steps.Read(a, c, o, env)
	}

	a.Data.Vocabularies.Read(c)
	c.Cwd = cmp.Or(c.Str(schema.FieldCwd), c.Cwd)
	if a.Names.Project != "" {
		c.Project = env.Get(a.Names.Project)
	}
	c.Project = cmp.Or(c.Project, c.Cwd)
	if row.Event.IsTool() {
		a.decodeTool(c)
	}
	if usable && c.Malformed {
		i := slices.IndexFunc(c.Tool.Input, func(a schema.Arg) bool { return a.Role == schema.RoleCommand })
		at := ordjson.Pointer("/tool_input", c.Tool.Input[max(i, 0)].Name)
		ds.Add(schema.CodeShape, at, "the patch names no file")
	}
	return c, ds
}

func (a *Agent) decodeTool(c *schema.Call) {
	t := &c.Tool
	name := c.Str(schema.FieldToolName)
	t.UseID, t.Name, t.Kinds = c.Str(schema.FieldToolUseID), name, []schema.Kind{schema.Other}
	row := a.Tool(name)
	switch {
	case row == nil:
		a.Data.MCP.Read(t, name)
	case len(row.Kinds) > 0:
		t.Kinds = row.Kinds[:1]
	default:
		if t.Aliases = row.Aliases; c.Event == schema.PreTool {
			t.Kinds = append(t.Kinds, row.Also...)
		}
	}

	raw := a.unwrap(t.Kind(), c.Get(schema.FieldToolInput))
	if o, err := ordjson.Members(raw, 0); err == nil {
		t.Input = a.convertEdits(schema.DecodeArgs(o, a.ArgRows(name)), a.Edits, schema.CanonicalEdits)
	} else {
		t.Whole = raw
	}

	if row != nil && slices.Contains(row.Kinds, schema.Notebook) && isNotebook(t) && t.Kind() != schema.Notebook {
		t.Kinds = append(slices.Clip(t.Kinds), schema.Notebook)
	}
	if raw := c.Get(schema.FieldToolOutput); raw != nil {
		t.Output = a.readResult(t.Kind(), row, raw)
	}

	if a.ShellErrors && c.Event == schema.PostToolFailure && t.Kind() == schema.Shell {
		splitShellError(c)
	}
	if a.Steps.Classify != nil {
		a.Steps.Classify(a, c)
	}
}

// AppendCall writes c as the agent would show it to a hook in view v: one line of compact JSON. A call of the agent
// itself keeps all its original fields and gets no others. A view without an event is an empty object.
func (a *Agent) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	row := a.Row(v.Event)
	if row == nil {
		return append(dst, "{}"...)
	}

	p := payloadWriter{w: ordjson.NewWriter(dst), agent: a, c: c, v: v, row: row, own: a.owns(c)}
	for i := range a.Payload {
		if r := &a.Payload[i]; !r.Late && r.on(row.Event) && (p.own || !slices.Contains(r.OwnOnly, row.Event)) {
			p.put(r.Field, r.Default)
		}
	}
	for _, f := range row.Fields {
		p.put(f, a.defaultOf(f, row.Event))
	}
	if a.Steps.More != nil && !p.own {
		a.Steps.More(&p.w, c, v)
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
	return ordjson.AppendCompact(out[:len(dst)], out[len(dst):]) // in place: the text only shrinks
}

// defaultOf returns the default of a field that another agent didn't send, "" if there is none.
func (a *Agent) defaultOf(f schema.Field, e schema.Event) string {
	if r := lists.Find(a.Payload, func(r *PayloadRow) bool { return r.Field == f && r.on(e) }); r != nil {
		return r.Default
	}
	return ""
}

// A payloadWriter writes the fields of one payload, each once.
type payloadWriter struct {
	w     ordjson.Writer
	agent *Agent
	c     *schema.Call
	v     schema.View
	row   *schema.EventRow
	own   bool // the call is the agent's own
	done  [schema.NumFields]bool
}

func (p *payloadWriter) put(f schema.Field, missing string) {
	name := p.agent.Data.Field(f, p.row.Event)
	if p.done[f] || name == nil {
		return
	}

	as := name.Name
	if came := p.c.NameOf(f); came != "" && p.own && !p.agent.Data.Fixed() {
		as = came
	}
	if r := lists.Find(p.agent.Renames, func(r *Rename) bool {
		return r.Field == f && r.Event == p.row.Event
	}); r != nil {
		as = r.Name
	}

	switch has := p.c.Get(f) != nil; {
	case f == schema.FieldToolInput && (has || !p.own || p.c.Tool.Input != nil):
		p.done[f] = true
		p.w.Value(as, func(dst []byte) []byte { return p.agent.appendInput(dst, p.c, p.v) })
	case f == schema.FieldToolOutput && (has || !p.own):
		p.done[f] = true
		p.w.Value(as, func(dst []byte) []byte { return p.agent.appendResult(dst, p.c, p.v) })
	default:
		if raw := p.value(f, missing); len(raw) > 0 {
			p.done[f] = true
			p.w.Raw(as, raw)
		}
	}
}

// value returns the JSON of a field, nil if there is nothing to write.
func (p *payloadWriter) value(f schema.Field, missing string) []byte {
	raw := p.c.Get(f)
	switch f {
	case schema.FieldEvent:
		return p.text(f, p.v.Event)
	case schema.FieldToolName:
		return p.text(f, p.v.Tool)
	case schema.FieldCwd:
		// a tool's own folder stays in its input
		if _, moved := p.c.Tool.Input.Get(schema.RoleCwd); moved && p.own {
			return raw
		}
		return p.text(f, p.c.Cwd)
	case schema.FieldError:
		if p.agent.ShellErrors && (p.v.Kind == schema.Shell || p.v.Kind == schema.Delete) &&
			p.row.Event == schema.PostToolFailure {
			if _, ok := p.c.Tool.Output.Get(schema.RoleExitCode); ok || !p.own {
				return shellError(p.c)
			}
		}
	}

	switch {
	case p.own && raw == nil:
		return nil
	case p.own:
		return p.word(f, raw)
	case f == schema.FieldTurn && string(raw) == `""`:
		raw = nil
	case f == schema.FieldDuration && raw != nil:
		return wholeNumber(raw)
	}

	if raw == nil {
		raw = p.made(f)
	}
	if raw == nil || string(raw) == "null" && missing != "" {
		return []byte(missing)
	}

	return p.agent.Data.Vocabularies.Write(p.c, f, raw, false)
}

// word writes a value of the agent's own call as it came, unless it was changed. Another agent may use a word that this
// agent doesn't have for something else.
func (p *payloadWriter) word(f schema.Field, raw []byte) []byte {
	if v := p.agent.Data.Vocabularies.For(p.c.Event, f); v != nil {
		o, _ := ordjson.Parse(p.c.Raw)
		came := o.Value(cmp.Or(p.c.NameOf(f), p.agent.Data.Field(f, p.row.Event).Name))
		if came != nil && bytes.Equal(v.In(came), raw) {
			return came
		}
	}
	return p.agent.Data.Vocabularies.Write(p.c, f, raw, true)
}

// text writes a field whose value is known. An unchanged value of the agent's own call keeps its spelling.
func (p *payloadWriter) text(f schema.Field, s string) []byte {
	if p.own && p.c.Str(f) == s {
		return p.c.Get(f)
	}
	return ordjson.AppendString(nil, s)
}

// made derives a field from other fields of another agent, nil if it can't.
func (p *payloadWriter) made(f schema.Field) []byte {
	switch f {
	case schema.FieldToolUseID:
		if p.row.Event != schema.PermissionRequest {
			return ordjson.AppendString(nil, p.agent.callID(p.c, p.v))
		}
	case schema.FieldRoots:
		return append(ordjson.AppendString([]byte{'['}, p.c.Project), ']')
	case schema.FieldServer:
		if p.v.Kind == schema.MCP {
			return ordjson.AppendTexts(nil, "name", p.v.Server)
		}
	case schema.FieldReason:
		if p.row.Event == schema.PermissionDenied {
			return ordjson.AppendString(nil, p.c.Str(schema.FieldError))
		}
	case schema.FieldStopActive:
		if n, _ := p.c.Int(schema.FieldLoopCount); n > 0 {
			return []byte("true")
		}
	case schema.FieldLastMessage:
		if p.row.Event == schema.SubagentStop {
			return p.c.Get(schema.FieldSummary)
		}
	}
	return nil
}

// wholeNumber rounds: the agents count whole milliseconds.
func wholeNumber(raw []byte) []byte {
	f, ok := ordjson.Float(raw)
	if !ok {
		return raw
	}
	return strconv.AppendFloat(nil, math.Round(f), 'f', 0, 64)
}
