package qwen

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: "qwen", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema()})
}

func configSchema() Object {
	properties := Object{}
	for i := range events {
		row := &events[i]
		properties = append(properties, row.Native,
			Since(Object{"description", "Source: " + row.Source + "."}.With(Array(Ref("group"))...), row.Since))
	}
	timeout := Object{"type", "number", "exclusiveMinimum", 0, "description",
		"seconds below 1000, milliseconds from there on"}
	texts := Object{"type", "object", "additionalProperties", Text()}
	common := func(o Object) Object {
		return append(o, "name", Text(), "description", Text(), "timeout", timeout, "statusMessage", Text())
	}
	command := Struct(common(Object{"type", Const("command"), "command", Object{"type", "string", "minLength", 1},
		"env", texts, "async", Bool(), "shell", Object{"enum", []any{"bash", "powershell"}}}), "type", "command")
	http := Struct(common(Object{"type", Const("http"), "url", Text(), "headers", texts, "allowedEnvVars",
		Array(Text())}), "type", "url")
	prompt := Struct(common(Object{"type", Const("prompt"), "prompt", Text(), "model", Text()}), "type", "prompt")
	group := Struct(Object{"matcher", Text(), "sequential", Bool(), "hooks",
		Array(Object{"anyOf", []any{Ref("command"), Ref("http"), Ref("prompt")}})}, "hooks")
	return Document("qwen-config", "Hooks of Qwen Code",
		"The hooks of a settings.json that Qwen Code 0.24.4 runs as written. Made from hookbridge's tables.",
		Object{"type", "object", "properties", Object{"disableAllHooks", Bool(), "hooks",
			Object{"type", "object", "properties", properties, "additionalProperties", false}},
			"$defs", Object{"group", group, "command", command, "http", http, "prompt", prompt}})
}

func payloadSchema() Object {
	p := Payload{Rows: events, Members: &members, Tools: tools, Required: []string{"session_id", "transcript_path",
		"cwd", "timestamp"}, Types: map[schema.Field]Object{
		schema.FieldToolOutput: {"type", "object"}, schema.FieldBackgroundTasks: {"type", "array"},
		schema.FieldCrons: {"type", "array"}, schema.FieldToolCalls: {"type", "array"}}}
	return Document("qwen-payload", "Payload of a Qwen Code hook",
		"What a hook reads on stdin, as Qwen Code 0.24.4 writes it. Made from hookbridge's tables.", p.Schema())
}

func answerSchema() Object {
	specific := Object{"hookEventName", Text(), "permissionDecision", Object{"enum", []any{"allow", "deny", "ask"}},
		"permissionDecisionReason", Text(), "additionalContext", Text(), "decision", Object{"type", "object"}}
	return Document("qwen-answer", "Answer of a Qwen Code hook",
		"What Qwen Code 0.24.4 reads of a hook's answer; it ignores anything else. Made from hookbridge's tables.",
		Object{"type", "object", "properties", Object{"continue", Bool(), "stopReason", Text(), "systemMessage",
			Text(), "suppressOutput", Bool(), "terminalSequence", Text(),
			"decision", Object{"enum", []any{"allow", "approve", "ask", "block", "deny"}}, "reason", Text(),
			"hookSpecificOutput", Object{"type", "object", "properties", specific}}})
}
