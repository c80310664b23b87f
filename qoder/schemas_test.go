package qoder

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: "qoder", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema(),
		Refused: []string{`{"session_id":"s","hook_event_name":"preToolUse"}`,
			`{"session_id":"s","hook_event_name":"Stop","stop_hook_active":1}`,
			`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":1}}`}})
}

// document names the surfaces; a plain version belongs to the first.
func document(name, title, description string, body Object) Object {
	var names []string
	for _, s := range programs {
		names = append(names, s.Name)
	}
	return Document(name, title, description, append(Object{"x-surfaces", Words(names...)}, body...))
}

// only lists the surfaces that have an event; the CLI has all.
func only(native string) []any {
	var out []any
	for _, s := range programs {
		if at(s.Name).has(native) {
			out = append(out, s.Name)
		}
	}
	if len(out) == len(programs) {
		return nil
	}
	return out
}

func mark(o Object, native string) Object {
	if on := only(native); on != nil {
		return o.With("x-surfaces", on)
	}
	return o
}

func configSchema() Object {
	properties := Object{}
	for i := range events {
		row := &events[i]
		properties = append(properties, row.Native,
			mark(Object{"description", "Source: " + row.Source + "."}.With(Array(Ref("group"))...), row.Native))
	}
	handler := Object{}
	var kinds []string
	var branches []any
	for _, m := range append([]family.EntryRow{{Name: "type", Kind: ordjson.StringKind}}, file.Entries...) {
		kind, each := m.Kinds()
		if kind == ordjson.Invalid {
			continue
		}
		o := OfKind(kind)
		if each != ordjson.Invalid {
			o = Array(OfKind(each))
		}
		if m.Name == "type" {
			for _, h := range file.Handlers {
				kinds = append(kinds, h.Type)
				needs := Struct(Object{h.Needs[0], Object{"type", "string", "minLength", 1}}, h.Needs[0])
				branches = append(branches, Object{"if", Object{"properties", Object{"type", Const(h.Type)}}, "then",
					needs})
			}
			o = Enum(kinds...)
		}
		handler = append(handler, m.Name, o)
	}
	group := Struct(Object{"matcher", Text(), "hooks", Array(Ref("handler"))}, "hooks")
	events := Object{"type", "object", "properties", append(properties, "enabled", Any(), "disabled", Any(),
		"notifications", Any()), "additionalProperties", false}
	return document("qoder-config", "Hooks of Qoder", "The hooks in a settings file or in a plugin's hooks.json, as "+
		"the Qoder CLI 1.1.52 accepts them. Made from hookbridge's tables.",
		Struct(Object{"hooks", events, "disableAllHooks", Any(), "allowedHttpHookUrls", Any()}).
			With("$defs", Object{"group", group, "handler", Struct(handler, "type").With("allOf", branches)}))
}

func payloadSchema() Object {
	p := Payload{Rows: slices.Clone(events), Members: &family.AllFields, Tools: cliTools(),
		Required: []string{"session_id"}, Only: only}
	for i := range p.Rows {
		p.Rows[i].Since = "" // the version of the check, not the first one
	}
	return document("qoder-payload", "Payload of a Qoder hook",
		"What a hook reads on stdin, as the Qoder CLI 1.1.52 writes it. Made from hookbridge's tables.", p.Schema())
}

// shapeSchema returns the schema for the shape of an answer's field.
func shapeSchema(p family.Part) Object {
	switch p.Shape {
	case family.Text:
		if p.Words != nil {
			return Enum(p.Words...)
		}
		return Text()
	case family.Flag:
		return Bool()
	case family.Yes:
		return Object{"const", true}
	case family.Number:
		return Number()
	case family.Struct:
		return Object{"type", "object"}
	case family.TextList:
		return Array(Text())
	case family.Request:
		allow := Struct(Object{"behavior", Const("allow"), "updatedInput", Object{"type", "object"},
			"updatedPermissions", Array(nil)}, "behavior")
		deny := Struct(Object{"behavior", Const("deny"), "message", Text(), "interrupt", Bool()}, "behavior")
		return Object{"anyOf", []any{allow, deny}}
	}
	return Any()
}

func parts(ps []family.Part) (o Object) {
	for _, p := range ps {
		o = append(o, p.Name, shapeSchema(p))
	}
	return o
}

// answerSchema: the specific part follows the event that it names, which may differ from the current one, so one schema
// serves all events.
func answerSchema() Object {
	defs := Object{}
	var branches, names []any
	for i := range events {
		row := &events[i]
		own := Object{}
		for _, p := range hookSpecific {
			if slices.Contains(p.On, row.Native) {
				own = append(own, p.Name, shapeSchema(p))
			}
		}
		o := append(Object{"description", "Heeds " + row.Honors.String() + ". Source: " + row.Source + "."},
			Struct(own)...)
		defs = append(defs, row.Native, mark(o, row.Native))
		names = append(names, mark(Const(row.Native), row.Native))
		branches = append(branches, mark(When("hookEventName", row.Native, row.Native, ""), row.Native))
	}
	said := Struct(Object{"hookEventName", Object{"anyOf", names}}, "hookEventName").With("allOf", branches)
	listened := Struct(append(parts(top[2:len(top)-1]), "hookSpecificOutput", said))
	gone := Object{"properties", Object{"async", Object{"const", true}}, "required", Words("async")}
	return document("qoder-answer", "Answer of a Qoder hook",
		"The JSON that a hook may print; what hookSpecificOutput may hold stands under $defs by the event that it "+
			"names. "+
			"Qoder CLI 1.1.52; made from hookbridge's tables.",
		Object{"type", "object", "properties", parts(top[:2]), "if", gone, "else", listened, "$defs", defs})
}

