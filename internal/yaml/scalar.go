package yaml

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// gap goes over blanks and line ends inside a scalar, and returns what they stand for: one line end is a blank, further
// ones are themselves. joined is for a line end that was escaped. A tab must not stand left of the column indent.
func (s *scanner) gap(joined bool, indent int) (text string, breaks int) {
	from := s.pos
	for {
		c := s.text[s.pos]
		switch {
		case isBreak(c):
			s.newline()
			breaks++
		case c == '\t' && breaks > 0 && s.column() < indent:
			s.fail(s.pos, tabMsg)
			return "", breaks
		case isBlank(c):
			s.pos++
		case joined:
			return strings.Repeat("\n", breaks), breaks + 1
		case breaks == 0:
			return string(s.text[from:s.pos]), 0
		case breaks == 1:
			return " ", 1
		default:
			return strings.Repeat("\n", breaks-1), breaks
		}
	}
}

// plain adds a scalar without quotes.
func (s *scanner) plain() {
	at := s.pos
	var out []byte
	gap, breaks := "", 0
	for !s.atMark() && s.text[s.pos] != '#' {
		from := s.pos
		for c := s.text[s.pos]; !isBlankOrEnd(c) && !(c == ':' && isBlankOrEnd(s.text[s.pos+1])) &&
			!(s.inFlow() && isOneOf(c, ",[]{}")); c = s.text[s.pos] {
			s.pos++
		}
		if s.pos > from {
			out = append(append(out, gap...), s.text[from:s.pos]...)
			gap, breaks = "", 0
		}
		if c := s.text[s.pos]; !isBlank(c) && !isBreak(c) {
			break
		}
		gap, breaks = s.gap(false, s.indent+1)
		if !s.inFlow() && s.column() <= s.indent {
			break
		}
	}
	s.add(token{kind: scalar, plain: true, at: at, text: string(out)})
	if breaks > 0 {
		s.keyAllowed = true
	}
}

// quoted adds a scalar in quotes.
func (s *scanner) quoted(quote byte) {
	at := s.pos
	var out []byte
	for s.pos++; ; {
		if s.atMark() {
			s.fail(at, "found unexpected document indicator")
		}
		joined := false
		for c := s.text[s.pos]; !joined && !isBlankOrEnd(c); c = s.text[s.pos] {
			next := s.text[s.pos+1]
			switch {
			case c == quote && quote == '\'' && next == quote:
				out = append(out, c)
				s.pos += 2
			case c == quote:
				s.pos++
				s.add(token{kind: scalar, at: at, text: string(out)})
				return
			case c == '\\' && quote == '"' && isBreak(next):
				s.pos++
				s.newline()
				joined = true
			case c == '\\' && quote == '"':
				out = s.escape(out)
			default:
				out = append(out, c)
				s.pos++
			}
		}
		if s.ends() {
			s.fail(at, "this quote is never closed")
			return
		}
		text, _ := s.gap(joined, 0)
		out = append(out, text...)
	}
}

// escapes are the characters behind a backslash and what each pair means.
const escapes = "0\x00a\x07b\bt\t\t\tn\nv\vf\fr\re\x1b  \"\"''//\\\\N\u0085_\u00a0L\u2028P\u2029"

// escape reads what begins with a backslash.
func (s *scanner) escape(out []byte) []byte {
	at := s.pos
	s.pos += 2
	digits := 0
	switch c := s.text[at+1]; c {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		for rest := escapes; rest != ""; {
			_, n := utf8.DecodeRuneInString(rest[1:])
			if rest[0] == c {
				return append(out, rest[1:1+n]...)
			}
			rest = rest[1+n:]
		}
		s.fail(at, "found unknown escape character")
		return out
	}
	end := min(s.pos+digits, len(s.text))
	code, err := strconv.ParseUint(string(s.text[s.pos:end]), 16, 32)
	switch {
	case err != nil:
		s.fail(at, "did not find expected hexadecimal number")
	case !utf8.ValidRune(rune(code)):
		s.fail(at, "found invalid Unicode character escape code")
	default:
		s.pos = end
	}
	return utf8.AppendRune(out, rune(code))
}

// block adds a scalar that is a block of lines, whose ends are blanks if it is folded.
func (s *scanner) block(folded bool) {
	at := s.pos
	chomp, indent := s.blockHeader()
	if indent > 0 {
		indent += max(s.indent, 0)
	}
	var out []byte
	ended, blank := false, false // the line before: its end isn't written yet, it began with a blank
	breaks := s.blockBreaks(&indent)
	for s.column() == indent && !s.ends() {
		begins := isBlank(s.text[s.pos])
		switch {
		case ended && folded && !blank && !begins:
			if breaks == 0 {
				out = append(out, ' ')
			}
		case ended:
			out = append(out, '\n')
		}
		out = append(out, strings.Repeat("\n", breaks)...)
		from := s.pos
		for !isBreak(s.text[s.pos]) && !s.ends() {
			s.pos++
		}
		out = append(out, s.text[from:s.pos]...)
		if ended, blank = !s.ends(), begins; ended {
			s.newline()
		}
		breaks = s.blockBreaks(&indent)
	}
	if ended && chomp != '-' {
		out = append(out, '\n')
	}
	if chomp == '+' {
		out = append(out, strings.Repeat("\n", breaks)...)
	}
	s.add(token{kind: scalar, at: at, text: string(out)})
}

// blockHeader reads the first line of a block: the sign and the digit behind "|" or ">".
func (s *scanner) blockHeader() (chomp byte, indent int) {
	for s.pos++; ; s.pos++ {
		switch c := s.text[s.pos]; {
		case chomp == 0 && (c == '+' || c == '-'):
			chomp = c
			continue
		case indent == 0 && c > '0' && c <= '9':
			indent = int(c - '0')
			continue
		case c == '0':
			s.fail(s.pos, "found an indentation indicator equal to 0")
		}
		break
	}
	for isBlank(s.text[s.pos]) {
		s.pos++
	}
	s.skipComment()
	switch {
	case isBreak(s.text[s.pos]):
		s.newline()
	case !s.ends():
		s.fail(s.pos, "did not find expected comment or line break")
	}
	return chomp, indent
}

// blockBreaks goes over the indentation and the empty lines before a line of a block, and finds out its indent if it
// isn't known, 0.
func (s *scanner) blockBreaks(indent *int) (breaks int) {
	widest := 0
	for ; ; breaks++ {
		for (*indent == 0 || s.column() < *indent) && s.text[s.pos] == ' ' {
			s.pos++
		}
		widest = max(widest, s.column())
		if (*indent == 0 || s.column() < *indent) && s.text[s.pos] == '\t' {
			s.fail(s.pos, tabMsg)
		}
		if !isBreak(s.text[s.pos]) {
			break
		}
		s.newline()
	}
	if *indent == 0 {
		*indent = max(widest, s.indent+1, 1)
	}
	return breaks
}
