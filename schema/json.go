package schema

import "github.com/hookbridge/hookbridge/internal/ordjson"

// JSON as the model holds it: the fields in their order and the bytes of their
// values as they came. These are the parts of the reader that a dialect needs.
type (
	Object     = ordjson.Object
	Member     = ordjson.Member
	JSONWriter = ordjson.Writer
)

// ParseObject reads a text that is one JSON object.
func ParseObject(text []byte) (Object, error) { return ordjson.Parse(text) }

// ObjectIn reads a value, which begins at that offset of the text it was parsed
// from, as an object.
func ObjectIn(value []byte, off int) (Object, error) { return ordjson.Members(value, off) }

// ListIn reads a value, which begins at that offset of the text it was parsed from,
// as an array. Its elements have no names.
func ListIn(value []byte, off int) ([]Member, error) { return ordjson.Elements(value, off) }

// TextIn returns the text of a string; ok is false if the value is none.
func TextIn(value []byte) (text string, ok bool) { return ordjson.String(value) }

// NumberIn returns a number; ok is false if the value is none.
func NumberIn(value []byte) (f float64, ok bool) { return ordjson.Float(value) }

// NewJSONWriter returns a writer that appends one object to dst.
func NewJSONWriter(dst []byte) JSONWriter { return ordjson.NewWriter(dst) }

// PointerTo appends field names or indexes to a JSON Pointer.
func PointerTo(parent string, tokens ...string) string { return ordjson.Pointer(parent, tokens...) }

// PositionIn returns the line and column of an offset in a text.
func PositionIn(text []byte, off int) (line, col int) { return ordjson.Position(text, off) }
