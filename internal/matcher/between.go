package matcher

import "strings"

// Between lists candidates for the text between a prefix and the next separator that
// could make a pattern match: the literal parts of the pattern after the prefix, alone
// and with one more character on either side. Candidates for which but is true are left
// out. Use it where a name isn't known and every pattern that might match must count.
func Between(pattern, prefix, separator string, but func(string) bool) (names []string) {
	_, rest, ok := strings.Cut(pattern, prefix)
	if !ok {
		return nil
	}
	for _, text := range strings.FieldsFunc(rest, func(c rune) bool { return c < 0x80 && !isName(byte(c)) }) {
		if _, after, ok := strings.Cut(text, prefix); ok {
			text = after
		}
		if text, _, _ = strings.Cut(text, separator); text != "" && !but(text) {
			names = append(names, text, text+"x", text+"0", "x"+text)
		}
	}
	return names
}

func isName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
