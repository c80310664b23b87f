package matcher

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// escape reads a backslash and what belongs to it, outside a class.
func (t *translator) escape() (quantifiable bool, err error) {
	if t.pos+1 == len(t.src) {
		return false, t.errorf(`\ at the end`)
	}
	switch c := t.at(1); {
	case c == 'b' || c == 'B':
		t.pos += 2
		t.out.WriteString(`\` + string(rune(c)))
		return false, nil
	case strings.ContainsRune("dDsSwW", rune(c)):
		t.pos += 2
		t.out.WriteString(`\` + string(rune(c)))
		return true, nil
	case c == 'k' && t.named:
		return true, t.namedReference()
	case '1' <= c && c <= '9':
		start := t.pos
		t.pos++
		if n, _ := t.number(); n <= len(t.groups) {
			t.reference(n)
			return true, nil
		}
		t.pos = start
	}
	c, err := t.characterEscape(false)
	if err == nil {
		t.unit(c)
	}
	return true, err
}

func (t *translator) reference(n int) { t.out.WriteString(`(?:\` + strconv.Itoa(n) + `)`) }

func (t *translator) namedReference() error {
	start := t.pos
	t.pos += 2
	if t.eat("<") {
		if name, ok := t.groupName(); ok {
			if i := slices.Index(t.groups, name); i >= 0 {
				t.reference(i + 1)
				return nil
			}
		}
	}
	t.pos = start
	return t.errorf(`\k names no group`)
}

// characterEscape reads an escape that stands for one unit. Where JavaScript
// finds the escape incomplete, the letter stands for itself.
func (t *translator) characterEscape(inClass bool) (uint16, error) {
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

// hex reads n hexadecimal digits, or nothing.
func (t *translator) hex(n int) (u uint16, ok bool) {
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

// class reads a character class.
func (t *translator) class() error {
	start := t.pos
	t.pos++
	negated := t.eat("^")
	if t.eat("]") {
		if negated {
			t.out.WriteString(`[\s\S]`)
		} else {
			t.out.WriteString(`(?!)`)
		}
		return nil
	}
	t.out.WriteByte('[')
	if negated {
		t.out.WriteByte('^')
	}
	for !t.eat("]") {
		if t.pos == len(t.src) {
			t.pos = start
			return t.errorf("a [ without a ]")
		}
		lo, set, err := t.classAtom()
		if err != nil {
			return err
		}
		if t.at(0) != '-' || t.pos+1 == len(t.src) || t.at(1) == ']' {
			t.classItem(lo, set)
			continue
		}
		dash := t.pos
		t.pos++
		hi, hiSet, err := t.classAtom()
		switch {
		case err != nil:
			return err
		case set != "" || hiSet != "": // a set is no end of a range: the dash is a character
			t.classItem(lo, set)
			t.unit('-')
			t.classItem(hi, hiSet)
		case lo > hi:
			t.pos = dash
			return t.errorf("[ ] has a range out of order")
		default:
			t.classRange(lo, hi)
		}
	}
	t.out.WriteByte(']')
	return nil
}

// classAtom reads one member of a class: a unit, or a set such as \d.
func (t *translator) classAtom() (c uint16, set string, err error) {
	c = t.src[t.pos]
	if c != '\\' {
		t.pos++
		return c, "", nil
	}
	if t.pos+1 == len(t.src) {
		return 0, "", t.errorf(`\ at the end`)
	}
	switch next := t.at(1); next {
	case 'd', 'D', 's', 'S', 'w', 'W':
		t.pos += 2
		return 0, `\` + string(rune(next)), nil
	case 'b':
		t.pos += 2
		return '\b', "", nil
	}
	c, err = t.characterEscape(true)
	return c, "", err
}

func (t *translator) classItem(c uint16, set string) {
	if set != "" {
		t.out.WriteString(set)
		return
	}
	t.unit(c)
}

// classRange writes the range, with surrogates apart from their neighbours.
func (t *translator) classRange(lo, hi uint16) {
	for _, part := range [...][2]uint16{
		{lo, min(hi, surrogateMin-1)},
		{max(lo, surrogateMin), min(hi, surrogateMax)},
		{max(lo, surrogateMax+1), hi},
	} {
		if part[0] <= part[1] {
			t.unit(part[0])
			t.out.WriteByte('-')
			t.unit(part[1])
		}
	}
}

// groupName reads a group's name and the ">" after it.
func (t *translator) groupName() (string, bool) {
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

// nameRune reads a character of a name, which may be spelt by an escape.
func (t *translator) nameRune() (rune, bool) {
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

// isNameRune reports whether r may stand in the name of a group.
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
