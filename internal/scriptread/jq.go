package scriptread

import (
	"slices"
	"strings"
)

// maxDepth is how deep expressions may be nested.
const maxDepth = 60

// A filter is a program of jq that is read.
type filter struct {
	c       *collector
	src     string
	at      int
	depth   int
	group   int
	joined  bool // all fields are of the group
	vars    map[string][]string
	strings []string // string literals of the term that was read last, if it was one
	bad     bool
}

// jq reads a filter that gets the field in, and returns the field that it outputs, nil if that is another value. All
// fields of one filter that stand in for each other are of one group.
func (c *collector) jq(src string, in []string, line, group int) []string {
	f := &filter{c: &collector{}, src: src, group: group, joined: group != 0, vars: map[string][]string{}}
	f.c.groups, f.c.line = c.groups, line
	if f.group == 0 {
		f.group = f.c.group()
	}
	out := f.pipe(in)
	f.space()
	if f.bad || f.at < len(f.src) { // a form that isn't known: nothing of it is sure
		return nil
	}
	c.groups = f.c.groups
	for _, x := range f.c.Fields {
		c.field(x.Path, line, x.Group)
	}
	for _, w := range f.c.Words {
		c.word(w.Of, w.Text, line)
	}
	return out
}

// apart begins fields that don't stand in for those before.
func (f *filter) apart() {
	if !f.joined {
		f.group = f.c.group()
	}
}

func (f *filter) fail() []string {
	f.bad = true
	return nil
}

func (f *filter) space() {
	for f.at < len(f.src) {
		switch f.src[f.at] {
		case ' ', '\t', '\r', '\n':
			f.at++
		case '#':
			end := strings.IndexByte(f.src[f.at:], '\n')
			if end < 0 {
				end = len(f.src) - f.at
			}
			f.at += end
		default:
			return
		}
	}
}

// take reads a sign if it follows.
func (f *filter) take(sign string) bool {
	f.space()
	if !strings.HasPrefix(f.src[f.at:], sign) {
		return false
	}
	f.at += len(sign)
	return true
}

// peek is the word that follows, "" if none does.
func (f *filter) peek() string {
	f.space()
	end := f.at
	for end < len(f.src) && isNamePart(f.src[end], end > f.at) {
		end++
	}
	return f.src[f.at:end]
}

func (f *filter) keyword(word string) bool {
	if f.peek() != word {
		return false
	}
	f.at += len(word)
	return true
}

func isNamePart(b byte, inside bool) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || inside && b >= '0' && b <= '9'
}

// pipe reads A | B and A , B.
func (f *filter) pipe(in []string) (out []string) {
	if f.depth++; f.depth > maxDepth {
		return f.fail()
	}

	defer func() { f.depth-- }()
	if f.peek() == "def" || f.peek() == "label" {
		return f.fail()
	}

	out = f.alternatives(in)
	for !f.bad {
		switch {
		case f.keyword("as"):
			if !f.take("$") {
				return f.fail()
			}
			name := f.peek()
			f.at += len(name)
			if name == "" || !f.take("|") {
				return f.fail()
			}
			f.vars[name] = out
			return f.pipe(in)
		case f.take("?//") || f.take("|="):
			return f.fail()
		case f.take("|"):
			return f.pipe(out)
		case f.take(","):
			f.apart()
			f.alternatives(in)
			out = nil
		default:
			return out
		}
	}

	return nil
}

// alternatives reads A // B, whose fields stand in for each other.
func (f *filter) alternatives(in []string) []string {
	before := f.group
	out := f.operands(in)
	for !f.bad && !strings.HasPrefix(f.rest(), "//=") && f.take("//") {
		f.operands(in)
	}
	f.group = before
	return out
}

func (f *filter) rest() string {
	f.space()
	return f.src[f.at:]
}

// operators that join two terms to another value; longer ones first.
var operators = []string{"==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%"}

func (f *filter) operands(in []string) []string {
	out := f.postfix(in)
	last := f.strings
next:
	for !f.bad {
		if f.keyword("and") || f.keyword("or") {
			f.postfix(in)
			out, last = nil, nil
			continue
		}

		rest := f.rest()
		if strings.HasPrefix(rest, "//") {
			return out
		}

		for _, op := range operators {
			if !strings.HasPrefix(rest, op) || strings.HasPrefix(rest[len(op):], "=") {
				continue
			}
			f.at += len(op)
			right := f.postfix(in)
			if op == "==" || op == "!=" {
				f.compare(out, f.strings)
				f.compare(right, last)
			}
			out, last = nil, nil
			continue next
		}

		return out
	}
	return nil
}

func (f *filter) compare(at, texts []string) {
	for _, text := range texts {
		f.c.word(at, text, f.c.line)
	}
}

