package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A quoting determines which backslashes count in a text.
type quoting uint8

const (
	unquoted quoting = iota
	inDouble
	inDocument // a here-document that is expanded
)

// A written is the source of the library's places.
type written struct {
	src   string
	bytes bool // src has a character for each byte of the text
}

// at returns where a place is in the source; a missing token is at its end.
func (w written) at(p syntax.Pos) int {
	if p.IsRecovered() {
		return len(w.src)
	}
	return min(int(p.Offset()), len(w.src))
}

// between returns the source from one place to another, without the backslashes that only the surrounding backquotes
// need.
func (t *translator) between(from, to syntax.Pos) string {
	start, end := t.at(from), t.at(to)
	if start > end {
		t.refused = true
		return ""
	}
	raw := t.src[start:end]
	for _, double := range t.ticks {
		pairs := []string{`\\`, `\`, "\\`", "`", `\$`, "$"}
		if double {
			pairs = append(pairs, `\"`, `"`)
		}
		raw = strings.NewReplacer(pairs...).Replace(raw)
	}
	return t.text(raw)
}

// text returns a text of the library as in the source.
func (w written) text(s string) string {
	if !w.bytes {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, c := range s {
		b = append(b, byte(c))
	}
	return string(b)
}

// exact returns a value that begins at a place, with the carriage returns that the library leaves out.
func (t *translator) exact(from syntax.Pos, value string) string {
	rest, end := t.src[t.at(from):], 0
	if strings.Contains(rest[:min(len(rest), 2*len(value))], "\r") {
		for i := range len(value) {
			if value[i] == '\n' && strings.HasPrefix(rest[end:], "\r") {
				end++
			}
			if end == len(rest) || rest[end] != value[i] {
				break // a joined line
			}
			if end++; i == len(value)-1 {
				value = rest[:end]
			}
		}
	}
	t.returns += returns(value)
	return t.text(value)
}

// word translates a word.
func (t *translator) word(x *syntax.Word) Word {
	w := Word{Raw: t.between(x.Pos(), x.End()), Line: int(x.Pos().Line())}
	t.parts(&w, x.Parts, unquoted)
	t.ends(x.End())
	return w
}

// ends rejects a word that the library ends before a number sign, although no comment begins there.
func (t *translator) ends(end syntax.Pos) {
	at := t.at(end)
	if at > 0 && t.src[at-1] == '\\' {
		at++
	}
	rest := t.src[min(at, len(t.src)):]
	for more := true; more; { // joined lines
		var windows bool
		rest, more = strings.CutPrefix(rest, "\\\n")
		rest, windows = strings.CutPrefix(rest, "\\\r\n")
		more = more || windows
	}
	t.refused = t.refused || strings.HasPrefix(rest, "#")
}

// assign translates an assignment, or an argument of a command that declares variables.
func (t *translator) assign(a *syntax.Assign, assigns bool) piece {
	p := piece{assigns: assigns, start: t.at(a.Pos()), end: t.at(a.End())}
	if a.Name == nil {
		return t.piece(a.Value)
	}

	p.word.add(Part{Text: a.Name.Value})
	operator := ""
	if !a.Naked {
		operator = "="
	}
	if a.Append {
		operator = "+="
		p.end += count(a.Value == nil && a.Array == nil)
	}
	if a.Index != nil {
		index := t.between(a.Name.End(), a.Index.End()) + "]"
		part := Part{Kind: Sum, Text: index, Scripts: t.commands(a.Index)}
		if !strings.ContainsAny(index, "$`'\"\\") {
			part.Kind = Literal
		}
		p.word.add(part)
	}

	p.word.add(Part{Text: operator})
	switch {
	case a.Array != nil:
		t.follows(a, a.Array.Lparen, operator)
		t.closed(a.Array.Rparen)
		array := Part{Kind: Expansion, Text: t.between(a.Array.Pos(), a.Array.End())}
		for _, e := range a.Array.Elems {
			array.Scripts = append(array.Scripts, t.commands(e.Index)...)
			if e.Value != nil {
				array.Scripts = append(array.Scripts, t.inner(e.Value)...)
			}
		}
		p.word.add(array)
	case a.Value != nil:
		t.follows(a, a.Value.Pos(), operator)
		t.parts(&p.word, a.Value.Parts, unquoted)
	}

	p.word.Raw = t.between(a.Pos(), syntax.NewPos(uint(p.end), 1, 1))
	t.ends(a.End())
	return p
}

// follows rejects a value that the library didn't find directly after the operator.
func (t *translator) follows(a *syntax.Assign, value syntax.Pos, operator string) {
	name, start := a.Name.Value, t.at(a.Pos())
	if a.Index != nil {
		name, start = "]", t.at(a.Index.End())
	}
	gap, ok := t.gap(start, t.at(value))
	counted := t.at(value)-start == len(name+operator) // the library's place, if a line is joined in the name
	t.refused = t.refused || !ok || !counted && gap != name+operator
}

// maxJoined is the length up to which a literal grows part by part: beyond it, joining would take quadratic time.
const maxJoined = 256

func (w *Word) add(part Part) {
	if n := len(w.Parts) - 1; n >= 0 && part.Kind == Literal {
		last := &w.Parts[n]
		if last.Kind == Literal && last.Double == part.Double && len(last.Text) < maxJoined {
			last.Text += part.Text
			return
		}
	}
	w.Parts = append(w.Parts, part)
}

