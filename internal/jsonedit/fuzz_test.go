package jsonedit

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// model is encoding/json's reading of src, with number text kept.
func model(t *testing.T, src []byte) (v any) {
	t.Helper()
	text, err := Standard(src)
	if err != nil || len(text) != len(src) || bytes.Count(text, []byte{'\n'}) != bytes.Count(src, []byte{'\n'}) {
		t.Fatalf("Standard(%q) = %q, %v", src, text, err)
	}
	for bytes.HasPrefix(text, []byte(bom)) {
		text = text[len(bom):]
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("encoding/json refuses %q: %v", text, err)
	}
	return v
}

// put returns v with value at toks: in the array there, or as a field.
func put(v any, toks []string, value any, set bool) any {
	if len(toks) == 0 {
		if set {
			return value
		}
		list, _ := v.([]any)
		return append(list, value)
	}
	if list, ok := v.([]any); ok {
		i, _ := strconv.Atoi(toks[0])
		list[i] = put(list[i], toks[1:], value, set)
		return list
	}
	obj, ok := v.(map[string]any)
	if !ok {
		obj = map[string]any{}
	}
	obj[toks[0]] = put(obj[toks[0]], toks[1:], value, set)
	return obj
}

// within reports whether src is got without some of its bytes.
func within(src, got []byte) bool {
	for _, c := range got {
		if len(src) > 0 && src[0] == c {
			src = src[1:]
		}
	}
	return len(src) == 0
}

// checkInsert checks the laws for got, which Insert returned.
func checkInsert(t *testing.T, src []byte, path string, value, got []byte) {
	t.Helper()
	toks, err := tokens(path)
	if err != nil {
		t.Fatal(err)
	}
	want := put(model(t, src), toks, model(t, value), false)
	if have := model(t, got); !reflect.DeepEqual(have, want) {
		t.Errorf("Insert(%q, %q, %s) = %q, which is %v", src, path, value, got, have)
	}
	if !within(src, got) {
		t.Errorf("Insert(%q, %q) = %q, which has lost something", src, path, got)
	}
	made, err := Absent(src, path)
	if err != nil {
		t.Fatal(err)
	}
	if made == "" {
		elems, err := Elements(got, path)
		if err != nil {
			t.Fatal(err)
		}
		made = path + "/" + strconv.Itoa(len(elems)-1)
	}
	if back, err := Remove(got, made); err != nil || !bytes.Equal(back, src) {
		t.Errorf("Remove(%q, %q) = %q, %v, want %q", got, made, back, err, src)
	}
}

func FuzzInsert(f *testing.F) {
	for _, tt := range inserts {
		f.Add([]byte(tt.src), tt.path, []byte(tt.value))
	}
	f.Add([]byte("{\r\n\t// a\r\n\t\"hooks\": [\r\n\t\t1, /* b */\r\n\t],\r\n}\r\n"), "/hooks", []byte(hook))
	f.Add([]byte("{\"a\": [ /* x */ /* y */\n // z\n ], \"b\": { /* [ */ }}"), "/a", []byte(`""`))
	f.Add([]byte("{\"a\": {\n}, \"b\":\n\n [ ]}"), "/a/b", []byte(`{}`))
	f.Fuzz(func(t *testing.T, src []byte, path string, value []byte) {
		orig := bytes.Clone(src)
		if got, err := Insert(src, path, value); err == nil {
			checkInsert(t, src, path, value, got)
		} else if strings.Contains(err.Error(), "cannot be edited") && !strings.Contains(err.Error(), "deep") {
			t.Errorf("Insert(%q, %q, %s): %v", src, path, value, err)
		}
		if got, err := Set(src, path, value); err == nil {
			toks, _ := tokens(path)
			if want := put(model(t, src), toks, model(t, value), true); !reflect.DeepEqual(model(t, got), want) {
				t.Errorf("Set(%q, %q, %s) = %q", src, path, value, got)
			}
			made, _ := Absent(src, path)
			if back, err := Remove(got, made); err != nil || !bytes.Equal(back, src) {
				t.Errorf("Remove(%q, %q) = %q, %v, want %q", got, made, back, err, src)
			}
		}
		// Every existing element and field can be removed; a lone carriage return ends no comment, so the text after
		// one may be rejected.
		if d, err := parse(src); err == nil && !loneReturn(src) {
			for v := range d.root.All() {
				g := groupOf(v)
				for i := 0; g != nil && i < len(g.items); i++ {
					got, err := d.apply(d.remove(g, i), spot{v: v}, len(g.items)-1)
					if err != nil || !within(got, src) || bytes.Count(got, []byte("//")) < bytes.Count(src,
						[]byte("//"))-bytes.Count(src[len(d.marks):][g.items[i].start:g.items[i].end], []byte("//")) {
						t.Errorf("%q without item %d at %d: %q, %v", src, i, g.open, got, err)
					}
				}
			}
		}
		if !bytes.Equal(src, orig) {
			t.Errorf("%q became %q", orig, src)
		}
	})
}

func loneReturn(src []byte) bool {
	return bytes.Contains(bytes.ReplaceAll(src, []byte("\r\n"), nil), []byte("\r"))
}
