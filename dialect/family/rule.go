package family

import "strings"

// SeveralRules reports whether rest, which follows an opening bracket, closes
// it and goes on with a separator or a further bracket. A bracket too many, as
// in "Bash(echo :))", is text.
func SeveralRules(rest string) bool {
	depth := 1
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				after := strings.TrimSpace(rest[i+1:])
				return after != "" && strings.ContainsRune("|&,;", rune(after[0])) || strings.Contains(after, "(")
			}
		}
	}
	return false
}
