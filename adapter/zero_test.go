package adapter_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// zeroFolders are the packages whose exported functions and methods TestZeroValues calls.
var zeroFolders = []string{".", "bridge", "cmdline", "convert", "hookfile", "inspect", "install", "launcher", "plan",
	"plugin", "sample", "simulate", "survey", "trust", "../dialect", "../dialect/family", "../schema"}

// TestZeroValues calls every exported function and method with zero values: empty texts, lists and structs, pointers to
// them, functions that return zero values. An argument that is a dialect is each dialect in turn, and a struct with a
// dialect is tried with and without it. Types that only a function makes are made by it (zeroMakers). None may panic: a
// caller's empty value gives a result, or is an error.
func TestZeroValues(t *testing.T) {
	listed := map[string]bool{}
	dialects := adapter.Dialects()
	t.Chdir(t.TempDir())
	for _, e := range zeroEntries {
		v := reflect.ValueOf(e)
		if v.Kind() == reflect.Func {
			name := funcName(v)
			listed[name] = true
			for _, d := range dialects {
				for _, filled := range []bool{false, true} {
					call(t, name, v, zeros{d, filled}.args(v.Type()))
				}
			}
			continue
		}
		listed[typeName(v.Type())] = true
		for _, d := range dialects {
			for _, filled := range []bool{false, true} {
				methods(t, zeros{d, filled}, v.Type())
			}
		}
	}
	for _, d := range dialects {
		methods(t, zeros{d, true}, reflect.TypeOf(d))
	}
}

// methods calls each method of a type on a zero value.
func methods(t *testing.T, z zeros, typ reflect.Type) {
	t.Helper()
	for i := range typ.NumMethod() {
		receiver := z.value(typ)
		if typ == reflect.TypeOf(z.d) {
			receiver = reflect.ValueOf(z.d)
		}
		m := receiver.Method(i)
		call(t, typeName(typ)+"."+typ.Method(i).Name, m, z.args(m.Type()))
	}
}

func call(t *testing.T, name string, f reflect.Value, args []reflect.Value) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s(%v) panics: %v\n%s", name, args, r, debug.Stack())
		}
	}()
	if f.Type().IsVariadic() {
		f.CallSlice(args)
		return
	}
	f.Call(args)
}

// zeros makes zero values.
type zeros struct {
	d      dialect.Dialect
	filled bool // fields of structs that are dialects are d
}

func (z zeros) args(f reflect.Type) (args []reflect.Value) {
	for i := range f.NumIn() {
		args = append(args, z.value(f.In(i)))
	}
	return args
}

// zeroMakers make values of types whose zero value is useless, and whose fields no caller could fill in.
var zeroMakers = map[reflect.Type]func(dialect.Dialect) any{
	reflect.TypeFor[*plan.Planner](): func(d dialect.Dialect) any { return plan.New(d, d) },
	reflect.TypeFor[*plan.Route]():   func(d dialect.Dialect) any { return plan.New(d, d).Route(&schema.Hook{}) },
	reflect.TypeFor[*family.Agent](): func(d dialect.Dialect) any { return agentOf(d) },
	reflect.TypeFor[family.ModuleAgent](): func(d dialect.Dialect) any {
		return family.ModuleAgent{Agent: agentOf(d), Module: func() *family.Module { return &family.Module{} }}
	},
	reflect.TypeFor[*family.Parser](): func(d dialect.Dialect) any {
		p, _ := agentOf(d).Open(nil, schema.Source{})
		return p
	},
	reflect.TypeFor[*family.Decoder](): func(d dialect.Dialect) any {
		return agentOf(d).Decoder(&schema.Hook{}, schema.View{})
	},
}

// agentOf returns the agent of a dialect; that of another dialect if it has none.
func agentOf(d dialect.Dialect) *family.Agent {
	if f := reflect.ValueOf(d).FieldByName("Agent"); f.IsValid() {
		return f.Interface().(*family.Agent)
	}
	return claude.New().Agent
}

func (z zeros) value(typ reflect.Type) reflect.Value {
	if made := zeroMakers[typ]; made != nil {
		return reflect.ValueOf(made(z.d))
	}
	v := reflect.New(typ).Elem()
	switch typ {
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background())
	case reflect.TypeFor[dialect.Dialect]():
		return reflect.ValueOf(z.d)
	case reflect.TypeFor[io.Writer]():
		return reflect.ValueOf(io.Discard)
	case reflect.TypeFor[io.Reader]():
		return reflect.ValueOf(strings.NewReader(""))
	}
	switch typ.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(typ.Elem()))
		v.Elem().Set(z.value(typ.Elem()))
	case reflect.Func:
		return reflect.MakeFunc(typ, func([]reflect.Value) (out []reflect.Value) {
			for i := range typ.NumOut() {
				out = append(out, reflect.Zero(typ.Out(i)))
			}
			return out
		})
	case reflect.Struct:
		for i := range typ.NumField() {
			f := typ.Field(i)
			embedded := f.Anonymous && f.Type.Kind() == reflect.Interface // without it there are no methods
			if f.IsExported() && (embedded || z.filled && f.Type == reflect.TypeFor[dialect.Dialect]()) {
				v.Field(i).Set(reflect.ValueOf(z.d))
			}
		}
	}
	return v
}

func funcName(v reflect.Value) string {
	name := path.Base(runtime.FuncForPC(v.Pointer()).Name())
	return strings.TrimSuffix(name, "[...]")
}

func typeName(typ reflect.Type) string {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	return path.Base(typ.PkgPath()) + "." + typ.Name()
}

// TestZeroEntries checks that zeroEntries lists every exported function, and every type with exported methods.
func TestZeroEntries(t *testing.T) {
	var listed []string
	for _, e := range zeroEntries {
		if v := reflect.ValueOf(e); v.Kind() == reflect.Func {
			listed = append(listed, funcName(v))
		} else {
			listed = append(listed, typeName(v.Type()))
		}
	}
	for _, folder := range zeroFolders {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, name := range exported(t, files) {
			if !slices.Contains(listed, name) {
				t.Errorf("zeroEntries lacks %s", name)
			}
		}
	}
}

// exported returns the functions of a package and its types with methods.
func exported(t *testing.T, files []string) (names []string) {
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			switch {
			case !ok || !fn.Name.IsExported():
			case fn.Recv == nil:
				names = append(names, f.Name.Name+"."+fn.Name.Name)
			default:
				typ := strings.TrimPrefix(fmt.Sprint(receiver(fn)), "*")
				if ast.IsExported(typ) {
					names = append(names, f.Name.Name+"."+typ)
				}
			}
		}
	}
	return names
}

func receiver(fn *ast.FuncDecl) string {
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
