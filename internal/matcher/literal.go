package matcher

import (
	"strings"
	"unicode/utf8"
)

// A literal is one alternative of an expression that needs no engine: a text,
// bound to the start or the end of the name or to neither.
type literal struct {
	text       string
	head, tail bool
}

func (l literal) matches(name string) bool {
	switch {
	case l.head && l.tail:
		return name == l.text
	case l.head:
		return strings.HasPrefix(name, l.text)
	case l.tail:
		return strings.HasSuffix(name, l.text)
	}
	return strings.Contains(name, l.text)
}

func (l literal) matchesAll() bool { return l.text == "" && !(l.head && l.tail) }

// literals reads the expressions most configurations have: words separated by
// "|", each with an optional "^", "$" or outer ".*", or all of them inside
// "^(?:" and ")$". It reports false for everything else, valid or not.
func literals(pattern string) ([]literal, bool) {
	if !utf8.ValidString(pattern) {
		return nil, false
	}
	body, grouped := strings.CutPrefix(pattern, "^(")
	if grouped {
		body = strings.TrimPrefix(body, "?:")
		if body, grouped = strings.CutSuffix(body, ")$"); !grouped {
			return nil, false
		}
	}
	var ls []literal
	for alt := range strings.SplitSeq(body, "|") {
		l := literal{head: grouped, tail: grouped}
		if !grouped {
			alt, l = cutAnchors(alt)
		}
		var ok bool
		if l.text, ok = unescapeLiteral(alt); !ok {
			return nil, false
		}
		ls = append(ls, l)
	}
	return ls, true
}

// cutAnchors takes the anchors off alt. An unanchored search makes ".*" at an
// open end idle.
func cutAnchors(alt string) (string, literal) {
	var l literal
	if alt, l.head = strings.CutPrefix(alt, "^"); !l.head {
		alt = strings.TrimPrefix(alt, ".*")
	}
	// An escaped "$" leaves a lone backslash, which unescapeLiteral refuses.
	if alt, l.tail = strings.CutSuffix(alt, "$"); !l.tail {
		alt = strings.TrimSuffix(alt, ".*")
	}
	return alt, l
}

// unescapeLiteral returns the text s stands for if s has no operator.
func unescapeLiteral(s string) (string, bool) {
	if !strings.ContainsAny(s, `\^$.*+?()[]{}|`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			if i++; i == len(s) || s[i] >= utf8.RuneSelf || s[i] == '_' || isAlnum(s[i]) {
				return "", false
			}
			c = s[i]
		} else if strings.IndexByte(`^$.*+?()[]{}|`, c) >= 0 {
			return "", false
		}
		b.WriteByte(c)
	}
	return b.String(), true
}
