package tomljson

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

func TestDocument(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "{}"},
		{"a = 1\nb.c = 'x'\nb.d = \"é\\n\"\n", `{"a":1,"b":{"c":"x","d":"é\n"}}`},
		{"[a.b]\nx = [1, 'y', {z = true}]\n", `{"a":{"b":{"x":[1,"y",{"z":true}]}}}`},
		{"[[h.E]]\nm = 'x'\n[[h.E.hooks]]\nc = 1\n[[h.E.hooks]]\nc = 2\n[[h.E]]\nm = 'y'\n",
			`{"h":{"E":[{"m":"x","hooks":[{"c":1},{"c":2}]},{"m":"y"}]}}`},
		{"[a]\n[h]\nx = 1\n[a.b]\ny = 2\n", `{"a":{"b":{"y":2}},"h":{"x":1}}`},
		{"a = 0x1f\nb = 1_000\nc = +5\nd = inf\ne = 1979-05-27\nf = 1.5\n",
			`{"a":31,"b":1000,"c":5,"d":"inf","e":"1979-05-27","f":1.5}`},
		{"[projects.\"/a/b\"]\ntrust_level = \"trusted\"\n", `{"projects":{"/a/b":{"trust_level":"trusted"}}}`},
	} {
		got, _, err := Document([]byte(tt.text))
		if err != nil || string(got) != tt.want {
			t.Errorf("%q: %s %v, want %s", tt.text, got, err, tt.want)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a = \n", "1:"}, {"x = 1\na = 'x\n", "2:"}, {"a = 1\na = 2\n", "2:1: \"a\" is defined twice"},
		{"a = 1\n[a]\n", "2:2: \"a\" is a value already"}, {"[a]\n[[a]]\n", "a table already"},
		{"[[a]]\n[a]\n", "a list already"}, {"a = []\n[a.b]\n", "a list already"},
		{"a = [1]\n[[a]]\nb = 1\n[a.c]\n", ""},
	} {
		_, _, err := Document([]byte(tt.text))
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestPosition(t *testing.T) {
	json, m, err := Document([]byte("# c\n[[h.E]]\nmatcher = 'x'\n\n  [[h.E.hooks]]\n  command = 'y'\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		part      string
		line, col int
	}{{`"h"`, 2, 3}, {`"matcher"`, 3, 1}, {`"x"`, 3, 1}, {`"command"`, 6, 3}, {`"y"`, 6, 3}} {
		if line, col := m.Position(strings.Index(string(json), tt.part)); line != tt.line || col != tt.col {
			t.Errorf("%s: %d:%d, want %d:%d", tt.part, line, col, tt.line, tt.col)
		}
	}
}

func FuzzDocument(f *testing.F) {
	f.Add("[[h.E]]\nm = 'x'\n[a]\nb = {c = [1, 2.5]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		json, m, err := Document([]byte(text))
		if err != nil {
			return
		}
		if _, err := ordjson.Parse(json); err != nil {
			t.Fatalf("%q: %s: %v", text, json, err)
		}
		m.Position(len(json) / 2)
	})
}
