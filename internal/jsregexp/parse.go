// Package jsregexp searches text with JavaScript regular expressions that have no flags. Package regexp can't: it lacks
// look-around and back-references, and it reads several patterns differently.
//
// The engine backtracks, so a search has a deadline. It keeps its own stack: no pattern and no text exhausts the
// goroutine's.
package jsregexp

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf16"
)

// maxDepth limits the nesting of groups; JavaScript engines have a higher limit.
const maxDepth = 250

// ErrDepth is the error of Compile for an expression that may be valid but is nested too deep to read.
var ErrDepth = errors.New("its groups are nested more than 250 deep")

// A node is one part of a parsed expression.
type node struct {
	op       nodeOp
	kids     []*node // of a sequence in source order; of choices, in the order they are tried
	unit     uint16
	set      *set
	min, max int  // of a repetition; max < 0: no bound
	lazy     bool // a repetition tries less first
	not      bool // of assertions
	behind   bool // a look to the left
	lines    bool // of aStart and aEnd: those of every line
	fold     bool // of references: in any case
	group    int  // of capturing groups and references, from 1; 0: none
	from, to int  // capturing groups inside a repetition: from <= g < to
}

type nodeOp uint8

const (
	aSequence nodeOp = iota
	aChoice
	aUnit
	aSet
	aStart
	aEnd
	aBoundary
	aGroup
	aReference
	aLook
	aRepetition
)

// A reader reads a JavaScript regular expression without flags (ECMA-262 with Annex B, including modifiers and one name
// for groups of different alternatives). It reads UTF-16 units, as JavaScript does.
type reader struct {
	src    []uint16
	pos    int
	depth  int
	opened int      // capturing groups so far
	groups []string // name of each capturing group in source order, "" without
	named  bool     // some group has a name, which makes \k an operator
	seen   []string // names of the groups that may have matched before the current place
	flags  modifiers
}

type syntaxError struct {
	pos int // in UTF-16 units
	msg string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("%s at character %d", e.msg, e.pos+1)
}

// Compile reads a pattern without flags. The error describes why JavaScript rejects it.
func Compile(pattern string) (*Regexp, error) {
	t := &reader{src: utf16.Encode([]rune(pattern))}
	t.scanGroups()
	n, err := t.disjunction()
	if err != nil {
		return nil, err
	}
	if t.pos < len(t.src) {
		return nil, t.errorf("a ) without a (")
	}
	return assemble(n, len(t.groups)), nil
}

func (t *reader) errorf(format string, args ...any) error {
	return &syntaxError{t.pos, fmt.Sprintf(format, args...)}
}

