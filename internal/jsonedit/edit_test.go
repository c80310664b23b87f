package jsonedit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const hook = `{"type":"command","args":[],"n":[1,2]}`

// inserts are the results of Insert for src. In every row except those with absent parents, removing the element again
// must give src.
var inserts = []struct{ src, path, value, want string }{
	{"[1, 2]", "", "3", "[1, 2, 3]"},
	{"[1,2]", "", "3", "[1,2,3]"},
	{"[ 1 ]", "", "2", "[ 1, 2 ]"},
	{"[1,]", "", "2", "[1, 2,]"},
	{"[1, ]", "", "2", "[1, 2, ]"},
	{"[1 /* c */]", "", "2", "[1, /* c */ 2]"},
	{"[1 /* c */ , /* d */]", "", "2", "[1 /* c */ , /* d */ 2,]"},
	{"[1 // c\n]", "", "2", "[1, // c\n  2\n]"},
	{"[1\n]", "", "2", "[1, 2\n]"},
	{"[]", "", "1", "[\n  1\n]"},
	{"[ ]", "", "1", "[ 1 ]"},
	{"[\n]", "", "1", "[\n1\n]"},
	{"[/* c */]", "", "1", "[/* c */ 1]"},
	{"[ // c\n]", "", "1", "[ // c\n  1\n]"},
	{"[ // c\r\r\n]", "", "1", "[ // c\r\n  1\r\r\n]"},
	{"[/* c\n */]", "", "1", "[/* c\n */\n  1]"},
	{"[\n\t1\n]", "", hook, "[\n\t1,\n\t{\n\t\t\"type\": \"command\",\n\t\t\"args\": [],\n\t\t\"n\": [\n\t\t\t1,\n" +
		"\t\t\t2\n\t\t]\n\t}\n]"},
	{"[\r\n    1,\r\n    2 // c\r\n]\r\n", "", "3", "[\r\n    1,\r\n    2, // c\r\n    3\r\n]\r\n"},
	{"[\n  1,\n  // 2,\n\n]\n", "", "3", "[\n  1,\n  // 2,\n  3,\n\n]\n"},
	{"[\n  1]", "", "3", "[\n  1,\n  3]"},
	{"[{\n  \"a\": 1\n}]", "", `{"b":2}`, "[{\n  \"a\": 1\n}, {\n  \"b\": 2\n}]"},
	{"[\n  {\"a\": 1},\n  {\"a\": 2}\n]", "", `{"a":3}`, "[\n  {\"a\": 1},\n  {\"a\": 2},\n  {\"a\": 3}\n]"},
	{`{"a":[]}`, "/a", `{"b":[1,2]}`, `{"a":[{"b":[1,2]}]}`},
	{`{"a": [{"b": 1}]}`, "/a", `{"b":[1,2]}`, `{"a": [{"b": 1}, {"b": [1, 2]}]}`},
	{"{\n  \"a\": []\n}", "/a", "1", "{\n  \"a\": [\n    1\n  ]\n}"},
	{"{\n  \"a\": {\"b\": []}\n}", "/a/b", "{\"c\":1}", "{\n  \"a\": {\"b\": [{\"c\": 1}]}\n}"},
	{"\ufeff{\n  \"a~/\": [[], [1]]\n} // end", "/a~0~1/1", "2", "\ufeff{\n  \"a~/\": [[], [1, 2]]\n} // end"},
	{"{\"\\u0061\": [1]}", "/a", "2", "{\"\\u0061\": [1, 2]}"},
	// Parents that must be created.
	{"{}", "/hooks/Stop", hook, "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"type\": \"command\",\n      " +
		"  \"args\": [],\n        \"n\": [\n          1,\n          2\n        ]\n      }\n    ]\n  }\n}"},
	{"{}\n", "/a", "1", "{\n  \"a\": [\n    1\n  ]\n}\n"},
	{`{"x":1}`, "/a/b", `"\/é"`, `{"x":1,"a":{"b":["\/é"]}}`},
	{`{"x": 1}`, "/a\n", `{"b":[1,2]}`, `{"x": 1, "a\n": [{"b": [1, 2]}]}`},
	{"{\n\t\"x\": {}, // c\n\t// d\n}\n", "/x/y", "1",
		"{\n\t\"x\": {\n\t\t\"y\": [\n\t\t\t1\n\t\t]\n\t}, // c\n\t// d\n}\n"},
	{"{\n\t\"x\": 1, // c\n\t// d\n}\n", "/y", "1", "{\n\t\"x\": 1, // c\n\t// d\n\t\"y\": [\n\t\t1\n\t],\n}\n"},
}

