package scriptread

import "slices"

// The languages' names for things.
var (
	inputs  = []string{"sys.stdin", "process.stdin", "Bun.stdin"}
	openers = []string{"open", "readFileSync"}
	parsers = []string{"json.load", "json.loads", "JSON.parse"}
	exits   = []string{"exit", "_exit", "SystemExit"}
	methods = []string{"length", "keys", "items", "values"} // of JavaScript's values, also without brackets
	either  = []string{"or", "||", "??", "//"}
	equal   = []string{"==", "===", "!=", "!=="}
)

// A program is a Python or JavaScript program.
type program struct {
	*collector
	lang   Language
	tokens []token
	input  []string // what the program reads from its standard input
	vars   variables
	raw    map[string]bool //  variables with the text of the input
	stdin  bool            // the program has read its standard input

	// The current statement NAME = VALUE:
	target string
	from   int      // where the value begins
	held   []string // the value
	text   bool     // the text of the input is in it
}

// program reads a program whose standard input is the field in.
func (c *collector) program(lang Language, text string, in []string, line int) {
	p := &program{collector: c, lang: lang, tokens: lex(lang, text, line), input: in,
		vars: variables{}, raw: map[string]bool{}}
	p.end()
	for i := 0; i < len(p.tokens); {
		at, next := p.chain(i)
		if next == 0 {
			i = p.other(i)
			continue
		}
		p.compared(at, i, next)
		if i == p.from && p.endsValue(next) {
			p.held = at
		}
		i = next
	}
}

func (p *program) token(i int) *token {
	if i < 0 || i >= len(p.tokens) {
		return &token{kind: endToken}
	}
	return &p.tokens[i]
}

// endsValue reports whether an expression ends at a token, or only an alternative of it follows.
func (p *program) endsValue(i int) bool {
	t := p.token(i)
	return t.kind == endToken || slices.Contains(either, t.text) || t.text == "if" || t.is(")", "}", ",")
}

// end ends a statement. Fields of the next one aren't alternatives of those before.
func (p *program) end() {
	if p.target != "" {
		p.vars.set(p.target, p.held)
		p.raw[p.target] = p.text
	}
	p.target, p.from, p.held, p.text = "", -1, nil, false
	p.group++
}

// reads reports whether a token is the text of the input.
func (p *program) reads(i int) bool {
	t, file := p.token(i), p.token(i+2).text
	opens := slices.Contains(openers, t.text) && p.token(i+1).is("(") && (file == "0" || file == "/dev/stdin")
	if opens || t.kind == nameToken && slices.Contains(inputs, t.text) {
		p.stdin = true
		return true
	}
	return t.kind == nameToken && p.raw[t.text]
}

// other reads a token that begins no field, and returns the next one.
func (p *program) other(i int) int {
	t, next := p.token(i), p.token(i+1)
	p.text = p.text || p.reads(i)
	switch {
	case t.kind == endToken || p.lang == JavaScript && t.is("{", "}"):
		p.end()
	case i == p.from && (t.is("(") || t.text == "await"):
		p.from++
	case t.is("=>"):
		from := i - 1
		for p.token(i-1).is(")") && from > i-20 && !p.token(from).is("(") {
			from--
		}
		p.forget(from, "=>")
	case next.is("(") && slices.Contains(exits, t.text) && p.token(i+3).is(")"):
		p.exit(p.token(i+2).text, t.line)
	case t.kind != nameToken:

	case next.is("{") && (t.text == "const" || t.text == "let" || t.text == "var"):
		return p.destructured(i + 1)
	case t.text == "def" || t.text == "function":
		return p.forget(i+1, ")")
	case t.text == "for":
		p.forget(i+1, "in", "of", "=")
	case next.is("=", ":="):
		p.end()
		p.target, p.from = t.text, i+2
		return i + 2
	case p.stdin && (next.is("+=") || next.text == "push"): // the pieces of the input
		p.raw[t.text] = true
	}
	return i + 1
}

// forget forgets variables whose names get another meaning, up to a word or sign, and returns where that is.
func (p *program) forget(i int, end ...string) int {
	for from := i; i < from+60 && p.token(i).kind != endToken && !slices.Contains(end, p.token(i).text); i++ {
		delete(p.vars, p.token(i).text)
		delete(p.raw, p.token(i).text)
	}
	return i
}