// agree checks that the schema and the reader accept the same files.
func agree(t *testing.T, name string, text []byte, valid error) {
	t.Helper()
	_, ds := New().ParseConfig(text, schema.Source{})
	refused := slices.ContainsFunc(ds, func(d schema.Diagnostic) bool {
		return d.Code == schema.CodeVoidHook || d.Code == schema.CodeNewerPart || d.Code == schema.CodeSkippedEvent
	})
	if refused != (valid != nil) {
		t.Errorf("%s: the reader finds %v, the schema %v", name, ds, valid)
	}
}

var badHandlers = []string{
	`1`, `{}`, `{"type":"command"}`, `{"type":"command","command":""}`, `{"type":"command","command":1}`,
	`{"type":"command","command":"x"}`,
	`{"type":"mcp_tool","command":"x"}`, `{"type":"http","url":"x"}`, `{"type":"http"}`,
	`{"type":"prompt","prompt":"x","timeout":"5"}`,
	`{"type":"command","command":"x","args":["a"]}`, `{"type":"command","command":"x","args":[1]}`,
	`{"type":"command","command":"x","async":null}`,
	`{"type":"command","command":"x","if":1}`, `{"type":"command","command":"x","unknown":1}`,
	`{"type":"agent","prompt":"x","once":true,"name":"n"}`}

func TestConfigSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	for _, h := range badHandlers {
		text := []byte(`{"hooks":{"Stop":[{"hooks":[` + h + `]}]}}`)
		agree(t, h, text, Validate(s, text))
	}
	for _, text := range []string{`{}`, `{"hooks":1}`, `{"hooks":{"stop":[]}}`, `{"hooks":{"Stop":{}}}`,
		`{"hooks":{"Stop":[1]}}`, `{"hooks":{"Stop":[{}]}}`,
		`{"hooks":{"Stop":[{"matcher":1,"hooks":[]}]}}`, `{"hooks":{"Stop":[{"hooks":{}}],"enabled":1}}`,
		`{"disableAllHooks":1,"hooks":{"enabled":1}}`} {
		agree(t, text, []byte(text), Validate(s, []byte(text)))
	}
}

// TestCorpusSchema checks the same for real files.
func TestCorpusSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	n := 0
	err := filepath.WalkDir(material.Corpus(t, "qoder"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := ordjson.Parse(text); err == nil {
			n++
			agree(t, filepath.Base(path), text, Validate(s, text))
		}
		return nil
	})
	if err != nil || n < 25 {
		t.Errorf("only %d files: %v", n, err)
	}
}

var replies = []string{
	`{}`, `{"async":true,"asyncTimeout":"x"}`, `{"async":true,"decision":1}`, `{"async":false}`,
	`{"continue":false,"stopReason":"x"}`, `{"continue":1}`, `{"decision":"deny"}`, `{"decision":"ask"}`,
	`{"reason":1}`, `{"systemMessage":1}`, `{"suppressOutput":1}`, `{"unknown":1}`, `{"hookSpecificOutput":1}`,
	`{"hookSpecificOutput":{}}`, `{"hookSpecificOutput":{"hookEventName":"No"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","permissionDecision":"no"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","permissionDecision":"defer","updatedInput":[]}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","additionalContext":1}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","watchPaths":[1]}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","clearContext":1}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","action":"yes"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","decision":{"behavior":"deny","message":1}}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","decision":{"behavior":"allow"}}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","retry":1,"sessionTitle":1,"worktreePath":1}}`,
}

// TestAnswerSchema checks that the schema and the reader accept the same answers.
func TestAnswerSchema(t *testing.T) {
	s := Compile(t, answerSchema().Bytes(), "")
	for i := range events {
		row := &events[i]
		for _, a := range replies {
			a = strings.ReplaceAll(a, "HERE", row.Native)
			h := &schema.Hook{Native: row.Native, Event: row.Event, Handler: schema.HandlerHTTP}
			_, ds := New().DecodeReply(h, schema.View{Event: row.Native}, &process.Result{Stdout: []byte(a)})
			refused := slices.ContainsFunc(ds, func(d schema.Diagnostic) bool { return d.Code == schema.CodeBadSchema })
			if err := Validate(s, []byte(a)); refused != (err != nil) {
				t.Errorf("%s %s: the reader finds %v, the schema %v", row.Native, a, ds, err)
			}
		}
	}
}
