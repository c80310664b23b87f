package frontmatter

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

const bom = "\xef\xbb\xbf"

// An Error says what is wrong with a front matter, and where. Every error of
// this package is an *Error.
type Error struct {
	File      string // "" if the reader knows
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

// Extract finds the front matter of the Markdown file md: what lies between a
// first line "---" and the next line that is "---" or "...". Byte order marks
// before the first line, blanks behind the marks and CRLF are all right; a
// front matter that does not end is none. yaml is a slice of md, without the
// two marks, and line is the line of the file that it begins on.
func Extract(md []byte) (yaml []byte, line int, ok bool) {
	rest := md
	for bytes.HasPrefix(rest, []byte(bom)) {
		rest = rest[len(bom):]
	}
	first, rest, more := bytes.Cut(rest, []byte{'\n'})
	if !more || !marks(first, "---") {
		return nil, 0, false
	}
	for at := 0; at < len(rest); {
		text, _, _ := bytes.Cut(rest[at:], []byte{'\n'})
		if marks(text, "---") || marks(text, "...") {
			return rest[:at:at], 2, true
		}
		at += len(text) + 1
	}
	return nil, 0, false
}

func marks(line []byte, mark string) bool { return string(bytes.TrimRight(line, " \t\r")) == mark }

type place struct{ line, col int }

// A source is the text of a document and where it begins in its file.
type source struct {
	text []byte
	line int
}

func (s *source) place(off int) place {
	head := s.text[:max(0, min(off, len(s.text)))]
	nl := bytes.LastIndexByte(head, '\n')
	return place{
		line: s.line + bytes.Count(head, []byte{'\n'}),
		col:  1 + utf8.RuneCount(head[nl+1:]),
	}
}

func (s *source) errorAt(off int, msg string) *Error {
	p := s.place(off)
	return &Error{Line: p.line, Col: p.col, Msg: msg}
}
