package shell

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A translator makes a Script of the library's tree. It rejects what the library and bash read differently.
type translator struct {
	written
	unclosed bool // the text may end within a single-quoted text or a compound command
	refused  bool
	ticks    []bool // the backquotes around the current place: whether each is within double quotes
	within   int    // where the innermost substitution ends, 0 outside of one
	returns  int    // carriage returns within quotes and here-documents
	docs     []document
}

// understood reports whether the source was translated without a rejection. A carriage return outside of quotes is text
// in bash, and a blank in the library.
func (t *translator) understood(src string) bool {
	return !t.refused && t.returns == returns(src) && t.documents()
}

// closed rejects a command that ends without its closing token.
func (t *translator) closed(end syntax.Pos) {
	t.refused = t.refused || end.IsRecovered()
}

// list translates statements. It leaves out an item that is missing at the end of the text.
func (t *translator) list(stmts []*syntax.Stmt) (s Script) {
	for i, st := range stmts {
		if st.Position.IsRecovered() {
			continue
		}
		t.statement(&s, st, nil)
		last := &s.Items[len(s.Items)-1]
		switch {
		case st.Coprocess || st.Disown:
			t.refused = true
		case st.Background:
			last.Op = "&"
		case st.Semicolon.IsValid():
			last.Op = ";"
		case i+1 < len(stmts):
			last.Op = "\n"
		}
	}
	return s
}

// statement adds the commands of a statement, which operators may join. The pieces before the first one are keywords
// for the library, after which a shell expects nothing but a command.
func (t *translator) statement(s *Script, st *syntax.Stmt, before []piece) {
	type link struct {
		op string
		to *syntax.Stmt
	}
	var links []link
	negations := 0
	for b, ok := st.Cmd.(*syntax.BinaryCmd); ok; b, ok = st.Cmd.(*syntax.BinaryCmd) {
		negations += count(st.Negated)
		links = append(links, link{b.Op.String(), b.Y})
		st = b.X
	}
	first := len(s.Items)
	t.item(s, st, before)
	s.Items[first].Negations += negations + count(st.Negated)
	for _, l := range slices.Backward(links) {
		s.Items[len(s.Items)-1].Op = l.op
		if t.refused = t.refused || l.to.Position.IsRecovered(); t.refused {
			return
		}
		t.statement(s, l.to, nil)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// item adds the command of a statement without operators.
func (t *translator) item(s *Script, st *syntax.Stmt, before []piece) {
	pieces := before
	for _, r := range st.Redirs {
		pieces = append(pieces, t.redirect(r))
	}

	keyword := func(at syntax.Pos, word string, then *syntax.Stmt) {
		pieces = append(pieces, t.keyword(at, word))
		if then != nil {
			t.statement(s, then, pieces)
			return
		}
		s.Items = append(s.Items, Item{Command: t.simple(pieces)})
	}
	switch c := st.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		for _, a := range c.Assigns {
			pieces = append(pieces, t.assign(a, len(before) == 0))
		}
		for _, w := range c.Args {
			pieces = append(pieces, t.piece(w))
		}
	case *syntax.DeclClause:
		pieces = append(pieces, t.keyword(c.Variant.Pos(), c.Variant.Value))
		for _, a := range c.Args {
			pieces = append(pieces, t.assign(a, false))
		}
	case *syntax.TimeClause:
		if c.PosixFormat {
			end := t.at(c.Time) + len("time")
			option := strings.Index(t.src[end:], "-p")
			pieces = append(pieces, piece{word: literalWord("-p"), start: end + option, end: end + option + len("-p")})
		}
		keyword(c.Time, "time", c.Stmt)
		return
	case *syntax.CoprocClause:
		t.refused = t.refused || c.Name != nil
		keyword(c.Coproc, "coproc", c.Stmt)
		return
	default:
		if b, ok := c.(*syntax.Block); ok && len(before) > 0 && b.Rbrace.IsRecovered() && len(b.Stmts) == 1 {
			pieces = append(pieces, t.keyword(b.Lbrace, "{")) // a word for some readers
			t.refused = t.refused || b.Stmts[0].Position.IsRecovered()
			t.statement(s, b.Stmts[0], pieces)
			return
		}

		t.refused = t.refused || len(before) > 0
		command := t.compound(st.Cmd)
		for _, p := range pieces {
			command.Redirects = append(command.Redirects, p.redirect)
		}
		s.Items = append(s.Items, Item{Command: command})
		return
	}
	s.Items = append(s.Items, Item{Command: t.simple(pieces)})
}

// A piece is a part of a simple command: a word, an assignment or a redirection.
type piece struct {
	word       Word
	assigns    bool
	redirect   *Redirect
	start, end int
}

func literalWord(text string) Word { return Word{Raw: text, Parts: []Part{{Text: text}}} }

func (t *translator) keyword(at syntax.Pos, word string) piece {
	start := t.at(at)
	return piece{word: literalWord(word), start: start, end: start + len(word)}
}

func (t *translator) piece(w *syntax.Word) piece {
	return piece{word: t.word(w), start: t.at(w.Pos()), end: t.at(w.End())}
}

// simple sorts the pieces of a command.
func (t *translator) simple(pieces []piece) (c Command) {
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.start, b.start) })
	for i, p := range pieces {
		touches := p.redirect != nil && p.redirect.Descriptor == "" // as in a>b
		t.refused = t.refused || i > 0 && !t.blank(pieces[i-1].end, p.start, touches)
		switch {
		case p.redirect != nil:
			p.redirect.Assigns = len(c.Assigns)
			c.Redirects = append(c.Redirects, p.redirect)
			c.Parted = cmp.Or(c.Parted, len(c.Words))
		case p.assigns:
			c.Assigns = append(c.Assigns, p.word)
		default:
			c.Words = append(c.Words, p.word)
		}
	}
	if c.Parted == len(c.Words) {
		c.Parted = 0
	}
	t.refused = t.refused || len(c.Words) > 0 && isReserved(c.Words[0].Raw) // readers differ on "X=1 then"
	return c
}

