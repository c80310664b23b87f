package claude

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// transcript is the format of the files under ~/.claude/projects (observed
// 2.1.328). Among the messages stand events of other types: attachments, requests,
// summaries of hooks. No hook of the corpus reads those.
var transcript = family.Transcript{Dialect: "claude", Entrypoint: "cli", Version: "2.1.328", PlainPrompt: true, CountsTokens: true,
	DecodeTool: newest.TranscriptTool, EncodeTool: newest.TranscriptInput}

// DecodeMessage reads a line of a transcript.
func (Dialect) DecodeMessage(line []byte) ([]schema.Message, error) { return transcript.Decode(line) }

// AppendMessage writes a message as Claude Code does.
func (Dialect) AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte {
	return transcript.Append(dst, m, t)
}
