package ordjson

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

var stringTests = []struct {
	value, want string
	ok          bool
}{
	{`""`, "", true},
	{`"plain <&> \u2028"`, "plain <&> \u2028", true},
	{`"\u0061\u00e9\n\/\\\""`, "aé\n/\\\"", true},
	{`"\u0000"`, "\x00", true},
	{`"\ud83d\ude00"`, "😀", true},
	{`"\ud83d"`, "\ufffd", true},
	{`"\ude00\ud83d"`, "\ufffd\ufffd", true},
	{`"\ud83dx\u0041"`, "\ufffdxA", true},
	{"\"\xff\xe2\x82\"", "\ufffd\ufffd\ufffd", true},
	{"\"\\n\xe2\x82x\"", "\n\ufffd\ufffdx", true},
	{"\"\ufeff\"", "\ufeff", true},
	{``, "", false},
	{`"`, "", false},
	{`"a`, "", false},
	{`"\"`, "", false},
	{`"a"b`, "", false},
	{`"a" `, "", false},
	{` "a"`, "", false},
	{"\"\n\"", "", false},
	{`"\q"`, "", false},
	{`"\u12"`, "", false},
	{`null`, "", false},
	{`1`, "", false},
}

func TestString(t *testing.T) {
	for _, tt := range stringTests {
		if got, ok := String([]byte(tt.value)); got != tt.want || ok != tt.ok {
			t.Errorf("String(%q) = %q, %v, want %q, %v", tt.value, got, ok, tt.want, tt.ok)
		}
	}
}

// TestLongTexts puts every kind of character at every place of the eight bytes and of the buffer that are read at once.
func TestLongTexts(t *testing.T) {
	for _, special := range []string{`\n`, `\/`, `\u000a\u0022`, `\\u0041`, `\n\t\\`, `\u00e9`, `\ud83d\ude00`,
		`\ud83d`, "é", "😀", "\xff", ""} {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 8170, 8183, 8184, 8185, 8186, 8187, 8188,
			8189, 8190, 8191, 8192, 8193, 20_000} {
			value := []byte(`"` + strings.Repeat("x", n) + special + strings.Repeat("y", n%19) + special + `"`)
			var want string
			if err := json.Unmarshal(value, &want); err != nil {
				t.Fatal(err)
			}
			got, ok := String(value)
			var text strings.Builder
			WriteCanonical(&text, value)
			if !ok || got != want {
				t.Errorf("%d bytes and %q: String differs", n, special)
			}
			if quoted := string(AppendString(nil, want)); `"`+text.String()+`"` != quoted {
				t.Errorf("%d bytes and %q: WriteCanonical writes %.40s, want %.40s", n, special, &text, quoted)
			}
			if back, _ := String(AppendString(nil, want)); back != want {
				t.Errorf("%d bytes and %q: AppendString differs", n, special)
			}
		}
	}
}

var numberTests = []struct {
	value   string
	f       float64
	isFloat bool
	n       int64
	isInt   bool
}{
	{`0`, 0, true, 0, true},
	{`-0`, math.Copysign(0, -1), true, 0, true},
	{`-0.0e9999999999999999999999`, math.Copysign(0, -1), true, 0, true},
	{`42`, 42, true, 42, true},
	{`3.0`, 3, true, 3, true},
	{`1e2`, 100, true, 100, true},
	{`-1.5E+1`, -15, true, -15, true},
	{`30e-1`, 3, true, 3, true},
	{`0.00012e5`, 12, true, 12, true},
	{`1200e-2`, 12, true, 12, true},
	{`1.5`, 1.5, true, 0, false},
	{`1e-1`, 0.1, true, 0, false},
	{`9007199254740993.0`, 9007199254740992, true, 9007199254740993, true},
	{`9223372036854775807`, 1 << 63, true, math.MaxInt64, true},
	{`-9.223372036854775808e18`, -1 << 63, true, math.MinInt64, true},
	{`9223372036854775808`, 1 << 63, true, 0, false},
	{`9.223372036854775808e18`, 1 << 63, true, 0, false},
	{`1e19`, 1e19, true, 0, false},
	{`1e999`, 0, false, 0, false},
	{`1e-999`, 0, true, 0, false},
	{`1e99999999999999999999`, 0, false, 0, false},
	{`1e-99999999999999999999`, 0, true, 0, false},
	{``, 0, false, 0, false},
	{`-`, 0, false, 0, false},
	{`01`, 0, false, 0, false},
	{`1.`, 0, false, 0, false},
	{`0x10`, 0, false, 0, false},
	{`1_000`, 0, false, 0, false},
	{`Inf`, 0, false, 0, false},
	{`1 `, 0, false, 0, false},
	{`"1"`, 0, false, 0, false},
	{`null`, 0, false, 0, false},
}

func TestNumbers(t *testing.T) {
	for _, tt := range numberTests {
		f, ok := Float([]byte(tt.value))
		if f != tt.f || math.Signbit(f) != math.Signbit(tt.f) || ok != tt.isFloat {
			t.Errorf("Float(%q) = %v, %v, want %v, %v", tt.value, f, ok, tt.f, tt.isFloat)
		}
		if n, ok := Int([]byte(tt.value)); n != tt.n || ok != tt.isInt {
			t.Errorf("Int(%q) = %d, %v, want %d, %v", tt.value, n, ok, tt.n, tt.isInt)
		}
	}
}

func TestScaled(t *testing.T) {
	for _, tt := range []struct{ value, times string }{
		{`60`, `60000`}, {`0`, `0`}, {`1.5`, `1500`}, {`1.005`, `1005`}, {`-2`, `-2000`}, {`0.0005`, `0.5`},
		{`6e1`, `60000`}, {`"60"`, `"60"`}, {`null`, `null`}, {`6 `, `6 `},
	} {
		times := Scaled([]byte(tt.value), 1000, false)
		back := Scaled(times, 1000, true)
		same := string(back) == tt.value || tt.value == `6e1` && string(back) == `60`
		if string(times) != tt.times || !same {
			t.Errorf("%s: %s, back %s", tt.value, times, back)
		}
		if got := Scaled([]byte(tt.value), 0, true); string(got) != tt.value {
			t.Errorf("%s by nothing: %s", tt.value, got)
		}
	}
}

func TestBool(t *testing.T) {
	for _, tt := range []struct {
		value string
		v, ok bool
	}{{`true`, true, true}, {`false`, false, true}, {`null`, false, false}, {`"true"`, false, false},
		{`True`, false, false}, {``, false, false}} {
		if v, ok := Bool([]byte(tt.value)); v != tt.v || ok != tt.ok {
			t.Errorf("Bool(%q) = %v, %v", tt.value, v, ok)
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		value string
		kind  Kind
		name  string
	}{
		{`null`, Null, "null"}, {`true`, BoolKind, "boolean"}, {`false`, BoolKind, "boolean"},
		{`-1`, Number, "number"}, {`0`, Number, "number"}, {`9e9`, Number, "number"},
		{`""`, StringKind, "string"}, {`[]`, Array, "array"}, {`{}`, ObjectKind, "object"},
		{``, Invalid, "invalid"}, {` 1`, Invalid, "invalid"}, {`+1`, Invalid, "invalid"},
	} {
		if k := KindOf([]byte(tt.value)); k != tt.kind || k.String() != tt.name {
			t.Errorf("KindOf(%q) = %d, %s, want %d, %s", tt.value, k, k, tt.kind, tt.name)
		}
	}
}
