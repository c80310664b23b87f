package ordjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"reflect"
	"strings"
	"testing"
)

func seed(f *testing.F) {
	for _, tt := range accepted {
		f.Add([]byte(tt.src))
	}
	for _, tt := range refused {
		if len(tt.src) < 4096 {
			f.Add([]byte(tt.src))
		}
	}
	f.Add([]byte(nested(stdDepth - 1)))
	f.Add([]byte(` {"a":{"b":[{"c":{}},"x",[],1e999]},"d":[{"e":1},{"e":1}]} `))
}

// decode is encoding/json's reading of one value, with number text kept.
func decode(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("encoding/json refuses %q: %v", text, err)
	}
	return v
}

// survey finds repeated names and the depth of valid JSON from encoding/json's tokens.
func survey(t *testing.T, text []byte) (repeated bool, deepest int) {
	t.Helper()
	type level struct {
		names map[string]bool // nil in an array
		value bool            // the next token is a field's value
	}
	var open []*level
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return repeated, deepest
		}
		if err != nil {
			t.Fatalf("tokens of %q: %v", text, err)
		}
		if tok == json.Delim('}') || tok == json.Delim(']') {
			open = open[:len(open)-1]
			continue
		}
		if len(open) > 0 {
			if top := open[len(open)-1]; top.names != nil {
				if name, ok := tok.(string); ok && !top.value {
					repeated = repeated || top.names[name]
					top.names[name] = true
				}
				top.value = !top.value
			}
		}
		switch tok {
		case json.Delim('{'):
			open = append(open, &level{names: map[string]bool{}})
		case json.Delim('['):
			open = append(open, &level{})
		}
		deepest = max(deepest, len(open))
	}
}

const stdDepth = 10_000 // what encoding/json reads

// FuzzParseAgainstStd checks that Parse accepts exactly the objects that encoding/json accepts, except for repeated
// names and depth, and reads the same.
func FuzzParseAgainstStd(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		text := TrimBOM(src)
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > stdDepth {
			t.Skip("encoding/json reads less deep")
		}
		valid := json.Valid(text)
		fits := valid
		if valid {
			repeated, deepest := survey(t, text)
			fits = !repeated && deepest <= stdDepth
			if repeated && bytes.Contains(bytes.ToLower(text), []byte(`\ud`)) {
				t.Skip("encoding/json does not tell lone surrogates apart")
			}
		}
		o, err := Parse(src)
		var se *SyntaxError
		if err != nil && (!errors.As(err, &se) || se.Off < 0 || se.Off > len(src) || o != nil) {
			t.Fatalf("Parse = %v, %#v", o, err)
		}
		checked := Check(src)
		if (checked == nil) != fits {
			t.Fatalf("Check: %v, encoding/json valid: %v, within limits: %v", checked, valid, fits)
		}
		Elements(text, 0) // must not panic
		split, splitErr := Members(text, len(src)-len(text))
		if checked != nil {
			return
		}
		all, ok := decode(t, text).(map[string]any)
		if (err == nil) != ok || (splitErr == nil) != ok {
			t.Fatalf("Parse: %v, Members: %v, an object: %v", err, splitErr, ok)
		}
		if !ok {
			return
		}
		if !reflect.DeepEqual(o, split) {
			t.Fatalf("Parse %v, Members %v", o, split)
		}
		if len(o) != len(all) {
			t.Fatalf("%d members, encoding/json has %d", len(o), len(all))
		}
		for _, m := range o {
			if !bytes.HasPrefix(src[m.Off:], m.Value) || !bytes.Equal(m.Value, bytes.TrimSpace(m.Value)) {
				t.Errorf("%q: value %q is not at %d", m.Name, m.Value, m.Off)
			}
			want, ok := all[m.Name]
			if got := decode(t, m.Value); !ok || !reflect.DeepEqual(got, want) {
				t.Errorf("%q: %v, want %v", m.Name, got, want)
			}
			if list, ok := want.([]any); ok {
				es, err := Elements(m.Value, m.Off)
				if err != nil || len(es) != len(list) {
					t.Fatalf("%q: %d elements, %v, want %d", m.Name, len(es), err, len(list))
				}
				for i, e := range es {
					if !bytes.HasPrefix(src[e.Off:], e.Value) || !reflect.DeepEqual(decode(t, e.Value), list[i]) {
						t.Errorf("%q: element %d is %q, want %v", m.Name, i, e.Value, list[i])
					}
				}
			}
		}
	})
}

