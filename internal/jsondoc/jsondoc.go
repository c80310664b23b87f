// Package jsondoc writes the JSON documents that the program itself defines: reports, logs, jobs and the lines of
// protocols. Package ordjson reads and writes other documents, and keeps their order and bytes.
package jsondoc

import (
	"bytes"

	"github.com/goccy/go-json"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Raw is JSON that is written unchanged; nil is null.
type Raw = json.RawMessage

// Marshal writes v on one line. v consists of structs, maps with string keys, slices and values of JSON: anything else
// is an error in the program.
func Marshal(v any) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("jsondoc: " + err.Error())
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// Unmarshal reads what Marshal has written.
func Unmarshal(text []byte, v any) error { return json.Unmarshal(text, v) }

// Document returns text as a value: unchanged if it is JSON, else as a string; nil is null.
func Document(text []byte) Raw {
	switch {
	case text == nil:
		return Raw("null")
	case ordjson.Check(text) == nil:
		return Raw(ordjson.AppendCompact(nil, text))
	}
	return ordjson.AppendString(nil, string(text))
}
