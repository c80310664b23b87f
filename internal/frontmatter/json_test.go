package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var extracts = []struct {
	md, want string
	ok       bool
}{
	{"---\na: 1\n---\ntext\n", "a: 1\n", true},
	{"---\r\na: 1\r\n---\r\n", "a: 1\r\n", true},
	{"\ufeff--- \t\na: 1\n---", "a: 1\n", true},
	{"\ufeff\ufeff---\n---", "", false},
	{"---\na: 1\n...\n", "", false},
	{"---\na: |\n  ---\n----\n---\n", "a: |\n  ---\n", true},
	{"---\na: b --- c\n--- d\n", "a: b --- c\n", true},
	{"---\na: 1\n", "", false},
	{"---", "", false},
	{"---\n", "", false},
	{"", "", false},
	{"\n---\na: 1\n---\n", "", false},
	{" ---\na: 1\n---\n", "", false},
	{"--- a\nb: 1\n---\n", "", false},
	{"# Title\n---\na: 1\n---\n", "", false},
}

func TestExtract(t *testing.T) {
	for _, tt := range extracts {
		got, line, ok := Rules{}.Extract([]byte(tt.md))
		if string(got) != tt.want || ok != tt.ok || ok && line != 2 {
			t.Errorf("Extract(%q) = %q, %d, %v, want %q", tt.md, got, line, ok, tt.want)
		}
	}
}

var converted = []struct{ yaml, want string }{
	{"hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: \"x\"\n",
		"\n\n {\"PreToolUse\":\n   [{\"matcher\":\"Bash\",\n      \"hooks\":\n       [{\"type\":\"command\",\n      " +
			"   \"command\":\"x\"}]}]}"},
	{"hooks:\n- a: 1\n  b: 2\n- c\n", "\n\n[{\"a\":1,\n \"b\":2},\n  \"c\"]"},
	{"name: x\nhooks:\n  \"Stop\":\n    -   type: 'command'\n        command: y\n",
		"\n\n\n {\"Stop\":\n    [ {\"type\":\"command\",\n       \"command\":\"y\"}]}"},
	// Groups without a hooks list, as agents converted from elsewhere have them.
	{"hooks:\n  Stop:\n    - matcher: \"\"\n      command: a # why\n",
		"\n\n {\"Stop\":\n   [{\"matcher\":\"\",\n     \"command\":\"a\"}]}"},
	{"hooks:\n  pre: |\n    echo a\n    echo b\n  # between\n  post: >-\n    one\n    two\n",
		"\n\n{\"pre\":\"echo a\\necho b\\n\",\n\n\n\n \"post\":\"one two\"}"},
	{"hooks: {a: b, c: [1, 2]}\n", "\n      {\"a\":\"b\",\"c\":[1,2]}"},
	{"hooks: {\r\n  \"a\": b\r\n}\r\n", "\n       {\n  \"a\": \"b\"}"},
	{"hooks:\n  a:\n  b: ~\n  c: ''\n", "\n\n {\"a\":null,\n \"b\":null,\n \"c\":\"\"}"},
	{"hooks:\n", "\nnull"},
	{"hooks: []\n", "\n       []"},
	{"hooks: {}\n", "\n       {}"},
	{"hooks: \"a\\tb\\0\\\\\\\"é\"\n", "\n       \"a\\tb\\u0000\\\\\\\"é\""},
	{"x: \"\\r\u2028\"\nhooks: 1\n", "\n\n       1"},
	{"\"hoo\\x6bs\": 1\n", "\n            1"},
	{"hooks: &unused 1\n", "\n       1"},
	{"x: &a 1\ny: *a\nz: !odd 1\nhooks: 1\n", "\n\n\n\n       1"},
	{"hooks: {1: a, true: b, null: c, \"<<\": d}\n",
		"\n      {\"1\":\"a\",\"true\":\"b\",\"null\":\"c\",\"<<\":\"d\"}"},
}

func TestJSON(t *testing.T) {
	for _, tt := range converted {
		got, found, err := Rules{}.JSON([]byte("---\n"+tt.yaml+"---\n"), "hooks")
		if err != nil || !found {
			t.Errorf("JSON(%q): found %v, %v", tt.yaml, found, err)
			continue
		}
		if d := cmp.Diff(tt.want, string(got)); d != "" {
			t.Errorf("JSON(%q) (-want +got):\n%s", tt.yaml, d)
		}
	}
}

