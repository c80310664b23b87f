package grok

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// inputLimit is the longest input or result, as JSON in bytes, that hooks are shown whole (observed 1.0.41).
const inputLimit = 128 << 10

const (
	inputCut = "toolInputTruncated" // true where the input is the beginning of its JSON, as a text
	cutMark  = " [truncated]"       // ends that text
)

// uncut makes an object of an input that was cut, so that guards see the fields in front of the cut, and what is left
// of a text that it goes through. Without a whole field ok is false.
func uncut(value []byte) (object []byte, ok bool) {
	text, _ := ordjson.String(value)
	text, ok = strings.CutSuffix(text, cutMark)
	whole := wholeFields(text)
	if !ok || whole == 0 {
		return nil, false
	}
	const longestEscape = len(`\ud83d\ude00`)
	for end := len(text); end > max(whole, len(text)-longestEscape); end-- {
		if o := text[:end] + `"}`; isObject(o) {
			return []byte(o), true
		}
	}
	o := text[:whole] + "}"
	return []byte(o), isObject(o)
}

// wholeFields is where the last whole field of an object ends that has another one behind it; 0: nowhere.
func wholeFields(text string) (end int) {
	var inText, escaped bool
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = c == '\\', c != '"'
		case c == '"':
			inText = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == 1:
			end = i
		}
	}
	return end
}

func isObject(text string) bool {
	o, err := ordjson.Parse([]byte(text))
	return err == nil && len(o) > 0
}