// isReserved reports whether a word has a meaning at the beginning of a command.
func isReserved(w string) bool {
	switch w {
	case "if", "then", "elif", "else", "fi", "while", "until", "for", "do", "done", "case", "esac", "select",
		"function", "{", "}", "[[", "!":
		return true
	}
	return false
}

// blank reports whether only blanks and joined lines are between two pieces of a command, or nothing if they may touch.
// If a comment ends with a backslash, the library continues the command, and bash begins another one.
func (t *translator) blank(from, to int, touch bool) bool {
	gap, ok := t.gap(from, to)
	return ok && strings.Trim(gap, " \t") == "" && (touch || gap != "")
}

// gap returns the source between two places, without joined lines; false for places out of order.
func (t *translator) gap(from, to int) (gap string, ok bool) {
	if from > to {
		return "", false
	}
	gap = t.src[from:to]
	if from > 0 && t.src[from-1] == '\\' { // the library's places are between the two characters of a joined line
		gap = strings.TrimPrefix(gap, "\n")
	}
	if len(t.ticks) > 0 {
		gap = strings.TrimRight(gap, `\`)
	}
	return joined(gap), true
}

// joined returns a text without the line ends that a backslash removes.
func joined(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	return strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(s)
}

// compound translates a command that contains commands, a test or a calculation.
func (t *translator) compound(command syntax.Command) (c Command) {
	switch x := command.(type) {
	case *syntax.Subshell:
		c.Kind = Subshell
		t.closed(x.Rparen)
		c.Lists = []Script{t.list(x.Stmts)}
	case *syntax.Block:
		c.Kind = Group
		t.closed(x.Rbrace)
		c.Lists = []Script{t.list(x.Stmts)}
	case *syntax.IfClause:
		c.Kind = If
		for ; x != nil; x = x.Else {
			if len(x.Cond) > 0 { // else has none
				c.Lists = append(c.Lists, t.list(x.Cond))
			}
			if !x.ThenPos.IsRecovered() {
				c.Lists = append(c.Lists, t.list(x.Then))
			}
		}
	case *syntax.WhileClause:
		c.Kind = Loop
		c.Lists = []Script{t.list(x.Cond)}
		if !x.DoPos.IsRecovered() {
			c.Lists = append(c.Lists, t.list(x.Do))
		}
	case *syntax.ForClause:
		t.loop(&c, x)
	case *syntax.CaseClause:
		c.Kind = Case
		c.Words = []Word{t.word(x.Word)}
		t.closed(x.Esac)
		for _, item := range x.Items {
			for _, pattern := range item.Patterns {
				c.In = append(c.In, t.word(pattern))
			}
			c.Lists = append(c.Lists, t.list(item.Stmts))
		}
	case *syntax.FuncDecl:
		c.Kind = Function
		if x.Name == nil { // zsh
			t.refused = true
			return c
		}
		c.Name = t.text(x.Name.Value)
		var body Script
		t.statement(&body, x.Body, nil)
		c.Lists = []Script{body}
		t.refused = t.refused || body.Items[0].Command.Kind == Simple
	case *syntax.TestClause:
		c.Kind = Test
		t.test(&c, x.X)
	case *syntax.ArithmCmd:
		c.Kind = Arithmetic
		t.closed(x.Right)
		c.Words = []Word{t.sum(x.X, t.between(x.Left, x.End()))}
	default: // let, in which the library reads a redirection as a comparison
		t.refused = true
	}

	return c
}

func (t *translator) loop(c *Command, x *syntax.ForClause) {
	if c.Kind = For; x.Select || x.Braces { // a form that few shells support
		c.Kind = Select
	}
	t.refused = t.refused || x.DoPos.IsRecovered()
	switch l := x.Loop.(type) {
	case *syntax.WordIter:
		c.Name = l.Name.Value
		t.refused = t.refused || !IsName(c.Name)
		for _, w := range l.Items {
			c.In = append(c.In, t.word(w))
		}
	case *syntax.CStyleLoop:
		t.closed(l.Rparen)
		for _, sum := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			if sum != nil {
				c.In = append(c.In, t.sum(sum, t.between(l.Lparen, l.End())))
			}
		}
	}
	if x.Braces {
		t.closed(x.DonePos)
	}
	c.Lists = []Script{t.list(x.Do)}
}

// test adds the words of a test.
func (t *translator) test(c *Command, x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		t.test(c, x.X)
		before := len(c.Words)
		t.test(c, x.Y)
		if x.Op == syntax.TsReMatch { // the library may lose its place in an expression with substitutions
			t.refused = t.refused || slices.ContainsFunc(c.Words[before:], func(w Word) bool { return !w.Fixed() })
		}
	case *syntax.UnaryTest:
		t.test(c, x.X)
	case *syntax.ParenTest:
		t.closed(x.Rparen)
		t.test(c, x.X)
	case *syntax.Word:
		c.Words = append(c.Words, t.word(x))
	}
}

// sum returns a calculation as a word.
func (t *translator) sum(x syntax.ArithmExpr, raw string) Word {
	return Word{Raw: raw, Parts: []Part{{Kind: Sum, Text: raw, Scripts: t.commands(x)}}}
}
