package scriptread

import (
	"slices"
	"strconv"
	"strings"
)

// A program is one in Python or JavaScript that is read.
type program struct {
	c      *collector
	lang   Language
	tokens []token
	input  []string            // what the program reads from its standard input
	vars   map[string][]string // fields by the variable that holds them
	raw    map[string]bool     // variables with the text of the input
	group  int                 // of the statement that is read
	stdin  bool                // the program reads its standard input somewhere
}

// program reads the text of a program, whose standard input is the field in.
func (c *collector) program(lang Language, text string, in []string, line int) bool {
	tokens, ok := lex(lang, text, line)
	if !ok {
		return false
	}
	p := &program{c: c, lang: lang, tokens: tokens, input: in, vars: map[string][]string{}, raw: map[string]bool{}}
	for i := range tokens {
		p.stdin = p.stdin || p.readsInput(i)
	}
	p.group = c.group()
	for i := 0; i < len(tokens); {
		i = p.statement(i)
	}
	return true
}

func (p *program) token(i int) *token {
	if i < 0 || i >= len(p.tokens) {
		return &token{kind: endToken}
	}
	return &p.tokens[i]
}

// sequence reports whether tokens are these words and signs.
func (p *program) sequence(i int, words ...string) bool {
	for j, w := range words {
		if t := p.token(i + j); t.text != w || t.kind != nameToken && t.kind != otherToken {
			return false
		}
	}
	return true
}

// readsInput reports whether the standard input is read at a token.
func (p *program) readsInput(i int) bool {
	if p.lang == Python {
		return p.sequence(i, "sys", ".", "stdin")
	}
	file := p.token(i + 2)
	return p.sequence(i, "process", ".", "stdin") || p.sequence(i, "Bun", ".", "stdin") ||
		p.token(i).named("readFileSync") && (p.sequence(i+1, "(", "0") ||
			file.kind == textToken && file.text == "/dev/stdin")
}

// statement reads from a token to the next one, or to the end of what it has read.
func (p *program) statement(i int) int {
	t := p.token(i)
	switch {
	case t.kind == endToken:
		p.group = p.c.group()
		return i + 1
	case p.lang == JavaScript && (t.is("{") || t.is("}")):
		p.group = p.c.group()
		return i + 1
	case p.lang == Python && t.named("def") || p.lang == JavaScript && t.named("function"):
		return p.definition(i)
	case t.is("=>"):
		p.arrow(i)
		return i + 1
	case t.kind == nameToken && (p.token(i+1).is("=") || p.token(i+1).is(":=")) && !p.token(i-1).is("."):
		return p.assignment(i)
	case t.kind == nameToken && p.token(i+1).is("+=") && p.stdin: // the pieces of the input
		p.raw[t.text] = true
		return i + 2
	case p.lang == JavaScript && (t.named("const") || t.named("let") || t.named("var")) && p.token(i+1).is("{"):
		return p.destructured(i + 1)
	case t.named("exit") || t.named("_exit") || t.named("SystemExit"):
		if n, err := strconv.Atoi(p.token(i + 2).text); err == nil && p.token(i+1).is("(") && p.token(i+3).is(")") {
			p.c.exit(n, t.line)
		}
		return i + 1
	case t.named("in") && p.token(i-1).kind == textToken || t.named("for"):
		return p.rebound(i)
	}

	if at, next, ok := p.chain(i); ok {
		p.compared(at, i, next)
		return next
	}

	return i + 1
}

// rebound forgets the variables of a loop.
func (p *program) rebound(i int) int {
	for j := i + 1; j < i+8 && p.token(j).kind != endToken; j++ {
		t := p.token(j)
		if t.named("in") || t.named("of") || t.is("=") {
			break
		}
		if t.kind == nameToken {
			delete(p.vars, t.text)
		}
	}
	return i + 1
}

// definition forgets the variables that a function has of its own: its parameters.
func (p *program) definition(i int) int {
	depth := 0
	for j := i + 1; j < len(p.tokens); j++ {
		t := p.token(j)
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth == 0 {
				return j + 1
			}
		case t.kind == nameToken:
			delete(p.vars, t.text)
			delete(p.raw, t.text)
		case t.kind == endToken:
			return j
		}
	}
	return len(p.tokens)
}

