package shell

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// maxLength is the longest text that is read: twice the longest argument that Linux can start.
	maxLength = 256 << 10
	// maxFrames limits the stack while a text is read. The library calls itself for each level of nesting, at most 20
	// times a byte, and requests the text in pieces of 1 kB.
	maxFrames = 2000
	// maxOpen is how many compound commands may be open at the end of a text.
	maxOpen = 50
)

// Parse reads a command line of one or more lines, as bash does. It returns false for broken input, more than 256 kB, a
// NUL, some hundred levels of nesting, and forms that shells, or the library and bash, read differently. It takes
// linear time. For unreadable input it reports only whether the end is missing.
func Parse(src string) (Script, bool) {
	t, ok := newTranslator(src)
	if !ok {
		return Script{}, false
	}
	f, err := t.read()
	if t.unclosed = syntax.IsIncomplete(err); t.unclosed { // everything missing is missing at the end
		f, err = t.read(syntax.RecoverErrors(maxOpen))
	}
	if err != nil {
		return Script{Unclosed: t.unclosed}, false
	}

	s := t.list(f.Stmts)
	s.Unclosed = t.unclosed
	return s, t.understood(t.src)
}

// newTranslator prepares a text; false if it can't be read.
func newTranslator(src string) (*translator, bool) {
	t := &translator{written: written{src, !utf8.ValidString(src)}}
	if len(src) > maxLength || strings.IndexByte(src, 0) >= 0 {
		return nil, false
	}
	if t.bytes { // bytes other than ASCII have no meaning in a shell: each is read as a character
		var b strings.Builder
		for i := range len(src) {
			b.WriteRune(rune(src[i]))
		}
		t.src = b.String()
	}
	return t, true
}

// returns counts the carriage returns that aren't part of a line end.
func returns(src string) int { return strings.Count(src, "\r") - strings.Count(src, "\r\n") }

// read makes the library read the text. With an error the file has the statements before it.
func (t *translator) read(options ...syntax.ParserOption) (f *syntax.File, err error) {
	defer func() {
		if recover() != nil { // a fault of the library must not end the hook call
			f, err = &syntax.File{}, errors.New("the reader failed")
		}
	}()
	return syntax.NewParser(options...).Parse(&source{rest: t.src}, "")
}

// A source passes a text to the library, and ends it if the stack has grown too deep.
type source struct {
	rest string
	read bool
}

var errDeep = errors.New("nested too deep")

func (s *source) Read(p []byte) (int, error) {
	if s.rest == "" {
		return 0, io.EOF
	}
	var deepest [1]uintptr
	if s.read && runtime.Callers(maxFrames, deepest[:]) > 0 {
		return 0, errDeep
	}
	n := copy(p, s.rest)
	s.rest, s.read = s.rest[n:], true
	return n, nil
}
