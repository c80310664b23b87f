package schema

import "github.com/hookbridge/hookbridge/internal/ordjson"

// JSON as the model holds it: fields in order, and values as their original bytes. These are the parts of the reader
// that a dialect needs.
type (
	Object     = ordjson.Object
	Member     = ordjson.Member
	JSONWriter = ordjson.Writer
)

// ParseObject reads a text that is one JSON object.
func ParseObject(text []byte) (Object, error) { return ordjson.Parse(text) }

// ObjectIn reads a value as an object. The value begins at off in the text it was parsed from.
func ObjectIn(value []byte, off int) (Object, error) { return ordjson.Members(value, off) }

// ListIn reads a value as an array, whose elements have no names. The value begins at off in the text it was parsed
// from.
func ListIn(value []byte, off int) ([]Member, error) { return ordjson.Elements(value, off) }

// TextIn returns the text of a string; ok is false if the value isn't a string.
func TextIn(value []byte) (text string, ok bool) { return ordjson.String(value) }

// NumberIn returns a number; ok is false if the value isn't a number.
func NumberIn(value []byte) (f float64, ok bool) { return ordjson.Float(value) }

// NewJSONWriter returns a writer that appends one object to dst.
func NewJSONWriter(dst []byte) JSONWriter { return ordjson.NewWriter(dst) }

// PointerTo appends field names or indexes to a JSON Pointer.
func PointerTo(parent string, tokens ...string) string { return ordjson.Pointer(parent, tokens...) }

// PositionIn returns the line and column of an offset in a text.
func PositionIn(text []byte, off int) (line, col int) { return ordjson.Position(text, off) }
