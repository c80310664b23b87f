package ordjson

import "strconv"

// AppendCompact appends the checked value to dst without the blanks between
// its tokens; numbers and strings keep their spelling.
func AppendCompact(dst, value []byte) []byte {
	from := 0
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			if i = skipString(value, i); i < 0 {
				i = len(value)
			}
		case blank(c):
			dst = append(dst, value[from:i]...)
			i = skipBlanks(value, i)
			from = i
		default:
			i++
		}
	}
	return append(dst, value[from:]...)
}

// Equal reports whether two checked values differ in nothing but the blanks between
// their tokens.
func Equal(a, b []byte) bool { return string(AppendCompact(nil, a)) == string(AppendCompact(nil, b)) }

// A Writer appends one JSON object to a slice, member by member. It neither
// sorts nor looks for repeated names. Use NewWriter to get one.
type Writer struct {
	buf []byte
	n   int
}

// NewWriter returns a Writer that appends to dst.
func NewWriter(dst []byte) Writer { return Writer{buf: append(dst, '{')} }

func (w *Writer) name(name string) {
	if w.n > 0 {
		w.buf = append(w.buf, ',')
	}
	w.n++
	w.buf = AppendString(w.buf, name)
	w.buf = append(w.buf, ':')
}

// Raw writes a member whose value is JSON already; an empty value is written
// as null.
func (w *Writer) Raw(name string, value []byte) {
	w.name(name)
	w.buf = appendValue(w.buf, value)
}

// Value writes a member whose value is what write appends: a large value is not
// written twice. If it appends nothing the value is null.
func (w *Writer) Value(name string, write func(dst []byte) []byte) {
	w.name(name)
	start := len(w.buf)
	if w.buf = write(w.buf); len(w.buf) == start {
		w.buf = append(w.buf, "null"...)
	}
}

// String writes a member whose value is the string s, as AppendString does.
func (w *Writer) String(name, s string) {
	w.name(name)
	w.buf = AppendString(w.buf, s)
}

// Strings writes a member whose value is an array of strings.
func (w *Writer) Strings(name string, list []string) {
	w.name(name)
	w.buf = AppendArray(w.buf, list, AppendString)
}

// AppendTexts appends an object of texts: names and values by turns.
func AppendTexts(dst []byte, pairs ...string) []byte {
	w := NewWriter(dst)
	for i := 0; i+1 < len(pairs); i += 2 {
		w.String(pairs[i], pairs[i+1])
	}
	return w.Bytes()
}

// AppendArray appends an array whose elements each writes.
func AppendArray[T any](dst []byte, list []T, each func(dst []byte, x T) []byte) []byte {
	dst = append(dst, '[')
	for i, x := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = each(dst, x)
	}
	return append(dst, ']')
}

// Bool writes a member whose value is true or false.
func (w *Writer) Bool(name string, b bool) {
	w.name(name)
	w.buf = strconv.AppendBool(w.buf, b)
}

// Int writes a member whose value is the integer n.
func (w *Writer) Int(name string, n int64) {
	w.name(name)
	w.buf = strconv.AppendInt(w.buf, n, 10)
}

// Object writes a member whose value is the object o.
func (w *Writer) Object(name string, o Object) {
	w.name(name)
	w.buf = o.Append(w.buf)
}

// Len returns how many members have been written.
func (w *Writer) Len() int { return w.n }

// Bytes closes the object and returns dst with the object appended. The Writer
// must not be used afterwards.
func (w *Writer) Bytes() []byte { return append(w.buf, '}') }
