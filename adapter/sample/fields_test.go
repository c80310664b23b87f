package sample

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// An optionalField is one that clients leave out of a usual payload of an event.
type optionalField struct {
	field  schema.Field
	events []schema.Event // nil: all
	why    string
}

var resumed = on(schema.SessionStart)

var optionalFields = []optionalField{
	{schema.FieldTranscript, nil, "no session has a file to name"},
	{schema.FieldAgentTranscript, nil, "no session has a file to name"},
	{schema.FieldPromptSource, on(schema.PromptSubmit), "not in a recorded payload of a typed prompt"},
	{schema.FieldSessionTitle, nil, "sent for a session with a title only"},
	{schema.FieldIdleSeconds, resumed, "sent for a resumed session only"},
	{schema.FieldCacheExpired, resumed, "sent for a resumed session only"},
	{schema.FieldCacheCost, resumed, "sent for a resumed session only"},
	{schema.FieldGlobs, nil, "sent for instructions with a pattern only"},
	{schema.FieldTriggerPath, nil, "sent for instructions that a file brought only"},
	{schema.FieldParentPath, nil, "sent for instructions that other instructions include only"},
	{schema.FieldTeammate, on(schema.TaskCreated, schema.TaskCompleted), "sent in a team only"},
	{schema.FieldTeam, on(schema.TaskCreated, schema.TaskCompleted), "sent in a team only"},
	{schema.FieldElicitURL, nil, "sent for a page to open only; a form is usual"},
	{schema.FieldElicitID, nil, "sent for a page to open only; a form is usual"},
	{schema.FieldServerURL, nil, "sent for a server with an address, or with a command: which one isn't known"},
	{schema.FieldServerCommand, nil, "sent for a server with an address, or with a command: which one isn't known"},
}

// TestSampleFields checks that a payload played by fire and test has every field of its event that clients send. A
// field with a fixed set of words has one that the agent sends at the event.
func TestSampleFields(t *testing.T) {
	for _, d := range adapter.Dialects() {
		for i := range d.Profile().Events {
			row := &d.Profile().Events[i]
			text, err := Payload(d, Event{Event: row.Native, Project: "/p", Session: "s"})
			if err != nil {
				t.Error(err)
				continue
			}
			o, _ := ordjson.Parse(text)
			back, ds := d.DecodeCall(text, nil)
			if back == nil {
				t.Errorf("%s %s: %v", d.Profile().Name, row.Native, ds)
				continue
			}
			for _, f := range row.Fields {
				m := d.Profile().Field(f, row.Event)
				if m != nil && !o.Has(m.Name) && back.Get(f) == nil && !isOptional(f, row.Event) {
					t.Errorf("%s %s: no %s", d.Profile().Name, row.Native, m.Name)
				}
				checkWords(t, d, row, f, back.Str(f))
			}
		}
	}
}

func isOptional(f schema.Field, e schema.Event) bool {
	return slices.ContainsFunc(optionalFields, func(o optionalField) bool {
		return o.field == f && (o.events == nil || slices.Contains(o.events, e))
	})
}

func checkWords(t *testing.T, d dialect.Dialect, row *schema.EventRow, f schema.Field, value string) {
	t.Helper()
	words := Words(d, row.Event, f)
	if value != "" && len(words) > 0 && !slices.ContainsFunc(words, func(w schema.Word) bool {
		return w.Meaning() == value || slices.Contains(w.Means, value)
	}) {
		t.Errorf("%s %s: sends %q, none of its words", d.Profile().Name, row.Native, value)
	}
}

// TestSampleArguments checks that a call is played with the arguments of the host's own tool. A host without such a
// tool gets a command, as its client sends it.
func TestSampleArguments(t *testing.T) {
	inputs := map[schema.Kind]string{schema.Fetch: `{"url":"http://x/"}`, schema.Glob: `{"pattern":"*.txt"}`,
		schema.Grep: `{"pattern":"x"}`, schema.List: `{"path":"d"}`, schema.Read: `{"path":"a"}`,
		schema.WebSearch: `{"query":"x"}`, schema.Shell: `{"command":"ls"}`}
	for _, d := range adapter.Dialects() {
		for kind, input := range inputs {
			for _, in := range [][]byte{nil, []byte(input)} {
				checkArguments(t, d, kind, in)
			}
		}
	}
}

func checkArguments(t *testing.T, d dialect.Dialect, kind schema.Kind, in []byte) {
	t.Helper()
	native := d.Profile().Generic(schema.PreTool)
	call := Event{Event: native, Tool: kind.String(), Input: in, Project: "/p", Session: "s"}
	text, err := Payload(d, ForHost(d, call))
	if err != nil {
		t.Error(err)
		return
	}
	c, ds := d.DecodeCall(text, nil)
	if c == nil {
		t.Fatal(d.Profile().Name, ds)
	}
	row := d.Profile().Tool(c.Tool.Name)
	if row == nil {
		if d.Profile().ToolOfKind(kind) != nil {
			t.Errorf("%s %s: played as %s, not as its own tool", d.Profile().Name, kind, c.Tool.Name)
		}
		return
	}
	for _, a := range c.Tool.Input {
		named := func(r schema.ArgRow) bool { return r.Name == a.Name }
		if a.Role == schema.Rest && !slices.ContainsFunc(row.Input, named) {
			t.Errorf("%s %s %s: %s has no argument %s: %s", d.Profile().Name, kind, in, row.Name, a.Name, text)
		}
	}
}
