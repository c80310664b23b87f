package cline

import (
	"testing"

	. "github.com/hookbridge/hookbridge/internal/schematest"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: "cline", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema()})
}

func configSchema() Object {
	properties := Object{}
	for i := range events {
		properties = append(properties, events[i].Native,
			Object{"description", "Source: " + events[i].Source + "."}.With(Array(Ref("entry"))...))
	}
	entry := Struct(Object{"command", Object{"type", "string", "minLength", 1}, "failClosed", Bool()}, "command")
	return Document("cline-config", "Entries of hookbridge's executables for Cline",
		"The commands of the executables that hookbridge install writes for Cline. Made from hookbridge's tables.",
		Struct(Object{"hooks", Object{"type", "object", "properties", properties, "additionalProperties", false}}).With(
			"$defs", Object{"entry", entry}))
}

func payloadSchema() Object {
	texts := Object{"type", "object", "additionalProperties", Text()}
	call := Object{"id", Text(), "name", Text(), "input", Any()}
	result := append(append(Object{}, call...), "output", Any(), "durationMs", Number(), "startedAt", Text(),
		"endedAt", Text())
	metadata := Struct(Object{"taskMetadata", Object{"type", "object"}})
	more := map[string]Object{
		"PreToolUse": {"iteration", Number(), "tool_call", Struct(call, "name", "input"),
			oldField, Struct(Object{"toolName", Text(), "parameters", texts}, "toolName", "parameters")},
		"PostToolUse": {"iteration", Number(), "tool_result", Struct(result, "name", "input", "output"),
			oldResult, Struct(Object{"toolName", Text(), "parameters", texts, "result", Text(), "success", Bool(),
				"executionTimeMs", Number()}, "toolName", "parameters")},
		"TaskStart": {"taskStart", metadata},
		"TaskComplete": {"iteration", Number(), "turn", Struct(Object{"outputText", Text(), "status", Text()}),
			"taskComplete", metadata},
		"UserPromptSubmit": {"userPromptSubmit",
			Struct(Object{"prompt", Text(), "attachments", Array(Any())}, "prompt")},
	}
	names, defs, properties := []string{}, Object{}, Object{
		"clineVersion", Text(), "timestamp", Text(), taskField, Text(),
		"sessionContext", Struct(Object{"rootSessionId", Text()}), "workspaceRoots", Array(Text()),
		"workspaceInfo", Struct(Object{"rootPath", Text(), "hint", Text()}), "userId", Text(), "agent_id", Text(),
		parentField, Object{"type", Words("string", "null")},
	}
	for _, n := range hookNames {
		names = append(names, n[1])
		own := Struct(append(Object{"hookName", Const(n[1])}, more[n[0]]...))
		defs = append(defs, n[0], append(Object{"description", "Source: " + New().Row(n[0]).Source + "."}, own...))
		properties = append(properties, more[n[0]]...)
	}
	properties = append(properties, "hookName", Enum(names...))
	return Document("cline-payload", "Payload of Cline's hooks",
		"What Cline 3.0.65 writes to the stdin of a hook, as it was observed. Made from hookbridge's tables.",
		Struct(unique(properties), taskField, "workspaceRoots", "hookName").With("$defs", defs))
}

// unique leaves out repeated fields.
func unique(o Object) (out Object) {
	seen := map[any]bool{}
	for i := 0; i+1 < len(o); i += 2 {
		if !seen[o[i]] {
			out = append(out, o[i], o[i+1])
		}
		seen[o[i]] = true
	}
	return out
}

func answerSchema() Object {
	properties := Object{"cancel", Bool(), "errorMessage", Text(), "context", Text(), "contextModification", Text(),
		"overrideInput", Any(), "review", Bool()}
	defs := Object{}
	for i := range events {
		heeded := events[i].Honors.String()
		if heeded == "" {
			heeded = "nothing"
		}
		defs = append(defs, events[i].Native,
			append(Object{"description", "Acts on " + heeded + ". Source: " + events[i].Source + "."},
				Struct(properties)...))
	}
	return Document("cline-answer", "Answer of Cline's hooks",
		"The JSON object that Cline 3.0.65 reads from the stdout of a hook; what one event acts on is under $defs by "+
			"its name. Made from hookbridge's tables.", Struct(properties).With("$defs", defs))
}