// FuzzString checks that the scalar readers agree with encoding/json.
func FuzzString(f *testing.F) {
	for _, tt := range stringTests {
		f.Add([]byte(tt.value))
	}
	for _, tt := range numberTests {
		f.Add([]byte(tt.value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		exact := json.Valid(value) && len(bytes.Trim(value, " \t\r\n")) == len(value)
		var want string
		ok := exact && value[0] == '"' && json.Unmarshal(value, &want) == nil
		if got, isString := String(value); isString != ok || got != want {
			t.Errorf("String = %q, %v, want %q, %v", got, isString, want, ok)
		}
		if ok {
			var text strings.Builder
			WriteCanonical(&text, value)
			if quoted := string(AppendString(nil, want)); `"`+text.String()+`"` != quoted {
				t.Errorf("WriteCanonical writes %q, want %s", &text, quoted)
			}
		}
		var number float64
		isNumber := exact && KindOf(value) == Number
		ok = isNumber && json.Unmarshal(value, &number) == nil
		if !ok {
			number = 0
		}
		if got, isFloat := Float(value); isFloat != ok || got != number {
			t.Errorf("Float = %v, %v, want %v, %v", got, isFloat, number, ok)
		}
		n, isInt := Int(value)
		if isInt && !isNumber {
			t.Errorf("Int = %d", n)
		}
		// Rat would write out a huge exponent.
		if _, power, _ := strings.Cut(strings.ToLower(string(value)), "e"); isNumber && len(power) < 4 {
			r, ok := new(big.Rat).SetString(string(value))
			if !ok {
				t.Fatalf("math/big refuses %q", value)
			}
			ok = r.IsInt() && r.Num().IsInt64()
			if isInt != ok || isInt && r.Num().Int64() != n {
				t.Errorf("Int = %d, %v, want %v", n, isInt, r)
			}
		}
	})
}

// FuzzRoundTrip checks that written text is read back unchanged.
func FuzzRoundTrip(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		quoted := AppendString(nil, string(src))
		if other := AppendStringBytes(nil, src); !bytes.Equal(quoted, other) {
			t.Errorf("AppendString %s, AppendStringBytes %s", quoted, other)
		}
		std, err := json.Marshal(string(src))
		if err != nil {
			t.Fatal(err)
		}
		want := decode(t, std)
		if got := decode(t, quoted); got != want {
			t.Errorf("AppendString %s reads %q, want %q", quoted, got, want)
		}
		if got, ok := String(quoted); !ok || got != want {
			t.Errorf("String(%s) = %q, %v, want %q", quoted, got, ok, want)
		}
		if json.Valid(src) {
			var compact bytes.Buffer
			if err := json.Compact(&compact, src); err != nil {
				t.Fatal(err)
			}
			if got := AppendCompact(nil, src); !bytes.Equal(got, compact.Bytes()) {
				t.Errorf("AppendCompact %s, want %s", got, &compact)
			}
		}
		o, err := Parse(src)
		if err != nil {
			return
		}
		w := NewWriter(nil)
		for _, m := range o {
			w.Raw(m.Name, m.Value)
		}
		text := o.Append(nil)
		if got := w.Bytes(); !bytes.Equal(got, text) {
			t.Errorf("Writer %s, Append %s", got, text)
		}
		again, err := Parse(text)
		var se *SyntaxError
		if errors.As(err, &se) && se.Fault == DuplicateName && bytes.Contains(bytes.ToLower(src), []byte(`\ud`)) {
			t.Skip("lone surrogates are written as one and the same")
		}
		if err != nil || len(again) != len(o) {
			t.Fatalf("%s: %v", text, err)
		}
		for i := range o {
			if again[i].Name != o[i].Name || !bytes.Equal(again[i].Value, o[i].Value) {
				t.Errorf("member %d is %v, was %v", i, again[i], o[i])
			}
		}
	})
}
