package copilot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: "copilot", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema(),
		Refused: []string{`{"sessionId":"s","timestamp":1}`,
			`{"session_id":"s","timestamp":"t","cwd":"/","hook_event_name":"preToolUse"}`}})
}

// configSchema is a file of hooks in which every entry runs.
func configSchema() Object {
	properties := Object{}
	for i := range cli().Data.Events {
		row := &cli().Data.Events[i]
		entries := Object{"description", "Source: " + row.Source + "."}.With(
			Array(Object{"anyOf", []any{Ref("hook"), Ref("group")}})...)
		properties = append(properties, row.Native, Since(entries, row.Since))
	}
	text := Object{"type", "string", "minLength", 1}
	seconds := Object{"type", "number", "exclusiveMinimum", 0, "description", "seconds"}
	variables := Object{"type", "object", "additionalProperties", Text()}
	hook := Struct(Object{"type", Enum("command", "http"), "matcher", text, "bash", text, "powershell", text, "command",
		text, "exec", text, "args", Array(Text()), "url", text, "headers", variables, "allowedEnvVars", Array(Text()),
		"cwd", Text(), "env", variables, "timeoutSec", seconds, "timeout", seconds}).
		With("anyOf", []any{Object{"required", Words("bash")}, Object{"required", Words("powershell")},
			Object{"required", Words("command")}, Object{"required", Words("exec")}, Object{"required", Words("url")}})
	group := Struct(Object{"matcher", text, "hooks", Array(Ref("hook"))}, "hooks")
	return Document("copilot-config", "Hooks of GitHub Copilot",
		"A file of hooks as Copilot 1.0.102 loads it whole. Made from hookbridge's tables.", Struct(Object{
			"version", Object{"const", 1}, "disableAllHooks", Bool(),
			"hooks", Object{"type", "object", "properties", properties, "additionalProperties", false},
		}, "hooks").With("$defs", Object{"hook", hook, "group", group}))
}

// payloadSchema has one definition for the payload of each event, under each of its names.
func payloadSchema() Object {
	defs := Object{}
	var branches []any
	for i := range cli().Data.Events {
		row := &cli().Data.Events[i]
		camel := hasCamelPayload(row.Native)
		name := func(f schema.Field) string { return (&payload{camel: camel}).name(f) }
		p := Object{name(schema.FieldSession), Text(), "cwd", Text()}
		required := []string{name(schema.FieldSession), "timestamp", "cwd"}
		if camel {
			p = append(p, "timestamp", Number())
		} else {
			p = append(p, "timestamp", Text(), "hook_event_name", Const(row.Native))
			required = append(required, "hook_event_name")
		}
		if row.Event.IsTool() {
			p, required = append(p, name(schema.FieldToolName), Text()), append(required, name(schema.FieldToolName))
		}
		switch {
		case row.Event == schema.PermissionRequest:
			p, required = append(p, "hookName", Const("permissionRequest"), "toolInput", Object{"type", "object"}),
				append(required, "hookName")
		case row.Event == schema.PreMCPCall:
			p = append(p, "arguments", Object{"type", "object"})
			required = append(required, "serverName", "arguments")
		case row.Event.IsTool():
			p = append(p, name(schema.FieldToolInput), Object{"type", Words("object", "string")})
			required = append(required, name(schema.FieldToolInput))
		}
		if row.Event == schema.PostTool {
			p, required = append(p, name(schema.FieldToolOutput), Object{"type", "object"}),
				append(required, name(schema.FieldToolOutput))
		}
		for _, f := range row.Fields {
			switch f {
			case schema.FieldStopActive:
				p = append(p, name(f), Bool())
			case schema.FieldSuggestions:
				p = append(p, name(f), Array(nil))
			case schema.FieldError, schema.FieldErrorDetails:
				p = append(p, "error", Any())
			default:
				p = append(p, name(f), Text())
			}
		}
		o := append(Object{"description", "Source: " + row.Source + "."}, Struct(p, required...)...)
		defs = append(defs, row.Native, Since(o, row.Since))
		branches = append(branches, Since(Ref(row.Native), row.Since))
	}
	return Document("copilot-payload", "Payload of a Copilot hook",
		"What a hook reads on stdin, as Copilot 1.0.102 writes it; that of one event is under $defs by its name, "+
			"and most don't name it. Made from hookbridge's tables.",
		Object{"type", "object", "anyOf", branches}.With("$defs", defs))
}

