package ordjson

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Fault is the kind of mistake that a SyntaxError reports.
type Fault uint8

const (
	NotJSON       Fault = iota // the text is not JSON
	DuplicateName              // an object has two members of one name
	TooDeep                    // more than MaxDepth brackets are open
	WrongKind                  // the value is not of the kind that was asked for
)

// A SyntaxError says what is wrong with a text, and where. Every error of this
// package is a *SyntaxError.
type SyntaxError struct {
	Off       int    // byte offset, from the start of the document
	Line, Col int    // the same place for people; see Position
	Msg       string // what is wrong, without the place
	Fault     Fault
	Duplicate string // the repeated name, unescaped, if Fault is DuplicateName
}

// Error returns the place and the message as "line:col: msg".
func (e *SyntaxError) Error() string {
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Col) + ": " + e.Msg
}

// errorAt describes the mistake at src[off]; src lies base bytes into its
// document.
func errorAt(src []byte, off, base int, f Fault, msg string) *SyntaxError {
	line, col := Position(src, off)
	return &SyntaxError{Off: base + off, Line: line, Col: col, Msg: msg, Fault: f}
}

// Position converts a byte offset in src to a line and a column. Both begin at
// 1; the column counts runes, an invalid byte being one, and byte order marks
// at the start of src take no column. An offset outside src means its nearer
// end.
func Position(src []byte, off int) (line, col int) {
	head := src[:max(0, min(off, len(src)))]
	line = 1 + bytes.Count(head, []byte{'\n'})
	if line == 1 {
		head = TrimBOM(head)
	} else {
		head = head[bytes.LastIndexByte(head, '\n')+1:]
	}
	return line, 1 + utf8.RuneCount(head)
}

// Pointer appends tokens to the JSON Pointer parent, escaped as RFC 6901 asks:
// Pointer("/hooks", "a/b") is "/hooks/a~1b".
func Pointer(parent string, tokens ...string) string {
	var b strings.Builder
	b.WriteString(parent)
	for _, t := range tokens {
		b.WriteByte('/')
		for {
			i := strings.IndexAny(t, "~/")
			if i < 0 {
				break
			}
			b.WriteString(t[:i])
			if t[i] == '~' {
				b.WriteString("~0")
			} else {
				b.WriteString("~1")
			}
			t = t[i+1:]
		}
		b.WriteString(t)
	}
	return b.String()
}
