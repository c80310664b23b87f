package schematest

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// An Object is a JSON object: a name, its value, the next name and so on. Values are Object, []any, string, bool and
// int.
type Object []any

// Bytes writes the object in a readable layout.
func (o Object) Bytes() []byte { return append(appendValue(nil, o, 0), '\n') }

func appendValue(dst []byte, v any, depth int) []byte {
	switch v := v.(type) {
	case Object:
		return appendList(dst, '{', '}', len(v)/2, depth, func(dst []byte, i int) []byte {
			dst = append(ordjson.AppendString(dst, v[2*i].(string)), ": "...)
			return appendValue(dst, v[2*i+1], depth+1)
		})
	case []any:
		return appendList(dst, '[', ']', len(v), depth, func(dst []byte, i int) []byte {
			return appendValue(dst, v[i], depth+1)
		})
	case string:
		return ordjson.AppendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	}
	panic("schematest: a value of a type that is not known")
}

// appendList puts short lists on one line.
func appendList(dst []byte, open, end byte, n, depth int, one func(dst []byte, i int) []byte) []byte {
	flat := append([]byte(nil), open)
	for i := range n {
		if i > 0 {
			flat = append(flat, ", "...)
		}
		flat = one(flat, i)
	}
	if flat = append(flat, end); len(flat) < 110 && !strings.Contains(string(flat), "\n") {
		return append(dst, flat...)
	}
	dst = append(dst, open)
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, '\n'), strings.Repeat(" ", depth+1)...)
		dst = one(dst, i)
	}
	dst = append(append(dst, '\n'), strings.Repeat(" ", depth)...)
	return append(dst, end)
}

// Words makes an array of strings.
func Words(words ...string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}

// With adds fields to a copy of o.
func (o Object) With(members ...any) Object {
	return append(o[:len(o):len(o)], members...)
}

// Common schemas. They are functions because package-level tables must not be changed.

func Text() Object   { return Object{"type", "string"} }
func Bool() Object   { return Object{"type", "boolean"} }
func Number() Object { return Object{"type", "number"} }
func Any() Object    { return Object{} }
func Const(s string) Object {
	return Object{"const", s}
}
func Enum(words ...string) Object { return Object{"enum", Words(words...)} }
func Array(of Object) Object {
	if len(of) == 0 {
		return Object{"type", "array"}
	}
	return Object{"type", "array", "items", of}
}
func Ref(def string) Object { return Object{"$ref", "#/$defs/" + def} }

// Struct returns the schema of an object with these properties; others are allowed.
func Struct(properties Object, required ...string) Object {
	o := Object{"type", "object"}
	if len(properties) > 0 {
		o = o.With("properties", properties)
	}
	if len(required) > 0 {
		o = o.With("required", Words(required...))
	}
	return o
}

// OfKind returns the schema of a kind of JSON value.
func OfKind(k ordjson.Kind) Object {
	switch k {
	case ordjson.StringKind:
		return Text()
	case ordjson.BoolKind:
		return Bool()
	case ordjson.Number:
		return Number()
	case ordjson.Array:
		return Array(nil)
	case ordjson.ObjectKind:
		return Object{"type", "object"}
	}
	return Any()
}

// When returns one branch: an object whose field has a value follows a definition.
func When(member, value, def, since string) Object {
	return Since(Object{"if", Object{"properties", Object{member, Const(value)}, "required", Words(member)}, "then",
		Ref(def)}, since)
}

// Since marks a schema as valid from a version on.
func Since(o Object, version string) Object {
	if version == "" {
		return o
	}
	return o.With("x-since", version)
}

// Document wraps a body for schema/json/NAME.json.
func Document(name, title, description string, body Object) Object {
	return append(Object{
		"$schema", "https://json-schema.org/draft/2020-12/schema",
		"$id", "urn:hookbridge:schema:" + name,
		"title", title,
		"description", description,
	}, body...)
}
