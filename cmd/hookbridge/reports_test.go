package main

import (
	"reflect"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/conformance"
	"github.com/hookbridge/hookbridge/internal/command/check"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/command/convert"
	"github.com/hookbridge/hookbridge/internal/command/doctor"
	"github.com/hookbridge/hookbridge/internal/command/explain"
	"github.com/hookbridge/hookbridge/internal/command/log"
	"github.com/hookbridge/hookbridge/internal/command/matrix"
	"github.com/hookbridge/hookbridge/internal/command/setup"
	"github.com/hookbridge/hookbridge/internal/command/story"
	"github.com/hookbridge/hookbridge/internal/command/test"
	"github.com/hookbridge/hookbridge/internal/command/translate"
	"github.com/hookbridge/hookbridge/internal/command/trust"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/schematest"
)

// TestReports checks that every JSON document of the program is written as the standard library would write it, empty
// and filled.
func TestReports(t *testing.T) {
	for _, doc := range []any{
		check.Doc{}, cli.SARIFLog{}, convert.Doc{}, []doctor.HookDoc{{}}, setup.Doc{}, []install.Result{{}},
		test.Doc{}, explain.CodeDoc{},
		explain.ListDoc{},
		story.Doc{}, story.RanDoc{}, story.AsyncDoc{}, log.Doc{}, translate.Doc{}, trust.Doc{}, conformance.Vector{},
		matrix.Doc{}, common.LogRecord{}} {
		schematest.SameAsStandard(t, doc)
		full := reflect.New(reflect.TypeOf(doc)).Elem()
		fillIn(full)
		schematest.SameAsStandard(t, full.Interface())
	}
}

// fillIn fills a value and everything in it with something to write.
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
