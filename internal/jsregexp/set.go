package jsregexp

import (
	"slices"
	"strings"
	"unicode"
)

// A set is a set of UTF-16 units. After done it is not changed any more.
type set struct {
	ranges []unitRange // sorted and separate
	ascii  [2]uint64   // the same for the first 128 units
}

type unitRange struct{ lo, hi uint16 }

func (s *set) add(lo, hi uint16) { s.ranges = append(s.ranges, unitRange{lo, hi}) }

// namedSets are the sets for \d, \s and \w.
var namedSets = []struct {
	letter uint16
	ranges []unitRange
}{
	{'d', []unitRange{{'0', '9'}}},
	{'s', []unitRange{{'\t', '\r'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a},
		{0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}}},
	{'w', []unitRange{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
}

const upperCase = 'a' - 'A'

func isSetLetter(c uint16) bool {
	for _, n := range namedSets {
		if c == n.letter || c+upperCase == n.letter {
			return true
		}
	}
	return false
}

// addNamed adds the set of \ and the letter; a capital is the complement.
func (s *set) addNamed(letter uint16) {
	for _, n := range namedSets {
		switch letter {
		case n.letter:
			s.ranges = append(s.ranges, n.ranges...)
		case n.letter - upperCase:
			s.ranges = append(s.ranges, complement(n.ranges)...)
		}
	}
}

// Trim is JavaScript's String.prototype.trim: a byte order mark is a blank, U+0085
// is not.
func Trim(text string) string {
	blank := &set{}
	blank.addNamed('s')
	blank.done(false)
	return strings.TrimFunc(text, func(r rune) bool { return r <= 0xffff && blank.has(uint16(r)) })
}

// notLineEnd returns the set for a dot.
func notLineEnd() *set {
	s := &set{ranges: []unitRange{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}}
	return s.done(true)
}

// complement returns the units that are in none of ranges, which are sorted and separate.
func complement(ranges []unitRange) []unitRange {
	var out []unitRange
	next := 0
	for _, r := range ranges {
		if next < int(r.lo) {
			out = append(out, unitRange{uint16(next), r.lo - 1})
		}
		next = int(r.hi) + 1
	}
	if next <= 0xffff {
		out = append(out, unitRange{uint16(next), 0xffff})
	}
	return out
}

func (s *set) done(negated bool) *set {
	slices.SortFunc(s.ranges, func(a, b unitRange) int { return int(a.lo) - int(b.lo) })
	merged := s.ranges[:0]
	for _, r := range s.ranges {
		if n := len(merged); n > 0 && int(r.lo) <= int(merged[n-1].hi)+1 {
			merged[n-1].hi = max(merged[n-1].hi, r.hi)
			continue
		}
		merged = append(merged, r)
	}
	if s.ranges = merged; negated {
		s.ranges = complement(merged)
	}
	for _, r := range s.ranges {
		for c := r.lo; c <= r.hi && c < 128; c++ {
			s.ascii[c>>6] |= 1 << (c & 63)
		}
	}
	return s
}

func (s *set) has(c uint16) bool {
	if c < 128 {
		return s.ascii[c>>6]>>(c&63)&1 != 0
	}
	for _, r := range s.ranges {
		if c <= r.hi {
			return c >= r.lo
		}
	}
	return false
}

func isLetter(c uint16) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isDigit(c uint16) bool { return '0' <= c && c <= '9' }

// modifiers are the flags that a group such as (?i:x) sets for its content.
type modifiers struct {
	i bool // in any case
	m bool // ^ and $ at every line
	s bool // a dot is any unit
}

// modifiers reads the start of such a group, (?i: or (?i-ms: or (?-s:, and sets the flags. If there is none it doesn't
// move.
func (t *reader) modifiers() bool {
	start, flags, on := t.pos, t.flags, true
	if !t.eat("(?") {
		return false
	}

	seen := ""
	for ; ; t.pos++ {
		switch c := t.at(0); {
		case c == '-' && on:
			on = false
			continue
		case c == ':' && seen != "":
			t.pos++
			t.flags = flags
			return true
		case c != 'i' && c != 'm' && c != 's' || strings.ContainsRune(seen, rune(c)):
			t.pos = start
			return false
		case c == 'i':
			flags.i = on
		case c == 'm':
			flags.m = on
		default:
			flags.s = on
		}
		seen += string(rune(t.at(0)))
	}
}

// unit returns the node for one unit, or for all that are the same in another case.
func (t *reader) unit(c uint16) *node {
	if s := t.folded(&set{ranges: []unitRange{{c, c}}}); len(s.ranges) > 1 {
		return &node{op: aSet, set: s.done(false)}
	}
	return &node{op: aUnit, unit: c}
}

// folded adds to s the units that are the same in another case, if case is ignored here.
func (t *reader) folded(s *set) *set {
	if !t.flags.i {
		return s
	}
	for _, r := range s.ranges { // the current ones
		for c := rune(r.lo); c <= rune(r.hi); c++ {
			for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
				if f <= 0xffff && upper(uint16(f)) == upper(uint16(c)) {
					s.add(uint16(f), uint16(f))
				}
			}
		}
	}
	return s
}

// upper returns the capital of c as ECMA-262 compares without the u flag: not one of several units, nor an ASCII one
// for a unit that isn't ASCII.
func upper(c uint16) uint16 {
	switch {
	case 0x1f80 <= c && c <= 0x1faf, c == 0x1fb3, c == 0x1fc3, c == 0x1ff3: // Greek with an iota: two capitals
		return c
	}
	u := unicode.ToUpper(rune(c))
	if u > 0xffff || c >= 128 && u < 128 {
		return c
	}
	return uint16(u)
}

func lineEnd(c uint16) bool { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 }
