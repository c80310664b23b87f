package scriptread

import "strings"

// Broken reports whether a JavaScript or TypeScript text certainly doesn't parse: its brackets don't match. It is false
// for an ambiguous text.
func Broken(text string) bool {
	if len(text) > maxText || strings.Contains(text, "`") {
		return false
	}

	tokens := lex(JavaScript, text, 1)
	var open []byte
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.is("/"), t.kind == formToken && unclosed(t.text): // which may be read differently
			return false
		case t.kind != signToken || len(t.text) != 1:
		case strings.Contains("([{", t.text):
			open = append(open, ")]}"[strings.Index("([{", t.text)])
		case strings.Contains(")]}", t.text):
			if len(open) == 0 || open[len(open)-1] != t.text[0] {
				return true
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) > 0
}

// unclosed reports whether a string doesn't end on its line.
func unclosed(text string) bool {
	return strings.ContainsAny(text[:1], `"'`) && (len(text) == 1 || text[len(text)-1] != text[0])
}
