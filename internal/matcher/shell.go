package matcher

import "strings"

// A subcommand is one simple command of a command line, in every form a rule
// may be written for: as it stands, without assignments, without quotes.
// Redirections are gone and blanks are single in all of them.
type subcommand struct {
	forms   []string
	plain   string // its name and its plain words
	anyName bool   // its name comes from a variable or a substitution
}

// splitCommand returns the simple commands of a line for a POSIX shell or
// bash, those inside substitutions, subshells and groups included. dynamic
// tells that some text depends on a variable or a substitution. With !ok the
// line is not understood: it is broken, or uses what this reader leaves out
// (case, extended globs, more than maxShellDepth levels).
func splitCommand(line string) (cmds []subcommand, dynamic, ok bool) {
	p := shellParser{src: line}
	ok = p.list(0)
	return p.cmds, p.expansions > 0, ok
}

const (
	maxShellDepth = 50
	maxWrappers   = 8
)

// A shellParser reads src once from start to end. A method returns false as
// soon as it does not understand the source.
type shellParser struct {
	src        string
	pos        int
	depth      int
	cmds       []subcommand
	expansions int // how many so far
}

type shellWord struct {
	raw, text string // as it stands, and without quotes
	dynamic   bool
}

type heredoc struct {
	end          string
	tabs, quoted bool
}

// at reports whether the source goes on with s.
func (p *shellParser) at(s string) bool { return strings.HasPrefix(p.src[p.pos:], s) }

func (p *shellParser) eat(s string) bool {
	if p.at(s) {
		p.pos += len(s)
		return true
	}
	return false
}

// list reads commands up to the byte end, which it takes; 0 is the end of the
// source.
func (p *shellParser) list(end byte) bool {
	if p.depth++; p.depth > maxShellDepth {
		return false
	}
	defer func() { p.depth-- }()
	var words []shellWord
	var docs []heredoc
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\r':
			p.pos++
		case p.eat("\\\n"), p.eat("\\\r\n"):
		case openTest(words) && strings.IndexByte("()<>&|;\n", c) >= 0:
			p.pos++ // an operator of [[ ]]
		case c == '\n':
			p.pos++
			p.flush(words)
			words = nil
			for _, d := range docs {
				if !p.heredoc(d) {
					return false
				}
			}
			docs = nil
		case c == ';' || c == '|' || c == '&' && !p.at("&>"):
			p.pos++
			p.flush(words)
			words = nil
		case c == ')':
			p.pos++
			p.flush(words)
			return end == ')' && len(docs) == 0
		case c == '(':
			if len(words) == 0 {
				if end, ok := p.arithmetic("(("); ok {
					if !p.expand(end) || !p.eat("))") {
						return false
					}
					continue
				}
				p.pos++
				if !p.list(')') {
					return false
				}
				continue
			}
			p.pos++ // name(): the body follows as a group of its own
			p.pos += len(p.src[p.pos:]) - len(strings.TrimLeft(p.src[p.pos:], " \t"))
			if !p.eat(")") {
				return false
			}
			words = nil
		case c == '#':
			if i := strings.IndexByte(p.src[p.pos:], '\n'); i >= 0 {
				p.pos += i
			} else {
				p.pos = len(p.src)
			}
		case (c == '<' || c == '>') && !p.at("<(") && !p.at(">("), c == '&':
			d, ok := p.redirection()
			if !ok {
				return false
			}
			if d != nil {
				docs = append(docs, *d)
			}
		default:
			w, ok := p.word()
			if !ok {
				return false
			}
			fd := p.pos < len(p.src) && (p.src[p.pos] == '<' || p.src[p.pos] == '>') &&
				strings.Trim(w.raw, "0123456789") == ""
			if fd {
				continue
			}
			words = skipKeywords(append(words, w))
			if len(words) == 1 && words[0].raw == "case" {
				return false
			}
		}
	}
	p.flush(words)
	return end == 0 && len(docs) == 0 && !openTest(words)
}