// closing returns the index of the bracket that closes the one at i, or i if there is none.
func (p *program) closing(i int) int {
	depth := 0
	for j := i; j < i+200; j++ {
		switch t := p.token(j); {
		case t.is("(", "[", "{"):
			depth++
		case t.is(")", "]", "}"):
			depth--
		}
		if depth == 0 {
			return j
		}
	}
	return i
}

// chain reads a value that may be a field: a variable with one, or the parsed input, and the names after it. The next
// token is 0 if no such value begins here; a nil field is an unknown value.
func (p *program) chain(i int) (at []string, next int) {
	t, after := p.token(i), p.token(i+1)
	switch {
	case t.kind != nameToken:
		return nil, 0
	case after.is("(") && slices.Contains(parsers, t.text):
		next = p.closing(i+1) + 1
		for j := i + 2; j < next; j++ {
			if p.reads(j) {
				at = p.input
			}
		}
		return p.steps(at, next)
	case p.vars[t.text] == nil || after.is("=", ":=", "("):
		return nil, 0
	}
	return p.steps(p.vars[t.text], i+1)
}

// steps reads the names after a value, and notes fields of the input.
func (p *program) steps(at []string, i int) ([]string, int) {
	for {
		name, next := p.token(i), i+1
		step, called := name.kind == stepToken, p.token(next).is("(")
		switch {
		case name.is("[") && p.token(next).kind == textToken && p.token(i+2).is("]"):
			name, next = p.token(next), i+3
		case name.is(".") && p.token(next).kind == textToken && p.lang == jq:
			name, next = p.token(next), i+2
		case name.is("!", "?.", ".") || name.is("?") && p.lang == jq: // the first in TypeScript
			i++
			continue
		case slices.Contains(either, name.text) && p.token(i+2).is("}", "]") && p.token(i+3).is(")") && p.lang != jq:
			i += 4 // (data.get("a") or {}).get("b")
			continue
		case step && p.lang == Python && name.text == "get" && called && p.token(i+2).kind == textToken:
			name, next = p.token(i+2), p.closing(next)+1
		case name.is("["), step && p.lang == Python,
			step && p.lang == JavaScript && (called || slices.Contains(methods, name.text)):
			return nil, i
		case !step:
			return at, i
		}

		if p.token(next).is("=", "+=") { // the program sets it
			return nil, next
		}
		at = below(at, name.text)
		p.field(at, name.line)
		i = next
	}
}

// compared finds the texts that a field is compared with, on either side.
func (p *program) compared(at []string, start, next int) {
	if p.token(start - 1).is(equal...) {
		p.equals(at, start-2)
	}
	if p.token(next).text == "not" {
		next++
	}
	switch t := p.token(next); {
	case t.is(equal...):
		p.equals(at, next+1)
	case t.text == "in" && p.token(next+1).is("(", "[", "{"):
		for i := next + 2; p.token(i).kind == textToken || p.token(i).is(","); i++ {
			p.equals(at, i)
		}
	}
}

// equals notes a token as a text that a field is compared with, if it is one.
func (p *program) equals(at []string, i int) {
	if t := p.token(i); t.kind == textToken {
		p.word(at, t.text, t.line)
	}
}

// destructured reads const { a, b: { c }, d: e = {} } = VALUE from its bracket.
func (p *program) destructured(i int) int {
	end := p.closing(i)
	at, next := p.chain(end + 2)
	if next == 0 || !p.token(end+1).is("=") {
		return i
	}

	within := [][]string{at}
	for i++; i < end; i++ {
		t, last := p.token(i), len(within)-1
		switch {
		case t.is("}") && last > 0:
			within = within[:last]
		case t.is("="): // a default
			i = p.closing(i + 1)
		case t.kind <= textToken && p.token(i-1).is("{", ","):
			at, name := below(within[last], t.text), t
			if p.token(i + 1).is(":") {
				i += 2
				name = p.token(i)
			}
			p.group++
			p.field(at, t.line)
			if name.is("{") {
				within = append(within, at)
			} else {
				p.vars.set(name.text, at)
			}
		}
	}
	return next
}
