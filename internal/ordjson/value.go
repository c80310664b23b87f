package ordjson

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// A Kind is one of the six kinds of JSON value. The zero Kind is Invalid.
type Kind uint8

// Some names end in Kind because the plain ones are functions and a type of this package.
const (
	Invalid Kind = iota
	Null
	BoolKind
	Number
	StringKind
	Array
	ObjectKind
)

// String returns the name of the kind: "null", "boolean", "number", "string",
// "array" or "object", else "invalid".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case BoolKind:
		return "boolean"
	case Number:
		return "number"
	case StringKind:
		return "string"
	case Array:
		return "array"
	case ObjectKind:
		return "object"
	}
	return "invalid"
}

// KindOf returns the kind of value from its first byte, and Invalid if no JSON value begins with it. It doesn't check
// the rest.
func KindOf(value []byte) Kind {
	if len(value) == 0 {
		return Invalid
	}
	switch c := value[0]; c {
	case 'n':
		return Null
	case 't', 'f':
		return BoolKind
	case '"':
		return StringKind
	case '[':
		return Array
	case '{':
		return ObjectKind
	default:
		if c == '-' || digit(c) {
			return Number
		}
		return Invalid
	}
}

// String returns the text of the JSON string value; ok is false if value is anything else, or has blanks around it.
// Each byte that is not UTF-8 and each surrogate without its partner becomes U+FFFD.
func String(value []byte) (s string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	check := scanner{src: value}
	end, escaped := check.string(0)
	if end != len(value) {
		return "", false
	}
	return unquote(value, escaped), true
}

// Float returns the number value as the nearest float64; ok is false if value
// is not a JSON number or too large for one.
func Float(value []byte) (f float64, ok bool) {
	if end, ok := scanNumber(value, 0); !ok || end != len(value) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return 0, false
	}
	return f, true
}

// Scaled returns a number multiplied by a factor, or divided by it. Dividing reverses multiplying, up to three
// decimals. Any other value stays as it is, and a factor of 0 changes nothing.
func Scaled(value []byte, factor float64, divide bool) []byte {
	if factor == 0 {
		return value
	}
	f, ok := Float(value)
	switch {
	case !ok:
		return value
	case divide:
		f /= factor
	default:
		f *= factor
		if whole := math.Round(f); math.Abs(whole-f) < 1e-6 { // 1.005 times 1000
			f = whole
		}
	}
	return strconv.AppendFloat(nil, f, 'f', -1, 64)
}

// ScriptText returns the text that JavaScript makes of a number or a boolean; ok is false for any other value, and for
// a number that is too large.
func ScriptText(value []byte) (text string, ok bool) {
	if kind := KindOf(value); kind == BoolKind {
		return string(value), true
	} else if kind != Number {
		return "", false
	}
	f, ok := Float(value)
	switch abs := math.Abs(f); {
	case !ok:
		return "", false
	case f == 0: // also -0
		return "0", true
	case abs < 1e21 && abs >= 1e-6:
		return strconv.FormatFloat(f, 'f', -1, 64), true
	}
	text = strconv.FormatFloat(f, 'e', -1, 64)
	return strings.NewReplacer("e-0", "e-", "e+0", "e+").Replace(text), true
}

