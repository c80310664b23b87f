package matcher

import "strings"

// Between lists candidates for the text between a prefix and a separator that could
// make a pattern match: the literal parts of the pattern, up to the first separator or
// (loose) to each of them, alone and with one more character on either side. Candidates
// for which but is true are left out; behind says whether the prefix stands before them.
// Use it where a name isn't known and every pattern that might match must count.
func Between(pattern, prefix, separator string, loose bool, but func(name string, behind bool) bool) (names []string) {
	behind := false
	for _, text := range strings.FieldsFunc(pattern, func(c rune) bool { return c < 0x80 && !isName(byte(c)) }) {
		if _, after, ok := strings.Cut(text, prefix); ok {
			text, behind = after, true
		}
		for end := 0; end < len(text); end += len(separator) {
			if next := strings.Index(text[end:], separator); next >= 0 {
				end += next
			} else {
				end = len(text)
			}
			if name := text[:end]; name != "" && !but(name, behind) {
				names = append(names, name, name+"x", name+"0", "x"+name)
			}
			if !loose {
				break
			}
		}
	}
	return names
}

func isName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