// arrow forgets the parameters before an arrow.
func (p *program) arrow(i int) {
	j := i - 1
	for parenthesized := p.token(j).is(")"); parenthesized && j > max(i-20, 0) && !p.token(j).is("("); {
		j--
	}
	for ; j < i; j++ {
		if t := p.token(j); t.kind == nameToken {
			delete(p.vars, t.text)
		}
	}
}

// assignment reads NAME = VALUE.
func (p *program) assignment(i int) int {
	name := p.token(i).text
	at, next, ok := p.chain(i + 2)
	delete(p.vars, name)
	delete(p.raw, name)
	if ok {
		if at != nil && p.endsValue(next) {
			p.vars[name] = at
		}
		p.compared(at, i+2, next)
		return next
	}
	// the text of the input, whatever it takes to get it
	for j := i + 2; j < len(p.tokens) && j < i+40 && p.token(j).kind != endToken; j++ {
		switch {
		case p.readsInput(j) || p.token(j).named("concat") && p.stdin || p.token(j).named("chunks") && p.stdin:
			p.raw[name] = true
		case p.sequence(j, "json", ".", "load") || p.sequence(j, "json", ".", "loads") ||
			p.sequence(j, "JSON", ".", "parse"):
			return i + 2
		}
	}
	return i + 2
}

// endsValue reports whether an expression ends at a token, or only a stand-in for it follows.
func (p *program) endsValue(i int) bool {
	t := p.token(i)
	return t.kind == endToken || t.named("or") || t.is("||") || t.is("??") || t.is(")") || t.is("}") || t.is(",") ||
		p.lang == JavaScript && t.line > p.token(i-1).line && t.kind == nameToken
}

// destructured reads const { a, b: c } = VALUE from its bracket.
func (p *program) destructured(i int) int {
	end, depth := i, 0
	for ; end < len(p.tokens) && end < i+200; end++ {
		if t := p.token(end); t.is("{") {
			depth++
		} else if t.is("}") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if !p.token(end+1).is("=") || !p.token(end).is("}") {
		return i + 1
	}
	at, next, ok := p.chain(end + 2)
	if !ok || at == nil {
		return end + 2
	}
	p.members(at, i+1, end)
	return next
}

// members reads the names in a pattern.
func (p *program) members(at []string, i, end int) {
	for i < end {
		t := p.token(i)
		if t.kind != nameToken && t.kind != textToken || p.token(i-1).is("...") {
			i++
			continue
		}

		own := below(at, t.text)
		p.c.field(own, t.line, p.c.group())
		name := t.text
		i++
		if p.token(i).is(":") && p.token(i+1).is("{") {
			depth, from := 0, i+2
			for i++; i < end; i++ {
				if p.token(i).is("{") {
					depth++
				} else if p.token(i).is("}") {
					if depth--; depth == 0 {
						break
					}
				}
			}
			p.members(own, from, i)
			name = ""
		} else if p.token(i).is(":") {
			name = p.token(i + 1).text
			i += 2
		}

		if name != "" {
			p.vars[name] = own
		}

		for depth := 0; i < end && (depth > 0 || !p.token(i).is(",")); i++ { // a default
			switch t := p.token(i); {
			case t.is("{") || t.is("[") || t.is("("):
				depth++
			case t.is("}") || t.is("]") || t.is(")"):
				depth--
			}
		}
	}
}

// chain reads a value that may be a field: a variable with one, or the input as it is parsed, and the names behind it.
// ok is false if no such value begins here; a nil field is a value that isn't known.
func (p *program) chain(i int) (at []string, next int, ok bool) {
	brackets := 0
	for p.token(i).is("(") && brackets < 10 {
		i++
		brackets++
	}

	start := i
	for p.token(i).named("await") {
		i++
	}

	t := p.token(i)
	from, known := p.vars[t.text]
	before := p.token(i - 1)
	switch {
	case t.kind != nameToken || (before.is(".") || before.is("?.")) && i == start:
		return nil, 0, false
	case known && !p.token(i+1).is("("):
		at, next = from, i+1
	default:
		if at, next, ok = p.parsed(i); !ok {
			return nil, 0, false
		}
	}

	at, next = p.steps(at, next)
	for brackets > 0 { // (data.get("a") or {}).get("b")
		j := p.standIn(next)
		if !p.token(j).is(")") {
			break
		}
		at, next = p.steps(at, j+1)
		brackets--
	}

	return at, next, true
}

// standIn passes an empty value that stands in for a field.
func (p *program) standIn(i int) int {
	if t := p.token(i); t.named("or") || t.is("||") || t.is("??") {
		for _, empty := range [][]string{{"{", "}"}, {"dict", "(", ")"}, {"[", "]"}} {
			if p.sequence(i+1, empty...) {
				return i + 1 + len(empty)
			}
		}
		if p.token(i+1).kind == textToken && p.token(i+1).text == "" {
			return i + 2
		}
	}
	return i
}

// parsed reads the input as it is parsed.
func (p *program) parsed(i int) (at []string, next int, ok bool) {
	open := i + 3
	switch {
	case p.sequence(i, "json", ".", "load", "("), p.sequence(i, "json", ".", "loads", "("),
		p.sequence(i, "JSON", ".", "parse", "("):
	default:
		return nil, 0, false
	}

	depth, input, name := 0, false, ""
	for next = open; next < len(p.tokens) && next < open+40; next++ {
		t := p.token(next)
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth == 0 {
				if input || p.raw[name] {
					return p.input, next + 1, true
				}
				return nil, next + 1, true
			}
		case p.readsInput(next):
			input = true
		case t.kind == nameToken && name == "":
			name = t.text
		}
	}

	return nil, next, true
}

