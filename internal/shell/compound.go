package shell

import "strings"

func (p *parser) redirects(c *Command) bool {
	for {
		p.blanks()
		rest := p.src[p.pos:]
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		if p.pos += len(digits); !p.redirectHere() {
			return digits == ""
		}
		if !p.redirect(c, digits) {
			return false
		}
	}
}

// body reads a list that ends with end, and adds it.
func (p *parser) body(c *Command, ends ...string) bool {
	s, end, ok := p.list(ends)
	c.Lists = append(c.Lists, s)
	return ok && (end != "" || ends[0] != ")" && ends[0] != "}")
}

func (p *parser) ifs(c *Command) bool {
	for {
		if !p.body(c, "then") || p.unclosed {
			return p.unclosed
		}
		s, end, ok := p.list([]string{"elif", "else", "fi"})
		c.Lists = append(c.Lists, s)
		switch {
		case !ok || p.unclosed:
			return ok
		case end == "fi":
			return true
		case end == "else":
			return p.body(c, "fi")
		}
	}
}

func (p *parser) loop(c *Command, key string) bool {
	if c.Kind = For; key == "select" {
		c.Kind = Select
	}
	p.blanks()
	if p.at("((") {
		if !p.arithmetic(c) {
			return false
		}
		p.blanks()
		p.eat(";")
		return p.gap() && p.keyword() == "do" && p.eat("do") && p.body(c, "done")
	}
	name, ok := p.word()
	if c.Name = name.Raw; !ok || !IsName(c.Name) || !p.gap() {
		return false
	}
	if p.at("in") && (p.pos+2 == len(p.src) || strings.IndexByte(" \t\n;", p.src[p.pos+2]) >= 0) {
		p.pos += 2
		for p.blanks(); p.pos < len(p.src) && strings.IndexByte(";\n", p.src[p.pos]) < 0; p.blanks() {
			w, ok := p.word()
			if !ok || w.Raw == "" {
				return false
			}
			c.In = append(c.In, w)
		}
	}
	p.eat(";")
	if !p.gap() {
		return false
	}
	switch p.keyword() {
	case "do":
		p.eat("do")
		return p.body(c, "done")
	case "{":
		p.eat("{")
		c.Kind = Select // a form that few understand
		return p.body(c, "}")
	}
	return false
}

func (p *parser) cases(c *Command) bool {
	c.Kind = Case
	p.blanks()
	w, ok := p.word()
	c.Words = []Word{w}
	if !ok || !p.gap() || !p.eat("in") {
		return false
	}
	for {
		if !p.gap() {
			return false
		}
		if p.keyword() == "esac" {
			return p.eat("esac")
		}
		p.eat("(")
		for { // the patterns
			p.blanks()
			pattern, ok := p.word()
			if !ok || pattern.Raw == "" {
				return false
			}
			c.In = append(c.In, pattern)
			if p.blanks(); !p.eat("|") {
				break
			}
		}
		if !p.eat(")") {
			return false
		}
		s, end, ok := p.list([]string{";;&", ";;", ";&", "esac"})
		c.Lists = append(c.Lists, s)
		if !ok || end == "" || end == "esac" {
			return ok && end != ""
		}
	}
}

func (p *parser) function(c *Command) bool {
	c.Kind = Function
	if !p.gap() || !p.enter() {
		return false
	}
	defer func() { p.depth-- }()
	it, ok := p.item()
	if ok = ok && it.Command.Kind != Simple; ok {
		c.Lists = []Script{{Items: []Item{it}}}
	}
	return ok
}

func (p *parser) test(c *Command) bool {
	c.Kind = Test
	for p.pos < len(p.src) {
		p.blanks()
		start := p.pos
		switch {
		case p.eat("]]"):
			if p.pos == len(p.src) || strings.IndexByte(" \t\r\n;&|)<>", p.src[p.pos]) >= 0 {
				return true
			}
			p.pos = start
		case p.at("<("), p.at(">("):
		case p.eat("&&"), p.eat("||"), p.eat("<"), p.eat(">"), p.eat("("), p.eat(")"):
			op := p.src[start:p.pos]
			c.Words = append(c.Words, Word{Raw: op, Parts: []Part{{Text: op}}})
			if op[0] == '&' || op[0] == '|' {
				if !p.gap() {
					return false
				}
			}
			continue
		}
		w, ok := p.word()
		if c.Words = append(c.Words, w); w.Raw == "=~" && len(c.Words) > 1 {
			p.blanks()
			w, ok = p.pattern()
			c.Words = append(c.Words, w)
		}
		if !ok || w.Raw == "" {
			return false
		}
	}
	return false
}

// arithmetic reads (( … )) with nothing in it that is a command of its own.
func (p *parser) arithmetic(c *Command) bool {
	if c.Kind == Simple {
		c.Kind = Arithmetic
	}
	return p.sum("((", "))")
}
