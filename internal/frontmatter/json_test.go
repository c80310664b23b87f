package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var extracts = []struct {
	md, want string
	ok       bool
}{
	{"---\na: 1\n---\ntext\n", "a: 1\n", true},
	{"---\r\na: 1\r\n---\r\n", "a: 1\r\n", true},
	{"\ufeff--- \t\na: 1\n...", "a: 1\n", true},
	{"\ufeff\ufeff---\n---", "", true},
	{"---\na: |\n  ---\n----\n---\n", "a: |\n  ---\n----\n", true},
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
		got, line, ok := Extract([]byte(tt.md))
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
		got, found, err := JSON([]byte("---\n"+tt.yaml+"---\n"), "hooks")
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
		"0": "0", "-0": "-0", "12": "12", "+12": `"+12"`, "0777": `"0777"`, "0o17": `"0o17"`, "0x1f": `"0x1f"`,
		"1_000": `"1_000"`, "1.50": "1.50", "1.": `"1."`, ".5": `".5"`, "1e3": "1e3", "-1.5E-07": "-1.5E-07",
		".inf": `".inf"`, ".nan": `".nan"`, "123456789012345678901234567890": "123456789012345678901234567890",
		"2026-11-20": `"2026-11-20"`, "12:30": `"12:30"`, "'12'": `"12"`, "\"true\"": `"true"`, "<<": `"<<"`,
		"!!str 12": `"12"`, "!!int 12": "12", "!!float 12": "12", "!!bool true": "true",
		"!!int x": "", "!!bool yes": "", "!!float x": "", "!!str": `""`, "!!timestamp 2026-11-20": "",
	} {
		got, _, err := JSON([]byte("---\nhooks: "+in+"\n---\n"), "hooks")
		if (err != nil) != (want == "") || err == nil && want != "" && strings.TrimSpace(string(got)) != want {
			t.Errorf("%s is %s (%v), want %s", in, got, err, want)
		}
	}
}

func TestNotFound(t *testing.T) {
	for _, md := range []string{
		"", "# hooks\n", "---\nhooks: 1\n", "---\n---\n", "---\n# hooks\n---\n", "---\nname: hooks\n---\n",
		"---\n- hooks\n---\n", "---\nhooks\n---\n", "---\na: {hooks: 1}\n---\n", "---\nnot: [yaml\n---\n",
	} {
		if got, found, err := JSON([]byte(md), "hooks"); got != nil || found || err != nil {
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

func TestJSONRefuses(t *testing.T) {
	for _, tt := range []struct{ yaml, want string }{
		{"hooks: a: b\n", "2:9: mapping values are not allowed in this context"},
		{"x: 1\r\nhooks: a: b\r\n", "3:9: mapping values are not allowed in this context"},
		{"hooks:\n\ta: b\n", "3:1: YAML doesn't allow tabs for indentation; use spaces"},
		{"x: 1\nhooks:\n  a: 1\n\tb: 2\n", "5:1: YAML doesn't allow tabs for indentation; use spaces"},
		{"hooks:\n  a: 1\n  b: @x\n", "4:6: found character that cannot start any token"},
		{"hooks:\n  a: \"x\n\n", "3:6: this quote is never closed"},
		{"hooks:\n  a: [x, {b: c\n\n", "3:10: this bracket is never closed"},
		{"hooks: \"\\q\"\n", "2:9: found unknown escape character"},
		{"hooks: \x01\n", "2:8: control characters are not allowed"},
		{"a: é\nhooks: é\xff\n", "3:9: invalid UTF-8"},
		{"hooks: *x\n", "2:8: unknown anchor 'x' referenced"},
		{"a: &x 1\nhooks: [1, *x]\n", "3:12: aliases are not followed"},
		{"a: &x 1\nhooks: {*x : 1}\n", "3:9: aliases are not followed"},
		{"hooks: &a [*a]\n", "2:12: aliases are not followed"},
		{bomb(), "12:8: aliases are not followed"},
		{"a: &x {b: 1}\nhooks:\n  <<: *x\n", "4:3: merge keys are not followed"},
		{"a: &x {hooks: 1}\n<<: *x\n", "3:1: merge keys and aliases are not followed"},
		{"a: &x {b: 1}\nhooks:\n  <<: *x\n  ? {q: 1}\n  : 2\n", "4:3: merge keys are not followed"},
		{"hooks:\n  ? [a]\n  : 2\n", "3:5: a key that is not a scalar"},
		{"hooks: 1\na: 1\nhooks: 2\n", `4:1: second key "hooks"`},
		{"hooks: 1\na:\n - {b: 1, c: 2, \"b\": 3}\n", `4:17: second key "b"`},
		{"hooks:\n  1: a\n  \"1\": b\n", `4:3: second key "1"`},
		{"hooks: !x 1\n", "2:8: the tag !x is not read here"},
		{"hooks: [!!set {a}]\n", "2:9: the tag !!set is not read here"},
		{"hooks: !!binary aGk=\n", "2:8: the tag !!binary is not read here"},
		{"hooks: !!map [a]\n", "2:8: the tag !!map is not read here"},
		{"hooks: 1\n--- x\n", "3:1: second YAML document"},
		{"hooks: " + strings.Repeat("[", 99) + strings.Repeat("]", 99), ""},
		{"hooks: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), "2:107: nested more than 100 levels deep"},
		{"hooks: " + strings.Repeat("[", 1<<19), "2:107: nested more than 100 levels deep"},
		{"hooks: 1\n" + strings.Repeat("# xx\n", 1<<18), "1:1: front matter of more than 1048576 bytes"},
	} {
		name := tt.yaml[:min(len(tt.yaml), 60)]
		got, _, err := JSON([]byte("---\n"+tt.yaml+"\n---\n"), "hooks")
		if err == nil {
			if tt.want != "" {
				t.Errorf("JSON(%q) = %q, want %s", name, got, tt.want)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("JSON(%q): %v, want %s", name, err, tt.want)
		}
	}
}

// TestSlow holds that no megabyte takes long.
func TestSlow(t *testing.T) {
	for _, unit := range []string{"# x\n", "a:\n", "- ", "\n", "x ", "? ", "{", "[", "\"", "'\n", "! ", "&a ", "- - \n",
		"a: [", ": ", "k: |\n", " #\n"} {
		md := "---\nhooks: 1\n" + strings.Repeat(unit, MaxSize/2/len(unit)) + "\n---\n"
		start := time.Now()
		_, _, err := JSON([]byte(md), "hooks")
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("half a megabyte of %q takes %v (%v)", unit, d, err)
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
	f.Fuzz(func(t *testing.T, md []byte) {
		got, found, err := JSON(md, "hooks")
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
