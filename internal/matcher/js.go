package matcher

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// maxDepth bounds the nesting of groups; JavaScript engines have such a bound
// too, further out.
const maxDepth = 250

var errDepth = errors.New("its groups are nested more than 250 deep")

// A translator reads a JavaScript regular expression without flags (ECMA-262
// with Annex B, as Node.js 20 reads it) and writes one that regexp2 reads in
// the same sense. The engine's own ECMAScript mode takes many an expression
// that JavaScript refuses, and sees characters where JavaScript sees UTF-16
// units. So every character is written out as one unit, every group by its
// number, and nothing is left for the engine to interpret differently.
type translator struct {
	src    []uint16
	pos    int
	out    strings.Builder
	depth  int
	groups []string // name of each capturing group in source order, "" without
	named  bool     // some group has a name, which makes \k an operator
	seen   []string // names of the groups opened so far
}

type syntaxError struct {
	pos int // in UTF-16 units
	msg string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("%s at character %d", e.msg, e.pos+1)
}

// translate returns pattern in the syntax of regexp2, or the reason why
// JavaScript refuses it.
func translate(pattern string) (program string, err error) {
	t := &translator{src: utf16.Encode([]rune(pattern))}
	t.scanGroups()
	if err := t.disjunction(); err != nil {
		return "", err
	}
	if t.pos < len(t.src) {
		return "", t.errorf("a ) without a (")
	}
	return t.out.String(), nil
}

func (t *translator) errorf(format string, args ...any) error {
	return &syntaxError{t.pos, fmt.Sprintf(format, args...)}
}

// scanGroups finds all capturing groups beforehand: whether \2 is a reference
// depends on groups that may come after it.
func (t *translator) scanGroups() {
	inClass := false
	for t.pos = 0; t.pos < len(t.src); t.pos++ {
		switch c := t.src[t.pos]; {
		case c == '\\':
			t.pos++
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c != '(':
		case t.at(1) != '?':
			t.groups = append(t.groups, "")
		case t.at(2) == '<' && t.at(3) != '=' && t.at(3) != '!':
			start := t.pos
			t.pos += 3
			name, _ := t.groupName()
			t.pos = start
			t.groups = append(t.groups, name)
			t.named = true
		}
	}
	t.pos = 0
}

// at returns the unit n places ahead, 0 past the end.
func (t *translator) at(n int) uint16 {
	if t.pos+n < len(t.src) {
		return t.src[t.pos+n]
	}
	return 0
}

// eat steps over s if the source goes on with it.
func (t *translator) eat(s string) bool {
	if t.pos+len(s) > len(t.src) {
		return false
	}
	for i := range len(s) {
		if t.src[t.pos+i] != uint16(s[i]) {
			return false
		}
	}
	t.pos += len(s)
	return true
}

// disjunction reads up to the end or an unmatched ")".
func (t *translator) disjunction() error {
	if t.depth++; t.depth > maxDepth {
		return errDepth
	}
	defer func() { t.depth-- }()
	for t.pos < len(t.src) && t.src[t.pos] != ')' {
		if t.eat("|") {
			t.out.WriteByte('|')
			continue
		}
		quantifiable, err := t.term()
		if err != nil {
			return err
		}
		if quantifiable {
			if err := t.quantifier(); err != nil {
				return err
			}
		}
	}
	return nil
}

// term reads one assertion or atom and reports whether a quantifier may follow.
func (t *translator) term() (quantifiable bool, err error) {
	c := t.src[t.pos]
	switch c {
	case '^', '$':
		t.pos++
		t.out.WriteByte(byte(c))
		return false, nil
	case '(':
		return t.group()
	case '[':
		return true, t.class()
	case '\\':
		return t.escape()
	case '.':
		t.pos++
		t.out.WriteString(`[^\u000A\u000D\u2028\u2029]`)
		return true, nil
	case '*', '+', '?':
		return false, t.errorf("%c has nothing to repeat", c)
	case '{':
		start := t.pos
		if _, _, ok := t.interval(); ok {
			t.pos = start
			return false, t.errorf("{ has nothing to repeat")
		}
	}
	t.pos++
	t.unit(c)
	return true, nil
}

