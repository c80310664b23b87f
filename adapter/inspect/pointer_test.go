package inspect

import "testing"

func TestWithout(t *testing.T) {
	for _, c := range []struct{ text, pointer, want string }{
		{`{"a":1, "b" : {"c":2}}`, "/a", `{       "b" : {"c":2}}`},
		{`{"a":1, "b" : {"c":2}}`, "/b", `{"a":1               }`},
		{`{"a":1, "b" : {"c":2}}`, "/b/c", `{"a":1, "b" : {     }}`},
		{"{\"a\":[\n1],\n\"b\":[{\"x\":1}]}", "/b/0/x", "{\"a\":[\n1],\n\"b\":[{     }]}"},
		{"{\"a\":[\n1],\n\"b\":2}", "/a", "{     \n   \n\"b\":2}"},
		{`{"a":[1,2]}`, "/a/0", ""}, // the next element's pointer would change
		{`{"a":1}`, "/x", ""},
		{`{"a":1}`, "", ""},
		{`{`, "/a", ""},
	} {
		out, ok := Without([]byte(c.text), c.pointer)
		if string(out) != c.want || ok != (c.want != "") {
			t.Errorf("%s without %s: %q %v", c.text, c.pointer, out, ok)
		}
	}
}
