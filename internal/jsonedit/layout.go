package jsonedit

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// An item is an element, or a field from its name to its value, in the text.
type item struct {
	start, end int
	comma      int // offset of the comma after it, or -1
}

type group struct {
	open, shut int // its two brackets
	items      []item
	array      bool
}

// groupOf returns v as a group, nil if it is neither object nor array.
func groupOf(v *hujson.Value) *group {
	g := &group{open: v.StartOffset, shut: v.EndOffset - 1}
	add := func(first, last *hujson.Value, more bool) {
		it := item{first.StartOffset, last.EndOffset, -1}
		if more || last.AfterExtra != nil {
			it.comma = last.EndOffset + len(last.AfterExtra)
		}
		g.items = append(g.items, it)
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			add(&c.Members[i].Name, &c.Members[i].Value, i < len(c.Members)-1)
		}
	case *hujson.Array:
		g.array = true
		for i := range c.Elements {
			add(&c.Elements[i], &c.Elements[i], i < len(c.Elements)-1)
		}
	default:
		return nil
	}
	return g
}

// indent returns the blanks at the start of the line of text[off]. first reports whether only they are before off, on a
// line other than the first.
func (d *doc) indent(off int) (blanks string, first bool) {
	start := bytes.LastIndexByte(d.text[:off], '\n') + 1
	end := start
	for end < off && (d.text[end] == ' ' || d.text[end] == '\t') {
		end++
	}
	return string(d.text[start:end]), end == off && start > 0
}

// A comments describes the comments between two tokens.
type comments struct {
	end  int  // after the last one, without a newline or CR that ends it
	any  bool // there is one
	line bool // the last one goes on to the end of its line
}

// comments looks for comments in text[from:to], which has nothing else but blanks. Without any, end is from.
func (d *doc) comments(from, to int) comments {
	c := comments{end: from}
	for i := from; i < to; i++ {
		if end, line, ok := comment(d.text[:to], i); ok {
			i = end - 1
			for line && d.text[end-1] == '\r' {
				end--
			}
			c = comments{end, true, line}
		}
	}
	return c
}

type style struct {
	nl    string // line end
	unit  string // indentation of one level
	space string // after a colon, and after a comma on one line
}

func (d *doc) style() style {
	st := style{nl: "\n", space: " "}
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		st.nl = "\r\n"
	}

	spaced := false
	for v := range d.root.All() {
		if obj, ok := v.Value.(*hujson.Object); ok && !spaced && len(obj.Members) > 0 {
			if spaced = true; len(obj.Members[0].Value.BeforeExtra) == 0 {
				st.space = ""
			}
		}
		if spaced && st.unit != "" {
			break
		}
		if g := groupOf(v); g != nil && len(g.items) > 0 && st.unit == "" &&
			bytes.IndexByte(d.text[g.open:g.items[0].start], '\n') >= 0 {
			outer, _ := d.indent(g.open)
			if inner, first := d.indent(g.items[0].start); first && len(inner) > len(outer) &&
				inner[:len(outer)] == outer {
				st.unit = inner[len(outer):]
			}
		}
	}
	if st.unit == "" {
		st.unit = "  "
	}

	return st
}

// append appends v, which has neither comments nor spacing, to dst: on one line, or on several that are, except for the
// first, indented by at least indent.
func (st style) append(dst []byte, v *hujson.Value, indent string, lines bool) []byte {
	inner := indent + st.unit
	next := func(first bool) {
		switch {
		case lines:
			dst = append(append(dst, st.nl...), inner...)
		case !first:
			dst = append(dst, st.space...)
		}
	}

	last := func(n int, c byte) []byte {
		if lines && n > 0 {
			dst = append(append(dst, st.nl...), indent...)
		}
		return append(dst, c)
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		dst = append(dst, '{')
		for i := range c.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			next(i == 0)
			dst = append(append(dst, c.Members[i].Name.Value.(hujson.Literal)...), ':')
			dst = st.append(append(dst, st.space...), &c.Members[i].Value, inner, lines)
		}
		return last(len(c.Members), '}')
	case *hujson.Array:
		dst = append(dst, '[')
		for i := range c.Elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			next(i == 0)
			dst = st.append(dst, &c.Elements[i], inner, lines)
		}
		return last(len(c.Elements), ']')
	}

	return append(dst, v.Value.(hujson.Literal)...)
}