// redirection reads an operator and its target, which is no part of the
// command. It returns the here-document that follows later.
func (p *shellParser) redirection() (*heredoc, bool) {
	var d *heredoc
	switch {
	case p.eat("<<<"):
	case p.eat("<<-"):
		d = &heredoc{tabs: true}
	case p.eat("<<"):
		d = &heredoc{}
	case p.eat("&>>"), p.eat("&>"), p.eat("<>"), p.eat("<&"), p.eat(">>"), p.eat(">&"), p.eat(">|"):
	default:
		p.pos++
	}
	for p.eat(" ") || p.eat("\t") || p.eat("\\\n") {
	}
	target, ok := p.word()
	if !ok || target.raw == "" {
		return nil, false
	}
	if d != nil {
		d.end, d.quoted = target.text, target.text != target.raw
	}
	return d, true
}

// heredoc steps over the lines of d. Where its end is not quoted, the shell
// expands what is in it.
func (p *shellParser) heredoc(d heredoc) bool {
	start := p.pos
	for p.pos < len(p.src) {
		body := p.pos
		line, _, more := strings.Cut(p.src[p.pos:], "\n")
		p.pos += len(line)
		if more {
			p.pos++
		}
		line = strings.TrimSuffix(line, "\r")
		if d.tabs {
			line = strings.TrimLeft(line, "\t")
		}
		if line != d.end {
			continue
		}
		after := p.pos
		if !d.quoted {
			p.pos = start
			if !p.expand(body) {
				return false
			}
		}
		p.pos = after
		return true
	}
	return false
}

// word reads to the next blank or operator outside quotes. The word is empty
// if one stands here.
func (p *shellParser) word() (w shellWord, ok bool) {
	start, expansions := p.pos, p.expansions
	var text strings.Builder
scan:
	for p.pos < len(p.src) {
		from := p.pos
		switch c := p.src[p.pos]; c {
		case ' ', '\t', '\r', '\n', ';', '&', '|', ')':
			break scan
		case '<', '>':
			if !p.at("<(") && !p.at(">(") {
				break scan
			}
			p.pos += 2
			p.expansions++
			if !p.list(')') {
				return w, false
			}
			text.WriteString(p.src[from:p.pos])
		case '(':
			switch raw := p.src[start:p.pos]; {
			case strings.HasSuffix(raw, "="): // an array
				p.pos++
				if !p.list(')') {
					return w, false
				}
			case raw != "" && strings.ContainsRune("?*+@!", rune(raw[len(raw)-1])):
				return w, false
			default:
				break scan
			}
		case '\'':
			i := strings.IndexByte(p.src[p.pos+1:], '\'')
			if i < 0 {
				return w, false
			}
			text.WriteString(p.src[p.pos+1 : p.pos+1+i])
			p.pos += i + 2
		case '"':
			p.pos++
			if !p.quoted(&text) {
				return w, false
			}
		case '\\':
			if p.pos+1 == len(p.src) {
				return w, false
			}
			if p.pos += 2; p.src[p.pos-1] != '\n' {
				text.WriteByte(p.src[p.pos-1])
			}
		case '$', '`':
			if !p.dollar(&text) {
				return w, false
			}
		default:
			p.pos++
			text.WriteByte(c)
		}
	}
	return shellWord{p.src[start:p.pos], text.String(), p.expansions > expansions}, true
}

// quoted reads what follows a double quote, up to the closing one.
func (p *shellParser) quoted(text *strings.Builder) bool {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; c {
		case '"':
			p.pos++
			return true
		case '\\':
			if p.pos+1 == len(p.src) {
				return false
			}
			next := p.src[p.pos+1]
			p.pos += 2
			if next == '\n' {
				continue
			}
			if strings.IndexByte("$`\"\\", next) < 0 {
				text.WriteByte('\\')
			}
			text.WriteByte(next)
		case '$', '`':
			from := p.pos
			if p.at(`$"`) || p.at(`$'`) { // no quotes within quotes
				p.pos++
				text.WriteByte('$')
				continue
			}
			if !p.substitution(true) {
				return false
			}
			text.WriteString(p.src[from:p.pos])
		default:
			p.pos++
			text.WriteByte(c)
		}
	}
	return false
}
