package qoder

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// transcript is the format of the files under ~/.qoder/projects (observed 1.1.52):
// Claude Code's without the usage of tokens. It gives "unknown" for its version.
// That the IDE has the same format is a guess.
var transcript = family.Transcript{Dialect: "qoder", Entrypoint: "cli", Version: "unknown", DecodeTool: newest.TranscriptTool}

// DecodeMessage reads a line of a transcript.
func (Dialect) DecodeMessage(line []byte) ([]schema.Message, error) { return transcript.Decode(line) }

// AppendMessage writes a message as Qoder CLI does.
func (d Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	f := transcript
	f.EncodeTool = d.TranscriptInput
	return f.Append(dst, m, t)
}
