package frontmatter

import (
	"bytes"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

const bom = "\ufeff"

// An Error describes what is wrong with front matter, and where. Every error of this package is an *Error.
type Error struct {
	File      string // "" if the reader has it
	Line, Col int    // in the Markdown file, both from 1; Col counts runes
	Msg       string // what is wrong, without the place
	Syntax    bool   // the text isn't YAML
}

// Error returns the place and the message as "line:col: msg", after the file.
func (e *Error) Error() string {
	file := ""
	if e.File != "" {
		file = e.File + ":"
	}
	return file + strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Col) + ": " + e.Msg
}

// Rules describe how an agent reads front matter. The zero Rules are those of most readers: the first line and the last
// are "---", and a document that isn't YAML has no values.
type Rules struct {
	// Anywhere: the first "---" ends the front matter, within a line and within a value too.
	Anywhere bool
	// Exact: only a carriage return may be before the first line or in it, and no byte order mark or blank.
	Exact bool
	// Again returns what the agent reads instead of a text that isn't YAML, line by line; nil: it doesn't try again.
	// Where it indents with two blanks for a tab, places are those of the text.
	Again func(yaml []byte) []byte
	// Idle is a field with which none of the hooks in the front matter runs; zero: none is known.
	Idle Field
}

// A Field is a field of front matter with a text as its value.
type Field struct{ Name, Value string }

// Extract finds the front matter of the Markdown file md: the text between a first line "---" and the closing mark,
// which begins a line. A byte order mark before the first line, blanks after it and empty lines are allowed. Front
// matter without an end doesn't count. yaml is a slice of md, without the marks, and line is its first line in the
// file.
func (r Rules) Extract(md []byte) (yaml []byte, line int, ok bool) {
	head, ok := bytes.CutPrefix(bytes.TrimPrefix(md, []byte(bom)), []byte("---"))
	blanks := len(head) - len(bytes.TrimLeftFunc(head, ordjson.IsSpace))
	first := bytes.LastIndexByte(head[:blanks], '\n') + 1
	if !ok || first == 0 {
		return nil, 0, false
	}
	exact := bytes.HasPrefix(md, []byte("---\n")) || bytes.HasPrefix(md, []byte("---\r\n"))
	if r.Exact && !exact {
		return nil, 0, false
	}
	rest, line := head[first:], 1+bytes.Count(head[:first], []byte{'\n'})
	end := bytes.Index(rest, []byte("---"))
	for from := 0; !r.Anywhere && end > from && rest[end-1] != '\n'; {
		from = end + 1
		if end = bytes.Index(rest[from:], []byte("---")); end >= 0 {
			end += from
		}
	}
	if end < 0 {
		return nil, 0, false
	}
	return rest[:end:end], line, true
}
