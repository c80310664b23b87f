package ordjson

import "bytes"

// TrimSpace takes off what JavaScript's trim does: its blanks and line ends, and byte
// order marks.
func TrimSpace(text []byte) []byte { return bytes.TrimFunc(text, IsSpace) }

// IsSpace reports whether a character is white space in JavaScript.
func IsSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}