// postfix reads a term and what hangs on it.
func (f *filter) postfix(in []string) []string {
	if f.depth++; f.depth > maxDepth {
		return f.fail()
	}
	defer func() { f.depth-- }()
	f.strings = nil
	out := f.term(in)
	for !f.bad {
		switch {
		case f.at < len(f.src) && f.src[f.at] == '.' && !strings.HasPrefix(f.src[f.at:], ".."):
			f.at++
			out = f.step(out)
		case f.at < len(f.src) && f.src[f.at] == '[':
			f.at++
			out = f.index(in, out)
		case strings.HasPrefix(f.src[f.at:], "?//"):
			return f.fail()
		case f.take("?"):
		default:
			return out
		}
	}
	return nil
}

// step reads the name behind a dot.
func (f *filter) step(out []string) []string {
	f.strings = nil
	if f.at < len(f.src) && f.src[f.at] == '"' {
		text, plain := f.text(nil)
		if !plain {
			return nil
		}
		return f.read(below(out, text))
	}
	if f.at < len(f.src) && f.src[f.at] == '[' {
		return out
	}
	name := ""
	if f.at < len(f.src) && isNamePart(f.src[f.at], false) {
		name = f.peek()
	}
	if name == "" {
		return f.fail()
	}
	f.at += len(name)
	return f.read(below(out, name))
}

func (f *filter) term(in []string) []string {
	rest := f.rest()
	switch {
	case rest == "":
		return f.fail()
	case strings.HasPrefix(rest, ".."):
		f.at += 2
		return nil
	case rest[0] == '.':
		f.at++
		if f.at < len(f.src) && (isNamePart(f.src[f.at], false) || f.src[f.at] == '"') {
			return f.step(in)
		}
		return in
	case rest[0] == '"':
		text, plain := f.text(in)
		if plain {
			f.strings = []string{text}
		}
		return nil
	case rest[0] == '(':
		f.at++
		before := f.group
		out := f.pipe(in)
		f.group = before
		if !f.take(")") {
			return f.fail()
		}
		return out
	case rest[0] == '[':
		f.at++
		if !f.take("]") {
			f.pipe(in)
			if !f.take("]") {
				return f.fail()
			}
		}
		return nil
	case rest[0] == '{':
		f.at++
		return f.object(in)
	case rest[0] == '$':
		f.at++
		name := f.peek()
		f.at += len(name)
		return f.vars[name]
	case rest[0] == '@':
		f.at++
		f.at += len(f.peek())
		return nil
	case rest[0] == '-':
		f.at++
		return f.term(nil)
	case rest[0] >= '0' && rest[0] <= '9':
		for f.at < len(f.src) && (f.src[f.at] >= '0' && f.src[f.at] <= '9' || f.src[f.at] == '.') {
			f.at++
		}
		return nil
	}

	return f.named(in)
}

// passing are functions whose argument gets what they get, and that output it.
var passing = []string{"select", "first", "last", "debug"}

func (f *filter) named(in []string) []string {
	name := f.peek()
	f.at += len(name)
	switch name {
	case "", "def", "label", "foreach", "reduce", "import", "include":
		return f.fail()
	case "if":
		return f.conditional(in)
	case "try":
		out := f.postfix(in)
		if f.keyword("catch") {
			f.postfix(nil)
		}
		return out
	}

	keeps, given := slices.Contains(passing, name), in
	if !keeps && name != "error" {
		given = nil
	}

	if f.take("(") {
		for {
			f.pipe(given)
			if f.bad || f.take(")") {
				break
			}
			if !f.take(";") {
				return f.fail()
			}
		}
	}

	if keeps {
		return in
	}

	return nil
}

func (f *filter) conditional(in []string) []string {
	f.pipe(in)
	if !f.keyword("then") {
		return f.fail()
	}
	f.pipe(in)
	for f.keyword("elif") {
		f.pipe(in)
		if f.bad || !f.keyword("then") {
			return f.fail()
		}
		f.pipe(in)
	}
	if f.keyword("else") {
		f.pipe(in)
	}
	if !f.keyword("end") {
		return f.fail()
	}
	return nil
}

func (f *filter) object(in []string) []string {
	for !f.bad && !f.take("}") {
		switch rest := f.rest(); {
		case rest == "":
			return f.fail()
		case rest[0] == '(':
			f.at++
			f.pipe(in)
			if !f.take(")") {
				return f.fail()
			}
		case rest[0] == '"':
			name, plain := f.text(in)
			if !strings.HasPrefix(f.rest(), ":") && plain {
				f.read(below(in, name))
			}
		case rest[0] == '$':
			f.at++
			f.at += len(f.peek())
		default:
			name := f.peek()
			if name == "" {
				return f.fail()
			}
			f.at += len(name)
			f.apart()
			if !strings.HasPrefix(f.rest(), ":") {
				f.read(below(in, name))
			}
		}
		if f.take(":") {
			f.value(in)
		}
		if !f.take(",") && !strings.HasPrefix(f.rest(), "}") {
			return f.fail()
		}
	}

	return nil
}

// value reads the value of an object's field: terms joined by | without commas.
func (f *filter) value(in []string) {
	out := f.alternatives(in)
	for !f.bad && f.take("|") {
		out = f.alternatives(out)
	}
}
