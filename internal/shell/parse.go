package shell

import (
	"cmp"
	"strings"
)

// maxDepth bounds how deep commands and expansions are nested.
const maxDepth = 50

// Parse reads a command line of one or more lines. It returns false for what it
// does not understand: broken input, extended globs, process substitution in
// places of its own, and more than 50 levels. Its time is linear in the length
// of the line.
func Parse(src string) (Script, bool) {
	p := parser{src: src}
	s, end, ok := p.list(nil)
	return s, ok && end == "" && len(p.docs) == 0
}

type parser struct {
	src      string
	pos      int
	depth    int
	docs     []*Redirect // whose bodies begin behind the next line end
	unclosed bool
}

// isReserved reports whether a word means something where a command may begin.
func isReserved(w string) bool {
	switch w {
	case "if", "then", "elif", "else", "fi", "while", "until", "for", "do", "done", "case", "esac", "select",
		"function", "{", "}", "[[":
		return true
	}
	return false
}

func (p *parser) at(s string) bool { return strings.HasPrefix(p.src[p.pos:], s) }

func (p *parser) eat(s string) bool {
	if p.at(s) {
		p.pos += len(s)
		return true
	}
	return false
}

func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// enter counts a level of nesting; its result is false if there are too many.
func (p *parser) enter() bool {
	p.depth++
	return p.depth <= maxDepth
}

func (p *parser) blanks() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\r' && (p.pos+1 == len(p.src) || p.src[p.pos+1] == '\n'):
			p.pos++
		case p.eat("\\\n"), p.eat("\\\r\n"):
		case c == '#' && (p.pos == 0 || strings.IndexByte(" \t\r\n;&|()", p.src[p.pos-1]) >= 0):
			p.restOfLine()
			return
		default:
			return
		}
	}
}

func (p *parser) restOfLine() {
	line, _, _ := strings.Cut(p.src[p.pos:], "\n")
	p.pos += len(line)
}

// newline reads a line end with the here-documents that begin behind it.
func (p *parser) newline() bool {
	p.pos++
	docs := p.docs
	p.docs = nil
	for _, d := range docs {
		if !p.heredoc(d) {
			return false
		}
	}
	return true
}

func (p *parser) gap() bool {
	for p.blanks(); p.peek() == '\n'; p.blanks() {
		if !p.newline() {
			return false
		}
	}
	return true
}

// keyword returns the reserved word that begins here, "" if none does.
func (p *parser) keyword() string {
	n := 0
	for p.pos+n < len(p.src) && strings.IndexByte(" \t\r\n;&|()<>", p.src[p.pos+n]) < 0 {
		n++
	}
	w, rest := p.src[p.pos:p.pos+n], p.src[p.pos+n:]
	if !isReserved(w) || strings.HasPrefix(rest, "<(") || strings.HasPrefix(rest, ">(") { // the word goes on
		return ""
	}
	return w
}

// list reads commands up to one of the words or operators in ends, which it
// takes and returns, or up to the end of the source.
func (p *parser) list(ends []string) (s Script, end string, ok bool) {
	if !p.enter() {
		return s, "", false
	}
	defer func() { p.depth-- }()
	for {
		if !p.gap() {
			return s, "", false
		}
		if p.pos == len(p.src) {
			p.unclosed = p.unclosed || ends != nil
			s.Unclosed = p.unclosed
			return s, "", true
		}
		for _, e := range ends {
			if e == ")" && p.eat(e) || strings.HasPrefix(e, ";") && p.eat(e) || p.keyword() == e && p.eat(e) {
				return s, e, true
			}
		}
		item, ok := p.item()
		if !ok {
			return s, "", false
		}
		p.blanks()
		switch c, from := p.peek(), p.pos; {
		case c == '\n':
			item.Op = "\n" // the line end is read with the gap that follows
		case c == 0, c == ')', p.at(";;"), p.at(";&"):
		case p.eat("&&"), p.eat("||"), p.eat("|&"), p.eat("|"):
			item.Op = p.src[from:p.pos]
			if !p.gap() || p.pos == len(p.src) {
				return s, "", false
			}
		case p.eat(";"), p.eat("&"):
			item.Op = p.src[from:p.pos]
		case item.Command.Kind != Simple && p.keyword() != "": // "fi done", "} }"
		default:
			return s, "", false
		}
		s.Items = append(s.Items, item)
	}
}