// parts adds the parts of a word, or of the double quotes in it.
func (t *translator) parts(w *Word, parts []syntax.WordPart, in quoting) {
	double := in != unquoted
	for i, part := range parts {
		if i > 0 { // after a comment that ends with a backslash, the library continues the word
			gap, ok := t.gap(t.at(parts[i-1].End()), t.at(part.Pos()))
			t.refused = t.refused || !ok || gap != ""
		}

		p := Part{Double: double}
		switch x := part.(type) {
		case *syntax.Lit:
			t.closed(x.ValuePos)
			t.literal(w, t.exact(x.ValuePos, x.Value), in)
			continue
		case *syntax.SglQuoted:
			p = t.single(x)
		case *syntax.DblQuoted:
			if x.Dollar {
				w.add(Part{Kind: Ansi, Text: "$"}) // a translation may be anything
			}
			w.add(Part{Double: true})
			t.closed(x.Right)
			t.parts(w, x.Parts, inDouble)
			continue
		case *syntax.ParamExp:
			p.Kind, p.Text = Expansion, t.between(x.Pos(), x.End())
			if plainVariable(x) && (x.Short || IsName(x.Param.Value)) {
				p.Kind, p.Text, p.Braces = Variable, x.Param.Value, !x.Short
			}
			t.closed(x.Rbrace)
			p.Scripts = t.expanded(x)
		case *syntax.ArithmExp:
			t.closed(x.Right)
			p.Kind, p.Text, p.Scripts = Sum, t.between(x.Pos(), x.End()), t.commands(x.X)
		case *syntax.CmdSubst:
			t.refused = t.refused || x.TempFile || x.ReplyVar
			t.closed(x.Right)
			p.Kind, p.Text, p.Ticks = Output, t.between(x.Pos(), x.End()), x.Backquotes
			p.Scripts = []Script{t.substituted(x.Stmts, x.Right, x.Backquotes, in == inDouble)}
		case *syntax.ProcSubst:
			t.closed(x.Rparen)
			p.Kind, p.Text = Process, t.between(x.Pos(), x.End())
			p.Scripts = []Script{t.substituted(x.Stmts, x.Rparen, false, false)}
		default: // an extended glob, in which the library reads no commands
			t.refused = true
		}
		w.add(p)
	}
}

// substituted translates the commands of a substitution that ends at end.
func (t *translator) substituted(stmts []*syntax.Stmt, end syntax.Pos, ticks, double bool) Script {
	within, around := t.within, t.ticks
	t.within = t.at(end)
	if ticks {
		t.ticks = append(around[:len(around):len(around)], double)
	}
	s := t.list(stmts)
	t.within, t.ticks = within, around
	return s
}

func (t *translator) single(x *syntax.SglQuoted) Part {
	start := min(t.at(x.Left)+len("'"), len(t.src))
	switch {
	case x.Right.IsRecovered():
		t.refused = t.refused || x.Dollar
		t.returns += returns(t.src[start:])
		return Part{Kind: Quoted, Text: t.text(t.src[start:]), Unclosed: true}
	case x.Dollar:
		t.returns += returns(x.Value)
		t.refused = t.refused || strings.Contains(x.Value, `\'`) // where some shells end it
		return Part{Kind: Ansi, Text: t.between(x.Pos(), x.End())}
	}
	return Part{Kind: Quoted, Text: t.exact(syntax.NewPos(uint(start), 1, 1), x.Value)}
}

// literal adds a text with backslashes in it.
func (t *translator) literal(w *Word, s string, in quoting) {
	double := in != unquoted
	for s != "" {
		text, rest, found := strings.Cut(s, `\`)
		if text != "" {
			w.add(Part{Text: text, Double: double})
		}
		if found && rest == "" {
			t.refused = true // nothing follows the backslash
		}
		_, size := utf8.DecodeRuneInString(rest)
		c := rest[:size]
		s = rest[size:]
		switch keeps := double && !strings.Contains("$`\\", c) && (c != `"` || in == inDocument); {
		case c == "" || c == "\n":
		case keeps:
			w.add(Part{Text: `\` + c, Double: true})
		default:
			w.add(Part{Kind: Escaped, Text: c, Double: double})
		}
	}
}

// plainVariable reports whether an expansion only inserts a variable's value.
func plainVariable(x *syntax.ParamExp) bool {
	changes := x.Excl || x.Length || x.Width || x.IsSet
	operates := x.Index != nil || x.Slice != nil || x.Repl != nil || x.Exp != nil
	return x.Param != nil && !changes && !operates && x.Names == 0
}

// expanded returns the commands within an expansion.
func (t *translator) expanded(x *syntax.ParamExp) (scripts []Script) {
	t.refused = t.refused || x.Param == nil || x.NestedParam != nil || x.Flags != nil // zsh
	scripts = t.commands(x.Index)
	if x.Slice != nil {
		scripts = append(append(scripts, t.commands(x.Slice.Offset)...), t.commands(x.Slice.Length)...)
	}
	if x.Repl != nil {
		scripts = append(append(scripts, t.inner(x.Repl.Orig)...), t.inner(x.Repl.With)...)
	}
	if x.Exp != nil {
		scripts = append(scripts, t.inner(x.Exp.Word)...)
	}
	return scripts
}

// commands returns those within a calculation.
func (t *translator) commands(x syntax.ArithmExpr) (scripts []Script) {
	for x != nil {
		switch e := x.(type) {
		case *syntax.BinaryArithm:
			scripts = append(scripts, t.commands(e.Y)...)
			x = e.X // as long as the calculation
		case *syntax.UnaryArithm:
			x = e.X
		case *syntax.ParenArithm:
			t.closed(e.Rparen)
			x = e.X
		case *syntax.Word:
			return append(scripts, t.inner(e)...)
		default:
			t.refused = true
			return nil
		}
	}
	return scripts
}

// inner returns the commands within a word, nil for none.
func (t *translator) inner(x *syntax.Word) (scripts []Script) {
	if x == nil {
		return nil
	}
	for _, p := range t.word(x).Parts {
		scripts = append(scripts, p.Scripts...)
	}
	return scripts
}
