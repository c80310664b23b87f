package frontmatter

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/yaml"
)

// MaxSize is how many bytes of front matter are read.
const MaxSize = 1 << 20

// JSON returns the value under the top-level key of the front matter of md as
// JSON text, and whether there is such a key. Members keep their order.
//
// Every name and value is on the line of the JSON on which it is in md. Strings,
// numbers and literals also begin in their column, as far as what JSON has to
// write before them leaves room; names, brackets and braces stand a few
// columns to the left where that helps. The text begins with as many line ends
// as it takes, and has no byte order mark.
//
// Plain scalars mean what they mean in the core schema of YAML 1.2: true and
// false, null, ~ and nothing at all, and numbers, which keep their text. A
// number that JSON cannot write, such as 0x1f or .inf, becomes a string, and
// all other scalars are strings, yes, no, on and dates among them. A key
// that is not a string becomes one.
//
// err is an *Error, and json is nil, if the front matter is larger than MaxSize
// or is not valid YAML, has more than one document or a key twice, or is
// nested more than [yaml.MaxDepth] deep; and, in the value asked for or in what could
// change which value that is, for an alias, a merge key, a mapping or sequence
// as a key, and a tag that is not of the core schema. A front matter in which key
// is not even mentioned is not read at all. One that is not a mapping has no
// keys.
func JSON(md []byte, key string) (json []byte, found bool, err error) {
	text, line, ok := Extract(md)
	if !ok || !bytes.Contains(text, []byte(key)) && bytes.IndexByte(text, '\\') < 0 {
		return nil, false, nil
	}
	if len(text) > MaxSize {
		return nil, false, &Error{Line: 1, Col: 1, Msg: "front matter of more than " + strconv.Itoa(MaxSize) + " bytes"}
	}
	s := source{text, line}
	root, e := s.root()
	if e != nil {
		return nil, false, e
	}
	if root == nil || root.Kind != yaml.Mapping {
		return nil, false, nil
	}
	var value *yaml.Node
	for i := 0; i < len(root.Content); i += 2 {
		name := root.Content[i]
		if isMerge(name) || name.Kind == yaml.Alias {
			return nil, false, s.errorNode(name, "merge keys and aliases are not followed")
		}
		if name.Kind == yaml.Scalar && name.Value == key {
			value = root.Content[i+1]
		}
	}
	if value == nil {
		return nil, false, nil
	}
	json, e = s.spell(value)
	if e != nil {
		return nil, false, e
	}
	return json, true, nil
}

// Document returns a whole YAML document as JSON text, laid out as [JSON] does it
// and with the same errors. An empty document is null.
func Document(text []byte) (json []byte, err error) {
	if len(text) > MaxSize {
		return nil, &Error{Line: 1, Col: 1, Msg: "more than " + strconv.Itoa(MaxSize) + " bytes"}
	}
	s := source{text, 1}
	root, e := s.root()
	if e != nil {
		return nil, e
	}
	if root == nil {
		return []byte("null"), nil
	}
	json, e = s.spell(root)
	if e != nil {
		return nil, e
	}
	return json, nil
}

// root returns the topmost node of a document that is right as a whole, nil if
// it is empty.
func (s *source) root() (*yaml.Node, *Error) {
	root, err := yaml.Parse(s.text)
	if err != nil {
		e := s.errorAt(err.Offset, err.Msg)
		e.Syntax = true
		return nil, e
	}
	if root == nil {
		return nil, nil
	}
	return root, s.check(root)
}

func (s *source) spell(value *yaml.Node) ([]byte, *Error) {
	w := writer{src: s, line: 1, col: 1}
	if err := w.value(value); err != nil {
		return nil, err
	}
	w.flush()
	return w.out, nil
}

func (s *source) errorNode(n *yaml.Node, msg string) *Error { return s.errorAt(n.Offset, msg) }

// check refuses a name that occurs twice.
func (s *source) check(n *yaml.Node) *Error {
	var seen map[string]struct{}
	for i, c := range n.Content {
		if n.Kind == yaml.Mapping && i%2 == 0 && c.Kind == yaml.Scalar {
			if _, ok := seen[c.Value]; ok {
				return s.errorNode(c, "second key "+strconv.Quote(short(c.Value)))
			}
			if seen == nil {
				seen = make(map[string]struct{}, len(n.Content)/2)
			}
			seen[c.Value] = struct{}{}
		}
		if e := s.check(c); e != nil {
			return e
		}
	}
	return nil
}

func short(s string) string {
	for i := range s {
		if i > 60 {
			return s[:i] + "…"
		}
	}
	return s
}

func isMerge(n *yaml.Node) bool {
	return n.Kind == yaml.Scalar && n.Plain && n.Tag == "" && n.Value == "<<"
}

// fits reports whether n is what its tag says.
func fits(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.Mapping:
		return n.Tag == "!!map"
	case yaml.Sequence:
		return n.Tag == "!!seq"
	}
	plain := coreTag(n.Value)
	return n.Tag == "!!str" || n.Tag == plain || n.Tag == "!!float" && plain == "!!int"
}

func (w *writer) value(n *yaml.Node) *Error {
	at := n.Offset
	place := w.src.place(at)
	if n.Tag != "" && !fits(n) {
		return w.src.errorAt(at, "the tag "+short(n.Tag)+" is not read here")
	}
	switch n.Kind {
	case yaml.Mapping:
		w.open('{', place, !n.Flow)
		for i := 0; i < len(n.Content); i += 2 {
			if i > 0 {
				w.attach(',')
			}
			name := n.Content[i]
			switch {
			case isMerge(name):
				return w.src.errorNode(name, "merge keys are not followed")
			case name.Kind == yaml.Alias:
				return w.src.errorNode(name, "aliases are not followed")
			case name.Kind != yaml.Scalar:
				return w.src.errorNode(name, "a key that is not a scalar")
			}
			w.name(name.Value, w.src.place(name.Offset))
			if e := w.value(n.Content[i+1]); e != nil {
				return e
			}
		}
		w.attach('}')
	case yaml.Sequence:
		w.open('[', place, false)
		for i, c := range n.Content {
			if i > 0 {
				w.attach(',')
			}
			if e := w.value(c); e != nil {
				return e
			}
		}
		w.attach(']')
	case yaml.Scalar:
		if n.Value == "" && n.Plain {
			place.col = 0 // nothing is nowhere
		}
		w.scalar(scalar(n), place)
	default:
		return w.src.errorAt(at, "aliases are not followed")
	}
	return nil
}

// coreTag returns the tag of a plain scalar without one.
func coreTag(text string) string {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return "!!null"
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return "!!bool"
	}
	digits := strings.ReplaceAll(text, "_", "")
	if _, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return "!!int"
	}
	if _, err := strconv.ParseFloat(digits, 64); err == nil {
		return "!!float"
	}
	return "!!str"
}

func scalar(n *yaml.Node) []byte {
	tag := n.Tag
	if tag == "" && n.Plain {
		tag = coreTag(n.Value)
	}
	switch tag {
	case "!!null":
		return []byte("null")
	case "!!bool":
		return bytes.ToLower([]byte(n.Value))
	case "!!int", "!!float":
		if ordjson.Check([]byte(n.Value)) == nil && ordjson.KindOf([]byte(n.Value)) == ordjson.Number {
			return []byte(n.Value)
		}
	}
	return ordjson.AppendString(nil, n.Value)
}
