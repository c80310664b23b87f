package cursor

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

func escaped(text []byte, i int) bool {
	n := 0
	for i--; i >= 0 && text[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}
