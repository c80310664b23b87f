package dialect

import "github.com/hookbridge/hookbridge/schema"

// A Transcriber reads and writes the transcripts that hooks get the path of: text
// files of one JSON object a line, to which the agent only adds. Hooks of another
// agent get a copy in their own agent's format. A dialect without it is given no
// transcript of another agent, and gives none.
type Transcriber interface {
	// DecodeMessage reads one line. Lines that hold no message, such as marks and
	// metadata, give none; an error says that the line is none of a transcript.
	DecodeMessage(line []byte) ([]schema.Message, error)
	// AppendMessage writes m for the thread t as the agent would: none, one or more
	// whole lines, counted in t.Lines. The same m and t give the same bytes.
	AppendMessage(dst []byte, m *schema.Message, t *schema.Thread) []byte
}