// Int returns the number value if it is exactly integral, however it is written: 3, 3.0 and 30e-1 are all 3. ok is
// false if value is not a JSON number, has a fraction, or does not fit.
func Int(value []byte) (n int64, ok bool) {
	if end, ok := scanNumber(value, 0); !ok || end != len(value) {
		return 0, false
	}
	if bytes.ContainsAny(value, ".eE") {
		if value, ok = plainInteger(value); !ok {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// plainInteger rewrites a JSON number without point and exponent; ok is false if it has a fraction or more digits than
// an int64.
func plainInteger(number []byte) (plain []byte, ok bool) {
	const most = 19 // digits in an int64
	if number[0] == '-' {
		plain, number = append(plain, '-'), number[1:]
	}
	number, power, _ := bytes.Cut(bytes.ToLower(number), []byte{'e'})
	whole, frac, _ := bytes.Cut(number, []byte{'.'})
	figures := bytes.TrimLeft(bytes.Join([][]byte{whole, frac}, nil), "0")
	if len(figures) == 0 {
		return []byte{'0'}, true
	}
	exp := 0
	if len(power) > 0 {
		var err error
		exp, err = strconv.Atoi(string(power))
		if err != nil || exp > len(number)+most || -exp > len(number)+most {
			return nil, false
		}
	}
	significant := bytes.TrimRight(figures, "0")
	zeros := exp - len(frac) + len(figures) - len(significant)
	if zeros < 0 || len(significant)+zeros > most {
		return nil, false
	}
	plain = append(plain, significant...)
	return append(plain, bytes.Repeat([]byte{'0'}, zeros)...), true
}

// Bool returns the value of the literal true or false; ok is false if value is
// neither.
func Bool(value []byte) (v, ok bool) {
	v = string(value) == "true"
	return v, v || string(value) == "false"
}

// Truthy reports whether a JSON value is true in JavaScript.
func Truthy(value []byte) bool {
	switch KindOf(value) {
	case Invalid, Null:
		return false
	case Number:
		f, ok := Float(value)
		return !ok || f != 0
	}
	return string(value) != "false" && string(value) != `""`
}

// Strings returns the texts of an array of strings; nil if value is anything else.
func Strings(value []byte) []string {
	list, err := Elements(value, 0)
	if err != nil {
		return nil
	}
	out := make([]string, 0, len(list))
	for _, m := range list {
		s, ok := String(m.Value)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

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

// Equal reports whether two checked values differ only in the blanks between their tokens and, if they are strings, the
// escapes.
func Equal(a, b []byte) bool {
	if s, ok := String(a); ok {
		t, ok := String(b)
		return ok && s == t
	}
	return string(AppendCompact(nil, a)) == string(AppendCompact(nil, b))
}

// A Writer appends one JSON object to a slice, field by field. It neither sorts nor checks for repeated names. Use
// NewWriter to get one.
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

// Raw writes a field whose value is already JSON; an empty value is written as null.
func (w *Writer) Raw(name string, value []byte) {
	w.name(name)
	w.buf = appendValue(w.buf, value)
}

// Value writes a field whose value write appends: a large value is not written twice. If it appends nothing the value
// is null.
func (w *Writer) Value(name string, write func(dst []byte) []byte) {
	w.name(name)
	start := len(w.buf)
	if w.buf = write(w.buf); len(w.buf) == start {
		w.buf = append(w.buf, "null"...)
	}
}

// String writes a field whose value is the string s, as AppendString does.
func (w *Writer) String(name, s string) {
	w.name(name)
	w.buf = AppendString(w.buf, s)
}

// Strings writes a field whose value is an array of strings.
func (w *Writer) Strings(name string, list []string) {
	w.name(name)
	w.buf = AppendArray(w.buf, list, AppendString)
}

// AppendTexts appends an object of strings: names and values alternate.
func AppendTexts(dst []byte, pairs ...string) []byte {
	w := NewWriter(dst)
	for i := 0; i+1 < len(pairs); i += 2 {
		w.String(pairs[i], pairs[i+1])
	}
	return w.Bytes()
}

// AppendArray appends an array whose elements are written by each.
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

// Bool writes a field whose value is true or false.
func (w *Writer) Bool(name string, b bool) {
	w.name(name)
	w.buf = strconv.AppendBool(w.buf, b)
}

// Int writes a field whose value is the integer n.
func (w *Writer) Int(name string, n int64) {
	w.name(name)
	w.buf = strconv.AppendInt(w.buf, n, 10)
}

// Object writes a field whose value is the object o.
func (w *Writer) Object(name string, o Object) {
	w.name(name)
	w.buf = o.Append(w.buf)
}

// Len returns how many fields have been written.
func (w *Writer) Len() int { return w.n }

// Bytes closes the object and returns dst with the object appended. The Writer
// must not be used afterwards.
func (w *Writer) Bytes() []byte { return append(w.buf, '}') }
