package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A mutant is one change of a file, made when the program runs with its number.
type mutant struct {
	id        int
	pkg, file string // from the root of the module
	line      int
	what, was string
}

func (m *mutant) String() string {
	was := strings.Join(strings.Fields(m.was), " ")
	if len(was) > 70 {
		was = was[:67] + "..."
	}
	return fmt.Sprintf("%s:%d: %s: %s", m.file, m.line, m.what, was)
}

// A source is one file and the changes that can be made to it.
type source struct {
	pkg, file string
	fset      *token.FileSet
	tree      *ast.File
	own       *types.Package
	info      *types.Info
	text      []byte
	without   map[int]bool // lines that the compiler rejects with their changes
	first     int          // the number of the first mutant

	mutants []mutant
	edits   []edit
}

// An edit replaces bytes with text. If several are at one place, the one with the lower order comes first.
type edit struct {
	start, end int
	text       string
	order      int
}

// operators map operators to functions of the package mutants, below, and to the operators that replace them.
var operators = map[token.Token]struct{ call, by string }{
	token.LSS: {"Less", "<="}, token.LEQ: {"NotMore", "<"}, token.GTR: {"More", ">="}, token.GEQ: {"NotLess", ">"},
	token.ADD: {"Sum", "-"}, token.SUB: {"Difference", "+"}, token.AND: {"And", "|"}, token.OR: {"Or", "&"},
}

// support is the package that a changed file imports. It reads which mutant to make, and marks the mutants that run.
//
//go:embed support.go.txt
var support string

// mutate lists the changes of a file.
func (s *source) mutate() {
	s.mutants, s.edits = nil, nil
	ast.Inspect(s.tree, s.visit)
}

func (s *source) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		if !turnsRound(n.Cond) {
			s.wrap(n.Cond, "negated", "((", ") != %)")
		}
	case *ast.BinaryExpr:
		s.operator(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			s.wrap(n, "not negated", "(", " != %)")
		}
	case *ast.BlockStmt:
		s.statements(n.List)
	case *ast.CaseClause:
		s.statements(n.Body)
	case *ast.CommClause:
		s.statements(n.Body)
	case *ast.SwitchStmt:
		s.cases(n)
	case *ast.BasicLit:
		s.literal(n)
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
			s.wrap(n, "is "+other, "(", " != %)")
		}
	case *ast.GenDecl:
		return n.Tok != token.CONST
	case *ast.ArrayType:
		return false // its length is constant
	case *ast.KeyValueExpr: // so may the key be
		ast.Inspect(n.Value, s.visit)
		return false
	case *ast.AssignStmt:
		return !s.writesText(n)
	case *ast.CallExpr:
		if changesNothing(n) {
			return false
		}
		ast.Inspect(n.Fun, s.visit)
		for i, a := range n.Args {
			if !s.takesText(n, i) {
				ast.Inspect(a, s.visit)
			}
		}
		return false
	}
	return true
}

// texts are the names of parameters, variables and fields with text for people. No test compares that.
var texts = []string{"msg", "message", "Message", "Fix"}

// takesText reports whether an argument is text for people, according to the name of its parameter or because it is an
// error's.
func (s *source) takesText(c *ast.CallExpr, arg int) bool {
	f, ok := types.Unalias(s.info.TypeOf(c.Fun)).(*types.Signature)
	if !ok || f.Params().Len() == 0 {
		return false
	}
	if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
		of, named := s.info.Uses[sel.Sel].(*types.Func)
		if named && (of.FullName() == "errors.New" || of.FullName() == "fmt.Errorf") {
			return true
		}
	}
	return slices.Contains(texts, f.Params().At(min(arg, f.Params().Len()-1)).Name())
}

// writesText reports whether a statement only writes text for people.
func (s *source) writesText(n *ast.AssignStmt) bool {
	if len(n.Lhs) != 1 {
		return false
	}
	switch to := n.Lhs[0].(type) {
	case *ast.Ident:
		return slices.Contains(texts, to.Name)
	case *ast.SelectorExpr:
		return slices.Contains(texts, to.Sel.Name)
	}
	return false
}

// changesNothing reports whether a call only reserves memory.
func changesNothing(c *ast.CallExpr) bool {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name == "make"
	case *ast.SelectorExpr:
		return f.Sel.Name == "Grow"
	}
	return false
}

// turnsRound reports whether a mutant of the condition's operator already negates the condition.
func turnsRound(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op == token.EQL || e.Op == token.NEQ
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	}
	return false
}

// add adds a mutant, and returns its number as a condition and as an argument.
func (s *source) add(n ast.Node, end token.Pos, what string) (on, id string, ok bool) {
	m := mutant{id: s.first + len(s.mutants), pkg: s.pkg, file: s.file, line: s.fset.Position(n.Pos()).Line, what: what,
		was: string(s.text[s.at(n.Pos()):s.at(end)])}
	if s.without[m.line] {
		return "", "", false
	}
	s.mutants = append(s.mutants, m)
	id = strconv.Itoa(m.id)
	return "mutants_.On(" + id + ")", id, true
}

func (s *source) at(p token.Pos) int { return s.fset.Position(p).Offset }

// open adds text before a node. Surrounding nodes come first.
func (s *source) open(p token.Pos, text string) {
	s.edits = append(s.edits, edit{s.at(p), s.at(p), text, len(s.edits)})
}

// close adds text after a node. Surrounding nodes come first.
func (s *source) close(p token.Pos, text string) {
	s.edits = append(s.edits, edit{s.at(p), s.at(p), text, -len(s.edits)})
}

