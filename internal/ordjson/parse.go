// Package ordjson reads JSON objects one level at a time and keeps everything else as it is: the order of the fields,
// the text of the numbers, unused fields. It writes JSON by appending to a byte slice.
//
// Reading builds no tree. [Parse] checks a whole document once and returns the fields of its outermost object;
// [Members] and [Elements] open one nested value on demand, and everything else stays the bytes it was. Values are
// slices of the given text: they are valid as long as that text isn't changed.
//
// The reader is stricter than encoding/json in two ways. It rejects a name that occurs twice in one object, because
// which of two hook lists counts must not depend on the file's reader. It rejects more than [MaxDepth] open brackets,
// so no input can exhaust the stack. Otherwise it accepts what encoding/json accepts, including invalid UTF-8 in
// strings.
//
// It links no JSON library: for a single payload, a process never earns back the library's start-up time. Its tests
// compare it with two.
package ordjson

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how many objects and arrays may be open at once: more than the agents themselves can write, because a
// call that hookbridge can't read would run without guards. Claude Code 2.1.328 shows hooks 30,000 levels, and none of
// 50,000. So many take up to 70 MB of stack here.
const MaxDepth = 100_000

// bom is U+FEFF in UTF-8.
const bom = "\xef\xbb\xbf"

// TrimBOM returns src without the byte order marks at its start. Editors leave one; a tool that adds its own to an
// edited file leaves two.
func TrimBOM(src []byte) []byte {
	for len(src) >= len(bom) && string(src[:len(bom)]) == bom {
		src = src[len(bom):]
	}
	return src
}

// Parse checks the whole of src, which must be one JSON object and nothing else but blanks and leading byte order
// marks, and returns the fields of that object. It rejects names that occur twice in an object at any level, however
// they are escaped. Offsets count from the start of src, which the result shares and which must not change.
//
// If err is not nil, it is a *SyntaxError, and the result is nil.
func Parse(src []byte) (Object, error) {
	var o Object
	s := scanner{src: src}
	i := s.start()
	end := 0
	object := i < len(src) && src[i] == '{'
	if object {
		end = s.object(i, 1, &o)
	} else {
		end = s.value(i, 0)
	}
	if end >= 0 {
		s.finish(end)
	}
	switch {
	case s.err != nil:
		return nil, s.err
	case !object:
		return nil, errorAt(src, i, 0, WrongKind, wantKind(ObjectKind, src[i:]))
	}
	return slices.Clip(o), nil
}

// Check returns what is wrong with src as one JSON value of any kind. It is as strict as Parse.
func Check(src []byte) error {
	s := scanner{src: src}
	if end := s.value(s.start(), 0); end >= 0 {
		s.finish(end)
	}
	if s.err != nil {
		return s.err
	}
	return nil
}

// At returns the value at a JSON Pointer through objects, or nil. src is valid and may begin with byte order marks.
func At(src []byte, pointer string) []byte {
	src = TrimBOM(src)
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, token := range strings.Split(pointer, "/")[1:] {
		o, _ := Members(src, 0)
		src, _ = o.Get(unescape.Replace(token))
	}
	return src
}

// Offset returns where the value at a JSON Pointer through objects and arrays begins or, if there is none, its
// innermost existing parent. src is as for At.
func Offset(src []byte, pointer string) int {
	value := TrimBOM(src)
	off := len(src) - len(value)
	off += skipBlanks(value, 0)
	value = src[off:]
	for _, token := range strings.Split(pointer, "/")[1:] {
		parts, err := Members(value, off)
		if err != nil {
			parts, _ = Elements(value, off)
		}
		i := slices.IndexFunc(parts, func(m Member) bool { return err == nil && Pointer("", m.Name) == "/"+token })
		if n, bad := strconv.Atoi(token); err != nil && bad == nil {
			i = n
		}
		if i < 0 || i >= len(parts) {
			break
		}
		value, off = parts[i].Value, parts[i].Off
	}
	return off
}

// Members returns the fields of the object value, which must have been checked already, as the Values that Parse
// returns have been. It reads only the outermost level and skips the rest. base is added to every offset: pass the Off
// of the field that value came from.
//
// It is an error if value is not an object. In a text that has not been checked, it finds some errors and misses
// others. Line and column of an error are counted from the start of value, its offset from that of the document.
func Members(value []byte, base int) (Object, error) {
	ms, err := split(value, base, ObjectKind)
	return ms, err
}

// Elements returns the elements of the array value as fields without a name, in the same way as Members.
func Elements(value []byte, base int) ([]Member, error) {
	return split(value, base, Array)
}

// Objects returns those elements of an array that are objects.
func Objects(value []byte) (objects []Object) {
	list, _ := Elements(value, 0)
	for _, m := range list {
		if o, err := Members(m.Value, 0); err == nil {
			objects = append(objects, o)
		}
	}
	return objects
}

