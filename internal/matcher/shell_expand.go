package matcher

import "strings"

const maxArithmetic = 1000 // bytes

// dollar reads a "$" or a backtick outside double quotes with all that belongs
// to it.
func (p *shellParser) dollar(text *strings.Builder) bool {
	from := p.pos
	switch {
	case p.eat("$'"):
		for p.pos < len(p.src) {
			switch c := p.src[p.pos]; c {
			case '\'':
				p.pos++
				return true
			case '\\': // its text is not worked out
				p.expansions++
				if p.pos++; p.pos == len(p.src) {
					return false
				}
			}
			text.WriteByte(p.src[p.pos])
			p.pos++
		}
		return false
	case p.eat(`$"`):
		return p.quoted(text)
	}
	if !p.substitution(false) {
		return false
	}
	text.WriteString(p.src[from:p.pos])
	return true
}

// substitution reads a "$" or a backtick and what belongs to it. Within double
// quotes, and where they are understood, a single quote is a character.
func (p *shellParser) substitution(inQuotes bool) bool {
	if p.src[p.pos] == '`' {
		return p.backticks()
	}
	if end, ok := p.arithmetic("$(("); ok {
		p.expansions++
		return p.expand(end) && p.eat("))")
	}
	switch {
	case p.eat("$("):
		p.expansions++
		return p.list(')')
	case p.eat("${"):
		p.expansions++
		return p.braces(inQuotes)
	}
	p.pos++
	if p.pos == len(p.src) {
		return true
	}
	switch c := p.src[p.pos]; {
	case isAlnum(c) || c == '_':
		p.expansions++
		for p.pos < len(p.src) && (isAlnum(p.src[p.pos]) || p.src[p.pos] == '_') {
			p.pos++
		}
	case strings.IndexByte("?@*#$!-", c) >= 0:
		p.expansions++
		p.pos++
	case c == '[': // the old arithmetic
		p.expansions++
	}
	return true
}

// arithmetic steps over open if it starts an arithmetic expression, and returns
// where the closing "))" is. Otherwise "((" are two subshells, and so it is if
// the end is far: the search must not make reading the line quadratic.
func (p *shellParser) arithmetic(open string) (end int, ok bool) {
	if !p.at(open) {
		return 0, false
	}
	depth := 0
	for i := p.pos + len(open); i < min(len(p.src), p.pos+maxArithmetic); i++ {
		switch p.src[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth >= 0 {
				continue
			}
			if !strings.HasPrefix(p.src[i:], "))") {
				return 0, false
			}
			p.pos += len(open)
			return i, true
		}
	}
	return 0, false
}

// expand reads to end text in which only "$" and backticks count.
func (p *shellParser) expand(end int) bool {
	for p.pos < end {
		switch p.src[p.pos] {
		case '\\':
			p.pos += 2
		case '$', '`':
			if !p.substitution(true) {
				return false
			}
		default:
			p.pos++
		}
	}
	return p.pos == end
}

// braces reads what follows "${", up to the brace that closes it.
func (p *shellParser) braces(inQuotes bool) bool {
	if p.depth++; p.depth > maxShellDepth {
		return false
	}
	defer func() { p.depth-- }()
	var ignored strings.Builder
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == '}':
			p.pos++
			return true
		case c == '\\':
			p.pos += 2
		case c == '"':
			p.pos++
			if !p.quoted(&ignored) {
				return false
			}
		case c == '\'' && !inQuotes:
			i := strings.IndexByte(p.src[p.pos+1:], '\'')
			if i < 0 {
				return false
			}
			p.pos += i + 2
		case c == '$' || c == '`':
			if !p.substitution(inQuotes) {
				return false
			}
		default:
			p.pos++
		}
	}
	return false
}

// backticks reads an old-style substitution. Its text loses one level of
// backslashes before it is read as a line of its own.
func (p *shellParser) backticks() bool {
	p.pos++
	p.expansions++
	var line strings.Builder
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		p.pos++
		switch {
		case c == '`':
			if p.depth >= maxShellDepth {
				return false
			}
			inner := shellParser{src: line.String(), depth: p.depth}
			ok := inner.list(0)
			p.cmds = append(p.cmds, inner.cmds...)
			return ok
		case c == '\\' && p.pos < len(p.src) && strings.IndexByte("`\\$", p.src[p.pos]) >= 0:
			c = p.src[p.pos]
			p.pos++
		}
		line.WriteByte(c)
	}
	return false
}
