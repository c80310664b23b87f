package claude

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
	Run(t, Suite{Agent: "claude", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema(), Least: 50,
		Refused: []string{`{"session_id":"s","hook_event_name":"preToolUse"}`,
			`{"session_id":1,"hook_event_name":"Stop"}`,
			`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash"}`,
			`{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":1}}`}})
}

func configSchema() Object {
	properties := Object{}
	for i := range events {
		row, group := &events[i], "group"
		if slices.Contains(starts, row.Event) {
			group = "group at the start"
		}
		properties = append(properties, row.Native,
			Since(Object{"description", "Source: " + row.Source + "."}.With(Array(Ref(group))...), row.Since))
	}
	groupOf := func(handler string) Object {
		return Struct(Object{"matcher", Text(), "hooks", Array(Ref(handler))}, "hooks")
	}
	defs := Object{"group", groupOf("handler"), "group at the start", groupOf("handler at the start")}
	var atStart []string
	var kinds []string
	var branches []any
	common := Object{}
	for _, m := range file.Entries {
		if m.Of == 0 {
			common = append(common, m.Name, memberSchema(&m))
		}
	}
	for _, h := range file.Handlers {
		kinds = append(kinds, h.Type)
		if h.Never == nil {
			atStart = append(atStart, h.Type)
		}
		branches = append(branches, When("type", h.Type, h.Type+" handler", ""))
		own := Object{}
		for _, m := range file.Entries {
			if m.Of == h.Handler {
				own = append(own, m.Name, memberSchema(&m))
			}
		}
		defs = append(defs, h.Type+" handler", Struct(own, h.Needs...))
	}
	defs = append(defs, "handler", Struct(append(Object{"type", Enum(kinds...)}, common...), "type").With("allOf",
		branches),
		"handler at the start", Object{"allOf",
			[]any{Ref("handler"), Object{"properties", Object{"type", Enum(atStart...)}}}})
	body := Struct(Object{
		"hooks", Object{"type", "object", "properties", properties, "additionalProperties", false},
		"disableAllHooks", Bool(),
		"allowedHttpHookUrls", Array(Text()),
	}).With("$defs", defs)
	return Document("claude-config", "Hooks of Claude Code",
		"The hooks in a settings file or in a plugin's hooks.json, as Claude Code 2.1.328 accepts them. Made from "+
			"hookbridge's tables.", body)
}

// memberSchema adds the client's requirements for a field's value to its kind.
func memberSchema(m *family.EntryRow) Object {
	switch m.Name {
	case "timeout":
		return Object{"type", "number", "exclusiveMinimum", 0, "description", "seconds"}
	case "shell":
		return Enum("bash", "powershell")
	case "onFailure":
		return Enum("block", "continue")
	case "args", "allowedEnvVars":
		return Array(Text())
	case "headers":
		return Object{"type", "object", "additionalProperties", Text()}
	case "url":
		return Object{"type", "string", "pattern", `^\s*[A-Za-z][A-Za-z0-9+.-]*:/*[^/]`}
	}
	kind, _ := m.Kinds()
	return OfKind(kind)
}

func payloadSchema() Object {
	p := Payload{Rows: events, Members: &members, Tools: tools, Required: []string{"session_id"}}
	return Document("claude-payload", "Payload of a Claude Code hook",
		"What a hook reads on stdin, as Claude Code 2.1.328 writes it. Made from hookbridge's tables.", p.Schema())
}

func answerSchema() Object {
	defs := Object{"common", Struct(Object{
		"continue", Bool(), "stopReason", Text(), "suppressOutput", Bool(), "systemMessage", Text(), "terminalSequence",
		Text(),
		"decision", Enum("approve", "block"), "reason", Text(), "hookSpecificOutput", Object{"type", "object"},
	})}
	var branches, names []any
	for i := range events {
		row := &events[i]
		defs = append(defs, row.Native, Since(eventAnswer(row), row.Since))
		if !slices.Contains(silent, row.Event) {
			names = append(names, Since(Const(row.Native), row.Since))
			is := Object{"properties", Object{"hookSpecificOutput",
				Object{"properties", Object{"hookEventName", Const(row.Native)}}}}
			branches = append(branches, Since(Object{"if", is, "then", Ref(row.Native)}, row.Since))
		}
	}
	specific := Struct(Object{"hookEventName", Object{"anyOf", names}}, "hookEventName")
	body := Object{"allOf", []any{Ref("common"), Object{"properties", Object{"hookSpecificOutput", specific}},
		Object{"if", Object{"required", Words("hookSpecificOutput")}, "then", Object{"allOf", branches}}}, "$defs",
		defs}
	return Document("claude-answer", "Answer of a Claude Code hook",
		"The JSON that a hook may print; what one event takes stands under $defs by the event's name. "+
			"A wrong type voids the whole answer. Claude Code 2.1.328; made from hookbridge's tables.", body)
}

