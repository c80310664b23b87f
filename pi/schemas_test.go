package pi

import (
	"testing"

	"github.com/hookbridge/hookbridge/dialect/family"
	. "github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSchemas compares the embedded JSON Schemas with the tables, and checks recorded documents of the real client.
func TestSchemas(t *testing.T) {
	Run(t, Suite{Agent: "pi", Config: configSchema(), Payload: payloadSchema(), Answer: answerSchema()})
}

func configSchema() Object {
	events := New().Data.Events
	properties := Object{}
	for i := range events {
		properties = append(properties, events[i].Native,
			Object{"description", "Source: " + events[i].Source + "."}.With(Array(Ref("entry"))...))
	}
	entry := Struct(Object{
		"command", Object{"type", "string", "minLength", 1}, "args", Array(Text()),
		"timeout", Object{"type", "number", "exclusiveMinimum", 0, "description", "seconds"}, "failClosed", Bool(),
	}, "command")
	return Document("pi-config", "Entries of hookbridge's extension for Pi",
		"The entries in the extension that hookbridge install writes for Pi. Made from hookbridge's tables.",
		Struct(Object{"hooks", Object{"type", "object", "properties", properties, "additionalProperties", false}}).With(
			"$defs", Object{"entry", entry}))
}

func payloadSchema() Object {
	profile := New().Data
	p := Payload{Rows: profile.Events, Members: profile.Fields, Tools: profile.Tools,
		Required: []string{"session_id", "cwd"}}
	return Document("pi-payload", "Payload of hookbridge's extension for Pi",
		"What the extension for Pi 1.5.2 writes to stdin. Made from hookbridge's tables.", p.Schema())
}

func answerSchema() Object {
	events, answer := New().Data.Events, New().Answer
	defs := Object{}
	for i := range events {
		row := &events[i]
		heeded := row.Honors.String()
		if heeded == "" {
			heeded = "nothing"
		}
		p := Object{family.ProtocolField, Object{"const", Protocol}, "systemMessage", Text()}
		if row.Blocks != 0 {
			p = append(p, "decision", Enum("allow", "approve", "ask", "deny", "block"), "reason", Text())
		}
		if row.Honors&schema.EffectEndTurn != 0 {
			p = append(p, "continue", Bool(), "stopReason", Text())
		}
		inner := Object{"hookEventName", Text()}
		for _, part := range answer.Specific {
			if part.Feature != 0 && row.Honors&part.Feature != 0 {
				inner = append(inner, part.Name, Any())
			}
		}
		p = append(p, "hookSpecificOutput", Struct(inner))
		defs = append(defs, row.Native,
			append(Object{"description", "Acts on " + heeded + ". Source: " + row.Source + "."}, Struct(p)...))
	}
	all := Object{family.ProtocolField, Object{"const", Protocol}, "decision", Text(), "reason", Text(),
		"continue", Bool(),
		"stopReason", Text(), "systemMessage", Text(), "hookSpecificOutput", Object{"type", "object"}}
	return Document("pi-answer", "Answer to hookbridge's extension for Pi",
		"The JSON object that the extension for Pi 1.5.2 takes; what one event acts on is under $defs by its "+
			"name. "+
			"Made from hookbridge's tables.", Struct(all, family.ProtocolField).With("$defs", defs))
}
