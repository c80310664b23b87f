package cursor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// AppendCall writes c as Cursor would show it to a hook in view v: one JSON object, its fields in the client's order. A
// call that Cursor itself raised as this event keeps its fields and gains none. A view of an unknown event is an empty
// object.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	e := encoder{Writer: ordjson.NewWriter(dst), d: d, c: c, v: v, row: rowOf(v.Event), own: c.Dialect == name,
		old: oldWords(d.Version)}
	if e.row == nil {
		return e.Bytes()
	}

	e.exact = e.own && v.Event == c.Native
	e.reshaped = e.exact && d.Profile().Fixed() && e.old != oldWords(c.Version)
	session := v.Event != "workspaceOpen"
	if session {
		e.fields(schema.FieldSession, schema.FieldTurn, schema.FieldModel, schema.FieldModelID, schema.FieldModelParams)
	}

	e.event()
	if e.exact {
		e.rest()
	} else if session && !c.Extra.Has("session_id") {
		e.as("session_id", schema.FieldSession)
	}
	if e.own {
		for _, m := range c.Extra {
			e.Raw(m.Name, m.Value)
		}
	}

	e.String(e.name(schema.FieldEvent), v.Event)
	e.fields(schema.FieldVersion, schema.FieldRoots, schema.FieldUser)
	if session || e.exact {
		e.fields(schema.FieldTranscript)
	}
	if e.exact || v.Event == "subagentStop" {
		e.fields(schema.FieldAgentTranscript)
	}
	return e.Bytes()
}

type encoder struct {
	ordjson.Writer
	d     Dialect
	c     *schema.Call
	v     schema.View
	row   *schema.EventRow
	own   bool // the call is Cursor's own
	exact bool // and of the same event
	old   bool // for a hook of version 2.4
	done  [schema.NumFields]bool

	reshaped bool // the call's version has other forms
}

func (e *encoder) event() {
	switch {
	case e.v.Event == "subagentStart" && e.c.Event == schema.PreTool:
		e.subagent()
		return
	case e.v.Event == "afterAgentResponse" && e.c.Event != schema.AgentResponse:
		e.as("text", schema.FieldLastMessage)
		return
	}

	generic := e.row.Event.IsTool() && e.row.Gate == nil
	if generic {
		e.member(schema.FieldToolName)
		e.member(schema.FieldToolInput)
	}

	if generic && e.row.Event == schema.PostTool {
		e.member(schema.FieldToolOutput)
	}
	for _, f := range e.row.Fields {
		e.member(f)
	}

	if e.row.Event.IsTool() && e.row.Event != schema.PostToolFailure && (generic || e.exact) {
		e.useID()
	}
	switch {
	case e.c.Event == schema.StopFailure && !e.exact:
		e.stopError()
	case generic && e.exact:
		e.fields(schema.FieldToolCwd)
	case generic && e.v.Kind == schema.Shell:
		e.String(e.name(schema.FieldToolCwd), e.c.Cwd)
	}
}

// stopError writes why a turn failed, under the error's name on other events: Cursor's own payload has only the status.
func (e *encoder) stopError() {
	text := e.c.Str(schema.FieldError)
	if details := e.c.Str(schema.FieldErrorDetails); details != "" {
		text = strings.TrimPrefix(text+": "+details, ": ")
	}
	if text != "" {
		e.String(e.name(schema.FieldError), text)
	}
}

// atEnd are the fields at the end of every payload.
var atEnd = []schema.Field{schema.FieldEvent, schema.FieldVersion, schema.FieldRoots, schema.FieldUser,
	schema.FieldTranscript, schema.FieldAgentTranscript}

func (e *encoder) rest() {
	for _, v := range e.c.Values {
		if v.Name != "" && !e.done[v.Field] && !slices.Contains(atEnd, v.Field) {
			e.fields(v.Field)
		}
	}
}

func (e *encoder) fields(fs ...schema.Field) {
	for _, f := range fs {
		if as := e.name(f); as != "" {
			e.done[f] = true
			e.as(as, f)
		}
	}
}

// name returns the event's name for a field, "" if the payload doesn't have it. A Cursor call keeps its original names,
// unless the user named another version.
func (e *encoder) name(f schema.Field) string {
	version, came := e.d.Profile().AsOf, ""
	if e.exact {
		came = e.c.NameOf(f)
	}
	if e.own && !e.d.Profile().Fixed() {
		version = asOf(e.c.Version)
	}
	row := members.At(f, e.row.Event, version)
	if row == nil || came != "" && !e.d.Profile().Fixed() {
		return came
	}
	return row.Name
}

