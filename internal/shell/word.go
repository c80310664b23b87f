package shell

import "strings"

// maxSum bounds how far the end of a calculation is looked for: the search must
// not make reading a line quadratic.
const maxSum = 1000

// wordEnds are the characters that no word goes on with.
const wordEnds = " \t\r\n;&|()<>"

// word reads to the next blank or operator outside of quotes. The word is empty
// if one stands here.
func (p *parser) word() (w Word, ok bool) {
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case p.at("<(") || p.at(">("):
			from := p.pos
			p.pos += 2
			s, end, ok := p.list([]string{")"})
			if !ok || end == "" {
				return w, false
			}
			w.add(Part{Kind: Process, Text: p.src[from:p.pos], Scripts: []Script{s}})
			continue
		case c == '(' && strings.HasSuffix(p.src[start:p.pos], "=") && IsAssignment(p.src[start:p.pos]):
			from := p.pos
			p.pos++
			scripts, ok := p.array()
			if !ok {
				return w, false
			}
			w.add(Part{Kind: Expansion, Text: p.src[from:p.pos], Scripts: scripts})
			continue
		case strings.IndexByte(wordEnds, c) >= 0:
			w.Raw = p.src[start:p.pos]
			return w, true
		}
		if !p.part(&w, false) {
			return w, false
		}
	}
	w.Raw = p.src[start:]
	return w, true
}

// array reads the elements of an array, for the commands in them.
func (p *parser) array() (scripts []Script, ok bool) {
	for p.gap() && p.pos < len(p.src) {
		if p.eat(")") {
			return scripts, true
		}
		w, ok := p.word()
		if !ok || w.Raw == "" {
			return nil, false
		}
		scripts = append(scripts, w.scripts()...)
	}
	return nil, false
}

func (w *Word) scripts() (all []Script) {
	for _, p := range w.Parts {
		all = append(all, p.Scripts...)
	}
	return all
}

// pattern reads a regular expression, in which brackets and bars are text.
func (p *parser) pattern() (w Word, ok bool) {
	start, depth := p.pos, 0
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == '|', depth > 0 && (c == ' ' || c == '\t'):
		case strings.IndexByte(wordEnds, c) >= 0:
			w.Raw = p.src[start:p.pos]
			return w, depth == 0
		default:
			if !p.part(&w, false) {
				return w, false
			}
			continue
		}
		w.add(Part{Text: p.src[p.pos : p.pos+1]})
		p.pos++
	}
	return w, false
}

const maxJoined = 256 // beyond it, a literal goes on in a part of its own, or joining would take quadratic time

func (w *Word) add(part Part) {
	if n := len(w.Parts) - 1; n >= 0 && part.Kind == Literal && w.Parts[n].Kind == Literal &&
		w.Parts[n].Double == part.Double && len(w.Parts[n].Text) < maxJoined {
		w.Parts[n].Text += part.Text
		return
	}
	w.Parts = append(w.Parts, part)
}

// part reads one stretch of a word; double means that it is in double quotes.
func (p *parser) part(w *Word, double bool) bool {
	from := p.pos
	switch c := p.src[p.pos]; {
	case c == '\'' && !double:
		i := strings.IndexByte(p.src[p.pos+1:], '\'')
		if i < 0 {
			p.unclosed = true
			p.pos = len(p.src)
			w.add(Part{Kind: Quoted, Text: p.src[from+1:], Unclosed: true})
			return true
		}
		w.add(Part{Kind: Quoted, Text: p.src[from+1 : from+1+i]})
		p.pos += i + 2
	case c == '"' && !double:
		p.pos++
		return p.quoted(w, len(p.src), '"')
	case c == '\\':
		return p.escape(w, double)
	case c == '`':
		return p.ticks(w, double)
	case c == '$':
		return p.dollar(w, double)
	default:
		n := 1
		for p.pos+n < len(p.src) && strings.IndexByte("'\"\\`$"+wordEnds, p.src[p.pos+n]) < 0 {
			n++
		}
		p.pos += n
		w.add(Part{Text: p.src[from:p.pos], Double: double})
	}
	return true
}

// quoted reads text in which only "$", backticks and backslashes count, up to the
// closing quote, or with none up to end.
func (p *parser) quoted(w *Word, end int, quote byte) bool {
	w.add(Part{Double: true})
	for p.pos < end {
		switch c := p.src[p.pos]; {
		case quote != 0 && c == quote:
			p.pos++
			return true
		case c == '\\' || c == '`' || c == '$':
			if !p.part(w, true) {
				return false
			}
		default:
			from := p.pos
			for p.pos++; p.pos < end && p.src[p.pos] != quote && strings.IndexByte("\\`$", p.src[p.pos]) < 0; p.pos++ {
			}
			w.add(Part{Text: p.src[from:p.pos], Double: true})
		}
	}
	return quote == 0 && p.pos == end
}