// eventAnswer is the schema of an event's answer: unknown fields are ignored, whatever their type.
func eventAnswer(row *schema.EventRow) Object {
	o := Object{"description", "Heeds " + row.Honors.String() + ". Source: " + row.Source + ".", "allOf",
		[]any{Ref("common")}}
	if slices.Contains(silent, row.Event) {
		return o.With("properties", Object{"hookSpecificOutput", false})
	}
	return o.With("properties", Object{"hookSpecificOutput", specificSchema(row)})
}

func specificSchema(row *schema.EventRow) Object {
	p := Object{"hookEventName", Const(row.Native)}
	need := []string{"hookEventName"}
	add := func(name string, f schema.Feature, o Object) {
		if row.Honors&f != 0 {
			p = append(p, name, Since(o, heededSince(row.Event, f)))
		}
	}
	request := row.Event == schema.PermissionRequest
	if !request {
		var words []string
		for _, v := range verdicts {
			if v.Verdict != schema.Defer || row.Honors&schema.EffectDefer != 0 || row.Event == schema.PreSkillCommand {
				words = append(words, v.Word)
			}
		}
		add("permissionDecision", schema.EffectAllow, Enum(words...))
	}
	add("permissionDecisionReason", schema.EffectAllow, Text())
	if row.Event == schema.PreTool {
		add("updatedInput", schema.EffectInput, Object{"type", "object"})
	}
	if row.Event == schema.PreSkillCommand { // a denial, whatever its content
		add("updatedInput", schema.EffectDeny, Object{"type", "object"})
	}
	if row.Event == schema.Stop || row.Event == schema.SubagentStop {
		p = append(p, "additionalContext", Text())
	}
	add("additionalContext", schema.EffectContext, Text())
	add("updatedToolOutput", schema.EffectOutput, Any())
	add("updatedMCPToolOutput", schema.EffectOutput, Any())
	if request {
		allow := Struct(Object{"behavior", Const("allow"), "updatedInput", Object{"type", "object"},
			"updatedPermissions", Array(nil)}, "behavior")
		deny := Struct(Object{"behavior", Const("deny"), "message", Text(), "interrupt", Bool()}, "behavior")
		p, need = append(p, "decision", Object{"anyOf", []any{allow, deny}}), append(need, "decision")
	}
	add("action", schema.EffectElicit, Enum("accept", "decline", "cancel"))
	add("content", schema.EffectElicit, Any())
	kinds := map[family.Shape]ordjson.Kind{family.Flag: ordjson.BoolKind, family.Text: ordjson.StringKind,
		family.List: ordjson.Array}
	for _, e := range specific[10:] {
		add(e.Name, e.Feature, OfKind(kinds[e.Shape]))
	}
	return Struct(p, need...)
}

func heededSince(e schema.Event, f schema.Feature) string {
	for _, h := range honoredSince {
		if (h.Event == 0 || h.Event == e) && h.Effect&f != 0 {
			return h.Since
		}
	}
	return ""
}

// TestCorpusPayloads checks that payloads from people's tests are rejected only for missing fields.
func TestCorpusPayloads(t *testing.T) {
	s := Compile(t, payloadSchema().Bytes(), "")
	n := 0
	err := filepath.WalkDir(material.Corpus(t, "payloads", "claude"),
		func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if c, _ := New().DecodeCall(text, nil); err != nil || c == nil {
				return err
			}
			n++
			if err := Validate(s, text); err != nil && !OnlyMissing(err) {
				t.Errorf("%s: %v", filepath.Base(path), err)
			}
			return nil
		})
	if err != nil || n < 250 {
		t.Errorf("only %d payloads: %v", n, err)
	}
}

