package claude

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/shell"
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
	open int    // compound commands (if, case, loops, groups) not yet ended
	here string // word that ends the here-document begun on this line
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
			p.pos++
			p.skipHere()
		} else {
			p.pos++
		}
	}
	if p.compound(words) || !ok || !p.run(words) {
		d := p.ds.Add(schema.CodeEnvFile, "", "line "+strconv.Itoa(line)+" of the environment file needs a shell: "+strings.TrimSpace(source))
		d.Line = line
	}
}

// compound keeps count of what only a shell can follow, and reports whether the
// statement belongs to it.
func (p *envParser) compound(words []string) bool {
	if len(words) == 0 {
		return false
	}
	inside := p.open > 0
	switch words[0] {
	case "if", "case", "for", "while", "until", "select", "{":
		p.open++
		return true
	case "fi", "esac", "done", "}":
		p.open = max(0, p.open-1)
		return true
	}
	if last := words[len(words)-1]; last == "{" {
		p.open++
		return true
	}
	return inside
}

// run carries out one statement, all of it or nothing.
func (p *envParser) run(words []string) bool {
	if len(words) == 0 {
		return true
	}
	if words[0] == "unset" {
		for _, name := range words[1:] {
			p.unset(name)
		}
		return true
	}
	exports := words[0] == "export" || words[0] == "declare" && len(words) > 1 && words[1] == "-x"
	if exports {
		words = words[1:]
		if len(words) > 0 && words[0] == "-x" {
			words = words[1:]
		}
	}
	for _, w := range words {
		if name, _, assigns := strings.Cut(w, "="); !shell.IsName(name) || !assigns && !exports {
			return false // a command, with assignments for it alone
		}
	}
	for _, w := range words {
		if name, value, assigns := strings.Cut(w, "="); assigns {
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

// skipHere passes over the here-document that the last line began.
func (p *envParser) skipHere() {
	for p.here != "" && p.pos < len(p.src) {
		start := p.pos
		p.skipLine()
		if strings.Trim(p.src[start:p.pos], "\t\r") == p.here {
			p.here = ""
		}
		if p.pos < len(p.src) {
			p.pos++
			p.line++
		}
	}
}

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
		case strings.HasPrefix(p.src[p.pos:], "<<") && !strings.HasPrefix(p.src[p.pos:], "<<<"):
			p.pos += 2
			p.blanks()
			p.here, _ = p.word()
			p.here = strings.TrimPrefix(p.here, "-")
			return "", false
		case strings.IndexByte("`&|<>()", c) >= 0:
			p.pos++
			ok = false
		case c == '~' && tildeAt(b.String()):
			ok = p.tilde(&b) && ok
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	return b.String(), ok
}

// tildeAt reports whether a "~" after before stands for a home folder: at the
// start of an assigned value or after a colon in it.
func tildeAt(before string) bool {
	return strings.Contains(before, "=") && (strings.IndexByte(before, '=') == len(before)-1 || strings.HasSuffix(before, ":"))
}

// tilde expands the user's own home.
func (p *envParser) tilde(b *strings.Builder) bool {
	p.pos++
	if p.pos < len(p.src) && strings.IndexByte("/: \t\r\n;", p.src[p.pos]) < 0 {
		return false // somebody else's
	}
	home := p.get("HOME")
	b.WriteString(home)
	return home != ""
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
		if n < 0 || !shell.IsName(rest[1:n]) {
			return false
		}
		b.WriteString(p.get(rest[1:n]))
		p.pos += n + 1
		return true
	}
	n := len(shell.Name(rest))
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
