package claude

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// transcript is the format of the files under ~/.claude/projects (observed
// 2.1.328). Among the messages stand events of other types: attachments, requests,
// summaries of hooks. No hook of the corpus reads those.
var transcript = family.Transcript{Dialect: "claude", Entrypoint: "cli", Version: "2.1.328", PlainPrompt: true, CountsTokens: true,
	DecodeTool: transcriptTool, EncodeTool: transcriptInput}

// DecodeMessage reads a line of a transcript.
func (Dialect) DecodeMessage(line []byte) ([]schema.Message, error) { return transcript.Decode(line) }

// AppendMessage writes a message as Claude Code does.
func (Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	return transcript.Append(dst, m, t)
}

func transcriptTool(name string, input []byte) schema.Tool {
	c := schema.Call{Dialect: "claude", Event: schema.PreTool}
	c.SetStr(schema.FieldToolName, name)
	c.Set(schema.FieldToolInput, input)
	decodeTool(&c)
	return c.Tool
}

func transcriptInput(from string, t *schema.Tool) (name string, input []byte) {
	c := schema.Call{Dialect: from, Event: schema.PreTool, Tool: *t}
	views := Dialect{}.Views(&c)
	if len(views) == 0 {
		return t.Name, schema.AppendNamed(nil, t.Input)
	}
	return views[0].Tool, appendInput(nil, &c, views[0])
}