// voiding are the findings about parts of a file that aren't loaded.
var voiding = []schema.Code{schema.CodeVoidFile, schema.CodeNewerWord, schema.CodeVoidHook, schema.CodeSkippedEvent}

// agree checks that the schema and the reader accept the same files.
func agree(t *testing.T, name string, text []byte, valid error) {
	t.Helper()
	_, ds := New().ParseConfig(text, schema.Source{})
	refused := slices.ContainsFunc(ds, func(d schema.Diagnostic) bool { return slices.Contains(voiding, d.Code) })
	if refused != (valid != nil) {
		t.Errorf("%s: the reader finds %v, the schema %v", name, findings(ds), valid)
	}
}

func TestConfigSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	for _, tt := range configTests {
		text := []byte(strings.ReplaceAll(tt.text, "HOOK", soundHook))
		if _, err := ordjson.Parse(text); err == nil && text[0] == '{' && tt.name != "dead condition" &&
			!strings.Contains(tt.name, "plugin root") {
			agree(t, tt.name, text, Validate(s, text))
		}
	}
	for _, tt := range badEntries {
		text := []byte(strings.ReplaceAll(`{"hooks":{"PreToolUse":`+tt.groups+`}}`, "HOOK", soundHook))
		agree(t, tt.name, text, Validate(s, text))
	}
}

// TestCorpusSchema checks the same for real files.
func TestCorpusSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	n := 0
	err := filepath.WalkDir(material.Corpus(t, "claude"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = ordjson.TrimBOM(text)
		if _, err := ordjson.Parse(text); err == nil {
			n++
			agree(t, filepath.Base(path), text, Validate(s, text))
		}
		return nil
	})
	if err != nil || n < 150 {
		t.Errorf("only %d files: %v", n, err)
	}
}

// answers are tried at every event; HERE is replaced by its name.
var answers = []string{
	`{}`, `{"continue":false,"stopReason":"x"}`, `{"continue":"no"}`, `{"stopReason":1}`, `{"systemMessage":null}`,
	`{"suppressOutput":1}`, `{"terminalSequence":1}`,
	`{"decision":"block","reason":"x"}`, `{"decision":"deny"}`, `{"reason":1}`, `{"unknown":1}`,
	`{"hookSpecificOutput":1}`, `{"hookSpecificOutput":{}}`,
	`{"hookSpecificOutput":{"hookEventName":"Other"}}`, `{"hookSpecificOutput":{"hookEventName":"HERE"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","permissionDecision":"deny","permissionDecisionReason":"x"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","permissionDecision":"defer"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","permissionDecision":"no"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","permissionDecisionReason":1}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","updatedInput":[]}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","additionalContext":1}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","additionalContext":"x"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","decision":{"behavior":"allow","updatedInput":{}}}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","decision":{"behavior":"deny","message":1}}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","decision":"deny"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","action":"accept","content":{}}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","action":"yes"}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","retry":"x","watchPaths":1}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","sessionTitle":1}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","worktreePath":1,"displayContent":1,"classifierContext":1}}`,
	`{"hookSpecificOutput":{"hookEventName":"HERE","updatedToolOutput":1}}`,
}

// TestAnswerSchema checks that the schema and the reader accept the same answers, event by event.
func TestAnswerSchema(t *testing.T) {
	text := answerSchema().Bytes()
	whole := Compile(t, text, "")
	for i := range events {
		row := &events[i]
		s := Compile(t, text, "/$defs/"+row.Native)
		for _, a := range answers {
			a = strings.ReplaceAll(a, "HERE", row.Native)
			h := &schema.Hook{Native: row.Native, Event: row.Event, Handler: schema.HandlerHTTP}
			_, ds := New().DecodeReply(h, schema.View{Event: row.Native}, &process.Result{Stdout: []byte(a)})
			refused := slices.ContainsFunc(ds, func(d schema.Diagnostic) bool { return d.Code == schema.CodeBadSchema })
			err := Validate(s, []byte(a))
			if refused != (err != nil) {
				t.Errorf("%s %s: the reader finds %v, the schema %v", row.Native, a, findings(ds), err)
			}
			if err == nil && Validate(whole, []byte(a)) != nil {
				t.Errorf("%s %s: the schema as a whole refuses it: %v", row.Native, a, Validate(whole, []byte(a)))
			}
		}
	}
}
