package gemini

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: "gemini", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema(), Least: 60,
		Refused: []string{`{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse"}`,
			`{"session_id":"s","cwd":"/","hook_event_name":"BeforeTool","tool_name":"glob"}`}})
}

// configSchema is for files that load completely: the client skips invalid parts, entry by entry.
func configSchema() Object {
	properties := Object{}
	for i := range events {
		row := &events[i]
		groups := Object{"description", "Source: " + row.Source + "."}.With(Array(Ref("group"))...)
		properties = append(properties, row.Native, Since(groups, row.Since))
	}
	hook := Struct(Object{
		"type", Const("command"),
		"command", Object{"type", "string", "minLength", 1},
		"timeout", Object{"type", "number", "exclusiveMinimum", 0, "maximum", maxTimeout, "description",
			"milliseconds"},
		"env", Object{"type", "object", "additionalProperties", Text()},
		"name", Text(), "description", Text(),
	}, "type", "command")
	group := Struct(Object{"matcher", Text(), "sequential", Bool(), "hooks", Array(Ref("hook"))}, "hooks")
	return Document("gemini-config", "Hooks in Gemini CLI's settings.json",
		"The hooks of a settings.json or of an extension's hooks.json, as Gemini CLI 0.61.0 loads them whole. "+
			"Made from hookbridge's tables.",
		Struct(Object{
			"hooks", Object{"type", "object", "properties", properties, "additionalProperties", false},
			"hooksConfig", Struct(Object{"enabled", Bool(), "disabled", Array(Text()), "notifications", Bool()}),
		}).With("$defs", Object{"group", group, "hook", hook}))
}

func payloadSchema() Object {
	object := Object{"type", "object"}
	p := Payload{Rows: events, Members: &members, Tools: tools, Required: []string{"session_id", "cwd"},
		Types: map[schema.Field]Object{
			schema.FieldModelRequest:  object,
			schema.FieldModelResponse: object,
			schema.FieldDetails:       object,
		}}
	return Document("gemini-payload", "Payload of a Gemini CLI hook",
		"What a hook reads on stdin, as Gemini CLI 0.61.0 writes it. Made from hookbridge's tables.", p.Schema())
}

// answerSchema allows any value, as one of the wrong type does nothing. A string for hookSpecificOutput is the
// exception.
func answerSchema() Object {
	defs := Object{}
	for i := range events {
		row := &events[i]
		p := Object{"systemMessage", Text(), "suppressOutput", Bool()}
		if row.Blocks != 0 {
			words := []string{"deny", "block", "allow", "approve"}
			if row.Honors&schema.EffectAsk != 0 {
				words = append(words, "ask")
			}
			p = append(p, "decision", Enum(words...), "reason", Text())
		}
		if row.Honors&schema.EffectEndTurn != 0 {
			p = append(p, "continue", Bool(), "stopReason", Text())
		}
		inner := Object{"hookEventName", Text()}
		if row.Honors&schema.EffectContext != 0 {
			inner = append(inner, "additionalContext", Text())
		}
		if row.Honors&schema.EffectInput != 0 {
			inner = append(inner, "tool_input", Object{"type", "object"})
		}
		for _, u := range uncarried {
			if u.event == row.Native {
				inner = append(inner, u.name, Any())
			}
		}
		heeded := row.Honors.String()
		if heeded == "" {
			heeded = "nothing"
		}
		p = append(p, "hookSpecificOutput", Struct(inner))
		defs = append(defs, row.Native,
			Since(append(Object{"description", "Acts on " + heeded + ". Source: " + row.Source + "."}, Struct(p)...),
				row.Since))
	}
	all := Object{"decision", Text(), "reason", Any(), "continue", Any(), "stopReason", Text(), "systemMessage",
		Text(), "suppressOutput", Bool(), "hookSpecificOutput", Object{"type", "object"}}
	return Document("gemini-answer", "Answer of a Gemini CLI hook",
		"The JSON object that a hook may print, on stdout or else on stderr; what one event acts on is under $defs "+
			"by its name. "+
			"Gemini CLI 0.61.0; made from hookbridge's tables.", Struct(all).With("$defs", defs))
}

// agree checks that a valid file has no findings except advice, and that one with a skipped entry isn't valid.
func agree(t *testing.T, name string, text []byte, valid error) {
	t.Helper()
	_, ds := New().ParseConfig(text, schema.Source{})
	for _, d := range ds {
		void := d.Code == schema.CodeVoidHook || d.Code == schema.CodeSkippedEvent
		if void && valid == nil {
			t.Errorf("%s passes, and the reader finds %v", name, d)
		}
	}
}

func TestConfigSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	for _, tt := range configs {
		if _, err := ordjson.Parse(ordjson.BlankComments([]byte(tt.text))); err == nil {
			agree(t, tt.name, []byte(tt.text), Validate(s, ordjson.BlankComments([]byte(tt.text))))
		}
	}
}

// TestCorpusSchema checks the same for real files.
func TestCorpusSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	for _, file := range corpus(t, "gemini") {
		if text, err := os.ReadFile(file); err == nil && ordjson.Check(ordjson.BlankComments(text)) == nil {
			agree(t, filepath.Base(file), text, Validate(s, ordjson.BlankComments(text)))
		}
	}
}