func (p *parser) escape(w *Word, double bool) bool {
	if p.pos+1 == len(p.src) {
		return false
	}
	c := p.src[p.pos+1 : p.pos+2] // of a longer character the first byte; the rest follows as text
	p.pos += 2
	switch {
	case c == "\n":
	case double && !strings.Contains("$`\"\\", c):
		w.add(Part{Text: `\` + c, Double: true})
	default:
		w.add(Part{Kind: Escaped, Text: c, Double: double})
	}
	return true
}

func (p *parser) dollar(w *Word, double bool) bool {
	from := p.pos
	add := func(k PartKind, scripts []Script) bool {
		w.add(Part{Kind: k, Text: p.src[from:p.pos], Double: double, Scripts: scripts})
		return true
	}
	switch {
	case p.at("$((") && p.sum("$((", "))"), p.at("$[") && p.sum("$[", "]"):
		return add(Sum, nil)
	case p.eat("$("):
		s, end, ok := p.list([]string{")"})
		return ok && end != "" && add(Output, []Script{s})
	case p.eat("${"):
		return p.braces(w, from, double)
	case !double && p.eat("$'"):
		for p.pos < len(p.src) && p.src[p.pos] != '\'' {
			if p.src[p.pos] == '\\' {
				p.pos++
			}
			p.pos = min(p.pos+1, len(p.src))
		}
		return p.eat("'") && add(Ansi, nil)
	case !double && p.eat(`$"`):
		w.add(Part{Kind: Ansi, Text: "$"}) // a translation may be anything
		return p.quoted(w, len(p.src), '"')
	}
	p.pos++
	name := Name(p.src[p.pos:])
	if name == "" && p.pos < len(p.src) && strings.IndexByte("?@*#$!-0123456789", p.src[p.pos]) >= 0 {
		name = p.src[p.pos : p.pos+1]
	}
	if p.pos += len(name); name == "" {
		return add(Literal, nil)
	}
	w.add(Part{Kind: Variable, Text: name, Double: double})
	return true
}

// commandInBraces are the characters behind "${" with which a command begins (Bash 5.3).
const commandInBraces = " \t\n|"

// braces reads what follows "${", up to the brace that closes it.
func (p *parser) braces(w *Word, from int, double bool) bool {
	if strings.IndexByte(commandInBraces, p.peek()) >= 0 || !p.enter() {
		return false
	}
	defer func() { p.depth-- }()
	if name := Name(p.src[p.pos:]); name != "" && strings.HasPrefix(p.src[p.pos+len(name):], "}") {
		p.pos += len(name) + 1
		w.add(Part{Kind: Variable, Text: name, Double: double, Braces: true})
		return true
	}
	var inner Word
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '}':
			p.pos++
			w.add(Part{Kind: Expansion, Text: p.src[from:p.pos], Double: double, Scripts: inner.scripts()})
			return true
		case c == '"' || c == '\\' || c == '$' || c == '`' || c == '\'' && !double:
			if !p.part(&inner, false) {
				return false
			}
		default:
			p.pos++
		}
	}
	return false
}

// sum steps over a calculation that has neither quotes nor commands in it.
func (p *parser) sum(open, end string) bool {
	depth := 0
	for i := p.pos + len(open); i < min(len(p.src), p.pos+maxSum); i++ {
		switch c := p.src[i]; {
		case depth == 0 && strings.HasPrefix(p.src[i:], end):
			p.pos = i + len(end)
			return true
		case strings.IndexByte("'\"\\`", c) >= 0 || c == '$' && strings.HasPrefix(p.src[i:], "$("),
			i > 1 && p.src[i-2:i] == "${" && strings.IndexByte(commandInBraces, c) >= 0:
			return false
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return false
}

// ticks reads a command in backticks. Its text loses one level of backslashes
// before it is read as a line of its own.
func (p *parser) ticks(w *Word, double bool) bool {
	from := p.pos
	var line strings.Builder
	for p.pos++; p.pos < len(p.src); p.pos++ {
		c := p.src[p.pos]
		switch {
		case c == '`':
			p.pos++
			if !p.enter() {
				return false
			}
			inner := parser{src: line.String(), depth: p.depth}
			s, end, ok := inner.list(nil)
			p.depth--
			w.add(Part{Kind: Output, Text: p.src[from:p.pos], Double: double, Ticks: true, Scripts: []Script{s}})
			return ok && end == "" && !inner.unclosed && len(inner.docs) == 0
		case c == '\\' && p.pos+1 < len(p.src) && strings.IndexByte("`\\$", p.src[p.pos+1]) >= 0:
			p.pos++
			c = p.src[p.pos]
		}
		line.WriteByte(c)
	}
	return false
}

// heredoc reads the lines of d. Where its end is not quoted, the shell expands
// what is in them.
func (p *parser) heredoc(d *Redirect) bool {
	start, end, quoted := p.pos, d.Target.Text(), !d.Target.Bare()
	for p.pos < len(p.src) {
		body := p.pos
		line, _, more := strings.Cut(p.src[p.pos:], "\n")
		p.pos += len(line)
		if more {
			p.pos++
		}
		line = strings.TrimSuffix(line, "\r")
		if d.Op == "<<-" {
			line = strings.TrimLeft(line, "\t")
		}
		if line != end {
			continue
		}
		after := p.pos
		d.Body = Word{Raw: p.src[start:body], Parts: []Part{{Kind: Quoted, Text: p.src[start:body]}}}
		if !quoted {
			d.Body.Parts = nil
			p.pos = start
			if !p.quoted(&d.Body, body, 0) {
				return false
			}
		}
		p.pos = after
		return true
	}
	return false
}