// as writes a field, or its default if another agent's call lacks it.
func (e *encoder) as(name string, f schema.Field) {
	raw := e.get(f)
	if raw == nil && !e.exact {
		raw = []byte(e.defaultOf(f))
	}
	if f == schema.FieldAttachments && len(raw) > 0 && e.oldForm() {
		raw = reattached(raw, true)
	}
	if len(raw) > 0 {
		e.Raw(name, words.Write(e.c, f, raw, e.exact))
	}
}

// get returns a field, or another agent's equivalent field on this event: a subagent's last message, the reason of a
// denial.
func (e *encoder) get(f schema.Field) []byte {
	raw := e.c.Get(f)
	switch {
	case f == schema.FieldVersion && e.own && e.d.Profile().Fixed():
		return ordjson.AppendString(nil, e.d.versionOf(e.c.Str(f)))
	case raw != nil || e.exact:
	case f == schema.FieldSummary && e.c.Event == schema.SubagentStop:
		return e.c.Get(schema.FieldLastMessage)
	case f == schema.FieldElicitURL: // sent under two names
		return e.c.Get(schema.FieldServerURL)
	case f == schema.FieldError && e.c.Event == schema.PermissionDenied:
		return e.c.Get(schema.FieldReason)
	case f == schema.FieldTurn: // as the CLI and the SDK do (captures of both)
		return e.c.Get(schema.FieldSession)
	case f == schema.FieldRoots:
		return ordjson.AppendArray(nil, []string{e.c.Project}, ordjson.AppendString)
	}
	return raw
}

// oldForm reports whether the payload has the form of version 2.4: of the hook's version, or of a call that keeps its
// own.
func (e *encoder) oldForm() bool {
	if e.own && !e.d.Profile().Fixed() {
		return oldWords(e.c.Version)
	}
	return e.old
}

// reattached returns attachments with the name that version 2.4 or later ones have for files (docs 2026-01 and
// 2026-03).
func reattached(raw []byte, old bool) []byte {
	from, to := "filePath", "file_path"
	if old {
		from, to = to, from
	}
	out := []byte("[")
	for i, o := range ordjson.Objects(raw) {
		if i > 0 {
			out = append(out, ',')
		}
		for j := range o {
			if o[j].Name == from {
				o[j].Name = to
			}
		}
		out = o.Append(out)
	}
	return append(out, ']')
}

// defaults are for fields that Cursor always sends and another agent may lack.
var defaults = []struct {
	field schema.Field
	on    schema.Event // of the call; 0: any other
	json  string
}{
	{schema.FieldInterrupted, 0, "false"}, {schema.FieldBackground, 0, "false"},
	{schema.FieldParallel, 0, "false"}, {schema.FieldAttachments, 0, "[]"}, {schema.FieldReason, 0, `"completed"`},
	{schema.FieldTrigger, 0, `"auto"`}, {schema.FieldLoopCount, 0, "0"},
	{schema.FieldStatus, schema.StopFailure, `"error"`}, {schema.FieldStatus, 0, `"completed"`},
	{schema.FieldFinalStatus, schema.StopFailure, `"error"`}, {schema.FieldFinalStatus, 0, `"completed"`},
	{schema.FieldFailure, schema.PermissionDenied, `"permission-denied"`}, {schema.FieldFailure, 0, `"error"`},
	{schema.FieldPrompt, 0, `""`}, {schema.FieldText, 0, `""`}, {schema.FieldLastMessage, 0, `""`},
	{schema.FieldSession, 0, `""`}, {schema.FieldModel, 0, `"unknown"`}, {schema.FieldUser, 0, "null"},
	{schema.FieldTranscript, 0, "null"}, {schema.FieldAgentTranscript, 0, "null"}, {schema.FieldSandbox, 0, "false"},
}

func (e *encoder) defaultOf(f schema.Field) string {
	switch {
	case f == schema.FieldLoopCount && e.c.Bool(schema.FieldStopActive):
		return "1"
	case f == schema.FieldVersion:
		return strconv.Quote(e.d.version())
	}
	for _, s := range defaults {
		if s.field == f && (s.on == 0 || s.on == e.c.Event) {
			return s.json
		}
	}
	return ""
}
