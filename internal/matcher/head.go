package matcher

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/ascii"
)

// MayTake reports whether m may match a name that begins with prefix. It is false only if no such name can match.
func (m *Matcher) MayTake(prefix string) bool {
	if m.fold {
		prefix = strings.ToUpper(prefix)
	}
	if rest, ok := strings.CutPrefix(prefix, m.servers); ok && m.servers != "" {
		prefix = rest
		if !m.ofServers {
			return false
		}
	} else if m.ofServers {
		return strings.HasPrefix(m.servers, prefix)
	}

	begins := func(name string) bool { return strings.HasPrefix(name, prefix) }
	if slices.ContainsFunc(m.exact, begins) {
		return true
	}

	switch m.kind {
	case never:
		return false
	case list:
		return slices.ContainsFunc(m.names, begins)
	case words:
		return slices.ContainsFunc(m.words, func(w literal) bool { return w.mayTake(prefix) })
	case engine:
		return headsMay(m.compiled, prefix, false)
	}
	return true
}

// MayTakeOf is MayTake for names that begin with head: an expression that searches for head must find it at their
// start.
func (m *Matcher) MayTakeOf(prefix, head string) bool {
	if m.fold {
		prefix, head = strings.ToUpper(prefix), strings.ToUpper(head)
	}
	switch {
	case head == "":
	case m.kind == engine && Begins(m.compiled, head):
		return headsMay(m.compiled, prefix, true)
	case m.kind == words:
		return slices.ContainsFunc(m.words, func(w literal) bool {
			w.head = w.head || strings.HasPrefix(w.text, head)
			return w.mayTake(prefix)
		})
	}
	return m.MayTake(prefix)
}

// Begins reports whether everything that the expression searches for begins with prefix, wherever in a name it is.
func Begins(expression, prefix string) bool {
	for _, alt := range alternatives(expression) {
		alt = strings.TrimPrefix(alt, "^")
		if inner, after, ok := group(alt); strings.HasPrefix(alt, "(") && ok {
			if after != "" && strings.IndexByte("?*{", after[0]) >= 0 || !Begins(inner, prefix) {
				return false
			}
		} else if !strings.HasPrefix(literalHead(alt), prefix) {
			return false
		}
	}
	return true
}

// headsMay applies headMay to each alternative of an expression; anchored: it starts where the name does.
func headsMay(pattern, prefix string, anchored bool) bool {
	return slices.ContainsFunc(alternatives(pattern), func(alt string) bool { return headMay(alt, prefix, anchored) })
}

func headMay(alt, prefix string, anchored bool) bool {
	rest, at := strings.CutPrefix(alt, "^")
	if !at && !anchored {
		return true
	}
	if strings.HasPrefix(rest, "(") {
		inner, after, ok := group(rest)
		if !ok || after != "" && strings.IndexByte("?*{", after[0]) >= 0 {
			return true
		}
		return headsMay(inner, prefix, true)
	}
	text := literalHead(rest)
	return strings.HasPrefix(text, prefix) || strings.HasPrefix(prefix, text)
}

// group returns the content of a plain group at the start of s, and the text after it; ok is false for a group that
// looks ahead or behind.
func group(s string) (inner, after string, ok bool) {
	end := closing(s)
	if end < 0 {
		return "", "", false
	}
	inner = strings.TrimPrefix(s[1:end], "?:")
	return inner, s[end+1:], !strings.HasPrefix(inner, "?")
}

// closing returns the place of the parenthesis that closes the one at the start.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i = step(s, i) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// alternatives splits an expression at the bars outside its groups.
func alternatives(s string) (out []string) {
	depth, start := 0, 0
	for i := 0; i < len(s); i = step(s, i) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				out, start = append(out, s[start:i]), i+1
			}
		}
	}
	return append(out, s[start:])
}

// step returns the place after the character, escape or class at i.
func step(s string, i int) int {
	switch s[i] {
	case '\\':
		return i + 2
	case '[':
		for i++; i < len(s) && s[i] != ']'; i++ {
			if s[i] == '\\' {
				i++
			}
		}
	}
	return i + 1
}

// literalHead returns the text that every match of s begins with.
func literalHead(s string) string {
	i := 0
	for i < len(s) && (isAlnum(s[i]) || strings.IndexByte("_-: ", s[i]) >= 0) {
		i++
	}
	if i > 0 && i < len(s) && strings.IndexByte("?*{", s[i]) >= 0 {
		i--
	}
	return s[:i]
}

// Escape writes text as an expression that matches it.
func Escape(text string) string {
	if !strings.ContainsAny(text, operators) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if strings.ContainsRune(operators, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

const operators = `\.+*?()|[]{}^$/`

// Union returns an expression for the names that one of the expressions in names matches as a whole, and for those in
// which search finds something; "" for none.
func Union(names []string, search string) string {
	switch {
	case len(names) == 0:
		return search
	case search == "":
		return "^(?:" + strings.Join(names, "|") + ")$"
	}
	return "^(?:" + strings.Join(names, "|") + ")$|" + search
}

// Between lists candidates for the text between a prefix and a separator with which a pattern could match. They are the
// literal parts of the pattern, up to the first separator or (loose) to each of them, alone and with one more character
// on either side. It leaves out candidates for which but is true; behind reports whether the prefix comes before them.
// Use it if a name is unknown and every pattern that might match must count.
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

func isName(c byte) bool { return c == '-' || ascii.Word(c) }

// A literal is one alternative of an expression that needs no engine: a text that must be at the start or the end of
// the name, both, or neither.
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

func (l literal) mayTake(prefix string) bool {
	return !l.head || strings.HasPrefix(l.text, prefix) || !l.tail && strings.HasPrefix(prefix, l.text)
}

func (l literal) matchesAll() bool { return l.text == "" && !(l.head && l.tail) }

// literals reads the most common expressions: words separated by "|", each with an optional "^", "$" or outer ".*", or
// all of them inside "^(?:" and ")$". It returns false for everything else, valid or not.
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

// cutAnchors cuts the anchors off alt. An unanchored search makes ".*" at an open end redundant.
func cutAnchors(alt string) (string, literal) {
	var l literal
	if alt, l.head = strings.CutPrefix(alt, "^"); !l.head {
		alt = strings.TrimPrefix(alt, ".*")
	}
	// An escaped "$" leaves a lone backslash, which unescapeLiteral rejects.
	if alt, l.tail = strings.CutSuffix(alt, "$"); !l.tail {
		alt = strings.TrimSuffix(alt, ".*")
	}
	return alt, l
}

// unescapeLiteral returns the text that s means if s has no operator.
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
