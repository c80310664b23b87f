// Package yaml reads a YAML document into a tree of nodes with their places.
//
// It is the only importer of the YAML library, and adds what the library leaves to its callers: limits, the column of
// an error, and the characters of YAML 1.2. It resolves nothing: aliases are nodes, and a scalar is its text.
package yaml

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	lib "gopkg.in/yaml.v3"
)

// MaxDepth is how many mappings and sequences may be open at once.
const MaxDepth = 100

// A Kind is the kind of a node.
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
	Kind      Kind
	Plain     bool    // a scalar without quotes that isn't a block
	Flow      bool    // a mapping or sequence in brackets
	Tag       string  // as written, with "!!" for "tag:yaml.org,2002:"; "" if there is none
	Value     string  // of a scalar, name of an alias
	Line, Col int     // in the text, both from 1; Col counts runes
	Content   []*Node // of a sequence; keys and values of a mapping in turn
	Target    *Node   // of an alias; it may contain the alias
}

// An Error describes what is wrong at a place.
type Error struct {
	Line, Col int
	Msg       string
}

func (e *Error) Error() string {
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Col) + ": " + e.Msg
}

// Parse returns the topmost node of the one document in text, or nil. Control characters other than NUL are text, as
// for YAML readers in JavaScript, and so are the line ends of YAML 1.1 that YAML 1.2 no longer has: NEL, LS and PS.
func Parse(text []byte) (*Node, *Error) {
	if err := checkRunes(text); err != nil {
		return nil, err
	}
	hidden := hide(text)
	root, err := decode(hidden.text)
	if err != nil {
		return nil, locate(hidden.text, err)
	}
	if root == nil {
		return nil, nil
	}
	r := reader{hidden: hidden, lines: lineStarts(hidden.text), nodes: map[*lib.Node]*Node{}}
	return r.node(root, 0)
}

var (
	errSecond     = errors.New("second YAML document")
	errUnreadable = errors.New("this YAML can't be read")
)

// decode calls the library, which limits the depth to 10,000 before it recurses.
func decode(text []byte) (root *lib.Node, err error) {
	defer func() {
		if recover() != nil {
			root, err = nil, errUnreadable
		}
	}()
	var doc, second lib.Node
	d := lib.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := d.Decode(&second); err == nil {
		return nil, errSecond
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// A reader converts the library's tree.
type reader struct {
	hidden hidden
	lines  []lineStart
	nodes  map[*lib.Node]*Node // those with an anchor
}

func (r *reader) node(n *lib.Node, depth int) (*Node, *Error) {
	m := &Node{Value: r.hidden.show(n.Value)}
	m.Line, m.Col = r.place(n)
	if n.Anchor != "" {
		r.nodes[n] = m
	}
	if n.Style&lib.TaggedStyle != 0 {
		m.Tag = n.Tag
	}

	switch n.Kind {
	case lib.AliasNode:
		m.Kind, m.Target = Alias, r.nodes[n.Alias]
		return m, nil
	case lib.ScalarNode:
		m.Plain = n.Style&^lib.TaggedStyle == 0
		return m, nil
	case lib.MappingNode:
		m.Kind = Mapping
	default:
		m.Kind = Sequence
	}
	if depth == MaxDepth {
		return nil, &Error{m.Line, m.Col, "nested more than " + strconv.Itoa(MaxDepth) + " levels deep"}
	}

	m.Flow = n.Style&lib.FlowStyle != 0
	m.Content = make([]*Node, len(n.Content))
	for i, c := range n.Content {
		child, err := r.node(c, depth+1)
		if err != nil {
			return nil, err
		}
		m.Content[i] = child
	}

	return m, nil
}

func (r *reader) place(n *lib.Node) (line, col int) {
	at := r.lines[max(0, min(n.Line, len(r.lines))-1)]
	return at.line, at.col + max(n.Column, 1) - 1
}