// scanGroups finds all capturing groups in advance: whether \2 is a reference depends on groups that may come after it.
func (t *reader) scanGroups() {
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
func (t *reader) at(n int) uint16 {
	if t.pos+n < len(t.src) {
		return t.src[t.pos+n]
	}
	return 0
}

func (t *reader) eat(s string) bool {
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
func (t *reader) disjunction() (*node, error) {
	if t.depth++; t.depth > maxDepth {
		return nil, ErrDepth
	}
	defer func() { t.depth-- }()
	branch := &node{op: aSequence}
	choice := &node{op: aChoice, kids: []*node{branch}}
	before := len(t.seen)
	var others []string // names in the alternatives read so far
	defer func() { t.seen = append(t.seen, others...) }()
	for t.pos < len(t.src) && t.src[t.pos] != ')' {
		if t.eat("|") {
			others = append(others, t.seen[before:]...)
			t.seen = t.seen[:before]
			branch = &node{op: aSequence}
			choice.kids = append(choice.kids, branch)
			continue
		}

		first := t.opened + 1
		n, quantifiable, err := t.term()
		if err == nil && quantifiable {
			n, err = t.quantifier(n, first)
		}
		if err != nil {
			return nil, err
		}
		branch.kids = append(branch.kids, n)
	}

	if len(choice.kids) == 1 {
		return branch, nil
	}
	return choice, nil
}

// term reads one assertion or atom and reports whether a quantifier may follow.
func (t *reader) term() (n *node, quantifiable bool, err error) {
	c := t.src[t.pos]
	switch c {
	case '^', '$':
		t.pos++
		if c == '^' {
			return &node{op: aStart, lines: t.flags.m}, false, nil
		}
		return &node{op: aEnd, lines: t.flags.m}, false, nil
	case '(':
		return t.group()
	case '[':
		n, err = t.class()
		return n, true, err
	case '\\':
		return t.escape()
	case '.':
		t.pos++
		if t.flags.s {
			return &node{op: aSet, set: (&set{}).done(true)}, true, nil
		}
		return &node{op: aSet, set: notLineEnd()}, true, nil
	case '*', '+', '?':
		return nil, false, t.errorf("%c has nothing to repeat", c)
	case '{':
		start := t.pos
		if _, _, ok := t.interval(); ok {
			t.pos = start
			return nil, false, t.errorf("{ has nothing to repeat")
		}
	}

	t.pos++
	return t.unit(c), true, nil
}

// quantifier reads a quantifier of the atom n, if there is one; n's groups begin at first.
func (t *reader) quantifier(n *node, first int) (*node, error) {
	r := &node{op: aRepetition, kids: []*node{n}, max: -1, from: first, to: t.opened + 1}
	switch {
	case t.eat("*"):
	case t.eat("+"):
		r.min = 1
	case t.eat("?"):
		r.max = 1
	default:
		if t.at(0) != '{' {
			return n, nil
		}

		start := t.pos
		lo, hi, ok := t.interval()
		if !ok {
			return n, nil // a literal brace
		}
		if lo > hi {
			t.pos = start
			return nil, t.errorf("{ } has its numbers out of order")
		}
		if r.min = lo; hi < math.MaxInt32 {
			r.max = hi
		}
	}
	r.lazy = t.eat("?")
	return r, nil
}

// interval reads {n}, {n,} or {n,m}. If there is none it doesn't move.
func (t *reader) interval() (lo, hi int, ok bool) {
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

// number reads decimal digits; a number too large for the engine has the effect of no bound.
func (t *reader) number() (n int, ok bool) {
	for ; isDigit(t.at(0)); t.pos++ {
		n = min(n*10+int(t.src[t.pos]-'0'), math.MaxInt32)
		ok = true
	}
	return n, ok
}

func (t *reader) group() (n *node, quantifiable bool, err error) {
	start := t.pos
	n = &node{op: aLook}
	quantifiable = true
	defer func(outside modifiers) { t.flags = outside }(t.flags)
	switch {
	case t.eat("(?:"):
		n = nil
	case t.eat("(?="):
	case t.eat("(?!"):
		n.not = true
	case t.eat("(?<="):
		n.behind, quantifiable = true, false
	case t.eat("(?<!"):
		n.behind, n.not, quantifiable = true, true, false
	case t.eat("(?<"):
		name, ok := t.groupName()
		if !ok {
			return nil, false, t.errorf("a group has an invalid name")
		}
		if slices.Contains(t.seen, name) {
			return nil, false, t.errorf("two groups have the name %s", name)
		}
		t.seen = append(t.seen, name)
		n = t.capture()
	case t.modifiers():
		n = nil
	case t.eat("(?"):
		t.pos = start
		return nil, false, t.errorf("JavaScript has no group (?%s", t.excerpt(2))
	default:
		t.pos++
		n = t.capture()
	}

	inner, err := t.disjunction()
	if err != nil {
		return nil, false, err
	}
	if !t.eat(")") {
		t.pos = start
		return nil, false, t.errorf("a ( without a )")
	}
	if n == nil {
		return inner, true, nil
	}
	n.kids = []*node{inner}
	return n, quantifiable, nil
}

func (t *reader) capture() *node {
	t.opened++
	return &node{op: aGroup, group: t.opened}
}

// excerpt returns the unit n places ahead for a message.
func (t *reader) excerpt(n int) string {
	return string(utf16.Decode(t.src[min(t.pos+n, len(t.src)):min(t.pos+n+1, len(t.src))]))
}
