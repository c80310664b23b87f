package cursor

import (
	"bytes"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// parse reads an object the way JSON.parse does: of two members of one name
// the last counts (observed SDK 1.0.32, for hooks.json and for answers).
func parse(src []byte) (ordjson.Object, error) {
	o, _, err := ordjson.ParseLast(src)
	return o, err
}

// blank overwrites text, but for line ends.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// tail returns the part of text that can be an object reaching to its end: of
// all tails that begin with a brace at most one is well-formed, and it is found
// by going back from the last brace to the one that opens it.
func tail(text []byte) ([]byte, bool) {
	depth, quoted := 0, false
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == '"' && !(quoted && escaped(text, i)):
			quoted = !quoted
		case quoted:
		case c == '}':
			depth++
		case c == '{':
			if depth--; depth == 0 {
				return text[i:], true
			}
		}
	}
	return nil, false
}

// escaped reports whether an odd number of backslashes stands before text[i].
func escaped(text []byte, i int) bool {
	n := 0
	for i--; i >= 0 && text[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// trim takes off what JavaScript's trim does: its blanks and line ends, and
// byte order marks.
func trim(text []byte) []byte { return bytes.TrimFunc(text, isBlank) }

func isBlank(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}
