package ordjson

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestParseLast(t *testing.T) {
	for _, tt := range []struct {
		text     string
		repeated []string
	}{
		{`{"a":1}`, nil},
		{`{"a":1,"a":2}`, []string{"/a"}},
		{`{"b":0, "a":[1], "c":1 , "a":{}, "a":3}`, []string{"/a", "/a"}},
		{`{"x":[{"a":1,"a":2}]}`, []string{"/x/0/a"}},
		{`{"x":{"a":1,"a":2},"x":{"a":3,"\u0061":4}}`, []string{"/x", "/x/a"}},
		{`{"x":{"a":[{"b":1,"b":2}],"a":{}},"y":[[],[1,{"~/":"\\","~/":2}]]}`, []string{"/x/a", "/y/1/1/~0~1"}},
		{`{"\ud800":1,"\ud801":2,"":3,"":{"":4}}`, []string{"/"}},
	} {
		o, repeated, err := ParseLast([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var got, want any
		json.Unmarshal(o.Append(nil), &got)
		json.Unmarshal([]byte(tt.text), &want)
		var paths []string
		for _, r := range repeated {
			paths = append(paths, r.Pointer)
		}
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(paths, tt.repeated) {
			t.Errorf("%s: %v, overridden %v", tt.text, got, paths)
		}
	}
	if _, _, err := ParseLast([]byte(`{"a":1,"a":}`)); err == nil {
		t.Error("broken text was read")
	}
}

// TestParseLastDeep checks that a text is read once, however deep its objects are and however often they repeat a
// field: reading it again at each level would take minutes.
func TestParseLastDeep(t *testing.T) {
	deep := strings.Repeat(`{"a":1,"a":`, MaxDepth-2)
	for _, text := range []string{`{"x":1,"x":` + deep + "1" + strings.Repeat("}", MaxDepth-2) + "}",
		"{" + strings.Repeat(`"x":1,`, 1<<20) + `"x":2}`} {
		o, repeated, err := ParseLast([]byte(text))
		if err != nil || len(o) != 1 || len(repeated) > maxRepeated {
			t.Errorf("%d members, %d overridden, %v", len(o), len(repeated), err)
		}
	}
}

// FuzzParseLast checks that the result has the meaning that encoding/json reads, which also uses the last of several
// fields.
func FuzzParseLast(f *testing.F) {
	seed(f)
	f.Add([]byte(`{"x":{"a":[{"b":1,"b":2}],"a":{}},"y":[[],[1,{"~/":"\\","~/":2}]],"x":"}","":{}, "":[]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		o, _, err := ParseLast(src)
		var want any
		if json.Unmarshal(TrimBOM(src), &want) != nil || bytes.Contains(bytes.ToLower(src), []byte(`\ud`)) {
			t.Skip()
		}
		if _, ok := want.(map[string]any); ok != (err == nil) {
			t.Fatal(err)
		} else if ok {
			var got any
			if json.Unmarshal(o.Append(nil), &got) != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, not %s", o.Append(nil), want)
			}
		}
	})
}
