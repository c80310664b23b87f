package ordjson

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf8"
)

// A Member is one field of an object, or one element of an array.
type Member struct {
	Name  string // unescaped; "" for an array element
	Value []byte // the value as in the source, without blanks around it
	Off   int    // where Value begins in the document
}

// An Object is the fields of one JSON object in source order. The zero Object is empty. An Object from Parse has no
// repeated name.
type Object []Member

// Get returns the value of the field name; ok reports whether it exists.
func (o Object) Get(name string) (value []byte, ok bool) {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value, true
		}
	}
	return nil, false
}

// Has reports whether o has a field.
func (o Object) Has(name string) bool {
	_, ok := o.Get(name)
	return ok
}

// Value returns the value of a field, or nil.
func (o Object) Value(name string) []byte {
	raw, _ := o.Get(name)
	return raw
}

// Str returns the text of a field, "" if it isn't a string.
func (o Object) Str(name string) string {
	s, _ := String(o.Value(name))
	return s
}

// Text returns the text of a field; false: it isn't a string.
func (o Object) Text(name string) (string, bool) { return String(o.Value(name)) }

// Bool returns the value of a field; false: it isn't a boolean.
func (o Object) Bool(name string) (v, ok bool) { return Bool(o.Value(name)) }

// Int returns the value of a field; false: it isn't a whole number.
func (o Object) Int(name string) (n int64, ok bool) { return Int(o.Value(name)) }

// Strings returns the texts of a field, nil if it isn't an array of strings.
func (o Object) Strings(name string) []string { return Strings(o.Value(name)) }

// Members returns the fields of a field that is an object.
func (o Object) Members(name string) (Object, error) { return Members(o.Value(name), 0) }

// Objects returns those elements of a field that are objects.
func (o Object) Objects(name string) []Object { return Objects(o.Value(name)) }

// Elements returns the elements of a field that is an array.
func (o Object) Elements(name string) ([]Member, error) { return Elements(o.Value(name), 0) }

// Take removes the field name and returns it; ok reports whether it existed. Fields that are never taken are thus the
// unknown ones. The others keep their order, and an Object that shared its fields with o is unaffected.
func (o *Object) Take(name string) (m Member, ok bool) {
	old := *o
	i := slices.IndexFunc(old, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return Member{}, false
	}
	last := len(old) - 1
	switch i {
	case 0:
		*o = old[1:len(old):len(old)]
	case last:
		*o = old[:last:last]
	default:
		*o = slices.Concat(old[:i], old[i+1:])
	}
	return old[i], true
}

// Append appends o to dst as a JSON object and returns the extended slice. Values are copied byte for byte; a field
// without a value gets null.
func (o Object) Append(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, o[i].Name)
		dst = append(dst, ':')
		dst = appendValue(dst, o[i].Value)
	}
	return append(dst, '}')
}

func appendValue(dst, value []byte) []byte {
	if len(value) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, value...)
}

// An Index finds the places of many offsets in one text. It reads the text's line ends once, on first use. NewIndex
// makes one; it isn't safe for concurrent use.
type Index struct {
	src   []byte
	lines []int // offset of each line's first byte; nil: not read yet

	// The last answer: callers need places in the text's order, and counting from there keeps a file of one long line
	// from taking quadratic time.
	last struct{ start, off, col int }
}

// NewIndex returns an Index of src, which must not change.
func NewIndex(src []byte) *Index { return &Index{src: src} }

// Position is the function Position for the index's text.
func (x *Index) Position(off int) (line, col int) {
	if x.lines == nil {
		x.lines = append(x.lines, 0)
		for i := 0; ; {
			n := bytes.IndexByte(x.src[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			x.lines = append(x.lines, i)
		}
	}

	off = max(0, min(off, len(x.src)))
	n := sort.SearchInts(x.lines, off+1)
	start := x.lines[n-1]
	if n == 1 { // byte order marks take no column
		start += len(x.src) - len(TrimBOM(x.src))
	}

	start = min(start, off)
	from, col := start, 1
	if x.last.start == start && x.last.col > 0 && x.last.off <= off {
		from, col = x.last.off, x.last.col
	}
	col += utf8.RuneCount(x.src[from:off])
	if off == len(x.src) || utf8.RuneStart(x.src[off]) { // else the count began within a character
		x.last.start, x.last.off, x.last.col = start, off, col
	}
	return n, col
}
