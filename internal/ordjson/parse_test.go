package ordjson

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nested returns n nested arrays in an object: n+1 brackets.
func nested(n int) string {
	return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
}

// wide returns an object with n fields, and last as one more.
func wide(n int, last string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		b.WriteString(`"m` + strconv.Itoa(i) + `":0,`)
	}
	return b.String() + last + `}`
}

var accepted = []struct {
	src  string
	want Object
}{
	{`{}`, nil},
	{" \t\r\n{ \t\r\n} \t\r\n", nil},
	{`{"a":1}`, Object{{"a", []byte(`1`), 5}}},
	{"{ \"a\" : [ 1 , 2 ] ,\n\"\" : null }", Object{{"a", []byte(`[ 1 , 2 ]`), 8}, {"", []byte(`null`), 25}}},
	{`{"z":1,"a":2,"m":3}`, Object{{"z", []byte(`1`), 5}, {"a", []byte(`2`), 11}, {"m", []byte(`3`), 17}}},
	{`{"n":-0.10e+02}`, Object{{"n", []byte(`-0.10e+02`), 5}}},
	{`{"n":123456789012345678901234567890}`, Object{{"n", []byte(`123456789012345678901234567890`), 5}}},
	{"\ufeff{\"a\":1}", Object{{"a", []byte(`1`), 8}}},
	{"\ufeff\ufeff {\"a\":1}", Object{{"a", []byte(`1`), 12}}},
	{`{"\u0061\n":"\u0000"}`, Object{{"a\n", []byte(`"\u0000"`), 12}}},
	{`{"\ud83d\ude00":1,"\ud83d":2}`, Object{{"😀", []byte(`1`), 16}, {"\ufffd", []byte(`2`), 27}}},
	{"{\"\xff\":\"\xfe\"}", Object{{"\ufffd", []byte("\"\xfe\""), 5}}},
	{`{"a":{"a":{"a":[{"a":true},{"a":false}]}}}`, Object{{"a", []byte(`{"a":{"a":[{"a":true},{"a":false}]}}`), 5}}},
	{`{"a":"\"\\\/\b\f\n\r\té\u00E9]}"}`, Object{{"a", []byte(`"\"\\\/\b\f\n\r\té\u00E9]}"`), 5}}},
	{"{\"a\":\"\x7f\u2028\"}", Object{{"a", []byte("\"\x7f\u2028\""), 5}}},
}

func TestParse(t *testing.T) {
	for _, tt := range accepted {
		got, err := Parse([]byte(tt.src))
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.src, err)
			continue
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", tt.src, d)
		}
		for _, m := range got {
			if at := tt.src[m.Off:][:len(m.Value)]; at != string(m.Value) {
				t.Errorf("Parse(%q): at the offset of %q there is %q", tt.src, m.Name, at)
			}
		}
	}
}

