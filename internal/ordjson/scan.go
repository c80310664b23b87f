package ordjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// linearNames is how many names of an object are compared one by one; larger objects use a map.
const linearNames = 32

// A scanner checks JSON text. Its methods take the offset of what they read and return the offset after it, or -1 after
// setting err.
type scanner struct {
	src   []byte
	names [][]byte            // names seen in the open objects, outermost first
	spare map[string]struct{} // empty, for the next large object
	err   *SyntaxError

	repeats bool // names may occur twice
}

func (s *scanner) fail(i int, msg string) int {
	s.err = errorAt(s.src, i, 0, NotJSON, msg)
	return -1
}

// want fails because the text at i is not what is expected there.
func (s *scanner) want(i int, what string) int {
	if i >= len(s.src) {
		return s.fail(i, "unexpected end, expected "+what)
	}
	r, n := utf8.DecodeRune(s.src[i:])
	if r == utf8.RuneError && n == 1 {
		return s.fail(i, "invalid UTF-8, expected "+what)
	}
	before, hint := TrimSpace(s.src[:i]), ""
	switch {
	case r == '/':
		hint = "; this file can't have comments"
	case (r == '}' || r == ']') && len(before) > 0 && before[len(before)-1] == ',':
		hint = "; remove the comma before it"
	}
	found := "found " + strconv.QuoteRune(r) + " where " + what + " should be" + hint
	if len(before) == 0 {
		found = "not JSON: " + found
	}
	return s.fail(i, found)
}

// start returns the offset of the document's value.
func (s *scanner) start() int {
	return skipBlanks(s.src, len(s.src)-len(TrimBOM(s.src)))
}

// finish checks that nothing follows the value that ends at i.
func (s *scanner) finish(i int) {
	if i = skipBlanks(s.src, i); i < len(s.src) {
		s.want(i, "the end of the text")
	}
}

// value reads a value inside depth open brackets.
func (s *scanner) value(i, depth int) int {
	if i < len(s.src) {
		switch c := s.src[i]; c {
		case '{':
			return s.object(i, depth+1, nil)
		case '[':
			return s.array(i, depth+1)
		case '"':
			end, _ := s.string(i)
			return end
		case 't':
			return s.literal(i, "true")
		case 'f':
			return s.literal(i, "false")
		case 'n':
			return s.literal(i, "null")
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return s.number(i)
		}
	}
	return s.want(i, "a value")
}

// object reads an object that is the depth-th open bracket and adds its fields to into, unless that is nil.
func (s *scanner) object(i, depth int, into *Object) int {
	if depth > MaxDepth {
		return s.tooDeep(i)
	}

	base := len(s.names)
	var seen map[string]struct{}
	i = skipBlanks(s.src, i+1)
	if i < len(s.src) && s.src[i] == '}' {
		return i + 1
	}

	for {
		if i == len(s.src) || s.src[i] != '"' {
			return s.want(i, "a field name")
		}
		end, escaped := s.string(i)
		if end < 0 {
			return -1
		}
		name := s.src[i+1 : end-1]
		if escaped || !utf8.Valid(name) {
			name = appendUnquoted(nil, s.src[i:end])
		}
		if !s.repeats && s.repeated(base, &seen, spelling(s.src[i+1:end-1], name)) {
			return s.duplicate(i, name)
		}
		if i = skipBlanks(s.src, end); i == len(s.src) || s.src[i] != ':' {
			return s.want(i, "':'")
		}

		i = skipBlanks(s.src, i+1)
		if end = s.value(i, depth); end < 0 {
			return -1
		}
		if into != nil {
			if *into == nil {
				*into = make(Object, 0, 16)
			}
			*into = append(*into, Member{Name: asString(name), Value: s.src[i:end:end], Off: i})
		}
		i = skipBlanks(s.src, end)
		switch {
		case i < len(s.src) && s.src[i] == ',':
			i = skipBlanks(s.src, i+1)
		case i < len(s.src) && s.src[i] == '}':
			s.forget(base, seen)
			return i + 1
		default:
			return s.want(i, "',' or '}'")
		}
	}
}

// array reads an array that is the depth-th open bracket.
func (s *scanner) array(i, depth int) int {
	if depth > MaxDepth {
		return s.tooDeep(i)
	}
	i = skipBlanks(s.src, i+1)
	if i < len(s.src) && s.src[i] == ']' {
		return i + 1
	}
	for {
		if i = s.value(i, depth); i < 0 {
			return -1
		}
		i = skipBlanks(s.src, i)
		switch {
		case i < len(s.src) && s.src[i] == ',':
			i = skipBlanks(s.src, i+1)
		case i < len(s.src) && s.src[i] == ']':
			return i + 1
		default:
			return s.want(i, "',' or ']'")
		}
	}
}

// spelling returns the identity of a name: the name, or its text as written if it has lone surrogates. Agents treat
// these as different names, and their output must not be rejected here.
func spelling(written, name []byte) []byte {
	if len(name) != len(written) && bytes.Contains(name, []byte("\uFFFD")) &&
		(bytes.Contains(written, []byte(`\ud`)) || bytes.Contains(written, []byte(`\uD`))) {
		return append([]byte{0xff}, written...) // no name has this byte
	}
	return name
}

