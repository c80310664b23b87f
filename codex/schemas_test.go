package codex

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: "codex", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema(),
		Refused: []string{`{"session_id":"s","cwd":"/","transcript_path":null,"hook_event_name":"preToolUse"}`}})
}

// configSchema is for files that Codex loads completely. It ignores unknown fields inside of a handler; an unknown
// top-level field voids the file.
func configSchema() Object {
	properties := Object{}
	for i := range events {
		row := &events[i]
		groups := Object{"description", "Source: " + row.Source + "."}.With(Array(Ref("group"))...)
		properties = append(properties, row.Native, Since(groups, row.Since))
	}
	seconds := Object{"type", "integer", "minimum", 0, "description", "whole seconds"}
	command := Struct(Object{"type", Const("command"), "command", Object{"type", "string", "minLength", 1},
		"commandWindows", Text(),
		"timeout", seconds, "async", Bool(), "statusMessage", Text(), "additionalContextLimit",
		Object{"type", "integer"}}, "type", "command")
	tool := Struct(Object{"type", Const("mcp_tool"), "server", Text(), "tool", Text(), "input",
		Object{"type", "object"}, "timeout", seconds, "statusMessage", Text()}, "type", "server", "tool")
	group := Struct(Object{"matcher", Text(), "hooks", Array(Object{"anyOf", []any{Ref("command"), Ref("mcp_tool")}})},
		"hooks")
	return Document("codex-config", "Codex hooks.json",
		"A hooks.json as Codex 0.169.0 loads it whole. Made from hookbridge's tables.", Closed(Object{
			"description", Text(),
			"hooks", Object{"type", "object", "properties", properties, "additionalProperties", false},
		}).With("$defs", Object{"group", group, "command", command, "mcp_tool", tool}))
}

func payloadSchema() Object {
	text := Object{"anyOf", []any{Text(), Object{"type", "null"}}}
	p := Payload{Rows: events, Members: &members, Tools: tools, Required: []string{"session_id", "transcript_path",
		"cwd"}, Types: map[schema.Field]Object{
		schema.FieldTranscript: text, schema.FieldAgentTranscript: text, schema.FieldLastMessage: text,
		schema.FieldError: text, schema.FieldTokens: {"type", "object"}, schema.FieldToolOutput: {},
	}}
	return Document("codex-payload", "Payload of a Codex hook",
		"What a hook reads on stdin, as Codex 0.169.0 writes it. Made from hookbridge's tables.", p.Schema())
}

// answerSchema is the schema of each event's reader: any other field voids the answer.
func answerSchema() Object {
	defs := Object{}
	for i := range events {
		row := &events[i]
		a := answerOf(row.Event)
		p := Object{"continue", Bool(), "stopReason", Text(), "suppressOutput", Bool(), "systemMessage", Text()}
		if a.decision {
			p = append(p, "decision", Enum("block"), "reason", Text())
		}
		if a.specific != nil {
			inner := Object{"hookEventName", Text()}
			for _, name := range a.specific {
				switch name {
				case "permissionDecision":
					inner = append(inner, name, Enum("allow", "deny"))
				case "updatedInput":
					inner = append(inner, name, Object{"type", "object"})
				case "decision":
					inner = append(inner, name, Closed(Object{"behavior", Enum("allow", "deny"), "message", Text(),
						"interrupt", Bool()}, "behavior"))
				case "updatedMCPToolOutput": // known, but not supported
				default:
					inner = append(inner, name, Text())
				}
			}
			p = append(p, "hookSpecificOutput", Closed(inner, "hookEventName"))
		}
		honored := row.Honors.String()
		if honored == "" {
			honored = "nothing"
		}
		defs = append(defs, row.Native,
			Since(append(Object{"description", "Acts on " + honored + ". Source: " + row.Source + "."}, Closed(p)...),
				row.Since))
	}
	return Document("codex-answer", "Answer of a Codex hook",
		"The JSON object that a hook may print; what one event takes is under $defs by its name. "+
			"Codex 0.169.0; made from hookbridge's tables.", Object{"type", "object"}.With("$defs", defs))
}

// Closed is an object without further fields.
func Closed(properties Object, required ...string) Object {
	return Struct(properties, required...).With("additionalProperties", false)
}

// TestConfigSchema checks that nothing is dropped from a valid file, except matchers.
func TestConfigSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	for _, text := range []string{
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":5}]}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":1.5}]}]}}`,
		`{"version":1,"hooks":{}}`, `{"hooks":{"Stop":{}}}`, `{"hooks":{"stop":[]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"prompt","prompt":"x"}]}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":""}]}]}}`, `{"hooks":{"Stop":[{"command":"x"}]}}`,
	} {
		_, ds := New().ParseConfig([]byte(text), schema.Source{})
		dropped := false
		for _, d := range ds {
			dropped = dropped || d.Code.RejectsFile() || d.Code == schema.CodeVoidHook ||
				d.Code == schema.CodeSkippedEvent
		}
		if valid := Validate(s, []byte(text)) == nil; valid == dropped {
			t.Errorf("%s: valid %v, and the reader finds %v", text, valid, ds)
		}
	}
}