// Half of a surrogate pair is a character to JavaScript, but the engine's
// search for literal prefixes goes through UTF-8, which has none. So halves go
// by private characters nothing else uses, in expressions and names alike.
const (
	surrogateMin, surrogateMax = 0xD800, 0xDFFF
	surrogateShift             = 0x100000
)

// unit writes c so that it stands for itself.
func (t *translator) unit(c uint16) {
	switch {
	case isAlnum(c):
		t.out.WriteByte(byte(c))
		return
	case surrogateMin <= c && c <= surrogateMax:
		t.out.WriteRune(rune(c) + surrogateShift)
		return
	}
	const hex = "0123456789ABCDEF"
	t.out.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		t.out.WriteByte(hex[c>>shift&15])
	}
}

func (t *translator) quantifier() error {
	switch {
	case t.eat("*"):
		t.out.WriteByte('*')
	case t.eat("+"):
		t.out.WriteByte('+')
	case t.eat("?"):
		t.out.WriteByte('?')
	default:
		if t.at(0) != '{' {
			return nil
		}
		start := t.pos
		lo, hi, ok := t.interval()
		if !ok {
			return nil // a brace that stands for itself
		}
		if lo > hi {
			t.pos = start
			return t.errorf("{ } has its numbers out of order")
		}
		t.out.WriteString("{" + strconv.Itoa(lo) + ",")
		if hi < math.MaxInt32 {
			t.out.WriteString(strconv.Itoa(hi))
		}
		t.out.WriteByte('}')
	}
	if t.eat("?") {
		t.out.WriteByte('?')
	}
	return nil
}

// interval reads {n}, {n,} or {n,m}. If there is none it stays where it is.
func (t *translator) interval() (lo, hi int, ok bool) {
	start := t.pos
	t.pos++
	lo, ok = t.number()
	hi = lo
	if ok && t.eat(",") {
		var bounded bool
		if hi, bounded = t.number(); !bounded {
			hi = math.MaxInt32
		}
	}
	if !ok || !t.eat("}") {
		t.pos = start
		return 0, 0, false
	}
	return lo, hi, true
}

// number reads decimal digits; what is too large for the engine is as good as
// no bound.
func (t *translator) number() (n int, ok bool) {
	for ; isDigit(t.at(0)); t.pos++ {
		n = min(n*10+int(t.src[t.pos]-'0'), math.MaxInt32)
		ok = true
	}
	return n, ok
}

func (t *translator) group() (quantifiable bool, err error) {
	start, closing := t.pos, ")"
	quantifiable = true
	switch {
	case t.eat("(?:"):
		t.out.WriteString("(?:")
	case t.eat("(?="):
		t.out.WriteString("(?:(?=") // a lookahead may repeat: wrapped, it may for the engine too
		closing = "))"
	case t.eat("(?!"):
		t.out.WriteString("(?:(?!")
		closing = "))"
	case t.eat("(?<="):
		t.out.WriteString("(?<=")
		quantifiable = false
	case t.eat("(?<!"):
		t.out.WriteString("(?<!")
		quantifiable = false
	case t.eat("(?<"):
		name, ok := t.groupName()
		if !ok {
			return false, t.errorf("a group has an invalid name")
		}
		if slices.Contains(t.seen, name) {
			return false, t.errorf("two groups have the name %s", name)
		}
		t.seen = append(t.seen, name)
		t.out.WriteByte('(')
	case t.eat("(?"):
		t.pos = start
		return false, t.errorf("JavaScript has no group (?%s", t.excerpt(2))
	default:
		t.pos++
		t.out.WriteByte('(')
	}
	if err := t.disjunction(); err != nil {
		return false, err
	}
	if !t.eat(")") {
		t.pos = start
		return false, t.errorf("a ( without a )")
	}
	t.out.WriteString(closing)
	return quantifiable, nil
}

// excerpt returns the unit n places ahead for a message.
func (t *translator) excerpt(n int) string {
	return string(utf16.Decode(t.src[min(t.pos+n, len(t.src)):min(t.pos+n+1, len(t.src))]))
}