// answerSchema allows any value, as one of the wrong type does nothing.
func answerSchema() Object {
	defs := Object{}
	for i := range cli().Data.Events {
		row := &cli().Data.Events[i]
		p := Object{}
		switch row.Event {
		case schema.PermissionRequest:
			p = append(p, "behavior", Enum("allow", "deny"), "message", Text(), "interrupt", Bool())
		case schema.PreTool:
			own := Object{"permissionDecision", Enum("allow", "deny", "ask"), "permissionDecisionReason", Text()}
			input := Object{"type", Words("object", "string")} // a patch is a text
			p = append(own, "modifiedArgs", input)
			if isPascal(row.Native) {
				p = append(p, "hookSpecificOutput",
					Struct(append(own, "hookEventName", Text(), "updatedInput", input, "additionalContext", Text())))
			}
		case schema.PostTool:
			p = append(p, "modifiedResult", Struct(Object{"resultType", Text(), "textResultForLlm", Text()}))
		}
		if row.Blocks != 0 && row.Event != schema.PreTool && row.Event != schema.PermissionRequest {
			p = append(p, "decision", Enum("block"), "reason", Text())
		}
		if row.Honors&schema.EffectContext != 0 {
			p = append(p, "additionalContext", Text())
		}
		for _, u := range uncarried {
			if u.event == row.Event {
				p = append(p, u.name, Any())
			}
		}
		honored := row.Honors.String()
		if honored == "" {
			honored = "nothing"
		}
		defs = append(defs, row.Native,
			Since(append(Object{"description", "Acts on " + honored + ". Source: " + row.Source + "."}, Struct(p)...),
				row.Since))
	}
	return Document("copilot-answer", "Answer of a Copilot hook",
		"The one JSON object that a hook may print; what one event acts on is under $defs by its name. "+
			"Copilot 1.0.102; made from hookbridge's tables.", Object{"type", "object"}.With("$defs", defs))
}

// TestConfigSchema checks that nothing is dropped from a valid file, except matchers.
func TestConfigSchema(t *testing.T) {
	s := Compile(t, configSchema().Bytes(), "")
	for _, text := range []string{
		`{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"x","timeoutSec":1.5}]}}`,
		`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"x"}]}]}}`,
		`{"hooks":{"agentStop":[{"exec":"x","args":["a"]}]}}`,
		`{"hooks":{"agentStop":[{"type":"http","url":"https://x"}]}}`, `{"version":2,"hooks":{}}`, `{}`,
		`{"hooks":{"agentStop":{}}}`,
		`{"hooks":{"AgentStop":[]}}`, `{"hooks":{"agentStop":[{"type":"agent","prompt":"x"}]}}`,
		`{"hooks":{"agentStop":[{"type":"command"}]}}`,
		`{"hooks":{"preToolUse":[{"matcher":"","bash":"x"}]}}`, `{"hooks":{"agentStop":[{"bash":"x","timeoutSec":0}]}}`,
	} {
		_, ds := New().ParseConfig([]byte(text), schema.Source{File: "hooks.json"})
		dropped := false
		for _, d := range ds {
			dropped = dropped || d.Code.RejectsFile() || d.Code == schema.CodeVoidHook ||
				d.Code == schema.CodeNewerPart || d.Code == schema.CodeSkippedEvent
		}
		if valid := Validate(s, []byte(text)) == nil; valid == dropped {
			t.Errorf("%s: valid %v, and the reader finds %v", text, valid, ds)
		}
	}
}

// TestCorpus parses real files.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(material.Corpus(t, "copilot"), "*.json"))
	hooks, codes := 0, map[schema.Code]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cfg, ds := New().ParseConfig(text, schema.Source{File: strings.ReplaceAll(filepath.Base(file), "__", "/")})
		for _, h := range cfg.Hooks {
			if h.Path == "" || h.Line == 0 || h.Event == 0 || h.Command+h.URL == "" {
				t.Errorf("%s: a hook without a place, an event or a command: %+v", filepath.Base(file), h)
			}
		}
		hooks += len(cfg.Hooks)
		for _, d := range ds {
			codes[d.Code]++
		}
	}
	if hooks == 0 {
		t.Error("no hooks in the whole corpus")
	}
	t.Logf("%d files, %d hooks, findings %v", len(files), hooks, codes)
}
