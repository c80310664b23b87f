package jsondoc

import (
	"strings"
	"testing"
)

// TestStrict checks that a document is read if Marshal could have written it, and otherwise which place is reported.
func TestStrict(t *testing.T) {
	type part struct {
		Name  string             `json:"name"`
		Count int                `json:"count,omitempty"`
		On    bool               `json:"on,omitempty"`
		Vars  map[string]*string `json:"vars,omitempty"`
	}
	type doc struct {
		Title string `json:"title"`
		Part  part   `json:"part"`
		Parts []part `json:"parts,omitempty"`
		Raw   Raw    `json:"raw,omitempty"`
	}
	for text, want := range map[string]string{
		`{"title":"","part":{"name":"\u0061"}}`:                                            "",
		`{ "raw": null, "part": {"count": 0, "name": "x", "vars": {}}, "title": "t" }`:     "",
		`{"title":"t","part":{"name":"x","vars":{"A":null,"B":""}},"raw":{"Title":[1.0]}}`: "",
		`{"title":"t","part":{"name":"x"},"parts":[]}`:                                     "",
		`{"title":"t"}`:                                ": has no part",
		`{"title":"t","part":{}}`:                      "/part: has no name",
		`{"title":1,"part":{"name":"x"}}`:              "/title: must be a string",
		`{"title":null,"part":{"name":"x"}}`:           "/title: the format has no such field",
		`{"Title":"t","part":{"name":"x"}}`:            "/Title: the format has no such field",
		`{"title":"t","part":{"name":"x"},"r~/":1}`:    `/r~0~1: the format has no field "r~/"`,
		`{"title":"t","part":[]}`:                      "/part: must be an object",
		`{"title":"t","part":{"name":"x"},"parts":{}}`: "/parts: must be an array",
		`{"title":"t","part":{"name":"x"},"parts":[{"name":"\u00e9"},{"name":"","n":{}}]}`: "/parts/1/n: ",
		`{"title":"t","part":{"name":"x","count":"\u0031"}}`:                               "/part/count: must",
		`{"title":"t","part":{"name":"x","on":0}}`:                                         "/part/on: must be true",
		`{"title":"t","part":{"name":"x","on":false}}`:                                     "/part/on: the format",
		`{"title":"t","part":{"name":"x","vars":{"A":1}}}`:                                 "/part/vars/A: must",
		`[]`: ": must be an object",
	} {
		_, bad := Strict[doc]([]byte(text))
		got := ""
		for _, m := range bad {
			got += m.Path + ": " + m.Msg
		}
		if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
