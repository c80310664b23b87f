package ordjson

import "bytes"

// BlankComments overwrites // and /* */ comments outside of strings by blanks,
// so that places in the text stay what they are.
func BlankComments(text []byte) []byte {
	out := text
	for i := 0; i < len(text); i++ {
		end := i
		switch {
		case text[i] == '"':
			i = stringEnd(text, i)
			continue
		case text[i] != '/' || i+1 == len(text):
			continue
		case text[i+1] == '/':
			for end < len(text) && text[end] != '\n' {
				end++
			}
		case text[i+1] == '*':
			n := bytes.Index(text[i+2:], []byte("*/"))
			if end = i + n + 4; n < 0 {
				end = len(text)
			}
		default:
			continue
		}
		if &out[0] == &text[0] {
			out = append([]byte(nil), text...)
		}
		for ; i < end; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
		i--
	}
	return out
}

// stringEnd is the offset of the quote that ends the string begun at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
