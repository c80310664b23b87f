package scriptread

import (
	"slices"
	"strings"
)

// A frame is an open bracket, or an if, in a filter of jq.
type frame struct {
	open  string   // the bracket, the if or the function whose arguments these are
	from  []string // the value of a dot at its beginning
	in    []string // the value of a dot now
	read  bool     // a value was read
	value []string // the first one
}

// operand notes a value. It keeps the first of several: the others are its alternatives.
func (f *frame) operand(at []string) {
	if !f.read {
		f.read, f.value = true, at
	}
}

// mixed notes an operator that makes another value of its operands.
func (f *frame) mixed() { f.read, f.value = true, nil }

// restart begins a value where a dot means the field in.
func (f *frame) restart(in []string) { f.in, f.read, f.value = in, false, nil }

// Words and signs of jq: those that aren't followed by arguments in brackets, functions that pass their input to their
// argument and output it, and forms that aren't followed.
var (
	keywords = []string{"if", "then", "elif", "else", "and", "or", "try", "catch"}
	passing  = []string{"select", "first", "last", "debug", "error"}
	unknown  = []string{"def", "label", "foreach", "reduce", "import", "include", "=", "|=", "+=", "-=", "*=", "/=",
		"//=", "?//"}
)

// A jqReader reads a filter.
type jqReader struct {
	program
	stack []frame
}

// filter reads a filter of jq with the field in as its input, and returns the field that it outputs, nil if that is
// another value.
func (c *collector) filter(text string, in []string, line int) []string {
	p := &jqReader{program{collector: c, lang: jq, tokens: lex(jq, text, line), vars: variables{}},
		[]frame{{from: in, in: in}}}
	p.group++
	fields, words := len(c.Fields), len(c.Words)
	for i := 0; i < len(p.tokens); {
		t := p.token(i)
		if (t.kind == nameToken || t.kind == signToken) && slices.Contains(unknown, t.text) && !p.token(i+1).is(":") {
			c.Fields, c.Words = c.Fields[:fields], c.Words[:words] // nothing of it is certain
			return nil
		}
		i = p.next(i, t, &p.stack[len(p.stack)-1])
	}
	return p.stack[0].value
}

// next reads a token, and returns the next one.
func (p *jqReader) next(i int, t *token, f *frame) int {
	switch {
	case f.open == "{" && p.token(i-1).is("{", ",") && t.kind <= textToken: // the name of an object's field
		if !p.token(i+1).is(":") && !strings.HasPrefix(t.text, "$") {
			p.field(below(f.in, t.text), t.line)
		}
	case t.kind == stepToken || t.is("."):
		return p.value(f, f.in, i, i)
	case t.kind == nameToken:
		return p.word(i, t, f)
	case t.kind != signToken:
		for _, m := range compiled().within.FindAllStringSubmatch(t.text, -1) {
			p.filter(m[1], f.in, t.line)
		}
		f.operand(nil)

	case t.is("(", "[", "{"):
		p.stack = append(p.stack, p.opened(i, f))
	case t.is(")", "]", "}"):
		return p.closed(i, f)
	case t.is("|"):
		f.restart(f.value)
	case t.is(":", ";") || t.is(",") && f.open == "{":
		p.group++
		f.restart(f.from)
	case t.is(","):
		p.group++
		f.mixed()
	case !t.is("//", "?"):
		f.mixed()
	}
	return i + 1
}

// word reads a name: a variable, a function or a keyword.
func (p *jqReader) word(i int, t *token, f *frame) int {
	switch t.text {
	case "if":
		p.stack = append(p.stack, frame{open: t.text, from: f.in, in: f.in})
	case "then", "elif", "else":
		f.restart(f.from)
	case "end":
		return p.closed(i, f)
	case "and", "or":
		f.mixed()
	case "as":
		p.vars.set(p.token(i+1).text, f.value)
		f.value = f.in
		return i + 2
	case "try", "catch":
	default:
		if !p.token(i + 1).is("(") {
			return p.value(f, p.vars[t.text], i, i+1)
		}
	}
	return i + 1
}

// opened returns the frame of an opening bracket at i.
func (p *jqReader) opened(i int, f *frame) frame {
	inner := frame{open: p.token(i).text, from: f.in, in: f.in}
	if name := p.token(i - 1); inner.open == "(" && name.kind == nameToken && !slices.Contains(keywords, name.text) {
		if inner.open = name.text; !slices.Contains(passing, name.text) {
			inner.from, inner.in = nil, nil
		}
	}
	return inner
}

// closed reads a closing bracket.
func (p *jqReader) closed(i int, inner *frame) int {
	if len(p.stack) > 1 {
		p.stack = p.stack[:len(p.stack)-1]
	}
	f, at := &p.stack[len(p.stack)-1], []string(nil)
	switch {
	case inner.open == "(":
		at = inner.value
	case slices.Contains(passing, inner.open):
		at = f.in
	}
	return p.value(f, at, i, i+1)
}

// value reads the names after a value.
func (p *jqReader) value(f *frame, at []string, start, i int) int {
	at, next := p.steps(at, i)
	p.compared(at, start, next)
	f.operand(at)
	return next
}
