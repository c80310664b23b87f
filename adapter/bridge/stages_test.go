package bridge

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// TestStages: no type embeds what the stages share, and no stage changes the run or the call that it gets; it returns
// another one.
func TestStages(t *testing.T) {
	set := token.NewFileSet()
	product := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(set, ".", product, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range packages["bridge"].Files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				ast.Inspect(d, func(n ast.Node) bool {
					if s, ok := n.(*ast.StructType); ok {
						for _, f := range s.Fields.List {
							if name := typeName(f.Type); len(f.Names) == 0 && (name == "run" || name == "Bridge") {
								t.Errorf("%s: embeds %s", set.Position(f.Pos()), name)
							}
						}
					}
					return true
				})
			case *ast.FuncDecl:
				if d.Recv == nil && d.Body != nil {
					for _, at := range changesGiven(d) {
						t.Errorf("%s: %s changes what it is given", set.Position(at), d.Name.Name)
					}
				}
			}
		}
	}
}

// changesGiven lists where a function writes through a parameter of type run or Call that it hasn't replaced with its
// own copy.
func changesGiven(d *ast.FuncDecl) (at []token.Pos) {
	var given []string
	for _, p := range d.Type.Params.List {
		if name := typeName(p.Type); name == "run" || name == "Call" {
			for _, id := range p.Names {
				given = append(given, id.Name)
			}
		}
	}
	mutators := []string{"Set", "SetStr", "Drop"}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok { // from here on it is another value
					given = slices.DeleteFunc(given, func(name string) bool { return name == id.Name })
				} else if root(n.Lhs[i]) != "" && slices.Contains(given, root(left)) && !pointedTo(left) {
					at = append(at, left.Pos())
				}
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains(mutators, s.Sel.Name) &&
				slices.Contains(given, root(s.X)) {
				if _, direct := s.X.(*ast.Ident); direct {
					at = append(at, n.Pos())
				}
			}
		}
		return true
	})
	return at
}

// pointedTo reports whether an assignment is to what a run only points to: the log and the session's file.
func pointedTo(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	in, ok := s.X.(*ast.SelectorExpr)
	return ok && (in.Sel.Name == "log" || in.Sel.Name == "trace" || in.Sel.Name == "mem")
}

// root returns the name that an expression begins with.
func root(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return root(e.X)
	case *ast.IndexExpr:
		return root(e.X)
	case *ast.StarExpr:
		return root(e.X)
	case *ast.ParenExpr:
		return root(e.X)
	}
	return ""
}

// typeName returns the last part of a type's name, without a pointer.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return typeName(e.X)
	}
	return ""
}