// ends are properties of a value, not fields of the input.
var ends = []string{"length", "keys", "items", "values"}

// steps reads the names behind a value, and those of fields of the input are found.
func (p *program) steps(at []string, i int) ([]string, int) {
	for {
		name, next := "", 0
		switch t := p.token(i); {
		case p.sequence(i, ".", "get", "(") && p.token(i+3).kind == textToken:
			name, next = p.token(i+3).text, p.closed(i+2)
		case t.is("[") && p.token(i+1).kind == textToken && p.token(i+2).is("]"):
			name, next = p.token(i+1).text, i+3
		case t.is("?.") && p.token(i+1).is("[") && p.token(i+2).kind == textToken && p.token(i+3).is("]"):
			name, next = p.token(i+2).text, i+4
		case p.lang == JavaScript && t.is("!") && p.token(i+1).is("."): // of TypeScript
			i++
			continue
		case p.lang == JavaScript && (t.is(".") || t.is("?.")) && p.token(i+1).kind == nameToken:
			name, next = p.token(i+1).text, i+2
			called := p.token(next).is("(") || p.token(next).is("?.") && p.token(next+1).is("(")
			if called || slices.Contains(ends, name) {
				return nil, next
			}
		case t.is("[") || t.is(".") || t.is("?."):
			return nil, i + 1
		default:
			return at, i
		}

		if p.assigned(next) { // the program writes it
			return nil, next
		}

		at = below(at, name)
		p.c.field(at, p.token(i).line, p.group)
		i = next
	}
}

func (p *program) assigned(i int) bool { return p.token(i).is("=") || p.token(i).is("+=") }

// closed is the index behind the bracket that closes the one at i.
func (p *program) closed(i int) int {
	depth := 0
	for j := i; j < len(p.tokens) && j < i+60; j++ {
		if t := p.token(j); t.is("(") || t.is("[") || t.is("{") {
			depth++
		} else if t.is(")") || t.is("]") || t.is("}") {
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return i + 1
}

// compared finds the texts that a field is compared with, on either side.
func (p *program) compared(at []string, start, next int) {
	if at == nil {
		return
	}

	if t := p.token(start - 1); t.is("==") || t.is("===") || t.is("!=") || t.is("!==") {
		if text := p.token(start - 2); text.kind == textToken {
			p.c.word(at, text.text, text.line)
		}
	}

	if p.token(next).named("not") {
		next++
	}

	switch t := p.token(next); {
	case t.is("==") || t.is("===") || t.is("!=") || t.is("!=="):
		if text := p.token(next + 1); text.kind == textToken {
			p.c.word(at, text.text, text.line)
		}
	case t.named("in") && strings.Contains("([{", p.token(next+1).text) && p.token(next+1).kind == otherToken:
		for j := next + 2; j < next+80; j++ {
			text := p.token(j)
			if text.kind == textToken {
				p.c.word(at, text.text, text.line)
			} else if !text.is(",") {
				break
			}
		}
	}
}
