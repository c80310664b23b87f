package antigravity

import (
	"strings"
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
)

// TestSchemas compares the embedded JSON Schemas with the tables.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: name, Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema()})
}

func title(what string) string { return "Antigravity " + what + ", as reported for " + known }

func configSchema() Object {
	handler := Struct(Object{"type", Const("command"), "command", Text(), "timeout", Number()}, "type", "command")
	group := Struct(Object{"matcher", Text(), "hooks", Array(Ref("handler"))}, "hooks")
	properties := Object{"enabled", Bool()}
	for i := range events {
		entry := "handler"
		if events[i].Event.IsTool() {
			entry = "group"
		}
		properties = append(properties, events[i].Native,
			Object{"description", "Source: " + events[i].Source + "."}.With(Array(Ref(entry))...))
	}
	return Document(name+"-config", title("hook file"), "Named sets of hooks. Made from hookbridge's tables.",
		Object{"type", "object", "additionalProperties", Struct(properties)}.With("$defs",
			Object{"group", group, "handler", handler}))
}

func payloadSchema() Object {
	properties := Object{"stepIdx", Number(), turnField, Number(), "initialNumSteps", Number(),
		"executionNum", Number(), "fullyIdle", Bool(), "artifactDirectoryPath", Text(),
		toolField, Struct(Object{"name", Text(), "args", Object{"type", "object"}}, "name", "args")}
	for _, row := range fields.Rows {
		if row.Name != eventField && !strings.Contains(row.Name, ".") {
			properties = append(properties, row.Name, Text())
		}
	}
	for i := range properties {
		if properties[i] == "workspacePaths" {
			properties[i+1] = Array(Text())
		}
	}
	return Document(name+"-payload", title("payload"), "What a hook reads on stdin; the event isn't in it. "+
		"Made from hookbridge's tables.", Struct(properties, "conversationId", "workspacePaths"))
}

func answerSchema() Object {
	step := Struct(Object{message, Text(), "userMessage", Text(), toolField, Object{"type", "object"}})
	words := []string{goesOn}
	for _, v := range verdicts {
		words = append(words, v.Word)
	}
	return Document(name+"-answer", title("answer"), "What a hook prints. Made from hookbridge's tables.",
		Struct(Object{"decision", Enum(words...), "reason", Text(), steps, Array(step)}))
}
