package schematest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
)

// SameAsStandard fails if the project writes a JSON document differently than the standard library.
func SameAsStandard(t testing.TB, doc any) {
	t.Helper()
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	if err := e.Encode(doc); err != nil {
		t.Fatal(err)
	}
	if got := jsondoc.Marshal(doc); !bytes.Equal(append(got, '\n'), want.Bytes()) {
		t.Errorf("%T:\n%s\nwant\n%s", doc, got, &want)
	}
}
