package matcher

import "strings"

// Between lists what could stand between a prefix and the next separator for a
// pattern to match: the plain stretches of its text from the prefix on, as they
// are and with a character more on either side, as an expression may ask for. What
// is but is something else. It is for where a name is not known and no pattern
// may be passed over for that.
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
