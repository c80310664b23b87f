package cursor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: "cursor", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema(), Least: 45,
		Refused: []string{`{"conversation_id":"c","hook_event_name":"PreToolUse"}`,
			`{"conversation_id":"c","hook_event_name":"stop","loop_count":"1"}`,
			`{"conversation_id":"c","hook_event_name":"preToolUse","tool_name":"Shell"}`,
			`{"conversation_id":"c","hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":1}}`}})
}

// document marks versions of the SDK as equivalent to the newest editor's.
func document(name, title, description string, body Object) Object {
	return Document(name, title, description, append(Object{"x-newest", Words("1.0.")}, body...))
}

func configSchema() Object {
	properties := Object{}
	for i := range events {
		row := &events[i]
		properties = append(properties, row.Native,
			Since(Object{"description", "Source: " + row.Source + "."}.With(Array(Ref("entry"))...), row.Since))
	}
	entry := Struct(Object{
		"type", Enum("command", "prompt"),
		"matcher", Object{"type", "string", "format", "regex", "description", "a JavaScript regular expression"},
		"timeout", Object{"type", "number", "exclusiveMinimum", 0, "description", "seconds"},
		"loop_limit", Object{"anyOf", []any{Object{"type", "integer", "exclusiveMinimum", 0}, Object{"type", "null"}}},
		"failClosed", Bool(),
	})
	prompt := Object{"properties", Object{"type", Const("prompt")}, "required", Words("type")}
	entry = entry.With("if", prompt,
		"then", Struct(Object{"prompt", Object{"type", "string", "pattern", `\S`}, "model", Text()}, "prompt"),
		"else", Struct(Object{"command", Text()}, "command"))
	return document("cursor-config", "Cursor's hooks.json",
		"The file as Cursor (SDK 1.0.32) accepts it; one fault anywhere voids the whole file. Made from "+
			"hookbridge's tables.",
		Struct(Object{
			"version", Object{"type", "integer", "minimum", 1},
			"hooks", Object{"type", "object", "properties", properties, "additionalProperties", false},
		}, "version").With("$defs", Object{"entry", entry}))
}

func payloadSchema() Object {
	object := Object{"type", "object"}
	p := Payload{Rows: events, Members: &members, Tools: tools, Required: []string{"conversation_id"},
		Lacks: map[string][]string{"workspaceOpen": {"conversation_id"}},
		Types: map[schema.Field]Object{
			schema.FieldToolInput:   {"type", Words("object", "string")}, // text before an MCP tool
			schema.FieldToolOutput:  Text(),
			schema.FieldUser:        {"type", Words("string", "null")},
			schema.FieldModelParams: Array(object),
		}}
	return document("cursor-payload", "Payload of a Cursor hook",
		"What a hook reads on stdin, as the SDK 1.0.32, the CLI and the editor write it. Made from hookbridge's "+
			"tables.", p.Schema())
}

// answerSchema checks that messages are texts on every event, and any other field only where Cursor reads it.
func answerSchema() Object {
	defs := Object{}
	var all anyAnswer
	for i := range events {
		row := &events[i]
		answer := eventAnswer(row)
		defs = append(defs, row.Native, Since(answer, row.Since))
		all.add(answer, row.Since)
	}
	return document("cursor-answer", "Answer of a Cursor hook",
		"The JSON that a hook may print: members as some event reads them. What one event takes stands under $defs "+
			"by its name; "+
			"what it does not read may be anything. Cursor SDK 1.0.32; made from hookbridge's tables.",
		Struct(all.properties()).With("$defs", defs))
}

// An anyAnswer combines the fields of all events: a value must be valid on some event, and a field exists since the
// first of them.
type anyAnswer []struct {
	name, since string
	forms       []any
}

func (u *anyAnswer) add(answer Object, since string) {
	members := answer[len(answer)-1].(Object) // properties come last
next:
	for i := 0; i < len(members); i += 2 {
		name, form := members[i].(string), members[i+1].(Object)
		for j := range *u {
			m := &(*u)[j]
			if m.name != name {
				continue
			}
			if m.since = min(m.since, since); !slices.ContainsFunc(m.forms, func(f any) bool {
				return string(f.(Object).Bytes()) == string(form.Bytes())
			}) {
				m.forms = append(m.forms, form)
			}
			continue next
		}
		*u = append(*u, struct {
			name, since string
			forms       []any
		}{name, since, []any{form}}) // versions are compared as texts: no part has two digits
	}
}

func (u anyAnswer) properties() (out Object) {
	for _, m := range u {
		form := m.forms[0].(Object)
		if len(m.forms) > 1 {
			form = Object{"anyOf", m.forms}
		}
		out = append(out, m.name, Since(form, m.since))
	}
	return out
}