func TestScalars(t *testing.T) {
	for in, want := range map[string]string{
		"true": "true", "TRUE": "true", "False": "false", "null": "null", "~": "null", "Null": "null",
		"yes": `"yes"`, "no": `"no"`, "on": `"on"`, "off": `"off"`, "y": `"y"`,
		"0": "0", "-0": "-0", "12": "12", "+12": "12", "0777": "777", "0o17": "15", "0x1f": "31",
		"1_000": `"1_000"`, "1.50": "1.50", "1.": "1", ".5": "0.5", "1e3": "1e3", "-1.5E-07": "-1.5E-07",
		".inf": `".inf"`, ".nan": `".nan"`, "123456789012345678901234567890": "123456789012345678901234567890",
		"2026-11-20": `"2026-11-20"`, "12:30": `"12:30"`, "'12'": `"12"`, "\"true\"": `"true"`, "<<": `"<<"`,
		"!!str 12": `"12"`, "!!int 12": "12", "!!float 12": "12", "!!bool true": "true",
		"!!int x": `"x"`, "!!bool yes": `"yes"`, "!!float x": `"x"`, "!!str": `""`,
		"!!timestamp 2026-11-20": `"2026-11-20"`,
		"1__0":                   `"1__0"`, "0x": `"0x"`, "0o8": `"0o8"`, "0X1": `"0X1"`, "-0x1": "-1",
		"+.5": "0.5", "-.5": "-0.5", ".": `"."`, "+": `"+"`,
		"--1": `"--1"`, "1e": `"1e"`, "12e03": "12e03", "00.5": "0.5", "e3": `"e3"`, "1.5.5": `"1.5.5"`,
		"12abc":     `"12abc"`,
		"!foo true": `"true"`, "!!int true": `"true"`, "!!float 1": "1", "a\x01b": `"a\u0001b"`,
	} {
		got, _, err := Rules{}.JSON([]byte("---\nhooks: "+in+"\n---\n"), "hooks")
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%s is %s (%v), want %s", in, got, err, want)
		}
	}
}

func TestNotFound(t *testing.T) {
	for _, md := range []string{
		"", "# hooks\n", "---\nhooks: 1\n", "---\n---\n", "---\n# hooks\n---\n", "---\nname: hooks\n---\n",
		"---\n- hooks\n---\n", "---\nhooks\n---\n", "---\na: {hooks: 1}\n---\n", "---\nnot: [yaml\n---\n",
	} {
		if got, found, err := (Rules{}).JSON([]byte(md), "hooks"); got != nil || found || err != nil {
			t.Errorf("JSON(%q) = %q, %v, %v", md, got, found, err)
		}
	}
}

func bomb() string {
	var b strings.Builder
	b.WriteString("a: &a [x]\n")
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		b.WriteString(string(c) + ": &" + string(c) + strings.Replace(" [*p,*p,*p,*p,*p,*p,*p,*p]", "*p", "*"+p, -1) +
			"\n")
	}
	return b.String() + "hooks: *j\n"
}

// refused are documents that all readers reject.
var refused = []struct{ yaml, want string }{
	{"hooks: a: b\n", "2:9: mapping values are not allowed in this context"},
	{"x: 1\r\nhooks: a: b\r\n", "3:9: mapping values are not allowed in this context"},
	{"hooks:\n\ta: b\n", "3:1: YAML doesn't allow tabs for indentation; use spaces"},
	{"x: 1\nhooks:\n  a: 1\n\tb: 2\n", "5:1: YAML doesn't allow tabs for indentation; use spaces"},
	{"hooks:\n  a: 1\n  b: @x\n", "4:6: found character that cannot start any token"},
	{"hooks:\n  a: \"x\n\n", "3:6: this quote is never closed"},
	{"hooks:\n  a: [x, {b: c\n\n", "3:14: expected a comma, or the end of this bracket"},
	{"hooks: \"\\q\"\n", "2:9: found unknown escape character"},
	{"hooks: \x00\n", "2:8: control characters are not allowed"},
	{"a: é\nhooks: é\xff\n", "3:9: invalid UTF-8"},
	{"hooks: *x\n", "2:8: unknown anchor 'x' referenced"},
	{"hooks: 1\n...\na: 1\n", "4:1: second YAML document"},
	{"hooks:\n  ? [a]\n  : 2\n", "3:5: a key that is not a scalar"},
	{"hooks: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), "2:107: nested more than 100 levels deep"},
	{"hooks: " + strings.Repeat("[", 1<<19), "2:1: nested more than 100 levels deep"},
	{"hooks: 1\n" + strings.Repeat("# xx\n", 1<<18), "1:1: front matter of more than 1048576 bytes"},
}

func TestJSONRefuses(t *testing.T) {
	for _, tt := range append(refused, []struct{ yaml, want string }{
		{"hooks: &a [*a]\n", "2:12: nested more than 100 levels deep"},
		{bomb(), "12:8: aliases stand for more than 10,000 values"},
		{strings.ReplaceAll(strings.ReplaceAll(bomb(), "[", "{<<: ["), "]", "]}"),
			"11:8: aliases stand for more than 10,000 values"},
	}...) {
		got, found, err := Rules{}.JSON([]byte("---\n"+tt.yaml+"\n---\n"), "hooks")
		var e *Error
		if got != nil || found || !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("JSON(%.60q) = %.60q, %v, want %s", tt.yaml, got, err, tt.want)
		}
	}
	if got, _, err := (Rules{}).JSON([]byte("---\nhooks: "+strings.Repeat("[", 99)+strings.Repeat("]", 99)+"\n---\n"),
		"hooks"); err != nil {
		t.Errorf("99 levels: %s, %v", got, err)
	}
}