func TestInsert(t *testing.T) {
	for _, tt := range inserts {
		got, err := Insert([]byte(tt.src), tt.path, []byte(tt.value))
		if err != nil {
			t.Errorf("Insert(%q, %q): %v", tt.src, tt.path, err)
			continue
		}
		if d := cmp.Diff(tt.want, string(got)); d != "" {
			t.Errorf("Insert(%q, %q) (-want +got):\n%s", tt.src, tt.path, d)
		}
		checkInsert(t, []byte(tt.src), tt.path, []byte(tt.value), got)
	}
}

func TestSet(t *testing.T) {
	for _, tt := range []struct{ src, path, value, want string }{
		{"{}", "/a", "1", "{\n  \"a\": 1\n}"},
		{"{ }", "/a", "1", "{ \"a\": 1 }"},
		{`{"a":1}`, "/b/c", "true", `{"a":1,"b":{"c":true}}`},
		{"{\n    \"a\": 1, // one\n    /* two */\n}", "/b", `{"c":[]}`,
			"{\n    \"a\": 1, // one\n    /* two */\n    \"b\": {\n        \"c\": []\n    },\n}"},
		{`[{"a": 1}]`, "/0/b", "2", `[{"a": 1, "b": 2}]`},
	} {
		got, err := Set([]byte(tt.src), tt.path, []byte(tt.value))
		if err != nil {
			t.Errorf("Set(%q, %q): %v", tt.src, tt.path, err)
			continue
		}
		if d := cmp.Diff(tt.want, string(got)); d != "" {
			t.Errorf("Set(%q, %q) (-want +got):\n%s", tt.src, tt.path, d)
		}
		made, err := Absent([]byte(tt.src), tt.path)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := Remove(got, made); err != nil || string(back) != tt.src {
			t.Errorf("Remove(%q, %q) = %q, %v, want %q", got, made, back, err, tt.src)
		}
	}
}

