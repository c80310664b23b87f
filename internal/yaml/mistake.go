package yaml

import (
	"bytes"
	"errors"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxLocate is the longest text whose error gets a column, which takes some twenty calls of the library.
const maxLocate = 1 << 15

// locate finds the place of an error of the library, which has no column, and not always the line. The place is the end
// of the shortest beginning of the text with the error: for an unclosed quote, where the quote begins.
func locate(text []byte, mistake error) *Error {
	lines := lineStarts(text)
	if errors.Is(mistake, errSecond) {
		return secondDocument(text, lines)
	}
	named, msg := split(mistake)
	if len(text) > maxLocate {
		start := lines[max(1, min(named, len(lines)))-1]
		return explain(text, start, start.offset, msg)
	}

	has := func(n int) bool {
		_, err := decode(text[:n])
		if err == nil {
			return false
		}
		_, other := split(err)
		return other == msg
	}
	end := func(i int) int {
		if i+1 < len(lines) {
			return lines[i+1].offset
		}
		return len(text)
	}
	on := min(sort.Search(len(lines), func(i int) bool { return has(end(i)) }), len(lines)-1)
	from := lines[on].offset
	at := from + sort.Search(end(on)-from, func(i int) bool { return has(from + i + 1) })
	for at < len(text) && at > from && !utf8.RuneStart(text[at]) {
		at--
	}
	return explain(text, lines[on], at, msg)
}

// split cuts the line off a message of the library, 0 if it has none.
func split(err error) (line int, msg string) {
	msg = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		number, text, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			return n, text
		}
	}
	return 0, msg
}

// explain returns an error with a message for the user who writes YAML.
func explain(text []byte, line lineStart, at int, msg string) *Error {
	head := text[line.offset:at]
	for i, c := range text[line.offset:] {
		if c == '\t' && i <= len(head) {
			return &Error{line.line, line.col + i, "YAML doesn't allow tabs for indentation; use spaces"}
		}
		if c != ' ' {
			break
		}
	}
	switch {
	case strings.HasPrefix(msg, "unknown anchor"):
		head = head[:max(0, bytes.LastIndexByte(head, '*'))]
	case msg == "found unexpected end of stream":
		msg = "this quote is never closed"
	case strings.HasPrefix(msg, "did not find expected ',' or"):
		msg = "expected a comma, or the end of this bracket"
	case msg == "did not find expected <document start>":
		msg = errSecond.Error()
	case strings.HasPrefix(msg, "exceeded max depth"):
		msg = "nested more than " + strconv.Itoa(MaxDepth) + " levels deep"
	}
	return &Error{line.line, line.col + utf8.RuneCount(head), msg}
}

// secondDocument returns the error at the mark that begins the second document.
func secondDocument(text []byte, lines []lineStart) *Error {
	content := false
	for i, l := range lines {
		end := len(text)
		if i+1 < len(lines) {
			end = lines[i+1].offset
		}
		s := strings.TrimSpace(string(text[l.offset:end]))
		if content && (strings.HasPrefix(s, "---") || content && strings.HasPrefix(s, "...")) {
			return &Error{l.line, l.col, errSecond.Error()}
		}
		content = content || s != "" && s[0] != '#' && s[0] != '%'
	}
	return &Error{1, 1, errSecond.Error()}
}