// split splits the object or array value.
func split(value []byte, base int, kind Kind) ([]Member, error) {
	i := skipBlanks(value, 0)
	if KindOf(value[i:]) != kind {
		return nil, errorAt(value, i, base, WrongKind, wantKind(kind, value[i:]))
	}

	bad := func(i int) ([]Member, error) {
		return nil, errorAt(value, i, base, NotJSON, "malformed "+kind.String())
	}
	stop := value[i] + 2 // '{' and '}', '[' and ']' are two apart
	var ms []Member
	i = skipBlanks(value, i+1)
	if i < len(value) && value[i] == stop {
		i++
	} else {
		for ms = make([]Member, 0, 8); ; {
			var m Member
			if kind == ObjectKind {
				end := -1
				if i < len(value) && value[i] == '"' {
					end = skipString(value, i)
				}
				if end < 0 {
					return bad(i)
				}
				m.Name = unquote(value[i:end], bytes.IndexByte(value[i:end], '\\') >= 0)
				if i = skipBlanks(value, end); i == len(value) || value[i] != ':' {
					return bad(i)
				}
				i = skipBlanks(value, i+1)
			}
			end := skipValue(value, i)
			if end < 0 {
				return bad(i)
			}

			m.Value, m.Off = value[i:end:end], base+i
			ms = append(ms, m)
			i = skipBlanks(value, end)
			if i < len(value) && value[i] == stop {
				i++
				break
			}
			if i == len(value) || value[i] != ',' {
				return bad(i)
			}
			i = skipBlanks(value, i+1)
		}
	}

	if end := skipBlanks(value, i); end != len(value) {
		return bad(end)
	}
	return slices.Clip(ms), nil
}

// wantKind returns the message that src does not begin with a value of kind k.
func wantKind(k Kind, src []byte) string {
	return "expected " + k.String() + ", got " + KindOf(src).String()
}

// skipValue returns the offset after the checked value at src[i], or -1 if there is none.
func skipValue(src []byte, i int) int {
	if i == len(src) {
		return -1
	}
	switch src[i] {
	case '"':
		return skipString(src, i)
	case '{', '[':
		return skipNested(src, i)
	}
	n := bytes.IndexAny(src[i:], " \t\r\n,:]}")
	switch {
	case n < 0:
		return len(src)
	case n == 0:
		return -1
	}
	return i + n
}

// skipNested returns the offset after the bracket that closes the one at src[i], or -1. It counts brackets of both
// kinds together: the value has been checked.
func skipNested(src []byte, i int) int {
	for depth := 0; i < len(src); {
		switch src[i] {
		case '"':
			if i = skipString(src, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// skipString returns the offset after the string whose opening quote is src[i], or -1 if it does not end.
func skipString(src []byte, i int) int {
	first := i + 1
	for i = first; ; i++ {
		n := bytes.IndexByte(src[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		slashes := 0
		for j := i - 1; j >= first && src[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// A Fault is the kind of error that a SyntaxError reports.
type Fault uint8

const (
	NotJSON       Fault = iota // the text is not JSON
	DuplicateName              // an object has two fields of one name
	TooDeep                    // more than MaxDepth brackets are open
	WrongKind                  // the value is not of the expected kind
)

// A SyntaxError describes what is wrong with a text, and where. Every error of this package is a *SyntaxError.
type SyntaxError struct {
	Off       int    // byte offset, from the start of the document
	Line, Col int    // the same place for people; see Position
	Msg       string // what is wrong, without the place
	Fault     Fault
	Duplicate string // the repeated name, unescaped, if Fault is DuplicateName
}

// Error returns the place and the message as "line:col: msg".
func (e *SyntaxError) Error() string {
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Col) + ": " + e.Msg
}

// errorAt describes the error at src[off]; src is base bytes into its document.
func errorAt(src []byte, off, base int, f Fault, msg string) *SyntaxError {
	line, col := Position(src, off)
	return &SyntaxError{Off: base + off, Line: line, Col: col, Msg: msg, Fault: f}
}

// Position converts a byte offset in src to a line and a column. Both begin at 1; the column counts runes, with an
// invalid byte as one, and byte order marks at the start of src take no column. An offset outside src means its nearer
// end.
func Position(src []byte, off int) (line, col int) {
	head := src[:max(0, min(off, len(src)))]
	line = 1 + bytes.Count(head, []byte{'\n'})
	if line == 1 {
		head = TrimBOM(head)
	} else {
		head = head[bytes.LastIndexByte(head, '\n')+1:]
	}
	return line, 1 + utf8.RuneCount(head)
}

// Pointer appends tokens to the JSON Pointer parent, escaped according to RFC 6901: Pointer("/hooks", "a/b") is
// "/hooks/a~1b".
func Pointer(parent string, tokens ...string) string {
	var b strings.Builder
	b.WriteString(parent)
	for _, t := range tokens {
		b.WriteByte('/')
		for {
			i := strings.IndexAny(t, "~/")
			if i < 0 {
				break
			}
			b.WriteString(t[:i])
			if t[i] == '~' {
				b.WriteString("~0")
			} else {
				b.WriteString("~1")
			}
			t = t[i+1:]
		}
		b.WriteString(t)
	}
	return b.String()
}
