package jsondoc

import (
	"encoding/json"
	"testing"
)

func TestMarshal(t *testing.T) {
	type inner struct {
		Text string   `json:"text"`
		List []string `json:"list,omitempty"`
		Raw  Raw      `json:"raw"`
	}
	type outer struct {
		inner
		N     int            `json:"n"`
		Ms    float64        `json:"ms"`
		On    bool           `json:"on,omitempty"`
		Map   map[string]int `json:"map"`
		Inner []inner        `json:"inner"`
		Ptr   *inner         `json:"ptr"`
	}
	v := outer{inner: inner{Text: "<a & b>\x00\n\x7f\xff\u2028é😀", Raw: Raw(`{"b":1,"a":[1.0]}`)}, N: -1, Ms: 12.345,
		Map: map[string]int{"b": 1, "a": 2}, Inner: []inner{{Text: "x", List: []string{"y"}}}}
	const want = `{"text":"<a & b>\u0000\n` + "\x7f" +
		`\ufffd\u2028é😀","raw":{"b":1,"a":[1.0]},"n":-1,"ms":12.345,"map":{"a":2,"b":1},` +
		`"inner":[{"text":"x","list":["y"],"raw":null}],"ptr":null}`
	if got := string(Marshal(v)); got != want || !json.Valid([]byte(got)) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestDocument(t *testing.T) {
	for text, want := range map[string]string{`{"a": 1}`: `{"a":1}`, "": `""`, "a\n": `"a\n"`} {
		if got := string(Marshal(Document([]byte(text)))); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	if got := string(Marshal(Document(nil))); got != "null" {
		t.Error(got)
	}
}
