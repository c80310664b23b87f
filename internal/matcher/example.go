package matcher

import (
	"strings"
	"unicode/utf8"
)

// maxExamples limits how many texts Examples lists.
const maxExamples = 4

// Examples returns texts that an expression probably matches, one for each of its alternatives up to a limit, with wild
// for arbitrary text; nil if it finds none. Match a text with the expression before you rely on it.
func Examples(expression, wild string) []string {
	e := exampleOf{rest: expression, wild: wild}
	texts := e.alternatives()
	if e.rest != "" {
		return nil
	}
	return texts
}

type exampleOf struct{ rest, wild string }

// alternatives reads up to the end of a group.
func (e *exampleOf) alternatives() []string {
	texts := e.sequence()
	for strings.HasPrefix(e.rest, "|") {
		e.rest = e.rest[1:]
		texts = append(texts, e.sequence()...)
	}
	return texts[:min(len(texts), maxExamples)]
}

func (e *exampleOf) sequence() []string {
	texts := []string{""}
	for e.rest != "" && e.rest[0] != '|' && e.rest[0] != ')' {
		var longer []string
		parts := e.repeated(e.one())
		for _, text := range texts {
			for _, part := range parts {
				longer = append(longer, text+part)
			}
		}
		texts = longer[:min(len(longer), maxExamples)]
	}
	return texts
}

// one reads a character, a class or a group; any reports that it is the dot.
func (e *exampleOf) one() (texts []string, any bool) {
	_, n := utf8.DecodeRuneInString(e.rest)
	head := e.rest[:n]
	e.rest = e.rest[n:]
	switch head {
	case "^", "$":
		return []string{""}, false
	case ".":
		return []string{"_"}, true
	case "(":
		look := strings.HasPrefix(e.rest, "?=") || strings.HasPrefix(e.rest, "?!") || strings.HasPrefix(e.rest, "?<")
		e.rest = strings.TrimPrefix(e.rest, "?:")
		texts = e.alternatives()
		e.rest = strings.TrimPrefix(e.rest, ")")
		if look {
			return []string{""}, false
		}
		return texts, false
	case "[":
		return []string{e.class()}, false
	case `\`:
		return []string{e.escaped()}, false
	}
	return []string{head}, false
}

// class returns a character that a class lists.
func (e *exampleOf) class() string {
	inside, after, found := strings.Cut(e.rest, "]")
	if !found {
		return ""
	}
	e.rest = after
	if strings.HasPrefix(inside, "^") {
		return "x"
	}
	inner := exampleOf{rest: inside, wild: e.wild}
	texts, _ := inner.one()
	return texts[0]
}

func (e *exampleOf) escaped() string {
	if e.rest == "" {
		return ""
	}
	c := e.rest[:1]
	e.rest = e.rest[1:]
	switch c {
	case "w", "S", "D":
		return "x"
	case "d":
		return "1"
	case "s":
		return " "
	case "b", "B":
		return ""
	}
	return c
}

// repeated repeats a part as its quantifier requires: at least once, unless the part is optional.
func (e *exampleOf) repeated(texts []string, any bool) []string {
	if e.rest == "" || !strings.Contains("*+?{", e.rest[:1]) {
		return texts
	}
	sign := e.rest[0]
	e.rest = e.rest[1:]
	if sign == '{' {
		_, e.rest, _ = strings.Cut(e.rest, "}")
	}
	e.rest = strings.TrimPrefix(e.rest, "?") // lazy
	switch {
	case any && sign != '?':
		return []string{e.wild}
	case sign == '?' || sign == '*':
		return []string{""}
	}
	return texts
}
