package claude

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// ParseEnvFile reads what a hook wrote to CLAUDE_ENV_FILE, as the shell that
// sources it would: assignments and exports with quotes, escapes, line
// continuations, texts of several lines, and references to variables set before
// or given in env. What only a real shell can do (command substitution, tests,
// functions) is reported line by line and not carried.
func (Dialect) ParseEnvFile(text string, env schema.Environ) ([]schema.EnvVar, schema.Diagnostics) {
	p := envParser{src: text, line: 1, env: env}
	for p.pos < len(p.src) {
		p.statement()
	}
	return p.vars, p.ds
}

type envParser struct {
	src  string
	pos  int
	line int
	env  schema.Environ
	vars []schema.EnvVar
	ds   schema.Diagnostics
}

// statement reads up to the next unquoted line end or semicolon.
func (p *envParser) statement() {
	p.blanks()
	line, start := p.line, p.pos
	var words []string
	ok := true
	for p.pos < len(p.src) && !p.end() {
		if p.src[p.pos] == '#' {
			p.skipLine()
			break
		}
		w, good := p.word()
		ok = ok && good
		words = append(words, w)
		p.blanks()
	}
	source := p.src[start:p.pos]
	if p.pos < len(p.src) {
		if p.src[p.pos] == '\n' {
			p.line++
		}
		p.pos++
	}
	if ok {
		ok = p.run(words)
	}
	if !ok {
		d := p.ds.Add(schema.CodeEnvFile, "", "line "+strconv.Itoa(line)+" of the environment file needs a shell: "+strings.TrimSpace(source))
		d.Line = line
	}
}

// run carries out one statement.
func (p *envParser) run(words []string) bool {
	switch {
	case len(words) == 0:
		return true
	case words[0] == "export" || words[0] == "declare" && len(words) > 1 && words[1] == "-x":
		words = words[1:]
		if len(words) > 0 && words[0] == "-x" {
			words = words[1:]
		}
	case words[0] == "unset":
		for _, name := range words[1:] {
			p.unset(name)
		}
		return true
	}
	for _, w := range words {
		name, value, assigns := strings.Cut(w, "=")
		if !isName(name) {
			return false
		}
		if assigns {
			p.set(name, value)
		}
	}
	return true
}

func (p *envParser) set(name, value string) {
	p.unset(name)
	p.vars = append(p.vars, schema.EnvVar{Name: name, Value: value})
}

func (p *envParser) unset(name string) {
	for i, v := range p.vars {
		if v.Name == name {
			p.vars = append(p.vars[:i:i], p.vars[i+1:]...)
			return
		}
	}
}

func (p *envParser) get(name string) string {
	for _, v := range p.vars {
		if v.Name == name {
			return v.Value
		}
	}
	return p.env.Get(name)
}

func (p *envParser) blanks() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\r':
			p.pos++
		case c == '\\' && strings.HasPrefix(p.src[p.pos:], "\\\n"):
			p.pos += 2
			p.line++
		default:
			return
		}
	}
}

func (p *envParser) end() bool { return p.src[p.pos] == '\n' || p.src[p.pos] == ';' }

func (p *envParser) skipLine() {
	for p.pos < len(p.src) && p.src[p.pos] != '\n' {
		p.pos++
	}
}

// word reads one word with its quotes resolved; ok is false if a shell is
// needed to know its value.
func (p *envParser) word() (string, bool) {
	var b strings.Builder
	ok := true
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case strings.IndexByte(" \t\r\n;", c) >= 0:
			return b.String(), ok
		case c == '\'':
			n := strings.IndexByte(p.src[p.pos+1:], '\'')
			if n < 0 {
				p.pos = len(p.src)
				return b.String(), false
			}
			text := p.src[p.pos+1 : p.pos+1+n]
			p.line += strings.Count(text, "\n")
			b.WriteString(text)
			p.pos += n + 2
		case c == '"':
			p.pos++
			ok = p.double(&b) && ok
		case c == '\\':
			p.escape(&b)
		case c == '$':
			ok = p.variable(&b) && ok
		case strings.IndexByte("`&|<>()", c) >= 0:
			p.pos++
			ok = false
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	return b.String(), ok
}

func (p *envParser) double(b *strings.Builder) bool {
	ok := true
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; c {
		case '"':
			p.pos++
			return ok
		case '\\':
			if p.pos+1 < len(p.src) && strings.IndexByte("$`\"\\\n", p.src[p.pos+1]) < 0 {
				b.WriteByte('\\')
				p.pos++
				continue
			}
			p.escape(b)
		case '$':
			ok = p.variable(b) && ok
		case '`':
			p.pos++
			ok = false
		default:
			if c == '\n' {
				p.line++
			}
			b.WriteByte(c)
			p.pos++
		}
	}
	return false // no closing quote
}

func (p *envParser) escape(b *strings.Builder) {
	p.pos++
	if p.pos >= len(p.src) {
		return
	}
	if p.src[p.pos] == '\n' {
		p.line++
	} else {
		b.WriteByte(p.src[p.pos])
	}
	p.pos++
}

// variable expands $NAME and ${NAME}.
func (p *envParser) variable(b *strings.Builder) bool {
	p.pos++
	rest := p.src[p.pos:]
	if strings.HasPrefix(rest, "{") {
		n := strings.IndexByte(rest, '}')
		if n < 0 || !isName(rest[1:n]) {
			return false
		}
		b.WriteString(p.get(rest[1:n]))
		p.pos += n + 1
		return true
	}
	n := 0
	for n < len(rest) && isNameByte(rest[n], n) {
		n++
	}
	if n == 0 {
		if rest == "" || strings.IndexByte(" \t\n\";", rest[0]) >= 0 {
			b.WriteByte('$')
			return true
		}
		return false
	}
	b.WriteString(p.get(rest[:n]))
	p.pos += n
	return true
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i], i) {
			return false
		}
	}
	return s != ""
}

func isNameByte(c byte, i int) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9'
}