func eventAnswer(row *schema.EventRow) Object {
	p := Object{"user_message", Text()}
	add := func(name string, heard bool, o Object) {
		if heard {
			p = append(p, name, o)
		}
	}
	heeds := func(f schema.Feature) bool { return row.Honors&f != 0 }
	agents := row.Native == "subagentStart"
	add("agent_message", !agents, Text())
	var words []string
	for _, v := range family.PlainVerdicts {
		if v.Verdict != schema.Ask || row.Kinds() == nil || row.Kinds()[0] != schema.Read {
			words = append(words, v.Word)
		}
	}
	add("permission", heeds(schema.EffectAllow), Enum(words...))
	old := Object{"description", "what versions before 2.5 read in the place of permission and the messages", "x-until",
		"2.5"}
	add("decision", row.Native == "preToolUse" || agents, old)
	add("reason", row.Native == "preToolUse" || agents, old)
	add("updated_input", heeds(schema.EffectInput), Object{"type", "object"})
	add("additional_context", heeds(schema.EffectContext) && !agents, Text())
	add("updated_mcp_tool_output", row.Native == "postToolUse", Any())
	add("followup_message", heeds(schema.EffectKeepGoing), Text())
	add("continue", row.Event == schema.PromptSubmit || row.Event == schema.SessionStart, Bool())
	add("env", heeds(schema.EffectEnv), Object{"type", "object", "additionalProperties", Text()})
	add("pluginPaths", heeds(schema.EffectPluginPaths), Array(Object{"type", "string", "minLength", 1}))
	heeded := row.Honors.String()
	if heeded == "" {
		heeded = "nothing"
	}
	return append(Object{"description", "Heeds " + heeded + ". Source: " + row.Source + "."}, Struct(p)...)
}

// TestCorpusPayloads checks that payloads from people's tests are rejected only for missing fields.
func TestCorpusPayloads(t *testing.T) {
	s := Compile(t, payloadSchema().Bytes(), "")
	n := 0
	for _, file := range corpus(t, "payloads", "cursor") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if c, _ := (Dialect{}).DecodeCall(text, nil); c == nil {
			continue
		}
		n++
		if err := Validate(s, text); err != nil && !OnlyMissing(err) {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
	}
	if n < 50 {
		t.Errorf("only %d payloads", n)
	}
}

// agree checks that the schema and the reader accept the same files.
func agree(t *testing.T, name string, text []byte, valid error) {
	t.Helper()
	_, ds := Dialect{}.ParseConfig(text, schema.Source{})
	if slices.ContainsFunc(ds, func(d schema.Diagnostic) bool {
		return voids(d) || d.Code == schema.CodeNoVersion
	}) != (valid != nil) {
		t.Errorf("%s: the reader finds %v, the schema %v", name, finds(ds), valid)
	}
}

func TestConfigSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	for _, tt := range configs {
		_, err := ordjson.Parse([]byte(tt.text))
		if err == nil && tt.text[0] == '{' && !strings.Contains(tt.text, "//") &&
			!strings.Contains(tt.name, "matcher") && tt.name != "timeout infinite" {
			agree(t, tt.name, []byte(tt.text), Validate(s, []byte(tt.text)))
		}
	}
}

// TestCorpusSchema checks the same for real files.
func TestCorpusSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	n := 0
	for _, file := range corpus(t, "cursor") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ordjson.Parse(text); err == nil && !strings.Contains(string(text), "//") && text[0] == '{' {
			n++
			agree(t, filepath.Base(file), text, Validate(s, text))
		}
	}
	if n < 40 {
		t.Errorf("only %d files", n)
	}
}

var replies = []string{
	`{}`, `{"permission":"allow"}`, `{"permission":"ask"}`, `{"permission":"block"}`, `{"permission":1}`,
	`{"user_message":1}`, `{"agent_message":1}`,
	`{"permission":"deny","user_message":"x","agent_message":"y"}`, `{"additional_context":1}`,
	`{"additional_context":"x"}`, `{"updated_input":[]}`,
	`{"updated_input":{}}`, `{"followup_message":1}`, `{"followup_message":"x"}`, `{"continue":"no"}`,
	`{"continue":false}`, `{"env":1}`, `{"env":{"A":1}}`,
	`{"env":{"A":"1"}}`, `{"pluginPaths":[""]}`, `{"pluginPaths":["a"]}`, `{"pluginPaths":1}`,
	`{"updated_mcp_tool_output":1}`, `{"unknown":1}`, `{"decision":"x","reason":1}`}

// TestAnswerSchema checks that the schema and the reader accept the same answers, event by event.
func TestAnswerSchema(t *testing.T) {
	text := answerSchema().Bytes()
	whole := Compile(t, text, "")
	for _, bad := range []string{`{"permission":"maybe"}`, `{"permission":1}`, `{"continue":"no"}`, `{"env":{"A":1}}`,
		`{"followup_message":1}`, `[]`} {
		if Validate(whole, []byte(bad)) == nil {
			t.Errorf("%s passes", bad)
		}
	}
	for _, good := range []string{`{}`, `{"permission":"ask"}`, `{"continue":false,"user_message":"x"}`,
		`{"env":{"A":"1"},"additional_context":"x"}`, `{"unknown":1}`} {
		if err := Validate(whole, []byte(good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for i := range events {
		row := &events[i]
		s := Compile(t, text, "/$defs/"+row.Native)
		for _, a := range replies {
			h := &schema.Hook{Native: row.Native, Event: row.Event, Handler: schema.HandlerCommand}
			_, ds := Dialect{}.DecodeReply(h, schema.View{Event: row.Native}, &process.Result{Stdout: []byte(a)})
			refused := slices.ContainsFunc(ds, func(d schema.Diagnostic) bool { return d.Code == schema.CodeBadSchema })
			if err := Validate(s, []byte(a)); refused != (err != nil) {
				t.Errorf("%s %s: the reader finds %v, the schema %v", row.Native, a, finds(ds), err)
			}
		}
	}
}
