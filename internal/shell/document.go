package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A document is a here-document as the library found it.
type document struct {
	redirect *Redirect
	from     int // after the word that ends it
	body     *syntax.Word
}

// redirect translates a redirection.
func (t *translator) redirect(x *syntax.Redirect) piece {
	r := &Redirect{Op: x.Op.String(), Target: t.word(x.Word)}
	if x.N != nil {
		r.Descriptor = x.N.Value
	}
	p := piece{redirect: r, start: t.at(x.Pos()), end: t.at(x.Word.End())}
	if x.Op != syntax.Hdoc && x.Op != syntax.DashHdoc {
		return p
	}
	if len(t.ticks) > 0 || !plainEnd(x.Word) {
		t.refused = true
		return p
	}
	if t.within > 0 && (x.Hdoc == nil || t.at(x.Hdoc.Pos()) > t.within) {
		t.refused = true // its body follows the substitution
		return p
	}
	if x.Hdoc != nil {
		t.parts(&r.Body, x.Hdoc.Parts, inDocument)
	}
	t.docs = append(t.docs, document{r, p.end, x.Hdoc})
	return p
}

// plainEnd reports whether the library and shells find the same end of a here-document.
func plainEnd(w *syntax.Word) bool {
	literal := func(p syntax.WordPart, quoted bool) bool {
		l, ok := p.(*syntax.Lit)
		return ok && !(quoted && strings.Contains(l.Value, `\`)) && !strings.Contains(l.Value, "\n")
	}
	return !slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		switch q := p.(type) {
		case *syntax.SglQuoted:
			return q.Dollar || strings.Contains(q.Value, "\n")
		case *syntax.DblQuoted:
			return q.Dollar || slices.ContainsFunc(q.Parts, func(p syntax.WordPart) bool { return !literal(p, true) })
		}
		return !literal(p, false)
	})
}

// documents gives the here-documents their text, and reports whether the library found them where a shell does. A shell
// searches for the end line by line, after the operator's line, before it reads their content.
func (t *translator) documents() bool {
	slices.SortFunc(t.docs, func(a, b document) int { return a.from - b.from })
	line, next := -1, 0 // the end of the last operator's line, and of the body after it
	for _, d := range t.docs {
		length := strings.IndexByte(t.src[d.from:], '\n')
		if length < 0 {
			return false
		}
		d.redirect.Late = strings.Trim(t.src[d.from:d.from+length], " \t\r") != ""
		if d.from+length != line {
			line = d.from + length
			next = line + 1
		}
		start := next
		body, after, ok := t.untilEnd(start, d.redirect)
		if !ok || !d.spans(t, start, body, after) {
			return false
		}
		next = after
		if d.body == nil {
			continue
		}
		raw := t.text(t.src[start:body])
		if d.redirect.Body.Raw = raw; !d.redirect.Target.Bare() {
			d.redirect.Body.Parts = []Part{{Kind: Quoted, Text: raw}}
		}
	}

	return true
}

// spans reports whether the library found the same body.
func (d document) spans(t *translator, start, body, after int) bool {
	if d.body == nil {
		return body == start
	}
	end := t.at(d.body.End())
	return t.at(d.body.Pos()) == start && end >= body && end <= after
}

// untilEnd finds the end of a here-document's body that begins at start, and of the line after it.
func (w written) untilEnd(start int, r *Redirect) (body, after int, ok bool) {
	for body = start; body < len(w.src); body = after {
		line, _, more := strings.Cut(w.src[body:], "\n")
		after = body + len(line) + count(more)
		if line = strings.TrimSuffix(line, "\r"); r.Op == "<<-" {
			line = strings.TrimLeft(line, "\t")
		}
		if w.text(line) == r.Target.Text() {
			return body, after, true
		}
	}
	return 0, 0, false
}
