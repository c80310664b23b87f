package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/schema"
)

// A terminal is what all commands but run write to: text that came from files,
// payloads or programs can show itself there and do nothing else. A character
// that is schema.Unprintable is written as \uXXXX, which inside a JSON string
// means the same character.
type terminal struct {
	steady
	marks bool // colors are on: the marks of paint pass
}

func newTerminal(f *os.File, fd int, color string) terminal {
	return terminal{steady{f, fd}, colored(f, color)}
}

func (t terminal) Write(b []byte) (int, error) {
	if _, err := t.steady.Write(spelledOut(b, t.marks)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// raw is where a file's own bytes go: as they are, unless somebody looks on.
func (std stdio) raw() io.Writer {
	t, ok := std.out.(terminal)
	if !ok {
		return std.out
	}
	if isTerminal(t.File) {
		return std.out
	}
	return t.steady
}

// spelledOut is the text with everything unprintable spelled out; line ends and tabs
// stay, and with marks those of paint.
func spelledOut(b []byte, marks bool) []byte {
	start := firstUnprintable(b)
	if start < 0 {
		return b
	}
	out := append(make([]byte, 0, len(b)+64), b[:start]...)
	for i := start; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch mark := paintMark(b[i:]); {
		case marks && mark > 0:
			n = mark
			out = append(out, b[i:i+n]...)
		case allowed(r, b[i+n:]):
			out = append(out, b[i:i+n]...)
		case r > 0xffff:
			r -= 0x10000
			out = appendEscape(appendEscape(out, 0xd800+r>>10), 0xdc00+r&0x3ff)
		default:
			out = appendEscape(out, r)
		}
		i += n
	}
	return out
}

func firstUnprintable(b []byte) int {
	for i := 0; i < len(b); {
		if c := b[i]; c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if schema.Unprintable(r) {
			return i
		}
		i += n
	}
	return -1
}

// allowed reports whether a character may stand as it is before what follows.
func allowed(r rune, next []byte) bool {
	return r == '\n' || r == '\t' || r == '\r' && len(next) > 0 && next[0] == '\n' || !schema.Unprintable(r)
}

// paintMark is the length of the mark of paint that b begins with, 0 if there is
// none.
func paintMark(b []byte) int {
	rest, ok := strings.CutPrefix(string(b[:min(len(b), 5)]), "\x1b[")
	if !ok {
		return 0
	}
	for _, c := range []string{good, middle, bad, faint, strong, "0"} {
		if strings.HasPrefix(rest, c+"m") {
			return len("\x1b[m") + len(c)
		}
	}
	return 0
}

func appendEscape(dst []byte, r rune) []byte {
	hex := strconv.FormatInt(int64(r), 16)
	return append(append(append(dst, `\u`...), "0000"[len(hex):]...), hex...)
}
