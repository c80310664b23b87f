package yaml

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	streamEnd  tokenKind = iota
	scanFailed           // the text has no tokens from here on
	documentStart
	documentEnd
	blockSequence
	blockMapping
	blockEnd
	sequenceStart
	sequenceEnd
	mappingStart
	mappingEnd
	blockEntry
	flowEntry
	key
	value
	alias
	anchor
	tag
	scalar
)

type token struct {
	kind    tokenKind
	plain   bool
	at, end int
	text    string
}

// A scanner splits the text into tokens. Its first error ends the text, so that only what reads on has to look at it.
type scanner struct {
	text   []byte // and four NULs
	pos    int
	line   int // where the line of pos begins
	tokens []token
	err    *Error

	indent  int // of the innermost block, -1 outside of all
	indents []int
	keys    []simpleKey // for the block and each open bracket
	// keyAllowed is whether a key without "?" may begin here.
	keyAllowed bool
}

// A simpleKey is a place at which a key without "?" may have begun.
type simpleKey struct {
	possible, required bool
	token, at, line    int
}

// maxKey is how many characters may lie between the start of a key and its colon.
const maxKey = 1024

func scan(text []byte) *scanner {
	s := &scanner{text: append(bytes.Clone(text), 0, 0, 0, 0), indent: -1, keyAllowed: true}
	s.keys = make([]simpleKey, 1, 8)
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		s.pos, s.line = 3, 3
	}
	for s.err == nil && (len(s.tokens) == 0 || s.tokens[len(s.tokens)-1].kind != streamEnd) {
		s.next()
	}
	if s.err != nil {
		s.tokens = append(s.tokens, token{kind: scanFailed, at: s.err.Offset})
	}
	return s
}

func (s *scanner) fail(at int, msg string) {
	if s.err == nil {
		s.err = &Error{at, msg}
	}
	s.pos = len(s.text) - 4
}

// next adds the next token, and what it opens and closes.
func (s *scanner) next() {
	from := s.pos
	s.skipBlanks()
	s.closeBlocks(s.column(), from)
	c := s.text[s.pos]
	apart := isBlankOrEnd(s.text[s.pos+1])
	switch {
	case s.ends():
		s.outermost(streamEnd, 0)
	case c == '%' && s.column() == 0:
		s.fail(s.pos, "directives are not read")
	case s.isMark("---"):
		s.outermost(documentStart, 3)
	case s.isMark("..."):
		s.outermost(documentEnd, 3)
	case c == '[':
		s.open(sequenceStart)
	case c == '{':
		s.open(mappingStart)
	case c == ']':
		s.close(sequenceEnd)
	case c == '}':
		s.close(mappingEnd)
	case c == ',':
		s.indicator(flowEntry)
		s.keyAllowed = true
	case c == '-' && apart:
		s.entry(blockEntry, blockSequence, "block sequence entries are not allowed in this context")
		s.keyAllowed = true
	case c == '?' && apart:
		s.entry(key, blockMapping, "mapping keys are not allowed in this context")
		s.keyAllowed = !s.inFlow()
	case c == ':' && (apart || s.inFlow()):
		s.value()
	default:
		s.content(c, apart)
	}
}

// content adds a token that is a node or its properties.
func (s *scanner) content(c byte, apart bool) {
	switch {
	case (c == '|' || c == '>') && !s.inFlow():
		if s.dropKey(); s.err == nil {
			s.keyAllowed = true
			s.block(c == '>')
		}
		return
	case c == '\t':
		s.fail(s.pos, tabMsg)
		return
	case isOneOf(c, ",[]{}#|>%@`"), apart && isOneOf(c, "-?:"):
		s.fail(s.pos, "found character that cannot start any token")
		return
	}
	if s.saveKey(); s.err != nil {
		return
	}
	s.keyAllowed = false
	switch c {
	case '*':
		s.name(alias)
	case '&':
		s.name(anchor)
	case '!':
		s.tag()
	case '\'', '"':
		s.quoted(c)
	default:
		s.plain()
	}
}

const tabMsg = "YAML doesn't allow tabs for indentation; use spaces"

func (s *scanner) ends() bool   { return s.pos == len(s.text)-4 }
func (s *scanner) column() int  { return s.pos - s.line }
func (s *scanner) inFlow() bool { return len(s.keys) > 1 }

// isMark reports whether the text has the mark of a document's start or end.
func (s *scanner) isMark(mark string) bool {
	return s.pos == s.line && string(s.text[s.pos:s.pos+3]) == mark && isBlankOrEnd(s.text[s.pos+3])
}

func (s *scanner) atMark() bool { return s.isMark("---") || s.isMark("...") }

func isBlank(c byte) bool      { return c == ' ' || c == '\t' }
func isBreak(c byte) bool      { return c == '\n' || c == '\r' }
func isBlankOrEnd(c byte) bool { return isBlank(c) || isBreak(c) || c == 0 }

func isOneOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

// newline goes over a line end.
func (s *scanner) newline() {
	if s.text[s.pos] == '\r' && s.text[s.pos+1] == '\n' {
		s.pos++
	}
	s.pos++
	s.line = s.pos
}