func TestRemove(t *testing.T) {
	for _, tt := range []struct{ src, path, want string }{
		{"[1, 2, 3]", "/0", "[2, 3]"},
		{"[1, 2, 3]", "/1", "[1, 3]"},
		{"[1, 2, 3]", "/2", "[1, 2]"},
		{"[1,2,]", "/1", "[1,]"},
		{"[1,2,]", "/0", "[2,]"},
		{"[ 1, ]", "/0", "[ ]"},
		{"[1]", "/0", "[]"},
		{"[\n  1\n]", "/0", "[]"},
		{"[\n  1,\n  2,\n  3\n]", "/0", "[\n  2,\n  3\n]"},
		{"[\r\n  1,\r\n  2,\r\n  3\r\n]", "/1", "[\r\n  1,\r\n  3\r\n]"},
		{"[\n  1,\n  2,\n  3\n]", "/2", "[\n  1,\n  2\n]"},
		{"[\n  1, // one\n  2 // two\n]", "/0", "[\n  // one\n  2 // two\n]"},
		{"[\n  1, // one\n  2 // two\n]", "/1", "[\n  1 // one\n  // two\n]"},
		{"[\n  1 /* one */, 2\n]", "/0", "[\n  /* one */ 2\n]"},
		{"[1, // one\n 2]", "/1", "[1 // one\n ]"},
		{"[1 // one\n, 2]", "/1", "[1 // one\n]"},
		{"[1, // one\n 2]", "/0", "[// one\n 2]"},
		{"[// one\n1]", "/0", "[// one\n]"},
		{"{\n  // why\n  \"a\": 1,\n\n  \"b\": 2\n}", "/a", "{\n  // why\n\n  \"b\": 2\n}"},
		{"{\n  \"a\": {\"b\": [1]}, \"c\": 2\n}", "/a/b", "{\n  \"a\": {}, \"c\": 2\n}"},
		{"{\n  \"a\": {\"b\": [1]}, \"c\": 2\n}", "/a", "{\n  \"c\": 2\n}"},
		{"{\n  \"a\": {\"b\": [1]}, \"c\": 2\n}", "/c", "{\n  \"a\": {\"b\": [1]}\n}"},
		{"\ufeff{\"a\": 1, \"\\u0062\" : 2} //x", "/b", "\ufeff{\"a\": 1} //x"},
	} {
		got, err := Remove([]byte(tt.src), tt.path)
		if err != nil || string(got) != tt.want {
			t.Errorf("Remove(%q, %q) = %q, %v, want %q", tt.src, tt.path, got, err, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	insert := func(src, path string) error { _, err := Insert([]byte(src), path, []byte("1")); return err }
	set := func(src, path string) error { _, err := Set([]byte(src), path, []byte("1")); return err }
	remove := func(src, path string) error { _, err := Remove([]byte(src), path); return err }
	value := func(src, path string) error { _, err := Insert([]byte("[]"), "", []byte(src)); return err }
	for _, tt := range []struct {
		do              func(src, path string) error
		src, path, want string
	}{
		{insert, "", "", "1:1: parsing value: unexpected EOF"},
		{insert, "{\"a\": tru}", "", "1:7: invalid literal: tru"},
		{insert, "\ufeff{\n\"é\": é}", "", "2:6: invalid character 'é' at start of value"},
		{insert, "[1\xff]", "", "1:3: invalid UTF-8"},
		{insert, "{\"a\":1,\n \"\\u0061\":2}", "/b", `2:2: second field named "a"`},
		{insert, strings.Repeat("[", 1e6), "", "1:257: nested more than 256 levels deep"},
		{insert, "[\"[\", /*[*/ //[\n" + strings.Repeat("[", 256), "", "2:256: nested more than 256 levels deep"},
		{insert, strings.Repeat(" ", MaxSize+1), "", "1:1: text of more than 16777216 bytes"},
		{insert, "[]", "a", `jsonedit: "a" is not a JSON Pointer`},
		{insert, "[]", "/~2", `jsonedit: "/~2" is not a JSON Pointer`},
		{insert, "[]", "/0", "1:1: there is no element 0"},
		{insert, "[]", "/a", `1:1: expected an object, got an array`},
		{insert, "[1]", "/00", `1:1: expected an object, got an array`},
		{insert, "{\"a\":\n {}}", "/a", "2:2: expected an array, got an object"},
		{insert, `{"a": null}`, "/a", "1:7: expected an array, got null"},
		{insert, `{"a": "x"}`, "/a/b", `1:7: expected an object, got a string`},
		{set, `{"a": 1}`, "/a", `1:2: there is a value at "/a" already`},
		{set, `{"a": 1}`, "", `1:1: there is a value at "" already`},
		{set, `[1]`, "/1", `1:1: there is no element 1`},
		{remove, `{"a": 1}`, "/b", `1:1: there is nothing at "/b"`},
		{remove, `[1]`, "/1", `1:1: there is nothing at "/1"`},
		{remove, `[1]`, "", `1:1: the whole text cannot be removed`},
		{value, "[1,]", "", "jsonedit: the value to insert: not valid JSON"},
		{value, "1 // c", "", "jsonedit: the value to insert: not valid JSON"},
		{value, "1 2", "", "jsonedit: the value to insert: 1:3: invalid character '2' after top-level value"},
		{value, strings.Repeat("[", 256) + strings.Repeat("]", 256), "",
			"jsonedit: this cannot be edited in place: 257:513: nested more than 256 levels deep"},
	} {
		if err := tt.do(tt.src, tt.path); err == nil || err.Error() != tt.want {
			t.Errorf("%.40q %s: %v, want %s", tt.src, tt.path, err, tt.want)
		}
	}
}

func TestElements(t *testing.T) {
	src := []byte("\ufeff{\"a\": [1, /* c */ {\"b\": [2, ], }, \"//\", ], \"e\": [], \"n\": null}")
	got, err := Elements(src, "/a")
	if d := cmp.Diff([][]byte{[]byte("1"), []byte(`{"b": [2  ]  }`), []byte(`"//"`)}, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if got, err := Elements(src, "/e"); got == nil || len(got) != 0 || err != nil {
		t.Errorf("empty array: %q, %v", got, err)
	}
	if got, err := Elements(src, "/x/y"); got != nil || err != nil {
		t.Errorf("no array: %q, %v", got, err)
	}
	if got, err := Elements(src, "/n"); got != nil || err == nil {
		t.Errorf("null: %q, %v", got, err)
	}
	if string(src[:8]) != "\ufeff{\"a\":" {
		t.Error("the source was changed")
	}
}

func TestReplace(t *testing.T) {
	for _, tt := range []struct{ src, path, value, want string }{
		{"{\n  \"a\": [\n    {\"x\": 1},  // one\n    {\"x\": 2}\n  ]\n}\n", "/a/0", `{"y":3}`,
			"{\n  \"a\": [\n    {\"y\": 3},  // one\n    {\"x\": 2}\n  ]\n}\n"},
		{"{\n\t\"a\": {\n\t\t\"x\": 1\n\t},\n\t\"b\": 2\n}", "/a", `{"y":3}`,
			"{\n\t\"a\": {\n\t\t\"y\": 3\n\t},\n\t\"b\": 2\n}"},
		{`{"a":[1,2]}`, "/a/1", `{"y":3}`, `{"a":[1,{"y":3}]}`},
		{`{"a":[1,2]}`, "/a/2", `3`, ""}, {`{"a":1}`, "", `3`, ""}, {`{"a":1}`, "/b", `3`, ""},
	} {
		got, err := Replace([]byte(tt.src), tt.path, []byte(tt.value))
		if string(got) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s in %s:\n%s, %v", tt.path, tt.src, got, err)
		}
	}
}