// item reads one command with the "!" before it.
func (p *parser) item() (it Item, ok bool) {
	for p.at("!") && (p.pos+1 == len(p.src) || strings.IndexByte(" \t\n", p.src[p.pos+1]) >= 0) {
		it.Negations++
		p.pos++
		p.blanks()
	}
	c := &it.Command
	switch key := p.keyword(); {
	case p.at("(("):
		ok = p.arithmetic(c)
	case p.eat("("):
		c.Kind = Subshell
		ok = p.body(c, ")")
	case key == "{":
		p.pos++
		c.Kind = Group
		ok = p.body(c, "}")
	case key == "if":
		p.eat(key)
		c.Kind = If
		ok = p.ifs(c)
	case key == "while" || key == "until":
		p.eat(key)
		c.Kind = Loop
		ok = p.body(c, "do") && (p.unclosed || p.body(c, "done"))
	case key == "for" || key == "select":
		p.eat(key)
		ok = p.loop(c, key)
	case key == "case":
		p.eat(key)
		ok = p.cases(c)
	case key == "[[":
		p.eat(key)
		ok = p.test(c)
	case key == "function":
		p.eat(key)
		p.blanks()
		name, good := p.word()
		c.Name = name.Raw
		p.blanks()
		if p.eat("(") {
			p.blanks()
			good = good && p.eat(")")
		}
		ok = good && p.function(c)
	case key != "":
		return it, false
	default:
		return it, p.simple(c)
	}
	return it, ok && p.redirects(c)
}

// simple reads assignments, words and redirections up to an operator.
func (p *parser) simple(c *Command) bool {
	for p.blanks(); p.pos < len(p.src); p.blanks() {
		if p.redirectHere() {
			if !p.redirect(c, "") {
				return false
			}
			continue
		}
		if strings.IndexByte("\n;&|)", p.src[p.pos]) >= 0 {
			break
		}
		if p.peek() == '(' {
			if len(c.Words) != 1 || len(c.Assigns) != 0 {
				return false
			}
			p.pos++
			p.blanks()
			c.Name, c.Words = c.Words[0].Raw, nil
			return p.eat(")") && p.function(c)
		}
		w, ok := p.word()
		if !ok || w.Raw == "" {
			return false
		}
		raw := strings.ReplaceAll(w.Raw, "\\\n", "") // joined, as a shell reads it
		switch next := p.peek(); {
		case (next == '<' || next == '>') && isDescriptor(raw):
			if !p.redirect(c, raw) {
				return false
			}
		case len(c.Words) == 0 && IsAssignment(raw):
			c.Assigns = append(c.Assigns, w)
		case len(c.Words) == 0 && (raw == "!" || isReserved(raw)): // "!>f a", and "X=1 then", which no shell takes
			return false
		default:
			c.Words = append(c.Words, w)
		}
	}
	if n := len(p.docs); n > 0 && p.peek() != '\n' {
		p.docs[n-1].Late = true
	}
	if c.Parted == len(c.Words) {
		c.Parted = 0
	}
	return len(c.Words)+len(c.Assigns)+len(c.Redirects) > 0
}

func isDescriptor(s string) bool {
	if name, ok := strings.CutPrefix(s, "{"); ok {
		name, ok = strings.CutSuffix(name, "}")
		return ok && IsName(name)
	}
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// IsAssignment reports whether a word sets a variable: name=, name+= or
// name[index]=.
func IsAssignment(raw string) bool {
	name := Name(raw)
	rest := raw[len(name):]
	if name != "" && strings.HasPrefix(rest, "[") {
		if end := strings.IndexByte(rest, ']'); end > 0 {
			rest = rest[end+1:]
		}
	}
	return name != "" && strings.HasPrefix(strings.TrimPrefix(rest, "+"), "=")
}

// redirectHere reports whether a redirection begins here, and no process
// substitution.
func (p *parser) redirectHere() bool {
	c := p.peek()
	return (c == '<' || c == '>') && !p.at("<(") && !p.at(">(") || p.at("&>")
}

func (p *parser) redirect(c *Command, descriptor string) bool {
	if c.Kind == Simple {
		c.Parted = cmp.Or(c.Parted, len(c.Words))
	}
	start := p.pos
	for _, op := range []string{"<<<", "<<-", "<<", "&>>", "&>", "<>", "<&", ">>", ">&", ">|", "<", ">"} {
		if p.eat(op) {
			break
		}
	}
	r := &Redirect{Descriptor: descriptor, Op: p.src[start:p.pos], Assigns: len(c.Assigns)}
	p.blanks()
	var ok bool
	if r.Target, ok = p.word(); !ok || r.Target.Raw == "" {
		return false
	}
	if n := len(p.docs); n > 0 {
		p.docs[n-1].Late = true
	}
	if r.Op == "<<" || r.Op == "<<-" {
		p.docs = append(p.docs, r)
	}
	c.Redirects = append(c.Redirects, r)
	return true
}