func (s *scanner) skipBlanks() {
	for {
		for c := s.text[s.pos]; c == ' ' || c == '\t' && (s.inFlow() || !s.keyAllowed); c = s.text[s.pos] {
			s.pos++
		}
		s.skipComment()
		if !isBreak(s.text[s.pos]) {
			return
		}
		s.newline()
		if !s.inFlow() {
			s.keyAllowed = true
		}
	}
}

func (s *scanner) skipComment() {
	if s.text[s.pos] == '#' {
		for !isBreak(s.text[s.pos]) && !s.ends() {
			s.pos++
		}
	}
}

// add adds the token that has been read from at to here.
func (s *scanner) add(t token) {
	if s.err == nil {
		t.end = s.pos
		s.tokens = append(s.tokens, t)
	}
}

func (s *scanner) insert(i int, t token) {
	if s.err == nil {
		t.end = t.at
		s.tokens = append(s.tokens, token{})
		copy(s.tokens[i+1:], s.tokens[i:])
		s.tokens[i] = t
	}
}

// openBlock begins a block at a column that is further to the right than the one around it, before token i.
func (s *scanner) openBlock(column, i int, kind tokenKind, at int) {
	if !s.inFlow() && s.indent < column {
		s.indents = append(s.indents, s.indent)
		s.indent = column
		s.insert(i, token{kind: kind, at: at})
	}
}

// closeBlocks ends at a place the blocks that lie further to the right than column.
func (s *scanner) closeBlocks(column, at int) {
	for !s.inFlow() && s.indent > column {
		s.add(token{kind: blockEnd, at: at})
		s.indent = s.indents[len(s.indents)-1]
		s.indents = s.indents[:len(s.indents)-1]
	}
}

func (s *scanner) saveKey() {
	if s.keyAllowed {
		s.dropKey()
		required := !s.inFlow() && s.indent == s.column()
		s.keys[len(s.keys)-1] = simpleKey{true, required, len(s.tokens), s.pos, s.line}
	}
}

func (s *scanner) dropKey() {
	k := &s.keys[len(s.keys)-1]
	if k.possible && k.required {
		s.fail(k.at, "could not find expected ':'")
	}
	k.possible = false
}

// outermost adds a token that ends all blocks.
func (s *scanner) outermost(kind tokenKind, n int) {
	s.closeBlocks(-1, s.pos)
	s.dropKey()
	s.keyAllowed = false
	s.pos += n
	s.add(token{kind: kind, at: s.pos - n})
}

// indicator adds a token of one character.
func (s *scanner) indicator(kind tokenKind) {
	s.dropKey()
	if s.err == nil {
		s.pos++
		s.add(token{kind: kind, at: s.pos - 1})
	}
}

func (s *scanner) open(kind tokenKind) {
	s.saveKey()
	s.keys = append(s.keys, simpleKey{})
	s.keyAllowed = true
	s.indicator(kind)
}

func (s *scanner) close(kind tokenKind) {
	s.indicator(kind)
	if s.inFlow() {
		s.keys = s.keys[:len(s.keys)-1]
	}
	s.keyAllowed = false
}

// entry adds a token that begins an entry of a block.
func (s *scanner) entry(kind, block tokenKind, forbidden string) {
	if !s.inFlow() {
		if !s.keyAllowed {
			s.fail(s.pos, forbidden)
			return
		}
		s.openBlock(s.column(), len(s.tokens), block, s.pos)
	}
	s.indicator(kind)
}

// value adds the token for a colon, and the one for the key before it.
func (s *scanner) value() {
	k := &s.keys[len(s.keys)-1]
	if k.possible && (k.line != s.line || utf8.RuneCount(s.text[k.at:s.pos]) > maxKey) {
		s.dropKey()
	}
	if !k.possible {
		s.entry(value, blockMapping, "mapping values are not allowed in this context")
		s.keyAllowed = !s.inFlow()
		return
	}
	k.possible = false
	s.insert(k.token, token{kind: key, at: k.at})
	s.openBlock(k.at-k.line, k.token, blockMapping, k.at)
	s.indicator(value)
	s.keyAllowed = false
}

// name adds an alias or an anchor.
func (s *scanner) name(kind tokenKind) {
	at := s.pos
	for s.pos++; isWord(s.text[s.pos]); s.pos++ {
	}
	if c := s.text[s.pos]; s.pos == at+1 || !isBlankOrEnd(c) && !isOneOf(c, "?:,]}%@`") {
		s.fail(at, "did not find expected alphabetic or numeric character")
		return
	}
	s.add(token{kind: kind, at: at, text: string(s.text[at+1 : s.pos])})
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-'
}

func isNoWord(r rune) bool { return r >= utf8.RuneSelf || !isWord(byte(r)) }

// tag adds a tag, which ends at a blank.
func (s *scanner) tag() {
	at := s.pos
	others := ";/?:@&=+$,.!~*'()[]%"
	if s.text[at+1] == '<' {
		others += "<>"
	}
	for isWord(s.text[s.pos]) || isOneOf(s.text[s.pos], others) {
		s.pos++
	}
	if !isBlankOrEnd(s.text[s.pos]) {
		s.fail(at, "did not find expected whitespace or line break")
		return
	}
	s.add(token{kind: tag, at: at, text: string(s.text[at:s.pos])})
}
