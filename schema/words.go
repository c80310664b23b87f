package schema

import "strings"

// An is a word after its article, as it is spoken: "an object", "a string", "an http".
func An(word string) string {
	if word != "" && strings.Contains("aeiouAEIOU", word[:1]) || strings.HasPrefix(word, "http") || strings.HasPrefix(word, "mcp") {
		return "an " + word
	}
	return "a " + word
}
