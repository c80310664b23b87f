package ordjson

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// shortEscapes maps the letters after a backslash to their characters.
var shortEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape reads the escape that p begins with and returns its meaning and its length. Half a surrogate pair, and
// escapes that only an unchecked text has, are U+FFFD.
func unescape(p []byte) (r rune, n int) {
	if len(p) > 1 && shortEscapes[p[1]] != 0 {
		return rune(shortEscapes[p[1]]), 2
	}
	r, ok := hexEscape(p)
	if !ok {
		return utf8.RuneError, min(2, len(p))
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hexEscape(p[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// hexEscape reads \uXXXX at the start of p.
func hexEscape(p []byte) (r rune, ok bool) {
	if len(p) < 6 || p[0] != '\\' || p[1] != 'u' {
		return 0, false
	}
	for _, c := range p[2:6] {
		switch {
		case digit(c):
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unquote returns the text of the checked JSON string; escaped reports whether it has a backslash.
func unquote(quoted []byte, escaped bool) string {
	if inner := quoted[1 : len(quoted)-1]; !escaped && utf8.Valid(inner) {
		return string(inner)
	}
	text := appendUnquoted(make([]byte, 0, len(quoted)+slack), quoted)
	return asString(text)
}

// asString returns a string that shares bytes that never change: those of a source, which its values share, or those
// that nothing else uses.
func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// appendUnquoted appends the text of the checked JSON string to dst.
func appendUnquoted(dst, quoted []byte) []byte {
	inner := inside(quoted)
	for len(inner) > 0 {
		dst = slices.Grow(dst, len(inner)+slack)
		free := dst[len(dst):cap(dst)]
		n, used := unescapeSome(free, inner)
		dst, inner = dst[:len(dst)+n], inner[used:]
	}
	return dst
}

// inside returns the text between the quotes, with U+FFFD for each byte that is not UTF-8.
func inside(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if !utf8.Valid(inner) {
		inner = repaired(inner)
	}
	return inner
}

// repaired returns p with U+FFFD for each byte that is not UTF-8.
func repaired(p []byte) []byte {
	out := make([]byte, 0, len(p)+len(p)/8)
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		out, p = utf8.AppendRune(out, r), p[n:]
	}
	return out
}

// WriteCanonical writes the text of the JSON string value, which must have been checked, to w in AppendString's
// spelling, without the quotes. It never holds the whole text in memory: w is a hash and the string may be a file. If
// value isn't a string, it writes nothing.
func WriteCanonical(w io.Writer, value []byte) {
	if KindOf(value) != StringKind || len(value) < 2 {
		return
	}

	inner := inside(value)
	buf := make([]byte, 0, 4096)
	code, solidus := nextEscape(inner, 0, 'u'), nextEscape(inner, 0, '/') // all others have one spelling only
	for at := 0; ; {
		next := min(code, solidus)
		if plain := inner[at:next]; len(plain) <= cap(buf)-len(buf) {
			buf = append(buf, plain...)
		} else {
			w.Write(buf)
			w.Write(plain)
			buf = buf[:0]
		}
		if next == len(inner) {
			break
		}

		r, size := unescape(inner[next:])
		var one [utf8.UTFMax]byte
		if len(buf)+len(`\u0000`) > cap(buf) {
			w.Write(buf)
			buf = buf[:0]
		}
		buf = appendEscaped(buf, utf8.AppendRune(one[:0], r))
		at = next + size
		if code < at {
			code = nextEscape(inner, at, 'u')
		}
		if solidus < at {
			solidus = nextEscape(inner, at, '/')
		}
	}
	w.Write(buf)
}

// nextEscape returns where the next escape with that letter begins, at or after from, which isn't inside an escape, or
// len(p).
func nextEscape(p []byte, from int, letter byte) int {
	for i := from; ; {
		n := bytes.Index(p[i:], []byte{'\\', letter})
		if n < 0 {
			return len(p)
		}
		i += n
		slashes := 0
		for j := i - 1; j >= from && p[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		i += 2
	}
}

// slack is the most room that unescapeSome leaves unused.
const slack = 16

// unescapeSome writes the text at the start of src to dst as long as there is room, and returns how much it wrote and
// read. dst has more room than slack.
func unescapeSome(dst, src []byte) (n, used int) {
	for used < len(src) && n+8 < len(dst) {
		if used+8 <= len(src) {
			// Eight bytes at a time: those after a backslash are written again.
			w := binary.LittleEndian.Uint64(src[used:])
			binary.LittleEndian.PutUint64(dst[n:], w)
			slash := w ^ '\\'*ones
			m := (slash - ones) &^ slash & highs
			if m == 0 {
				n, used = n+8, used+8
				continue
			}
			plain := bits.TrailingZeros64(m) / 8
			n, used = n+plain, used+plain
		} else if c := src[used]; c != '\\' {
			dst[n] = c
			n, used = n+1, used+1
			continue
		}
		if used+1 < len(src) && shortEscapes[src[used+1]] != 0 {
			dst[n] = shortEscapes[src[used+1]]
			n, used = n+1, used+2
			continue
		}
		if n+utf8.UTFMax > len(dst) {
			break
		}
		r, size := unescape(src[used:])
		n, used = n+utf8.EncodeRune(dst[n:], r), used+size
	}

	return n, used
}

// AppendString appends s to dst as a JSON string. It escapes only what must be escaped: quotes, backslashes and control
// characters, not <, > or &. Each byte that is not UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	return AppendStringBytes(dst, unsafe.Slice(unsafe.StringData(s), len(s))) // only read there
}

// AppendStringBytes is AppendString for a slice. dst and s must not overlap.
func AppendStringBytes(dst, s []byte) []byte {
	if !utf8.Valid(s) {
		s = repaired(s)
	}
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// appendEscaped appends s, which is UTF-8, as written between the quotes.
func appendEscaped(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	for {
		n := plainRun(s, 0)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		for ; n < len(s); n++ { // they come in clusters
			c := s[n]
			if c >= ' ' && c != '"' && c != '\\' {
				break
			}
			if letters[c] != 0 {
				dst = append(dst, '\\', letters[c])
			} else {
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
		s = s[n:]
	}
}

// letters has the letter after the backslash for a character, 0 if it needs \u.
var letters = [256]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// TrimSpace removes what JavaScript's trim does: its blanks and line ends, and byte order marks.
func TrimSpace(text []byte) []byte { return bytes.TrimFunc(text, IsSpace) }

// IsSpace reports whether a character is white space in JavaScript.
func IsSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

// BlankComments overwrites // and /* */ comments outside of strings with blanks, so that places in the text don't
// change.
func BlankComments(text []byte) []byte {
	out := text
	for i := 0; i < len(text); i++ {
		end := i
		switch {
		case text[i] == '"':
			i = stringEnd(text, i)
			continue
		case text[i] != '/' || i+1 == len(text):
			continue
		case text[i+1] == '/':
			for end < len(text) && text[end] != '\n' {
				end++
			}
		case text[i+1] == '*':
			n := bytes.Index(text[i+2:], []byte("*/"))
			if end = i + n + 4; n < 0 {
				end = len(text)
			}
		default:
			continue
		}
		if &out[0] == &text[0] {
			out = append([]byte(nil), text...)
		}
		for ; i < end; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
		i--
	}

	return out
}

// BlankLastCommas overwrites the commas after the last field or element with blanks.
func BlankLastCommas(text []byte) []byte {
	out, comma := text, -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i = stringEnd(text, i)
			comma = -1
		case ',':
			comma = i
		case '}', ']':
			if comma >= 0 {
				if &out[0] == &text[0] {
					out = bytes.Clone(text)
				}
				out[comma] = ' '
			}
			comma = -1
		case ' ', '\t', '\r', '\n':
		default:
			comma = -1
		}
	}
	return out
}

// LoneSurrogate returns the offset of the first escaped half of a surrogate pair without the other, or -1.
func LoneSurrogate(text []byte) int {
	half := func(at int) rune { // 0 if none is escaped there
		if at+6 > len(text) || text[at] != '\\' || text[at+1] != 'u' {
			return 0
		}
		n, err := strconv.ParseUint(string(text[at+2:at+6]), 16, 16)
		if r := rune(n); err == nil && utf16.IsSurrogate(r) {
			return r
		}
		return 0
	}
	for at := 0; at < len(text); at++ {
		if text[at] != '\\' {
			continue
		}
		first := half(at)
		switch {
		case first == 0:
			at++
		case utf16.DecodeRune(first, half(at+6)) == utf8.RuneError:
			return at
		default:
			at += 11
		}
	}
	return -1
}

// stringEnd returns the offset of the quote that ends the string begun at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