// TestDocumentRefuses checks that each line of hookbridge's own documents is clear without other lines.
func TestDocumentRefuses(t *testing.T) {
	for _, tt := range append(refused[:len(refused)-1], []struct{ yaml, want string }{
		{"hooks: \x01\n", "2:8: control characters are not allowed"},
		{"a: &x 1\nhooks: [1, *x]\n", "3:12: aliases are not followed"},
		{"a: &x 1\nhooks: {*x : 1}\n", "3:9: aliases are not followed"},
		{"hooks: &a [*a]\n", "2:12: aliases are not followed"},
		{"a: &x {b: 1}\nhooks:\n  <<: *x\n", "4:3: merge keys are not followed"},
		{"hooks: 1\na: 1\nhooks: 2\n", `4:1: second key "hooks"`},
		{"hooks: 1\na:\n - {b: 1, c: 2, \"b\": 3}\n", `4:17: second key "b"`},
		{"hooks:\n  1: a\n  \"1\": b\n", `4:3: second key "1"`},
		{"hooks: !x 1\n", "2:8: the tag !x is not read here"},
		{"hooks: [!!set {a}]\n", "2:9: the tag !!set is not read here"},
		{"hooks: !!binary aGk=\n", "2:8: the tag !!binary is not read here"},
		{"hooks: !!map [a]\n", "2:8: the tag !!map is not read here"},
	}...) {
		got, err := Document([]byte("\n" + tt.yaml))
		var e *Error
		if got != nil || !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("Document(%.60q) = %.60q, %v, want %s", tt.yaml, got, err, tt.want)
		}
	}
}

// followed are values that aliases and merge keys add; they have the place of these.
var followed = []struct{ yaml, want string }{
	{"a: &x 1\nhooks: [1, *x]\n", `[1,1]`},
	{"a: &x b\nhooks: {*x : 1}\n", `{"b":1}`},
	{"a: &x b\nhooks:\n  c: 1\n  *x : 2\n", `{"c":1,"b":2}`},
	{"a: &x {b: 1}\nhooks:\n  <<: *x\n", `{"b":1}`},
	{"a: &x {b: 1, c: 2}\nhooks:\n  <<: *x\n  b: 3\n", `{"c":2,"b":3}`},
	{"a: &x {b: 1}\nc: &y {b: 2, d: 3}\nhooks: {<<: [*x, *y]}\n", `{"b":1,"d":3}`},
	{"a: &x {b: 1}\nhooks: {<<: 1, \"<<\": *x}\n", `{"<<":1,"b":1}`},
	{"a: &x {hooks: 1}\n<<: *x\n", `1`},
	{"a: &x {hooks: 1}\n<<: *x\nhooks: 2\n", `2`},
	{"hooks: 1\na: 1\nhooks: 2\n", `2`},
	{"hooks: {a: 1, a: 2}\n", `{"a":1,"a":2}`},
	{"hooks: !x {a: !y b}\n", `{"a":"b"}`},
	{"a: &x\n - b: c\n   d: e\nhooks: *x\n", `[{"b":"c","d":"e"}]`},
	{"? [a]\n: 1\nhooks: 1\n", `1`},
}

func TestFollowed(t *testing.T) {
	for _, tt := range followed {
		got, found, err := Rules{}.JSON([]byte("---\n"+tt.yaml+"---\n"), "hooks")
		if text := strings.Join(strings.Fields(string(got)), ""); err != nil || !found || text != tt.want {
			t.Errorf("%q: %s (%v), want %s", tt.yaml, got, err, tt.want)
		} else {
			samePlaces(t, []byte("---\n"+tt.yaml+"---\n"), got)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, tt := range converted {
		f.Add([]byte("---\n" + tt.yaml + "---\n"))
	}
	for _, tt := range extracts {
		f.Add([]byte(tt.md))
	}
	f.Add([]byte("---\r\nhooks:\r  a: &a\r\n  \u0085b: *a\u2028  <<: 1\r\n---\r\n"))
	f.Add([]byte("---\n\ufeffhooks: é\n? a\n: b\n---\n"))
	f.Add([]byte("---\nx: \"\\r\u2028\"\nhooks:\nhooks:  1\n---\n")) // the last of two keys counts
	for _, tt := range followed {
		f.Add([]byte("---\n" + tt.yaml + "---\n"))
	}
	f.Fuzz(func(t *testing.T, md []byte) {
		got, found, err := Rules{}.JSON(md, "hooks")
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Col < 1 || e.Line > 2+bytes.Count(md, []byte{'\n'})) {
			t.Fatalf("JSON(%q): %#v", md, err)
		}
		if found != (err == nil && got != nil) || found != json.Valid(got) {
			t.Fatalf("JSON(%q) = %q, %v, %v", md, got, found, err)
		}
		if found {
			samePlaces(t, md, got)
		}
	})
}
