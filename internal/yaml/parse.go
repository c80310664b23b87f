package yaml

import "strings"

// A parser makes a tree of tokens. Behind its first error it sees the end of the tokens only.
type parser struct {
	tokens    []token
	at, depth int
	brackets  []int // where those that are open are
	anchors   map[string]bool
	scanError *Error // behind the tokens
	err       *Error
}

func (p *parser) peek() token {
	if p.err != nil {
		return token{kind: streamEnd}
	}
	return p.tokens[p.at]
}

// skip goes over a token if it is of that kind.
func (p *parser) skip(kind tokenKind) bool {
	if p.peek().kind != kind {
		return false
	}
	p.at++
	return true
}

// fail reports that t is not what must come here.
func (p *parser) fail(t token, msg string) {
	if p.err == nil {
		p.err = &Error{t.at, msg}
		if t.kind == scanFailed {
			p.err = p.scanError
		} else if open := len(p.brackets); t.kind == streamEnd && open > 0 {
			p.err = &Error{p.brackets[open-1], "this bracket is never closed"}
		}
	}
}

func (p *parser) document() *Node {
	var root *Node
	explicit := p.skip(documentStart)
	switch t := p.peek(); {
	case explicit && p.next(documentStart, documentEnd, streamEnd):
		root = empty(t.at)
	case t.kind != streamEnd && t.kind != documentEnd:
		root = p.node(true, false)
	}
	for p.skip(documentEnd) {
	}
	switch t := p.peek(); t.kind {
	case streamEnd:
	case documentStart:
		p.fail(t, "second YAML document")
	default:
		p.fail(t, "did not find expected <document start>")
	}
	if p.err != nil {
		return nil
	}
	return root
}

// next reports whether the next token is one of those kinds.
func (p *parser) next(kinds ...tokenKind) bool {
	for _, k := range kinds {
		if p.peek().kind == k {
			return true
		}
	}
	return false
}

func empty(at int) *Node { return &Node{Plain: true, Offset: at} }

// node reads a node with its anchor and tag. In a block it may be a block; as the value of a mapping it may be a
// sequence that isn't indented.
func (p *parser) node(block, value bool) *Node {
	t := p.peek()
	n := &Node{Offset: t.at}
	if p.skip(alias) {
		if !p.anchors[t.text] {
			p.fail(t, "unknown anchor '"+t.text+"' referenced")
		}
		n.Kind, n.Value = Alias, t.text
		return n
	}
	properties := p.properties(n)
	switch t = p.peek(); {
	case t.kind == scalar:
		p.at++
		n.Plain, n.Value = t.plain, t.text
	case value && t.kind == blockEntry:
		p.collection(n, Sequence, p.entries)
	case t.kind == sequenceStart:
		n.Flow = true
		p.collection(n, Sequence, p.flowSequence)
	case t.kind == mappingStart:
		n.Flow = true
		p.collection(n, Mapping, p.flowMapping)
	case block && t.kind == blockSequence:
		p.collection(n, Sequence, p.blockSequence)
	case block && t.kind == blockMapping:
		p.collection(n, Mapping, p.blockMapping)
	case properties && t.kind != scanFailed:
		n.Plain = true
	default:
		p.fail(t, "did not find expected node content")
	}
	return n
}

// properties reads an anchor and a tag, in any order.
func (p *parser) properties(n *Node) (any bool) {
	for anchored, tagged := false, false; ; any = true {
		switch t := p.peek(); {
		case t.kind == anchor && !anchored:
			anchored = true
			if p.anchors == nil {
				p.anchors = map[string]bool{}
			}
			p.anchors[t.text] = true
		case t.kind == tag && !tagged:
			tagged = true
			n.Tag = p.tag(t)
		default:
			return any
		}
		p.at++
	}
}

// tag returns a tag as a node has it; "!" is none.
func (p *parser) tag(t token) string {
	name, verbatim := strings.CutPrefix(t.text, "!<")
	if verbatim {
		var closed bool
		if name, closed = strings.CutSuffix(name, ">"); !closed {
			p.fail(t, "did not find the expected '>'")
		}
		if core, ok := strings.CutPrefix(name, "tag:yaml.org,2002:"); ok {
			return "!!" + core
		}
		return name
	}
	if handle, suffix, ok := strings.Cut(name[1:], "!"); ok && !strings.ContainsFunc(handle, isNoWord) {
		if handle != "" {
			p.fail(t, "found undefined tag handle")
		} else if suffix == "" {
			p.fail(t, "did not find expected tag URI")
		}
	}
	if name == "!" {
		return ""
	}
	return name
}

// collection reads what n holds.
func (p *parser) collection(n *Node, kind Kind, read func(*Node)) {
	n.Kind = kind
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.peek(), "nested more than 100 levels deep")
	}
	read(n)
	p.depth--
}

// child reads a node of n, which is empty if the next token is one of those kinds.
func (p *parser) child(n *Node, at int, block, value bool, kinds ...tokenKind) {
	c := empty(at)
	if !p.next(kinds...) {
		c = p.node(block, value)
	}
	n.Content = append(n.Content, c)
}

func (p *parser) blockSequence(n *Node) {
	p.at++
	for !p.skip(blockEnd) {
		t := p.peek()
		if !p.skip(blockEntry) {
			p.fail(t, "did not find expected '-' indicator")
			return
		}
		p.child(n, t.end, true, false, blockEntry, blockEnd)
	}
}

func (p *parser) entries(n *Node) {
	for t := p.peek(); p.skip(blockEntry); t = p.peek() {
		p.child(n, t.end, true, false, blockEntry, key, value, blockEnd)
	}
}

func (p *parser) blockMapping(n *Node) {
	p.at++
	for !p.skip(blockEnd) {
		t := p.peek()
		if !p.skip(key) {
			p.fail(t, "did not find expected key")
			return
		}
		p.child(n, t.end, true, true, key, value, blockEnd)
		if t = p.peek(); p.skip(value) {
			p.child(n, t.end, true, true, key, value, blockEnd)
		} else {
			n.Content = append(n.Content, empty(t.at))
		}
	}
}

func (p *parser) flowSequence(n *Node) {
	p.flow(sequenceEnd, "did not find expected ',' or ']'", func() {
		t := p.peek()
		if !p.skip(key) {
			n.Content = append(n.Content, p.node(false, false))
			return
		}
		pair := &Node{Kind: Mapping, Flow: true, Offset: t.at}
		p.pair(pair, sequenceEnd)
		n.Content = append(n.Content, pair)
	})
}

func (p *parser) flowMapping(n *Node) {
	p.flow(mappingEnd, "did not find expected ',' or '}'", func() {
		if p.skip(key) {
			p.pair(n, mappingEnd)
			return
		}
		n.Content = append(n.Content, p.node(false, false), empty(p.peek().at))
	})
}

// flow reads what is in brackets.
func (p *parser) flow(end tokenKind, expected string, entry func()) {
	p.brackets = append(p.brackets, p.peek().at)
	p.at++
	for first := true; !p.skip(end); first = false {
		if t := p.peek(); !first && !p.skip(flowEntry) {
			p.fail(t, expected)
			return
		}
		if !p.next(end) {
			entry()
		}
	}
	p.brackets = p.brackets[:len(p.brackets)-1]
}

// pair reads a key and its value in brackets.
func (p *parser) pair(n *Node, end tokenKind) {
	p.child(n, p.peek().at, false, false, value, flowEntry, end)
	has := p.skip(value)
	if t := p.peek(); !has {
		n.Content = append(n.Content, empty(t.at))
	} else {
		p.child(n, t.at, false, false, flowEntry, end)
	}
}
