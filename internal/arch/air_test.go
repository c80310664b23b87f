package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	// manyOperands is how many operands make a condition long: its parts then need names.
	manyOperands = 5

	// manyLines is how many lines of code make a function long: blank lines then separate its steps.
	manyLines = 25
)

// mostLongConditions are older than the rule. The number may only fall: lower it with each place that is fixed.
const mostLongConditions = 41

// TestLongConditions counts the conditions with many operands. A flat list of equal comparisons may stay.
func TestLongConditions(t *testing.T) {
	const text = `package p
		var short = a && !(b || c) && d
		var long = a && !(b || c) && (d || f(v && w))
		var inner = a && f(a || b || c || d || e)`
	f, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if n := len(longConditions(f)); err != nil || n != 2 {
		t.Fatalf("found %d long conditions in the example, want 2: %v", n, err)
	}

	var found []string
	sources(t, func(_, file string, fset *token.FileSet, f *ast.File) {
		for _, e := range longConditions(f) {
			found = append(found, fmt.Sprintf("%s:%d", file, fset.Position(e.Pos()).Line))
		}
	})
	if len(found) > mostLongConditions {
		t.Errorf("%d conditions have %d operands or more, more than %d: name their parts\n%s",
			len(found), manyOperands, mostLongConditions, strings.Join(found, "\n"))
	}
	t.Logf("%d long conditions", len(found))
}

// longConditions finds the trees of && and || with many operands.
func longConditions(root ast.Node) (found []ast.Expr) {
	ast.Inspect(root, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		parts := operands(e)
		if len(parts) == 1 {
			return true
		}

		if len(parts) >= manyOperands {
			found = append(found, e)
		}
		for _, part := range parts {
			found = append(found, longConditions(part)...)
		}
		return false
	})
	return found
}

// operands returns the operands of a tree of &&, || and !; any other expression is its only operand.
func operands(e ast.Expr) []ast.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return operands(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return operands(x.X)
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return append(operands(x.X), operands(x.Y)...)
		}
	}
	return []ast.Expr{e}
}

// TestDenseFunctions checks that long functions have a blank line between their steps.
func TestDenseFunctions(t *testing.T) {
	line, comment := "\n\tf()", "\n\t// why"
	full := strings.Repeat(line, manyLines)
	text := []byte("package p" +
		"\nfunc dense() {" + full + line + "\n}" +
		"\nfunc raw() {" + full + "\n\tf(`\n\n`)\n}" +
		"\nfunc short() {" + full + comment + "\n}" +
		"\nfunc parted() {" + full + "\n" + line + "\n}\n")
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, 0)
	if names := denseFunctions(fset, f, text); err != nil || strings.Join(names, " ") != "dense raw" {
		t.Fatalf("found %q in the example: %v", names, err)
	}

	var found []string
	sources(t, func(_, file string, fset *token.FileSet, f *ast.File) {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range denseFunctions(fset, f, text) {
			found = append(found, file+": "+name)
		}
	})
	if found != nil {
		t.Errorf("%d functions have more than %d lines and no blank line: separate their steps\n%s", len(found),
			manyLines, strings.Join(found, "\n"))
	}
}

// denseFunctions names the functions of a file with many lines of code and no blank line.
func denseFunctions(fset *token.FileSet, f *ast.File, text []byte) (names []string) {
	code, lines := codeLines(text), bytes.Split(text, []byte("\n"))
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || literal(fn.Body) {
			continue
		}

		long, parted := 0, false
		for n := fset.Position(fn.Body.Lbrace).Line + 1; n < fset.Position(fn.Body.Rbrace).Line; n++ {
			switch {
			case code[n]:
				long++
			case len(bytes.TrimSpace(lines[n-1])) == 0:
				parted = true
			}
		}
		if long > manyLines && !parted {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// literal reports whether a function only returns a value, which has no steps.
func literal(body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	_, only := body.List[0].(*ast.ReturnStmt)
	return only
}

// codeLines returns the numbers of the lines with code, not only a comment.
func codeLines(text []byte) map[int]bool {
	lines := map[int]bool{}
	tokens(text, func(line int, tok token.Token, lit string) {
		if tok == token.SEMICOLON && lit == "\n" { // inserted
			return
		}
		for i := range strings.Count(lit, "\n") + 1 {
			lines[line+i] = true
		}
	})
	return lines
}
