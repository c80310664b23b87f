package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A mutant is one change of one file.
type mutant struct {
	pkg, file  string // from the root of the module
	line       int
	start, end int    // bytes of the file
	with       string // what takes their place
	what       string
	was        string
}

func (m *mutant) String() string {
	was := strings.Join(strings.Fields(m.was), " ")
	if len(was) > 70 {
		was = was[:67] + "..."
	}
	return fmt.Sprintf("%s:%d: %s: %s", m.file, m.line, m.what, was)
}

// mutantsOf lists the changes of a package, by the files that are compiled here.
func mutantsOf(root, pkg string) (all []mutant, err error) {
	list := exec.Command("go", "list", "-f", `{{join .GoFiles "\n"}}`, "./"+pkg)
	list.Dir, list.Stderr = root, os.Stderr
	names, err := list.Output()
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Fields(string(names)) {
		file := filepath.Join(pkg, name)
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		found, err := mutantsIn(file, text)
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			m.pkg = pkg
			all = append(all, m)
		}
	}
	return all, nil
}

// swapped are the operators that take each other's place.
var swapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.ADD: token.SUB, token.SUB: token.ADD, token.AND: token.OR, token.OR: token.AND,
}

// mutantsIn lists the changes of a file. Some don't compile: what they remove is needed.
func mutantsIn(file string, text []byte) (all []mutant, err error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	add := func(n ast.Node, start, end token.Pos, with, what string) {
		all = append(all, mutant{file: file, line: fset.Position(n.Pos()).Line, start: at(start), end: at(end),
			with: with, what: what, was: string(text[at(n.Pos()):at(n.End())])})
	}
	remove := func(n ast.Node) { add(n, n.Pos(), n.End(), "", "removed") }

	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			all = append(all, negated(fset, text, file, n.Cond))
		case *ast.BinaryExpr:
			if by, ok := swapped[n.Op]; ok {
				end := n.OpPos + token.Pos(len(n.Op.String()))
				add(n, n.OpPos, end, by.String(), n.Op.String()+" is "+by.String())
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n, n.OpPos, n.OpPos+1, "", "not negated")
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt:
			remove(n)
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				remove(n)
			}
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				remove(n)
			}
		case *ast.CaseClause:
			if n.List != nil {
				remove(n)
			}
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
				add(n, n.Pos(), n.End(), strconv.Itoa(v+1), "one more")
			}
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				add(n, n.Pos(), n.End(), other, "is "+other)
			}
		case *ast.CallExpr:
			// how much memory is taken beforehand changes nothing
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "make" {
				return false
			}
		}
		return true
	})
	return all, nil
}

// negated is a condition turned round; one that has an operator is written in parentheses.
func negated(fset *token.FileSet, text []byte, file string, c ast.Expr) mutant {
	start, end := fset.Position(c.Pos()), fset.Position(c.End())
	was := string(text[start.Offset:end.Offset])
	return mutant{file: file, line: start.Line, start: start.Offset, end: end.Offset, with: "!(" + was + ")",
		what: "negated", was: was}
}
