package adapter_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestOneAgentFields: what one agent alone does is a step of its dialect. At most twelve fields of a Profile belong to
// one agent; the comment of each contains why it isn't a step.
func TestOneAgentFields(t *testing.T) {
	const most = 12
	agents := map[string]map[string]bool{} // by field
	for _, agent := range adapter.Dialects() {
		for _, name := range agent.Profile().Names() { // those of programs too
			d, err := adapter.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			p := reflect.ValueOf(d.Profile()).Elem()
			for _, f := range reflect.VisibleFields(p.Type()) {
				if f.Anonymous || !f.IsExported() {
					continue
				}
				if agents[f.Name] == nil {
					agents[f.Name] = map[string]bool{}
				}
				if !p.FieldByIndex(f.Index).IsZero() {
					agents[f.Name][agent.Profile().Name] = true
				}
			}
		}
	}
	comments := commentsOf(t, "../dialect", "Profile", "Files", "Payloads", "Answers", "Timing", "Environment",
		"Transcript")
	var ones []string
	for name, set := range agents {
		one := len(set) == 1
		if one {
			ones = append(ones, name)
		}
		if says := strings.Contains(comments[name], "One agent's"); says != one {
			t.Errorf("%s is set by %d agents, and its comment says that it is one agent's: %t", name, len(set), says)
		}
	}
	if len(ones) > most || len(agents) < 40 {
		t.Errorf("%d of %d fields are one agent's, at most %d may be: %v", len(ones), len(agents), most, ones)
	}
}

// commentsOf returns the comments of the fields of types in a folder, by field.
func commentsOf(t *testing.T, dir string, types ...string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			s, ok := spec.Type.(*ast.StructType)
			if !ok || !slices.Contains(types, spec.Name.Name) {
				return true
			}
			for _, field := range s.Fields.List {
				for _, name := range field.Names {
					list[name.Name] = strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
				}
			}
			return true
		})
	}
	return list
}
