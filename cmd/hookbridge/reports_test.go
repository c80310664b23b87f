package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/schema"
)

const strange = "a\t<b> & \u2028 \x7f é \xff \\ \""

// TestReports holds that every JSON document of the program is written as the
// standard library would, empty and filled.
func TestReports(t *testing.T) {
	raw := jsondoc.Raw(`{"b":[1,"<a>"],"a":null}`)
	for _, doc := range []document{
		{},
		{{"only", nil}},
		{{"gone", nil}, {"text", ""}, {"list", []string(nil)}, {"documents", []document(nil)}, {"features", schema.Feature(0)}, {"raw", jsondoc.Raw(nil)}},
		{{"text", strange}, {"gone", nil}, {"n", -42}, {"ms", 0.042}, {"yes", true}, {"list", []string{strange, ""}}, {"raw", raw}, {"code", schema.CodeShape},
			{"severity", schema.Weaker}, {"features", schema.EffectDeny | schema.EffectEnv}, {"raws", []jsondoc.Raw{raw, raw}},
			{"inner", document{{"a", document{}}, {"b", []document{{}, {{"c", strange}}}}}}},
	} {
		sameAsStandard(t, doc, standard(doc))
	}
	for _, doc := range []any{logRecord{}, &logRecord{}} {
		sameAsStandard(t, doc, doc)
		full := reflect.New(reflect.TypeOf(logRecord{}))
		fillIn(full.Elem())
		sameAsStandard(t, full.Interface(), full.Interface())
	}
}

// standard is a value in a document in types that the standard library writes.
func standard(value any) any {
	switch v := value.(type) {
	case document:
		fields, values := []reflect.StructField{}, []any{}
		for _, m := range v {
			if m.value == nil {
				continue
			}
			x := standard(m.value)
			fields = append(fields, reflect.StructField{Name: "F" + string(rune('A'+len(fields))), Type: reflect.TypeOf(x), Tag: reflect.StructTag(`json:"` + m.name + `"`)})
			values = append(values, x)
		}
		out := reflect.New(reflect.StructOf(fields)).Elem()
		for i, x := range values {
			out.Field(i).Set(reflect.ValueOf(x))
		}
		return out.Interface()
	case []document:
		out := []any{}
		for _, d := range v {
			out = append(out, standard(d))
		}
		return out
	case schema.Feature:
		return names(v)
	case schema.Severity:
		return v.String()
	case []string:
		return append([]string{}, v...)
	}
	return value
}

func sameAsStandard(t *testing.T, doc, as any) {
	t.Helper()
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	if err := e.Encode(as); err != nil {
		t.Fatal(err)
	}
	if got := append(appendJSON(nil, doc), '\n'); !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%T:\n%s\nwant\n%s", doc, got, &want)
	}
}

// fillIn gives a value and all that it holds something to write.
func fillIn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() || v.Type().Field(i).Anonymous {
				fillIn(f)
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[jsondoc.Raw]() {
			v.SetBytes([]byte(`{"b":[1, "<a>"],"a":null}`))
			return
		}
		if !v.CanSet() {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fillIn(v.Index(i))
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString("a\t<b> & \u2028 \x7f é \xff \\ \"")
		}
	case reflect.Int:
		if v.CanSet() {
			v.SetInt(-42)
		}
	case reflect.Float64:
		if v.CanSet() {
			v.SetFloat(0.042)
		}
	case reflect.Bool:
		if v.CanSet() {
			v.SetBool(true)
		}
	}
}
