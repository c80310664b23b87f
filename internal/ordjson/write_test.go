package ordjson

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, src string) Object {
	t.Helper()
	o, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestGetTake(t *testing.T) {
	const src = `{"a":1,"b":[2],"c":"3","d":null}`
	for _, tt := range []struct{ name, value, rest string }{
		{"a", `1`, `{"b":[2],"c":"3","d":null}`},
		{"b", `[2]`, `{"a":1,"c":"3","d":null}`},
		{"d", `null`, `{"a":1,"b":[2],"c":"3"}`},
		{"A", ``, src},
	} {
		o := parse(t, src)
		held := o
		v, found := o.Get(tt.name)
		m, ok := o.Take(tt.name)
		if ok != found || ok != (tt.value != "") || string(m.Value) != tt.value || string(v) != tt.value {
			t.Errorf("%s: Take %q, %v; Get %q, %v", tt.name, m.Value, ok, v, found)
		}
		if got := string(o.Append(nil)); got != tt.rest {
			t.Errorf("after Take(%q): %s, want %s", tt.name, got, tt.rest)
		}
		// Neither taking nor adding affects another holder of the object.
		o = append(o, Member{Name: "new"})
		_ = append(held[:len(held):cap(held)], Member{Name: "other"})
		if got := string(held.Append(nil)); got != src {
			t.Errorf("Take(%q) changed another holder: %s", tt.name, got)
		}
		if last := o[len(o)-1].Name; last != "new" {
			t.Errorf("another holder changed the taker: %s", last)
		}
		if _, ok := o.Take(tt.name); ok {
			t.Errorf("Take(%q) twice", tt.name)
		}
	}
	var none Object
	if _, ok := none.Take(""); ok {
		t.Error("took from an empty object")
	}
}

func TestValuesCannotGrowIntoTheSource(t *testing.T) {
	src := []byte(`{"a":[1],"b":2}`)
	o, _ := Parse(src)
	e, _ := Elements(o[0].Value, o[0].Off)
	_ = append(o[0].Value, "!!!!"...)
	_ = append(e[0].Value, "!!!!"...)
	if string(src) != `{"a":[1],"b":2}` {
		t.Errorf("source is now %s", src)
	}
}

func TestAppendString(t *testing.T) {
	for _, tt := range []struct{ s, want string }{
		{"", `""`},
		{"plain <&> é 😀", `"plain <&> é 😀"`},
		{"\u2028\u2029\x7f/", "\"\u2028\u2029\x7f/\""},
		{"a\"b\\c", `"a\"b\\c"`},
		{"\b\f\n\r\t\x00\x1f", `"\b\f\n\r\t\u0000\u001f"`},
		{"\xffa\xe2\x82", "\"\ufffda\ufffd\ufffd\""},
		{strings.Repeat("x", 20) + "\n", `"` + strings.Repeat("x", 20) + `\n"`},
	} {
		if got := string(AppendString([]byte("> "), tt.s)); got != "> "+tt.want {
			t.Errorf("AppendString(%q) = %s, want %s", tt.s, got, tt.want)
		}
		if got := string(AppendStringBytes([]byte("> "), []byte(tt.s))); got != "> "+tt.want {
			t.Errorf("AppendStringBytes(%q) = %s, want %s", tt.s, got, tt.want)
		}
	}
}

func TestAppendCompact(t *testing.T) {
	for _, tt := range []struct{ value, want string }{
		{`1e2`, `1e2`},
		{" {\r\n\t\"a b\" : [ 1.0 , \"\\u0061 \\\" \" ] }\n", `{"a b":[1.0,"\u0061 \" "]}`},
		{``, ``},
		{`"open `, `"open `},
	} {
		if got := string(AppendCompact(nil, []byte(tt.value))); got != tt.want {
			t.Errorf("AppendCompact(%q) = %s, want %s", tt.value, got, tt.want)
		}
	}
}

func TestWriter(t *testing.T) {
	w := NewWriter([]byte("> "))
	if w.Len() != 0 {
		t.Errorf("Len() = %d", w.Len())
	}
	w.String("a\n", "<\">")
	w.Bool("b", true)
	w.Int("c", -7)
	w.Raw("d", []byte(`[1e2, 3]`))
	w.Raw("e", nil)
	w.Object("f", Object{{Name: "x", Value: []byte(`1`)}, {Name: "y"}})
	w.Object("g", nil)
	if w.Len() != 7 {
		t.Errorf("Len() = %d", w.Len())
	}
	const want = `> {"a\n":"<\">","b":true,"c":-7,"d":[1e2, 3],"e":null,"f":{"x":1,"y":null},"g":{}}`
	if d := cmp.Diff(want, string(w.Bytes())); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	w = NewWriter(nil)
	if got := string(w.Bytes()); got != `{}` {
		t.Errorf("empty object %s", got)
	}
}
