// Package yaml reads a YAML document into a tree whose nodes know their places.
//
// It is first-hand because every YAML library for Go builds tables when a program starts, which each hook call pays
// for, or changes what it reads. The grammar is that of libyaml, without directives and without the line ends of YAML
// 1.1 that JSON doesn't know (NEL, LS, PS). A test compares it with such a library. Nothing is resolved: aliases are
// nodes, and a scalar is its text.
package yaml

import (
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how many mappings and sequences may be open at once.
const MaxDepth = 100

// A Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota
	Mapping
	Sequence
	Alias
)

// A Node is a value of a document, or an alias of one.
type Node struct {
	Kind    Kind
	Plain   bool    // a scalar without quotes that isn't a block
	Flow    bool    // a mapping or sequence in brackets
	Tag     string  // as written, with "!!" for "tag:yaml.org,2002:"; "" if there is none
	Value   string  // of a scalar, name of an alias
	Offset  int     // in the text, in bytes
	Content []*Node // of a sequence; keys and values of a mapping in turn
}

// An Error says what is wrong at a place.
type Error struct {
	Offset int
	Msg    string
}

func (e *Error) Error() string { return "offset " + strconv.Itoa(e.Offset) + ": " + e.Msg }

// Parse returns the topmost node of the one document in text, nil if there is none.
func Parse(text []byte) (*Node, *Error) {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			return nil, &Error{at, "invalid UTF-8"}
		case r < ' ' && r != '\t' && !isBreak(text[at]), r >= 0x7f && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return nil, &Error{at, "control characters are not allowed"}
		}
		at += n
	}
	s := scan(text)
	p := parser{tokens: s.tokens, scanError: s.err}
	root := p.document()
	return root, p.err
}
