package scriptread

import (
	"strings"
	"unicode/utf8"
)

// index reads what follows a bracket: a name in quotes, or an element.
func (f *filter) index(in, out []string) []string {
	f.strings = nil
	if f.take("]") {
		return nil
	}
	if f.rest() != "" && f.rest()[0] == '"' {
		text, plain := f.text(in)
		if f.take("]") && plain {
			return f.read(below(out, text))
		}
	}
	for !f.bad && !f.take("]") {
		if !f.take(":") {
			f.pipe(in)
		}
		f.space()
		if f.at >= len(f.src) {
			return f.fail()
		}
	}
	return nil
}

func (f *filter) read(at []string) []string {
	f.c.field(at, f.c.line, f.group)
	return at
}

// text reads a string; plain is false if it has expressions.
func (f *filter) text(in []string) (text string, plain bool) {
	f.at++
	plain = true
	var b strings.Builder
	for f.at < len(f.src) {
		switch ch := f.src[f.at]; {
		case ch == '"':
			f.at++
			return b.String(), plain
		case ch == '\\' && strings.HasPrefix(f.src[f.at:], `\(`):
			plain = false
			f.at += 2
			f.pipe(in)
			if f.bad || !f.take(")") {
				f.fail()
				return "", false
			}
		case ch == '\\' && f.at+1 < len(f.src):
			b.WriteByte(f.src[f.at+1])
			f.at += 2
		default:
			_, n := utf8.DecodeRuneInString(f.src[f.at:])
			b.WriteString(f.src[f.at : f.at+n])
			f.at += n
		}
	}

	f.fail()
	return "", false
}
