package jsondoc

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-json"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Misfit is a place in a document that doesn't fit its Go type. Path is a JSON Pointer.
type Misfit struct{ Path, Msg string }

// Strict reads a document that Marshal could have written. It has all fields that aren't omitempty and no others, with
// their exact names, and none of them is null or empty where Marshal would omit it. The order of fields doesn't matter,
// and {}, [] and 0 are allowed where Marshal omits them. text is valid JSON; Raw values come compact.
func Strict[T any](text []byte) (v T, bad []Misfit) {
	text = ordjson.AppendCompact(nil, text)
	fits := func(text []byte) bool {
		var try T
		return decode(text, &try) == nil
	}
	if decode(text, &v) != nil {
		return v, []Misfit{innermost(text, "", fits)}
	}

	written := Marshal(v)
	if path := missing("", text, written); path != "" {
		return v, []Misfit{{path, "the format has no such field, or omits it where it is empty"}}
	}
	if path := missing("", written, text); path != "" {
		at := strings.LastIndexByte(path, '/')
		return v, []Misfit{{path[:at], "has no " + path[at+1:]}}
	}
	return v, nil
}

func decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// innermost finds the smallest part of value that doesn't fit. The decoder's own errors have no path, so each part is
// tried alone, inside the objects and arrays around it.
func innermost(value []byte, path string, fits func(value []byte) bool) Misfit {
	parts, err := ordjson.Members(value, 0)
	isArray := err != nil
	if isArray {
		parts, _ = ordjson.Elements(value, 0)
	}

	for i, m := range parts {
		open, end := "[", "]"
		if isArray {
			m.Name = strconv.Itoa(i)
		} else {
			open, end = "{"+string(ordjson.AppendString(nil, m.Name))+":", "}"
		}
		at := ordjson.Pointer(path, m.Name)
		alone := func(part []byte) bool { return fits(slices.Concat([]byte(open), part, []byte(end))) }
		switch {
		case !alone([]byte("null")):
			return Misfit{at, "the format has no field " + strconv.Quote(m.Name)}
		case !alone(m.Value):
			return innermost(m.Value, at, alone)
		}
	}

	for _, t := range []struct{ example, name string }{{`"x"`, "a string"}, {"1", "a whole number"},
		{"true", "true"}, {"{}", "an object"}, {"[]", "an array"}} {
		if fits([]byte(t.example)) {
			return Misfit{path, "must be " + t.name}
		}
	}
	return Misfit{path, "doesn't fit the format"}
}

// missing returns the path of the first value in a that b doesn't have, "" if it has them all.
func missing(path string, a, b []byte) string {
	kind := ordjson.KindOf(a)
	switch {
	case bytes.Equal(a, b), b == nil && slices.Contains([]string{"{}", "[]", "0"}, string(a)):
		return ""
	case kind != ordjson.KindOf(b):
		return path
	case kind == ordjson.ObjectKind:
		fields, _ := ordjson.Members(a, 0)
		others, _ := ordjson.Members(b, 0)
		for _, m := range fields {
			if at := missing(ordjson.Pointer(path, m.Name), m.Value, others.Value(m.Name)); at != "" {
				return at
			}
		}
	case kind == ordjson.Array:
		list, _ := ordjson.Elements(a, 0)
		others, _ := ordjson.Elements(b, 0)
		for i := range min(len(list), len(others)) {
			if at := missing(path+"/"+strconv.Itoa(i), list[i].Value, others[i].Value); at != "" {
				return at
			}
		}
	}
	return ""
}
