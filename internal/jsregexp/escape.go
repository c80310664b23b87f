package jsregexp

import (
	"unicode"
	"unicode/utf16"
)

// escape reads a backslash and what belongs to it, outside a class.
func (t *reader) escape() (n *node, quantifiable bool, err error) {
	if t.pos+1 == len(t.src) {
		return nil, false, t.errorf(`\ at the end`)
	}
	switch c := t.at(1); {
	case c == 'b' || c == 'B':
		t.pos += 2
		return &node{op: aBoundary, not: c == 'B'}, false, nil
	case isSetLetter(c):
		t.pos += 2
		s := &set{}
		s.addNamed(c)
		return &node{op: aSet, set: t.folded(s).done(false)}, true, nil
	case c == 'k' && t.named:
		n, err = t.namedReference()
		return n, true, err
	case '1' <= c && c <= '9':
		start := t.pos
		t.pos++
		if g, _ := t.number(); g <= len(t.groups) {
			return &node{op: aReference, group: g, fold: t.flags.i}, true, nil
		}
		t.pos = start
	}
	c, err := t.characterEscape(false)
	return t.unit(c), true, err
}

func (t *reader) namedReference() (*node, error) {
	start := t.pos
	t.pos += 2
	if t.eat("<") {
		if name, ok := t.groupName(); ok {
			all := &node{op: aSequence} // at most one of the groups with that name has matched: the others are empty
			for i, g := range t.groups {
				if g == name {
					all.kids = append(all.kids, &node{op: aReference, group: i + 1, fold: t.flags.i})
				}
			}
			if len(all.kids) > 0 {
				return all, nil
			}
		}
	}
	t.pos = start
	return nil, t.errorf(`\k names no group`)
}

// characterEscape reads an escape for one unit. If JavaScript considers the escape incomplete, the letter is literal.
func (t *reader) characterEscape(inClass bool) (uint16, error) {
	c := t.at(1)
	t.pos += 2
	switch c {
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'v':
		return '\v', nil
	case 'x':
		if u, ok := t.hex(2); ok {
			return u, nil
		}
	case 'u':
		if u, ok := t.hex(4); ok {
			return u, nil
		}
	case 'c':
		next := t.at(0)
		if isLetter(next) || inClass && (isDigit(next) || next == '_') {
			t.pos++
			return next & 31, nil
		}
		t.pos-- // the backslash is a character, and so is the c after it
		return '\\', nil
	case 'k':
		if t.named {
			t.pos -= 2
			return 0, t.errorf(`\k names no group`)
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := c - '0'
		for range 2 {
			d := t.at(0)
			if d < '0' || d > '7' || n*8+d-'0' > 0o377 {
				break
			}
			n = n*8 + d - '0'
			t.pos++
		}
		return n, nil
	}

	return c, nil
}

func (t *reader) hex(n int) (u uint16, ok bool) {
	if t.pos+n > len(t.src) {
		return 0, false
	}
	for _, c := range t.src[t.pos : t.pos+n] {
		switch {
		case isDigit(c):
			u = u<<4 | (c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			u = u<<4 | (c | 0x20 - 'a' + 10)
		default:
			return 0, false
		}
	}
	t.pos += n
	return u, true
}

func (t *reader) class() (*node, error) {
	start := t.pos
	t.pos++
	negated := t.eat("^")
	s := &set{}
	for !t.eat("]") {
		if t.pos == len(t.src) {
			t.pos = start
			return nil, t.errorf("a [ without a ]")
		}
		lo, named, err := t.classAtom(s)
		if err != nil {
			return nil, err
		}
		if t.at(0) != '-' || t.pos+1 == len(t.src) || t.at(1) == ']' {
			if !named {
				s.add(lo, lo)
			}
			continue
		}

		dash := t.pos
		t.pos++
		hi, hiNamed, err := t.classAtom(s)
		switch {
		case err != nil:
			return nil, err
		case named || hiNamed: // a set can't end a range: the dash is a character
			s.add('-', '-')
			if !named {
				s.add(lo, lo)
			}
			if !hiNamed {
				s.add(hi, hi)
			}
		case lo > hi:
			t.pos = dash
			return nil, t.errorf("[ ] has a range out of order")
		default:
			s.add(lo, hi)
		}
	}

	return &node{op: aSet, set: t.folded(s).done(negated)}, nil
}

// classAtom reads one item of a class: a unit, or a set such as \d, which it adds to s.
func (t *reader) classAtom(s *set) (c uint16, named bool, err error) {
	c = t.src[t.pos]
	if c != '\\' {
		t.pos++
		return c, false, nil
	}
	if t.pos+1 == len(t.src) {
		return 0, false, t.errorf(`\ at the end`)
	}
	switch next := t.at(1); {
	case isSetLetter(next):
		t.pos += 2
		s.addNamed(next)
		return 0, true, nil
	case next == 'b':
		t.pos += 2
		return '\b', false, nil
	}
	c, err = t.characterEscape(true)
	return c, false, err
}

// groupName reads a group's name and the ">" after it.
func (t *reader) groupName() (string, bool) {
	var name []rune
	for t.pos < len(t.src) && !t.eat(">") {
		r, ok := t.nameRune()
		if !ok || !isNameRune(r, len(name) == 0) {
			return "", false
		}
		name = append(name, r)
	}
	return string(name), len(name) > 0 && t.src[t.pos-1] == '>'
}

// nameRune reads a character of a name, which may be written as an escape.
func (t *reader) nameRune() (rune, bool) {
	if t.eat(`\u{`) {
		var r rune
		start := t.pos
		for t.at(0) != '}' {
			d, ok := t.hex(1)
			if r = r<<4 | rune(d); !ok || r > unicode.MaxRune {
				return 0, false
			}
		}
		t.pos++
		return r, t.pos > start+1
	}

	unit := func() (uint16, bool) {
		if t.eat(`\u`) {
			return t.hex(4)
		}
		t.pos++
		return t.src[t.pos-1], true
	}

	escaped := t.at(0) == '\\'
	hi, ok := unit()
	if !ok || !utf16.IsSurrogate(rune(hi)) || t.pos == len(t.src) || escaped != (t.at(0) == '\\') {
		return rune(hi), ok
	}
	lo, ok := unit()
	return utf16.DecodeRune(rune(hi), rune(lo)), ok
}

func isNameRune(r rune, first bool) bool {
	switch {
	case r == '$' || r == '_' || unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start):
		return true
	case first:
		return false
	}
	return r == '\u200C' || r == '\u200D' ||
		unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
}
