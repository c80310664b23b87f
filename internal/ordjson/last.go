package ordjson

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"
)

// A Repeated is a field that a later one of the same name overrides.
type Repeated struct {
	Pointer string // of the field, which is that of the later one too
	Off     int    // where its value begins
}

// maxRepeated limits how many overridden fields are listed: there may be a million, and their pointers may be long.
const maxRepeated = 100

// ParseLast reads one object as JSON.parse does: of several fields of one name the last counts, at every level. It
// lists the others, up to a hundred. Offsets count from the start of src, as with Parse. It takes linear time, so that
// a hostile hook file can't keep hookbridge from answering.
func ParseLast(src []byte) (Object, []Repeated, error) {
	o, err := Parse(src)
	var se *SyntaxError
	if !errors.As(err, &se) || se.Fault != DuplicateName {
		return o, nil, err
	}

	s := scanner{src: src, repeats: true}
	if end := s.value(s.start(), 0); end >= 0 {
		s.finish(end)
	}
	if s.err != nil {
		return nil, nil, s.err
	}

	l := lastReader{scanner: s}
	l.read()
	slices.SortFunc(l.gone, func(a, b overridden) int { return a.from - b.from })
	out, done := bytes.Clone(src), 0
	var repeated []Repeated
	for _, g := range l.gone {
		if g.from < done { // inside another
			continue
		}
		if g.Pointer != "" {
			repeated = append(repeated, g.Repeated)
		}
		for done = g.from; done < g.to; done++ {
			if out[done] != '\n' {
				out[done] = ' '
			}
		}
	}
	o, err = Parse(out)
	return o, repeated, err
}

// An overridden field is at from, and the next field at to.
type overridden struct {
	Repeated
	from, to int
}

// An openBracket is an object or array around the current place.
type openBracket struct {
	array  bool
	index  int                   // of the array's element
	name   string                // of the object's field
	key    string                // the same, as written if it has lone surrogates
	member overridden            // the same
	seen   map[string]overridden // the object's fields so far
}

// A lastReader finds the fields of a valid text that later ones override. It keeps its own list of open brackets: a
// deep text need not be read again at each level.
type lastReader struct {
	scanner
	open []openBracket
	gone []overridden
}

func (l *lastReader) read() {
	named := false // the field's name was read
	for i := l.start(); i < len(l.src); i++ {
		switch c := l.src[i]; c {
		case '{', '[':
			l.open, named = append(l.open, openBracket{array: c == '['}), false
		case '}', ']':
			l.end(i)
			l.open, named = l.open[:len(l.open)-1], true
		case ',':
			l.end(i + 1)
			named = false
		case '"':
			end, escaped := l.string(i)
			if top := &l.open[len(l.open)-1]; !top.array && !named {
				name := l.src[i+1 : end-1]
				if escaped || !utf8.Valid(name) {
					name = appendUnquoted(nil, l.src[i:end])
				}
				top.name, top.key, named = string(name), string(spelling(l.src[i+1:end-1], name)), true
				top.member = overridden{from: i}
				top.member.Off = skipBlanks(l.src, skipBlanks(l.src, end)+1)
			}
			i = end - 1
		}
	}
}

// end ends the field or element before i.
func (l *lastReader) end(i int) {
	top := &l.open[len(l.open)-1]
	if top.array {
		top.index++
		return
	}
	if top.member.Off == 0 { // {}
		return
	}
	m := top.member
	m.to = i
	if before, ok := top.seen[top.key]; ok {
		if len(l.gone) < maxRepeated {
			before.Pointer = l.pointer()
		}
		l.gone = append(l.gone, before)
	}
	if top.seen == nil {
		top.seen = map[string]overridden{}
	}
	top.seen[top.key] = m
}

// pointer returns the path of the current field.
func (l *lastReader) pointer() string {
	tokens := make([]string, len(l.open))
	for i := range l.open {
		if o := &l.open[i]; o.array {
			tokens[i] = strconv.Itoa(o.index)
		} else {
			tokens[i] = o.name
		}
	}
	return Pointer("", tokens...)
}
