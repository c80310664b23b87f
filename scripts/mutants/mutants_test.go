package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

const text = `package p

func f(a []int, on bool, k rune) (n int) {
	const kept = 1 + 2 // constants are left
	b := make([]int, 0, 9)
	if len(a) < 2 && !on {
		return
	}
	switch {
	case on:
		n++
	default:
		g(b)
	}
	switch k {
	case 'a', 'b':
		n = n + 7
	}
	_ = "a" + "b"
	return n
}

func g([]int) {}

func say(msg string, n int) { say("a"[:1], 2) }
`

func parsed(t *testing.T, text string) *source {
	t.Helper()
	s := &source{file: "p.go", fset: token.NewFileSet(), text: []byte(text), first: 1, without: map[int]bool{}}
	var err error
	if s.tree, err = parser.ParseFile(s.fset, s.file, text, parser.SkipObjectResolution); err != nil {
		t.Fatal(err)
	}
	s.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if s.own, err = (&types.Config{}).Check("p", s.fset, []*ast.File{s.tree}, s.info); err != nil {
		t.Fatal(err)
	}
	s.mutate()
	return s
}

// TestMutate checks the changes made to a file.
func TestMutate(t *testing.T) {
	var got []string
	for _, m := range parsed(t, text).mutants {
		got = append(got, m.String())
	}
	want := []string{
		"p.go:7: removed: return", "p.go:10: removed: case on: n++", "p.go:11: removed: n++",
		"p.go:13: removed: g(b)", "p.go:16: removed: case 'a', 'b': n = n + 7", "p.go:17: removed: n = n + 7",
		"p.go:6: negated: len(a) < 2 && !on", "p.go:6: && is ||: len(a) < 2 && !on", "p.go:6: < is <=: len(a) < 2",
		"p.go:6: one more: 2", "p.go:6: not negated: !on", "p.go:17: + is -: n + 7", "p.go:17: one more: 7",
		"p.go:25: removed: say(\"a\"[:1], 2)", "p.go:25: one more: 2",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestChanged checks that the changed file is valid Go, with its lines where they were.
func TestChanged(t *testing.T) {
	s := parsed(t, text)
	changed := s.changed("q")
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "p.go", changed, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, changed)
	}
	for i, d := range s.tree.Decls {
		was, is := s.fset.Position(d.Pos()).Line, fset.Position(tree.Decls[i+1].Pos()).Line // after the import
		if was != is {
			t.Errorf("line %d became %d", was, is)
		}
	}
}