var refused = []struct {
	src   string
	want  string
	fault Fault
}{
	{``, "1:1: unexpected end, expected a value", NotJSON},
	{"\ufeff", "1:1: unexpected end, expected a value", NotJSON},
	{" \ufeff{}", `1:2: not JSON: found '\ufeff' where a value should be`, NotJSON},
	{`hello`, "1:1: not JSON: found 'h' where a value should be", NotJSON},
	{`nul`, "1:1: not JSON: found 'n' where a value should be", NotJSON},
	{`null`, "1:1: expected object, got null", WrongKind},
	{"\n [1]", "2:2: expected object, got array", WrongKind},
	{`"{}"`, "1:1: expected object, got string", WrongKind},
	{`-1`, "1:1: expected object, got number", WrongKind},
	{`true`, "1:1: expected object, got boolean", WrongKind},
	{`[1,]`, "1:4: found ']' where a value should be; remove the comma before it", NotJSON},
	{`{`, "1:2: unexpected end, expected a field name", NotJSON},
	{`{"a"`, "1:5: unexpected end, expected ':'", NotJSON},
	{`{"a":`, "1:6: unexpected end, expected a value", NotJSON},
	{`{"a":1`, "1:7: unexpected end, expected ',' or '}'", NotJSON},
	{`{"a":[1`, "1:8: unexpected end, expected ',' or ']'", NotJSON},
	{`{"a":[`, "1:7: unexpected end, expected a value", NotJSON},
	{`{"a":1]`, "1:7: found ']' where ',' or '}' should be", NotJSON},
	{`{"a":[1}}`, "1:8: found '}' where ',' or ']' should be", NotJSON},
	{`{"a":1,}`, "1:8: found '}' where a field name should be; remove the comma before it", NotJSON},
	{`{a:1}`, "1:2: found 'a' where a field name should be", NotJSON},
	{`{'a':1}`, `1:2: found '\'' where a field name should be`, NotJSON},
	{`{"a" 1}`, "1:6: found '1' where ':' should be", NotJSON},
	{`{"é":1,,}`, "1:8: found ',' where a field name should be", NotJSON},
	{"{\n  // why\n}", "2:3: found '/' where a field name should be; this file can't have comments", NotJSON},
	{"\ufeff{]", "1:2: found ']' where a field name should be", NotJSON},
	{"{\xff", "1:2: invalid UTF-8, expected a field name", NotJSON},
	{"{}\x00", `1:3: found '\x00' where the end of the text should be`, NotJSON},
	{"{}\n{}", "2:1: found '{' where the end of the text should be", NotJSON},
	{"{}\u00a0", `1:3: found '\u00a0' where the end of the text should be`, NotJSON},
	{`{"a":truely}`, "1:10: found 'l' where ',' or '}' should be", NotJSON},
	{`{"a":01}`, "1:6: number with a leading zero", NotJSON},
	{`{"a":-01}`, "1:6: number with a leading zero", NotJSON},
	{`{"a":-}`, "1:7: found '}' where a digit should be", NotJSON},
	{`{"a":1.}`, "1:8: found '}' where a digit should be", NotJSON},
	{`{"a":1e+}`, "1:9: found '}' where a digit should be", NotJSON},
	{`{"a":.5}`, "1:6: found '.' where a value should be", NotJSON},
	{`{"a":+1}`, "1:6: found '+' where a value should be", NotJSON},
	{`{"a":0x1}`, "1:7: found 'x' where ',' or '}' should be", NotJSON},
	{`{"a":NaN}`, "1:6: found 'N' where a value should be", NotJSON},
	{`{"a":"b`, "1:8: unexpected end inside a string", NotJSON},
	{`{"a":"b\`, "1:9: unexpected end inside a string", NotJSON},
	{`{"a":"b\u12`, "1:12: unexpected end inside a string", NotJSON},
	{`{"a":"\u12g4"}`, `1:7: \u without four hexadecimal digits`, NotJSON},
	{`{"a":"\u123\"}`, `1:7: \u without four hexadecimal digits`, NotJSON},
	{`{"a":"\x41"}`, "1:7: unknown escape in a string", NotJSON},
	{"{\"a\":\"long enough for a word\n\"}", "1:29: control character U+000A in a string", NotJSON},
	{"{\"a\":\"\x00\"}", "1:7: control character U+0000 in a string", NotJSON},
	{"{\"\x1f\":1}", "1:3: control character U+001F in a string", NotJSON},
	{`{"a":1,"a":2}`, `1:8: second field named "a"`, DuplicateName},
	{`{"a":1,"\u0061":2}`, `1:8: second field named "a"`, DuplicateName},
	{"{\"x\":[{\"é\":1,\n \"\\u00e9\":2}]}", `2:2: second field named "é"`, DuplicateName},
	{`{"":1,"b":2,"":3}`, `1:13: second field named ""`, DuplicateName},
	{`{"\ud800":1,"\ud800":2}`, `1:13: second field named "�"`, DuplicateName},
	{"{\"\xff\":1,\"\ufffd\":2}", `1:8: second field named "�"`, DuplicateName},
	{wide(32, `"m31":1`), `1:248: second field named "m31"`, DuplicateName},
	{wide(40, `"m\u0030":1`), `1:312: second field named "m0"`, DuplicateName},
	{wide(40, `"m40":1,"m40":1`), `1:320: second field named "m40"`, DuplicateName},
	{nested(MaxDepth), "1:100005: nested more than 100000 levels deep", TooDeep},
	{strings.Repeat("[", 1e6), "1:100001: nested more than 100000 levels deep", TooDeep},
	{strings.Repeat(`{"a":`, 1e6), "1:500001: nested more than 100000 levels deep", TooDeep},
}

// TestLoneSurrogates checks that a text isn't rejected because of names that only agents distinguish.
func TestLoneSurrogates(t *testing.T) {
	o, err := Parse([]byte(`{"x":{"\ud800":1,"\udc00":2,"a\ud800":3,"\ud83d\ude00":4,"\\ud800":5,"�":6}}`))
	if err != nil || len(o) != 1 {
		t.Errorf("%v, %v", o, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range refused {
		name := tt.src[:min(len(tt.src), 40)]
		o, err := Parse([]byte(tt.src))
		var se *SyntaxError
		if !errors.As(err, &se) || o != nil {
			t.Errorf("Parse(%q) = %v, %v", name, o, err)
			continue
		}
		if err.Error() != tt.want || se.Fault != tt.fault {
			t.Errorf("Parse(%q): %q (fault %d), want %q (fault %d)", name, err, se.Fault, tt.want, tt.fault)
		}
		if line, col := Position([]byte(tt.src), se.Off); line != se.Line || col != se.Col {
			t.Errorf("Parse(%q): offset %d is %d:%d, error says %v", name, se.Off, line, col, err)
		}
		if err := Check([]byte(tt.src)); (err == nil) != (tt.fault == WrongKind) {
			t.Errorf("Check(%q): %v", name, err)
		}
	}
}

func TestDuplicateIsNamed(t *testing.T) {
	long := strings.Repeat("é", 50)
	_, err := Parse([]byte(`{"` + long + `":1,"` + long + `":2}`))
	var se *SyntaxError
	if !errors.As(err, &se) || se.Duplicate != long {
		t.Fatalf("error %#v", err)
	}
	if want := `second field named "` + long[:64] + `…"`; se.Msg != want {
		t.Errorf("message %s, want %s", se.Msg, want)
	}
}

func TestDepth(t *testing.T) {
	if _, err := Parse([]byte(nested(MaxDepth - 1))); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
	if _, err := Parse([]byte(nested(MaxDepth))); err == nil {
		t.Errorf("%d levels pass", MaxDepth+1)
	}
}

func TestLargeObjects(t *testing.T) {
	big := wide(3000, `"last":`+wide(100, `"in":`+wide(33, `"deep":0`)))
	src := []byte(`{"list":[` + big + `,` + wide(40, `"x":0`) + `,` + wide(40, `"x":0`) + `]}`)
	if _, err := Parse(src); err != nil {
		t.Error(err)
	}
}

func TestMembersAndElements(t *testing.T) {
	src := []byte(`{"a":{"x":[1,"],",{"y":"}\""}],"\n":-1},"b":2}`)
	top, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Members(top[0].Value, top[0].Off)
	want := Object{{"x", []byte(`[1,"],",{"y":"}\""}]`), 10}, {"\n", []byte(`-1`), 36}}
	if d := cmp.Diff(want, a); err != nil || d != "" {
		t.Fatalf("Members: %v (-want +got):\n%s", err, d)
	}
	x, err := Elements(a[0].Value, a[0].Off)
	elems := []Member{{"", []byte(`1`), 11}, {"", []byte(`"],"`), 13}, {"", []byte(`{"y":"}\""}`), 18}}
	if d := cmp.Diff(elems, x); err != nil || d != "" {
		t.Errorf("Elements: %v (-want +got):\n%s", err, d)
	}
	for _, bad := range []string{``, `[]`, `1`, `{`, `{"a`, `{"a"`, `{"a":`, `{"a":}`, `{"a":1`, `{"a":1,`, `{"a":[}`,
		`{"a":"`, `{}x`, `{1}`, `{"a"1}`, `{"a":1 2}`, `{"\`} {
		if o, err := Members([]byte(bad), 7); err == nil {
			t.Errorf("Members(%q) = %v", bad, o)
		}
	}
	_, err = Elements([]byte(`{}`), 7)
	if want := (&SyntaxError{Off: 7, Line: 1, Col: 1, Msg: "expected array, got object", Fault: WrongKind}); !cmp.Equal(
		error(want), err) {
		t.Errorf("Elements: %v", err)
	}
}

func TestPosition(t *testing.T) {
	src := []byte("\ufeffab\nc\u00e9\xffd\r\n")
	for _, tt := range []struct{ off, line, col int }{
		{-1, 1, 1}, {0, 1, 1}, {3, 1, 1}, {4, 1, 2}, {5, 1, 3}, {6, 2, 1}, {9, 2, 3}, {10, 2, 4}, {13, 3, 1},
		{99, 3, 1}} {
		if line, col := Position(src, tt.off); line != tt.line || col != tt.col {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", tt.off, line, col, tt.line, tt.col)
		}
	}
}

func TestPointer(t *testing.T) {
	for _, tt := range []struct {
		parent string
		tokens []string
		want   string
	}{
		{"", nil, ""},
		{"/hooks", []string{"a/b"}, "/hooks/a~1b"},
		{"", []string{"~1", "", "0", "é"}, "/~01//0/é"},
	} {
		if got := Pointer(tt.parent, tt.tokens...); got != tt.want {
			t.Errorf("Pointer(%q, %q) = %q, want %q", tt.parent, tt.tokens, got, tt.want)
		}
	}
}
