package jsonedit

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const (
	// MaxSize is the largest size of a text in bytes.
	MaxSize = 16 << 20
	// MaxDepth is how many objects and arrays may be open at once.
	MaxDepth = 256
)

// bom is U+FEFF in UTF-8.
const bom = "\xef\xbb\xbf"

// An Error describes what is wrong with a text, or with a path in it, and where.
type Error struct {
	Line, Col int    // both from 1; Col counts runes, byte order marks have none
	Msg       string // what is wrong, without the place
}

// Error returns the place and the message as "line:col: msg".
func (e *Error) Error() string {
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Col) + ": " + e.Msg
}

// A doc is a parsed text. Offsets start after its byte order marks.
type doc struct {
	marks, text []byte
	root        hujson.Value
}

// parse reads src, which isn't changed, and rejects what exceeds the limits.
func parse(src []byte) (*doc, error) {
	n := 0
	for bytes.HasPrefix(src[n:], []byte(bom)) {
		n += len(bom)
	}
	d := &doc{marks: src[:n:n], text: src[n:len(src):len(src)]}
	if len(src) > MaxSize {
		return nil, d.errorAt(0, "text of more than "+strconv.Itoa(MaxSize)+" bytes")
	}
	if !utf8.Valid(d.text) {
		for i, r := range string(d.text) {
			if _, n := utf8.DecodeRune(d.text[i:]); r == utf8.RuneError && n == 1 {
				return nil, d.errorAt(i, "invalid UTF-8")
			}
		}
	}
	if off := tooDeep(d.text); off >= 0 {
		return nil, d.errorAt(off, "nested more than "+strconv.Itoa(MaxDepth)+" levels deep")
	}
	// The library needs a newline after a line comment. Its tree shares the bytes that it gets, so it gets a copy of
	// its own.
	var err error
	if d.root, err = hujson.Parse(append(slices.Clone(d.text), '\n')); err != nil {
		return nil, d.syntaxError(err)
	}
	return d, d.unique(&d.root)
}

func (d *doc) errorAt(off int, msg string) *Error {
	head := d.text[:min(off, len(d.text))]
	nl := bytes.LastIndexByte(head, '\n')
	return &Error{Line: 1 + bytes.Count(head, []byte{'\n'}), Col: 1 + utf8.RuneCount(head[nl+1:]), Msg: msg}
}

// syntaxError parses the library's error, "hujson: line 2, column 8: what", whose column counts bytes.
func (d *doc) syntaxError(err error) *Error {
	off := 0
	if tail, ok := strings.CutPrefix(err.Error(), "hujson: line "); ok {
		tail, _, _ = strings.Cut(tail, ":")
		l, c, _ := strings.Cut(tail, ", column ")
		line, _ := strconv.Atoi(l)
		col, _ := strconv.Atoi(c)
		for ; line > 1; line-- {
			off += bytes.IndexByte(d.text[off:], '\n') + 1
		}
		off += max(0, col-1)
	}
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	msg := err.Error()
	for i := range msg {
		if i > 100 {
			msg = msg[:i] + "…"
			break
		}
	}
	return d.errorAt(off, msg)
}

// tooDeep returns the offset of the bracket that is one too many, or -1.
func tooDeep(text []byte) int {
	for i, depth := 0, 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			if end, _, ok := comment(text, i); ok {
				i = end - 1
			}
		case '{', '[':
			if depth++; depth > MaxDepth {
				return i
			}
		case '}', ']':
			depth--
		}
	}
	return -1
}

// comment returns the offset after the comment at text[i], without the newline of a line comment, and whether it ends
// with its line. ok is false if there is none.
func comment(text []byte, i int) (end int, line, ok bool) {
	switch {
	case bytes.HasPrefix(text[i:], []byte("//")):
		if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
			return i + n, true, true
		}
		return len(text), true, true
	case bytes.HasPrefix(text[i:], []byte("/*")):
		if n := bytes.Index(text[i+2:], []byte("*/")); n >= 0 {
			return i + 2 + n + 2, false, true
		}
		return len(text), false, true
	}
	return i, false, false
}

func (d *doc) unique(v *hujson.Value) error {
	switch c := v.Value.(type) {
	case *hujson.Object:
		seen := make(map[string]struct{}, len(c.Members))
		for i := range c.Members {
			m := &c.Members[i]
			name := nameOf(m)
			if _, ok := seen[name]; ok {
				return d.errorAt(m.Name.StartOffset, "second field named "+strconv.Quote(name[:min(len(name), 64)]))
			}
			seen[name] = struct{}{}
			if err := d.unique(&m.Value); err != nil {
				return err
			}
		}
	case *hujson.Array:
		for i := range c.Elements {
			if err := d.unique(&c.Elements[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func nameOf(m *hujson.ObjectMember) string {
	lit := m.Name.Value.(hujson.Literal)
	if bytes.IndexByte(lit, '\\') < 0 {
		return string(lit[1 : len(lit)-1])
	}
	return lit.String()
}

func kindOf(v *hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}

func tokens(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	if path[0] != '/' || !utf8.ValidString(path) {
		return nil, errors.New("jsonedit: " + strconv.Quote(path) + " is not a JSON Pointer")
	}
	toks := strings.Split(path[1:], "/")
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for i, t := range toks {
		if strings.Count(t, "~") != strings.Count(t, "~0")+strings.Count(t, "~1") {
			return nil, errors.New("jsonedit: " + strconv.Quote(path) + " is not a JSON Pointer")
		}
		toks[i] = unescape.Replace(t)
	}
	return toks, nil
}

// A spot is where a walk along a path ended.
type spot struct {
	v      *hujson.Value // the deepest existing value
	start  int           // where the field or element of v begins
	parent *hujson.Value // of v; nil at the top
	index  int           // of v in parent
	rest   []string      // the unresolved tokens: none, or the first is absent from v
}

// walk follows toks as far as there are values.
func (d *doc) walk(toks []string) (spot, error) {
	s := spot{v: &d.root, rest: toks}
	s.start = s.v.StartOffset
	for len(s.rest) > 0 {
		tok, v := s.rest[0], s.v
		switch c := v.Value.(type) {
		case *hujson.Object:
			i := slices.IndexFunc(c.Members, func(m hujson.ObjectMember) bool { return nameOf(&m) == tok })
			if i < 0 {
				return s, nil
			}
			s.v, s.start, s.index = &c.Members[i].Value, c.Members[i].Name.StartOffset, i
		case *hujson.Array:
			i, err := strconv.Atoi(tok)
			if err != nil || strconv.Itoa(i) != tok || i < 0 {
				return s, d.errorAt(v.StartOffset, "expected an object, got an array")
			}
			if i >= len(c.Elements) {
				return s, nil
			}
			s.v, s.start, s.index = &c.Elements[i], c.Elements[i].StartOffset, i
		default:
			return s, d.errorAt(v.StartOffset, "expected an object, got "+kindOf(v))
		}
		s.parent, s.rest = v, s.rest[1:]
	}

	return s, nil
}

func find(src []byte, path string) (*doc, spot, error) {
	toks, err := tokens(path)
	if err != nil {
		return nil, spot{}, err
	}
	d, err := parse(src)
	if err != nil {
		return nil, spot{}, err
	}
	s, err := d.walk(toks)
	return d, s, err
}