func (s *source) replace(p token.Pos, length int, text string) {
	s.edits = append(s.edits, edit{s.at(p), s.at(p) + length, text, len(s.edits)})
}

// wrap writes text around an expression, with the mutant's condition for %.
func (s *source) wrap(n ast.Node, what, before, after string) {
	if on, _, ok := s.add(n, n.End(), what); ok {
		s.open(n.Pos(), before)
		s.close(n.End(), strings.ReplaceAll(after, "%", on))
	}
}

func (s *source) operator(n *ast.BinaryExpr) {
	op := n.Op.String()
	if n.Op == token.EQL || n.Op == token.NEQ {
		by := map[string]string{"==": "!=", "!=": "=="}[op]
		s.wrap(n, op+" is "+by, "((", ") != %)")
		return
	}

	if n.Op == token.LAND || n.Op == token.LOR {
		// that is the other operator with both sides and the result negated
		by := map[string]string{"&&": "||", "||": "&&"}[op]
		if on, _, ok := s.add(n, n.End(), op+" is "+by); ok {
			s.open(n.Pos(), "((((")
			s.replace(n.OpPos, len(op), ") != "+on+") "+op+" ((")
			s.close(n.End(), ") != "+on+")) != "+on+")")
		}
		return
	}

	f, ok := operators[n.Op]
	if basic, is := s.info.TypeOf(n.X).Underlying().(*types.Basic); !ok || !is || basic.Info()&types.IsNumeric == 0 {
		return
	}
	if _, id, ok := s.add(n, n.End(), op+" is "+f.by); ok {
		s.open(n.Pos(), "mutants_."+f.call+"("+id+", ")
		s.replace(n.OpPos, len(op), ",")
		s.close(n.End(), ")")
	}
}

// literal adds one to a number.
func (s *source) literal(n *ast.BasicLit) {
	if _, err := strconv.Atoi(n.Value); n.Kind != token.INT || err != nil {
		return
	}
	known := true
	name := types.TypeString(s.info.TypeOf(n), func(p *types.Package) string {
		if p == s.own {
			return ""
		}
		imports := func(i *ast.ImportSpec) bool { return i.Name == nil && i.Path.Value == strconv.Quote(p.Path()) }
		known = known && slices.ContainsFunc(s.tree.Imports, imports)
		return p.Name()
	})
	if !known || strings.HasPrefix(name, "untyped") {
		return
	}
	if _, id, ok := s.add(n, n.End(), "one more"); ok {
		s.open(n.Pos(), "mutants_.OneMore("+id+", "+name+"(")
		s.close(n.End(), "))")
	}
}

// statements removes the statements of a list that have only side effects.
func (s *source) statements(list []ast.Stmt) {
	for _, n := range list {
		removable := false
		switch n := n.(type) {
		case *ast.ExprStmt:
			c, ok := n.X.(*ast.CallExpr)
			removable = !ok || !changesNothing(c)
		case *ast.IncDecStmt:
			removable = true
		case *ast.BranchStmt:
			removable = n.Tok != token.FALLTHROUGH
		case *ast.AssignStmt:
			blank, ok := n.Lhs[0].(*ast.Ident)
			removable = n.Tok != token.DEFINE && !s.writesText(n) && !(len(n.Lhs) == 1 && ok && blank.Name == "_")
		case *ast.ReturnStmt:
			removable = len(n.Results) == 0
		}
		if !removable {
			continue
		}
		if on, _, ok := s.add(n, n.End(), "removed"); ok {
			s.open(n.Pos(), "if !"+on+" { ")
			s.close(n.End(), " }")
		}
	}
}

// cases removes the cases of a switch. It turns a switch with a value into one without.
func (s *source) cases(n *ast.SwitchStmt) {
	if n.Init != nil && n.Tag != nil || s.onlyTexts(n.Body.List) {
		return
	}
	value := ""
	for _, c := range n.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			continue
		}
		on, id, ok := s.add(c, c.End(), "removed")
		if !ok {
			continue
		}
		if n.Tag != nil && value == "" {
			value = "value" + id + " == "
		}

		s.open(c.List[0].Pos(), "!"+on+" && ("+value+"(")
		for i := range c.List[1:] {
			end := c.List[i].End()
			comma := strings.IndexByte(string(s.text[s.at(end):]), ',')
			s.replace(end+token.Pos(comma), 1, ") || "+value+"(")
		}
		s.close(c.List[len(c.List)-1].End(), "))")
	}

	if value != "" {
		s.open(n.Tag.Pos(), strings.Replace(value, "==", ":=", 1))
		s.close(n.Tag.End(), ";")
	}
}

// onlyTexts reports whether all cases of a switch only write texts for people.
func (s *source) onlyTexts(cases []ast.Stmt) bool {
	return !slices.ContainsFunc(cases, func(c ast.Stmt) bool {
		return slices.ContainsFunc(c.(*ast.CaseClause).Body, func(n ast.Stmt) bool {
			a, ok := n.(*ast.AssignStmt)
			return !ok || !s.writesText(a)
		})
	})
}

// changed returns the file with all changes in it, none of them active. Lines keep their numbers.
func (s *source) changed(support string) []byte {
	slices.SortFunc(s.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.order, b.order))
	})

	last := s.at(s.tree.Name.End())
	out := slices.Concat(s.text[:last], []byte("; import mutants_ "+strconv.Quote(support)))
	for _, e := range s.edits {
		out = append(append(out, s.text[last:e.start]...), e.text...)
		last = e.end
	}
	out = append(out, s.text[last:]...)
	return append(out, "\nvar _ = mutants_.On\n"...)
}
