package yaml

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkRunes rejects characters that no YAML reader accepts as text.
func checkRunes(text []byte) *Error {
	line, start := 1, 0
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		msg := ""
		switch {
		case r == utf8.RuneError && n == 1:
			msg = "invalid UTF-8"
		case r == 0, r == 0xfffe, r == 0xffff:
			msg = "control characters are not allowed"
		case r == '\n':
			line, start = line+1, at+1
		}
		if msg != "" {
			return &Error{line, 1 + utf8.RuneCount(text[start:at]), msg}
		}
		at += n
	}
	return nil
}

// The library reads YAML 1.1: it treats NEL, LS and PS as line ends, rejects other control characters, and skips each
// byte order mark at the beginning of the unread text, with a part of the lines after it. hidden is a text in which
// private characters replace these, one for each, so that places don't change.
type hidden struct {
	text []byte
	on   bool
}

// firstHidden is the first of the 256 characters at the end of the last private plane. The byte of the replaced
// character is added: LS, PS and the mark, which have none, use those of characters that are never hidden.
const (
	firstHidden = 0x10ff00 - 0x100
	hiddenLS    = firstHidden + 'L'
	hiddenPS    = firstHidden + 'P'
	hiddenMark  = firstHidden + 'M'

	mark = '\ufeff'
)

// IsControl reports whether r is a control character that YAML doesn't allow, unlike tabs and line ends.
func IsControl(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) }

// hide replaces the characters that the library doesn't read as text; a mark at the beginning stays. A text that
// already has one of the private characters stays unchanged.
func hide(text []byte) hidden {
	found := false
	for at, r := range string(text) {
		if r >= firstHidden && r < firstHidden+0x100 {
			return hidden{text: text}
		}
		isEnd := r == '\u2028' || r == '\u2029'
		isMark := r == mark && at > 0
		found = found || IsControl(r) || isEnd || isMark
	}
	if !found {
		return hidden{text: text}
	}

	begins := 0
	if bytes.HasPrefix(text, []byte(string(mark))) {
		begins = len(string(mark))
	}
	rest := bytes.Map(func(r rune) rune {
		switch {
		case IsControl(r):
			return firstHidden + r
		case r == '\u2028':
			return hiddenLS
		case r == '\u2029':
			return hiddenPS
		case r == mark:
			return hiddenMark
		}
		return r
	}, text[begins:])
	return hidden{on: true, text: append(bytes.Clone(text[:begins]), rest...)}
}

// show returns a part of the text with the original characters.
func (h hidden) show(s string) string {
	if !h.on {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == hiddenLS:
			return '\u2028'
		case r == hiddenPS:
			return '\u2029'
		case r == hiddenMark:
			return mark
		case r >= firstHidden && r < firstHidden+0x100:
			return r - firstHidden
		}
		return r
	}, s)
}

// A lineStart is where a line of the library begins: it counts the line ends of YAML, while this package's callers
// count line feeds.
type lineStart struct {
	line, col int // col: of the first character, from 1
	offset    int // in bytes
}

func lineStarts(text []byte) []lineStart {
	starts := []lineStart{{1, 1, 0}}
	line, col := 1, 1
	if bytes.HasPrefix(text, []byte(string(mark))) {
		starts[0].col = 2
	}
	for at := 0; at < len(text); {
		c := text[at]
		_, n := utf8.DecodeRune(text[at:])
		at += n
		switch {
		case c == '\n':
			line, col = line+1, 1
		case c == '\r' && (at == len(text) || text[at] != '\n'):
			col++
		default:
			col++
			continue
		}
		starts = append(starts, lineStart{line, col, at})
	}
	return starts
}