// repeated reports whether the object whose names begin at base already has name, and records name if not. seen
// contains the names of a large object.
func (s *scanner) repeated(base int, seen *map[string]struct{}, name []byte) bool {
	if *seen == nil {
		names := s.names[base:]
		for _, n := range names {
			if string(n) == string(name) {
				return true
			}
		}
		if len(names) < linearNames {
			if s.names == nil {
				s.names = make([][]byte, 0, linearNames)
			}
			s.names = append(s.names, name)
			return false
		}

		if *seen, s.spare = s.spare, nil; *seen == nil {
			*seen = make(map[string]struct{}, 4*linearNames)
		}
		for _, n := range names {
			(*seen)[string(n)] = struct{}{}
		}
	}

	if _, ok := (*seen)[string(name)]; ok {
		return true
	}
	(*seen)[string(name)] = struct{}{}
	return false
}

// forget drops the names of an object that has been read. It doesn't keep a huge map: clearing it again and again would
// take quadratic time.
func (s *scanner) forget(base int, seen map[string]struct{}) {
	s.names = s.names[:base]
	if seen != nil && len(seen) <= 16*linearNames {
		clear(seen)
		s.spare = seen
	}
}

func (s *scanner) duplicate(i int, name []byte) int {
	short, most := string(name), 64 // bytes worth repeating in a message
	if len(short) > most {
		for !utf8.RuneStart(short[most]) {
			most--
		}
		short = short[:most] + "…"
	}
	s.fail(i, "second field named "+strconv.Quote(short))
	s.err.Fault, s.err.Duplicate = DuplicateName, string(name)
	return -1
}

func (s *scanner) tooDeep(i int) int {
	s.fail(i, "nested more than "+strconv.Itoa(MaxDepth)+" levels deep")
	s.err.Fault = TooDeep
	return -1
}

func (s *scanner) literal(i int, want string) int {
	end := i + len(want)
	if end > len(s.src) || string(s.src[i:end]) != want {
		return s.want(i, "a value")
	}
	return end
}

func (s *scanner) number(i int) int {
	end, ok := scanNumber(s.src, i)
	if !ok {
		return s.want(end, "a digit")
	}
	if end < len(s.src) && digit(s.src[end]) {
		return s.fail(i, "number with a leading zero")
	}
	return end
}

// string reads a string; escaped reports whether it has a backslash.
func (s *scanner) string(i int) (end int, escaped bool) {
	for i++; ; {
		i = plainRun(s.src, i)
		if i >= len(s.src) {
			return s.fail(len(s.src), "unexpected end inside a string"), false
		}
		switch c := s.src[i]; c {
		case '"':
			return i + 1, escaped
		case '\\':
			escaped = true
			for i < len(s.src) && s.src[i] == '\\' { // they come in clusters
				if i+1 < len(s.src) && shortEscapes[s.src[i+1]] != 0 {
					i += 2
				} else if i = s.escape(i); i < 0 {
					return -1, false
				}
			}
		default:
			const hex = "0123456789ABCDEF"
			return s.fail(i, "control character U+00"+hex[c>>4:c>>4+1]+hex[c&15:c&15+1]+" in a string"), false
		}
	}
}

// escape reads the escape sequence whose backslash is at i.
func (s *scanner) escape(i int) int {
	if i+1 == len(s.src) {
		return s.fail(i+1, "unexpected end inside a string")
	}
	switch s.src[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for n := 2; n < 6; n++ {
			if i+n >= len(s.src) {
				return s.fail(len(s.src), "unexpected end inside a string")
			}
			if c := s.src[i+n] | 0x20; !digit(s.src[i+n]) && (c < 'a' || c > 'f') {
				return s.fail(i, `\u without four hexadecimal digits`)
			}
		}
		return i + 6
	}
	return s.fail(i, "unknown escape in a string")
}

// For arithmetic on eight bytes at once.
const ones, highs = 0x0101010101010101, 0x8080808080808080

// plainRun returns the offset of the first byte at or after i that a string must escape: a quote, a backslash or a
// control character. If there is no such byte, it returns len(src).
func plainRun(src []byte, i int) int {
	for ; i+8 <= len(src); i += 8 {
		// Eight bytes at a time. w-n*ones borrows into the high bit of the first byte below n; the bits above that byte
		// may be wrong, but only the lowest mark counts.
		w := binary.LittleEndian.Uint64(src[i:])
		quote, slash := w^('"'*ones), w^('\\'*ones)
		if m := ((w-' '*ones)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(src); i++ {
		if c := src[i]; c < ' ' || c == '"' || c == '\\' {
			return i
		}
	}
	return i
}

// scanNumber returns the offset after the number at src[i]; if there is none, ok is false and end is where a digit is
// missing.
func scanNumber(src []byte, i int) (end int, ok bool) {
	if i < len(src) && src[i] == '-' {
		i++
	}
	if i < len(src) && src[i] == '0' {
		i++
	} else if i, ok = digits(src, i); !ok {
		return i, false
	}
	if i < len(src) && src[i] == '.' {
		if i, ok = digits(src, i+1); !ok {
			return i, false
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if i, ok = digits(src, i); !ok {
			return i, false
		}
	}
	return i, true
}

// digits skips digits; ok reports whether there was one.
func digits(src []byte, i int) (end int, ok bool) {
	end = i
	for end < len(src) && digit(src[end]) {
		end++
	}
	return end, end > i
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func skipBlanks(src []byte, i int) int {
	for i < len(src) && blank(src[i]) {
		i++
	}
	return i
}
