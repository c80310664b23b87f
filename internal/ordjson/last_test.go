package ordjson

import (
	"encoding/json"
	"reflect"
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
