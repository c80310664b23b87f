package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// parse reads the one YAML document of s and returns its topmost node, nil if
// there is none.
func parse(s *source) (root *yaml.Node, err *Error) {
	if !utf8.Valid(s.text) {
		bad := 0
		for n := 1; ; bad += n {
			var r rune
			if r, n = utf8.DecodeRune(s.text[bad:]); r == utf8.RuneError && n == 1 {
				return nil, s.errorAt(bad, "invalid UTF-8")
			}
		}
	}
	in := &feeder{text: s.text}
	defer func() {
		if v := recover(); v != nil {
			root, err = nil, s.errorAt(in.off, fmt.Sprint("the YAML library fails here: ", v))
		}
	}()
	dec := yaml.NewDecoder(in)
	var doc, second yaml.Node
	switch e := dec.Decode(&doc); {
	case errors.Is(e, io.EOF):
		return nil, nil
	case e != nil:
		return nil, s.syntaxError(e.Error(), in.off)
	case len(doc.Content) == 0:
		return nil, nil
	}
	switch e := dec.Decode(&second); {
	case e == nil:
		return nil, s.errorAt(s.offset(second.Line, second.Column), "second YAML document")
	case !errors.Is(e, io.EOF):
		return nil, s.syntaxError(e.Error(), in.off)
	}
	return doc.Content[0], nil
}

// A feeder hands out text byte by byte, so that off is the position at which the
// library gives up: its errors name a line at best, and often a wrong one.
type feeder struct {
	text []byte
	off  int
}

func (f *feeder) Read(p []byte) (int, error) {
	if f.off == len(f.text) {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	p[0] = f.text[f.off]
	f.off++
	return 1, nil
}

// syntaxError makes an Error of the library's message and of the offset up to
// which it had read. Mistakes that are seen where they stand lie just before
// that offset. Of something left open, a quote for instance, the message
// has the line where it began. The column is about right.
func (s *source) syntaxError(msg string, off int) *Error {
	msg = strings.TrimPrefix(msg, "yaml: ")
	line := 0
	if tail, ok := strings.CutPrefix(msg, "line "); ok {
		if digits, text, ok := strings.Cut(tail, ": "); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				line, msg = n, text
			}
		}
	}
	// What the library saw last: the blanks and the byte it looked ahead at
	// belong to the next token.
	at := off - 1
	if off == len(s.text) {
		at = off
	}
	for at > 0 && (at == len(s.text) || isBlank(s.text[at])) && isBlank(s.text[at-1]) {
		at--
	}
	for at > 0 && at < len(s.text) && !utf8.RuneStart(s.text[at]) {
		at--
	}
	// At the start of a line the library looks four characters ahead.
	if start := bytes.LastIndexByte(s.text[:at], '\n') + 1; at-start < 4 {
		at = start + len(s.text[start:]) - len(bytes.TrimLeft(s.text[start:], " "))
	}
	// A complaint of the parser counts lines from 0 and means where the
	// surrounding block began; one of the scanner is right.
	scanner := !strings.HasPrefix(msg, "did not find expected") || strings.Contains(msg, "character")
	if scanner && line > 0 && line <= len(s.lines) {
		start := s.lines[line-1]
		end := len(s.text)
		if line < len(s.lines) {
			end = s.lines[line]
		}
		if at < start || at >= end { // something begun on that line
			at = start + len(s.text[start:end]) - len(bytes.TrimLeft(s.text[start:end], " \t"))
		}
	}
	if at < len(s.text) && s.text[at] == '\t' {
		msg = "a tab; YAML indents with spaces only"
	}
	e := s.errorAt(at, msg)
	e.Syntax = true
	return e
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
