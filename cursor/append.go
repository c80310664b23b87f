package cursor

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// AppendCall writes c as Cursor would show it to a hook in view v: one JSON
// object, its members in the order that the client uses. A call that Cursor
// itself raised as this event keeps what it has and gains nothing.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	own := c.Dialect == "cursor"
	e := encoder{Writer: ordjson.NewWriter(dst), c: c, v: v, row: rowOf(v.Event), exact: own && v.Event == c.Native, old: oldWords(d.Version)}
	session := v.Event != "workspaceOpen"
	if session {
		e.field(schema.FieldSession, `""`)
		e.field(schema.FieldTurn, `""`)
		e.field(schema.FieldModel, `"unknown"`)
		e.field(schema.FieldModelID, "")
		e.field(schema.FieldModelParams, "")
	}
	e.event()
	if e.exact {
		e.rest()
	} else if session && !c.Extra.Has("session_id") {
		e.as("session_id", schema.FieldSession, `""`)
	}
	if own {
		for _, m := range c.Extra {
			e.Raw(m.Name, m.Value)
		}
	}
	e.String("hook_event_name", v.Event)
	e.field(schema.FieldVersion, strconv.Quote(d.version()))
	e.roots()
	e.field(schema.FieldUser, "null")
	if session || e.exact {
		e.field(schema.FieldTranscript, "null")
	}
	if e.exact || v.Event == "subagentStop" {
		e.field(schema.FieldAgentTranscript, "")
	}
	return e.Bytes()
}

type encoder struct {
	ordjson.Writer
	c     *schema.Call
	v     schema.View
	row   *schema.EventRow
	exact bool // the call is Cursor's own, in its own event
	old   bool // for a hook of version 2.4
	done  [schema.NumFields]bool
}

func (e *encoder) event() {
	switch {
	case e.row.Gate:
		e.gate()
	case e.row.Event.IsTool():
		e.tool()
	case e.v.Event == "subagentStart" && e.c.Event == schema.PreTool:
		e.subagent()
	case e.old && !e.exact && oldMembers(e.v.Event) != nil:
		for _, f := range oldMembers(e.v.Event) {
			e.as(f.Name, f.Field, e.fallback(f.Field))
		}
	case e.v.Event == "afterAgentResponse" && e.c.Event != schema.AgentResponse:
		e.as("text", schema.FieldLastMessage, `""`)
	default:
		for _, f := range e.row.Fields {
			if f != schema.FieldAgentTranscript { // comes last of all
				e.field(f, e.fallback(f))
			}
		}
		if e.c.Event == schema.StopFailure && !e.exact {
			e.stopError()
		}
	}
}

// stopError says why a turn failed, under the name that the error has on other
// events: Cursor's own payload has the status alone.
func (e *encoder) stopError() {
	text := e.c.Str(schema.FieldError)
	if details := e.c.Str(schema.FieldErrorDetails); details != "" {
		text = strings.TrimPrefix(text+": "+details, ": ")
	}
	if text != "" {
		e.String(members.Of(schema.FieldError).Name, text)
	}
}

// oldFields are the members of version 2.4 where they differ (docs 2026-01).
var oldFields = []struct {
	event   string
	members []schema.MemberRow
}{
	{"subagentStart", []schema.MemberRow{{Name: "subagent_type", Field: schema.FieldAgentType}, {Name: "prompt", Field: schema.FieldTask}}},
	{"subagentStop", []schema.MemberRow{{Name: "subagent_type", Field: schema.FieldAgentType}, {Name: "status", Field: schema.FieldStatus},
		{Name: "result", Field: schema.FieldSummary}, {Name: "duration", Field: schema.FieldDuration}}},
}

// oldMembers are those of an event, nil if they do not differ.
func oldMembers(event string) []schema.MemberRow {
	for _, f := range oldFields {
		if f.event == event {
			return f.members
		}
	}
	return nil
}

// rest writes the fields that the event's row doesn't name and that aren't at the end
// of the payload.
func (e *encoder) rest() {
	for _, v := range e.c.Values {
		if v.Name == "" {
			continue // not of the payload
		}
		switch v.Field {
		case schema.FieldEvent, schema.FieldVersion, schema.FieldRoots, schema.FieldUser, schema.FieldTranscript, schema.FieldAgentTranscript:
		default:
			if !e.done[v.Field] {
				e.field(v.Field, "")
			}
		}
	}
}

func (e *encoder) roots() {
	raw := e.c.Get(schema.FieldRoots)
	switch {
	case raw != nil:
		e.Raw("workspace_roots", raw)
	case !e.exact:
		e.Raw("workspace_roots", append(ordjson.AppendString([]byte{'['}, e.c.Project), ']'))
	}
}

// field writes a payload field under its native name; fallback "" leaves it
// out if the call lacks it.
func (e *encoder) field(f schema.Field, fallback string) {
	r := members.Of(f)
	if r == nil {
		return
	}
	e.done[f] = true
	name := r.Name
	if f == schema.FieldDuration && !e.row.Event.IsTool() {
		name = "duration_ms"
	}
	e.as(name, f, fallback)
}

func (e *encoder) as(name string, f schema.Field, fallback string) {
	raw := e.get(f)
	if raw == nil && !e.exact {
		raw = []byte(fallback)
	}
	if len(raw) > 0 {
		e.Raw(name, words.Write(e.c, f, raw, e.exact))
	}
}

// get returns a field, or the one by which another agent says the same on this
// event: what a subagent said last, why a call was refused.
func (e *encoder) get(f schema.Field) []byte {
	raw := e.c.Get(f)
	switch {
	case raw != nil || e.exact:
	case f == schema.FieldSummary && e.c.Event == schema.SubagentStop:
		return e.c.Get(schema.FieldLastMessage)
	case f == schema.FieldError && e.c.Event == schema.PermissionDenied:
		return e.c.Get(schema.FieldReason)
	}
	return raw
}

// stands are what Cursor always sends and another agent may lack.
var stands = []struct {
	field schema.Field
	on    schema.Event // of the call; 0: any other
	json  string
}{
	{schema.FieldInterrupted, 0, "false"}, {schema.FieldBackground, 0, "false"}, {schema.FieldFirstCompaction, 0, "false"},
	{schema.FieldParallel, 0, "false"}, {schema.FieldAttachments, 0, "[]"}, {schema.FieldReason, 0, `"completed"`},
	{schema.FieldTrigger, 0, `"auto"`}, {schema.FieldLoopCount, 0, "0"},
	{schema.FieldStatus, schema.StopFailure, `"error"`}, {schema.FieldStatus, 0, `"completed"`},
	{schema.FieldFinalStatus, schema.StopFailure, `"error"`}, {schema.FieldFinalStatus, 0, `"completed"`},
	{schema.FieldFailure, schema.PermissionDenied, `"permission-denied"`}, {schema.FieldFailure, 0, `"error"`},
	{schema.FieldPrompt, 0, `""`}, {schema.FieldText, 0, `""`},
}

func (e *encoder) fallback(f schema.Field) string {
	if f == schema.FieldLoopCount && e.c.Bool(schema.FieldStopActive) {
		return "1"
	}
	for _, s := range stands {
		if s.field == f && (s.on == 0 || s.on == e.c.Event) {
			return s.json
		}
	}
	return ""
}
