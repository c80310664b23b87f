package qoder

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// transcript is the format of the files under ~/.qoder/projects (observed 1.1.52):
// Claude Code's without the usage of tokens. It gives "unknown" for its version.
// That the IDE has the same format is a guess.
var transcript = family.Transcript{Dialect: "qoder", Entrypoint: "cli", Version: "unknown", DecodeTool: transcriptTool}

// DecodeMessage reads a line of a transcript.
func (Dialect) DecodeMessage(line []byte) ([]schema.Message, error) { return transcript.Decode(line) }

// AppendMessage writes a message as Qoder CLI does.
func (d Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	f := transcript
	f.EncodeTool = d.transcriptInput
	return f.Append(dst, m, t)
}

func transcriptTool(name string, input []byte) schema.Tool {
	c := schema.Call{Dialect: "qoder", Event: schema.PreTool}
	c.SetStr(schema.FieldToolName, name)
	c.Set(schema.FieldToolInput, input)
	decodeTool(&c)
	return c.Tool
}

func (d Dialect) transcriptInput(from string, t *schema.Tool) (name string, input []byte) {
	c := schema.Call{Dialect: from, Event: schema.PreTool, Tool: *t}
	views := d.Views(&c)
	if len(views) == 0 {
		return t.Name, schema.AppendNamed(nil, t.Input)
	}
	return views[0].Tool, d.appendInput(nil, &c, views[0])
}
