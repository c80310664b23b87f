// Package teamfile reads the YAML files that a team writes, up to their first mistake.
package teamfile

import (
	"strconv"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Reader reads one file.
type Reader struct {
	File  string // for messages only
	Err   error  // the first error; what is read after it is invalid
	index *ordjson.Index
}

// Open reads the text of a file as JSON.
func Open(file string, text []byte) (*Reader, ordjson.Member) {
	json, err := frontmatter.Document(text)
	if e, ok := err.(*frontmatter.Error); ok {
		e.File = file
	}
	return &Reader{file, err, ordjson.NewIndex(json)}, ordjson.Member{Value: json}
}

// Position returns the place of an offset.
func (r *Reader) Position(off int) (line, col int) { return r.index.Position(off) }

// Fail records an error at an offset.
func (r *Reader) Fail(off int, msg string) {
	if r.Err == nil {
		line, col := r.index.Position(off)
		r.Err = &frontmatter.Error{File: r.File, Line: line, Col: col, Msg: msg}
	}
}

// Unknown records a key that its object doesn't have; has lists those it has.
func (r *Reader) Unknown(m ordjson.Member, has string) {
	r.Fail(m.Off, "unknown key "+strconv.Quote(m.Name)+"; "+has)
}

// Text reads a string.
func (r *Reader) Text(m ordjson.Member) string {
	text, ok := ordjson.String(m.Value)
	if !ok {
		r.Fail(m.Off, m.Name+" is not text")
	}
	return text
}

// Members reads a mapping; wrong is the error if it isn't one.
func (r *Reader) Members(m ordjson.Member, wrong string) ordjson.Object {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		r.Fail(m.Off, wrong)
	}
	return o
}

// Elements reads a list; wrong is the error if it isn't one.
func (r *Reader) Elements(m ordjson.Member, wrong string) []ordjson.Member {
	list, err := ordjson.Elements(m.Value, m.Off)
	if err != nil {
		r.Fail(m.Off, wrong)
	}
	return list
}

// Names reads a list of agents.
func (r *Reader) Names(m ordjson.Member, wrong string, add func(name string, off int)) {
	for _, e := range r.Elements(m, wrong) {
		name, ok := ordjson.String(e.Value)
		if !ok {
			r.Fail(e.Off, "an agent is a name, such as cursor")
		}
		add(name, e.Off)
	}
}
