package jsregexp

import (
	"strings"
	"unicode"
)

// modifiers are the flags that a group such as (?i:x) sets for what is in it.
type modifiers struct {
	i bool // whatever the case
	m bool // ^ and $ at every line
	s bool // a dot is any unit
}

// modifiers reads the start of such a group, (?i: or (?i-ms: or (?-s:, and sets
// the flags. If there is none it stays where it is.
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

// unit is the node for one unit, or for all that are the same in another case.
func (t *reader) unit(c uint16) *node {
	if s := t.folded(&set{ranges: []unitRange{{c, c}}}); len(s.ranges) > 1 {
		return &node{op: aSet, set: s.done(false)}
	}
	return &node{op: aUnit, unit: c}
}

// folded adds to s what is the same in another case, if that does not matter here.
func (t *reader) folded(s *set) *set {
	if !t.flags.i {
		return s
	}
	for _, r := range s.ranges { // those that are there now
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

// upper is the capital of c as ECMA-262 compares without the u flag: none that is
// of several units, nor an ASCII one for what is not ASCII.
func upper(c uint16) uint16 {
	if 0x1f80 <= c && c <= 0x1faf || c == 0x1fb3 || c == 0x1fc3 || c == 0x1ff3 {
		return c
	}
	u := unicode.ToUpper(rune(c))
	if u > 0xffff || c >= 128 && u < 128 {
		return c
	}
	return uint16(u)
}

func lineEnd(c uint16) bool { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 }
