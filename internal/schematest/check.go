package schematest

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/hookbridge/hookbridge/schema"
)

// Compile reads a schema; part is a JSON Pointer to a definition in it, "" for the whole. A schema that its own
// meta-schema rejects fails the test.
func Compile(t *testing.T, text []byte, part string) *jsonschema.Schema {
	t.Helper()
	s, err := compile(text, part)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compile(text []byte, part string) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	id := "file:///schema.json"
	if o, ok := doc.(map[string]any); ok && o["$id"] != nil {
		id = o["$id"].(string)
	}
	if err := c.AddResource(id, doc); err != nil {
		return nil, err
	}
	return c.Compile(id + "#" + part)
}

// ValidFor returns what is wrong with a document according to an embedded schema, NAME or NAME@VERSION.
func ValidFor(name string, document []byte) error {
	name, version, _ := strings.Cut(name, "@")
	text, err := schema.Document(name, version)
	if err != nil {
		return err
	}
	s, err := compile(text, "")
	if err != nil {
		return err
	}
	return Validate(s, document)
}

// Validate returns what is wrong with a document, nil if nothing is.
func Validate(s *jsonschema.Schema, document []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// OnlyMissing reports whether a document was rejected only because of missing fields, which invented examples often
// have.
func OnlyMissing(err error) bool {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range e.Causes {
		if !OnlyMissing(c) {
			return false
		}
	}
	_, missing := e.ErrorKind.(*kind.Required)
	return missing || len(e.Causes) > 0
}
