package frontmatter

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/yaml"
)

// MaxSize is how many bytes of front matter are read.
const MaxSize = 1 << 20

// maxExpanded is how many values aliases may expand to.
const maxExpanded = 10_000

// JSON returns the value under the top-level key of the front matter of md as JSON text, and whether there is such a
// key. Fields keep their order. A repeated name is repeated in the JSON, whose reader decides what that means. If key
// itself is repeated, the last one counts.
//
// Every name and value is on the line of the JSON on which it is in md. Strings, numbers and literals also begin in
// their column, if what JSON has to write before them leaves room; names, brackets and braces are a few columns further
// left if that helps. The text begins with as many line ends as needed, and has no byte order mark. Values of an alias
// or a merge key are at its place.
//
// Plain scalars have their meaning in the core schema of YAML 1.2: true and false, null, ~ and nothing at all, and
// numbers. Numbers keep their text, or are written in decimal if JSON can't write it. All other scalars are strings,
// including yes, no, .inf and dates. A key that is not a string becomes one. So does a scalar with an unknown tag or a
// tag that doesn't fit it.
//
// err is an *Error, and json is nil, if the front matter is larger than MaxSize or is not valid YAML, has more than one
// document, or is nested more than [yaml.MaxDepth] deep. In the requested value, a mapping or sequence as a key, and
// aliases that expand to more than 10,000 values are also errors. Front matter that doesn't mention key is not read at
// all. Front matter that isn't a mapping has no keys.
func (r Rules) JSON(md []byte, key string) (json []byte, found bool, err error) {
	text, line, ok := r.Extract(md)
	if !ok || !mentions(text, key) {
		return nil, false, r.endsEarly(md, text, key)
	}
	if len(text) > MaxSize {
		return nil, false, &Error{Line: 1, Col: 1, Msg: "front matter of more than " + strconv.Itoa(MaxSize) + " bytes"}
	}
	s := source{line: line}
	root, e := s.root(text)
	if e != nil && r.Again != nil {
		again := source{line: line, tabs: leadingTabs(text)}
		if other, err := again.root(r.Again(text)); err == nil {
			s, root, e = again, other, nil
		}
	}
	if e != nil {
		return nil, false, e
	}
	value, e := s.find(root, key)
	if e != nil || value == nil {
		return nil, false, orNil(e)
	}
	json, e = s.spell(value)
	return json, e == nil, orNil(e)
}

func orNil(e *Error) error {
	if e == nil {
		return nil
	}
	return e
}

func mentions(text []byte, key string) bool {
	return bytes.Contains(text, []byte(key)) || bytes.IndexByte(text, '\\') >= 0
}

// endsEarly returns an error if dashes within a line end the front matter before its key.
func (r Rules) endsEarly(md, text []byte, key string) error {
	if !r.Anywhere || len(text) == 0 || text[len(text)-1] == '\n' {
		return nil
	}
	whole, line, ok := Rules{}.Extract(md)
	if !ok || len(whole) <= len(text) || !bytes.Contains(whole, []byte("\n"+key+":")) {
		return nil
	}
	last := bytes.LastIndexByte(text, '\n') + 1
	return &Error{Line: line + bytes.Count(text, []byte{'\n'}), Col: 1 + utf8.RuneCount(text[last:]),
		Msg: `the front matter ends at this "---", before its ` + key}
}

// find returns the value under a key of a document, or nil.
func (s *source) find(root *yaml.Node, key string) (value *yaml.Node, err *Error) {
	if root == nil || root.Kind != yaml.Mapping {
		return nil, nil
	}
	list, err := s.members(root, 0)
	for _, m := range list {
		if m.name.Kind == yaml.Scalar && m.name.Value == key {
			value = m.value
		}
	}
	return value, err
}

// Document returns a whole YAML document of hookbridge's own as JSON text, with the layout of [Rules.JSON]. Each line
// must be clear without other lines. Aliases, merge keys, unknown tags, control characters and repeated keys are
// therefore errors, in addition to those of Rules.JSON. An empty document is null.
func Document(text []byte) (json []byte, err error) {
	if len(text) > MaxSize {
		return nil, &Error{Line: 1, Col: 1, Msg: "more than " + strconv.Itoa(MaxSize) + " bytes"}
	}
	s := source{line: 1}
	root, e := s.root(text)
	if e == nil && root != nil {
		e = s.check(root)
	}
	if e != nil {
		return nil, e
	}
	if root == nil {
		return []byte("null"), nil
	}
	json, e = s.spell(root)
	return json, orNil(e)
}

// root returns the topmost node of a document, nil if it is empty.
func (s *source) root(text []byte) (*yaml.Node, *Error) {
	root, err := yaml.Parse(text)
	if err != nil {
		e := s.errorAt(s.place(err.Line, err.Col), err.Msg)
		e.Syntax = true
		return nil, e
	}
	return root, nil
}

func (s *source) spell(value *yaml.Node) ([]byte, *Error) {
	w := writer{src: s, line: 1, col: 1}
	if err := w.value(value, nil, 0); err != nil {
		return nil, err
	}
	w.flush()
	return w.out, nil
}

func (s *source) errorNode(n *yaml.Node, msg string) *Error { return s.errorAt(s.of(n), msg) }

// check rejects what a document of hookbridge's own may not have.
func (s *source) check(n *yaml.Node) *Error {
	switch {
	case n.Kind == yaml.Alias:
		return s.errorNode(n, "aliases are not followed")
	case n.Tag != "" && !fits(n):
		return s.errorNode(n, "the tag "+short(n.Tag)+" is not read here")
	case strings.ContainsFunc(n.Value, yaml.IsControl):
		return s.errorNode(n, "control characters are not allowed")
	}
	seen := map[string]struct{}{}
	for i, c := range n.Content {
		if n.Kind == yaml.Mapping && i%2 == 0 {
			if isMerge(c) {
				return s.errorNode(c, "merge keys are not followed")
			}
			if _, ok := seen[c.Value]; ok && c.Kind == yaml.Scalar {
				return s.errorNode(c, "second key "+strconv.Quote(short(c.Value)))
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

func isMerge(n *yaml.Node) bool { return n.Kind == yaml.Scalar && n.Tag == "" && n.Value == "<<" }

// fits reports whether n has the type of its tag.
func fits(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.Mapping:
		return n.Tag == "!!map"
	case yaml.Sequence:
		return n.Tag == "!!seq"
	}
	return n.Tag == "!!str" || n.Plain && matches(n.Tag, coreTag(n.Value))
}

func matches(tag, core string) bool { return tag == core || tag == "!!float" && core == "!!int" }

// A member is a name and a value of a mapping. key is the name, or the alias of it. by is the merge key that adds it,
// nil if the mapping itself has it.
type member struct{ key, name, value, by *yaml.Node }

// members lists the fields of a mapping. The mapping's own fields come before those of merge keys, and earlier merge
// keys before later ones.
func (s *source) members(n *yaml.Node, depth int) (list []member, err *Error) {
	own := make(map[string]bool, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		name := target(n.Content[i])
		own[name.Value] = name.Kind == yaml.Scalar || own[name.Value]
	}

	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		sources := mergeSources(key, value)
		if sources == nil {
			list = append(list, member{key, target(key), value, nil})
		}
		for _, from := range sources {
			if depth > yaml.MaxDepth {
				return nil, s.errorNode(key, tooDeep)
			}
			brought, err := s.members(from, depth+1)
			if s.expanded += 1 + len(brought); s.expanded > maxExpanded {
				return nil, s.errorNode(key, tooMuch)
			}
			if err != nil {
				return nil, err
			}
			for _, m := range brought {
				if m.name.Kind == yaml.Scalar && !own[m.name.Value] {
					own[m.name.Value] = true
					list = append(list, member{m.key, m.name, m.value, key})
				}
			}
		}
	}

	return list, nil
}

const (
	tooDeep = "nested more than 100 levels deep"
	tooMuch = "aliases stand for more than 10,000 values"
)

// mergeSources lists the mappings that a merge key adds, none if it isn't a merge key.
func mergeSources(key, value *yaml.Node) (sources []*yaml.Node) {
	if value = target(value); !isMerge(key) {
		return nil
	}
	list := []*yaml.Node{value}
	if value.Kind == yaml.Sequence {
		list = value.Content
	}
	for _, n := range list {
		if n = target(n); n.Kind == yaml.Mapping {
			sources = append(sources, n)
		}
	}
	return sources
}

func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.Alias {
		return n.Target
	}
	return n
}

// value writes a value, at the place of its alias if it has one.
func (w *writer) value(n *yaml.Node, alias *yaml.Node, depth int) *Error {
	if n.Kind == yaml.Alias && alias == nil {
		alias = n
	}
	shown := cmp.Or(alias, n)
	if n = target(n); depth > yaml.MaxDepth {
		return w.src.errorNode(shown, tooDeep)
	}

	if alias != nil {
		if w.src.expanded++; w.src.expanded > maxExpanded {
			return w.src.errorNode(alias, tooMuch)
		}
	}

	place := w.src.of(shown)
	switch n.Kind {
	case yaml.Mapping:
		return w.mapping(n, alias, place, depth)
	case yaml.Sequence:
		w.open('[', place, false)
		for i, c := range n.Content {
			if i > 0 {
				w.attach(',')
			}
			if e := w.value(c, alias, depth+1); e != nil {
				return e
			}
		}
		w.attach(']')
	default:
		if n.Value == "" && n.Plain && n.Tag == "" {
			place.col = 0 // there is no text with a place
		}
		w.scalar(scalar(n), place)
	}

	return nil
}

func (w *writer) mapping(n, alias *yaml.Node, place place, depth int) *Error {
	list, err := w.src.members(n, depth)
	if err != nil {
		return err
	}
	w.open('{', place, !n.Flow)
	for i, m := range list {
		if i > 0 {
			w.attach(',')
		}
		by := cmp.Or(alias, m.by)
		if m.name.Kind != yaml.Scalar {
			return w.src.errorNode(cmp.Or(by, m.key), "a key that is not a scalar")
		}
		w.name(m.name.Value, w.src.of(cmp.Or(by, m.key)))
		if e := w.value(m.value, by, depth+1); e != nil {
			return e
		}
	}
	w.attach('}')
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
	if isNumber(text) {
		if strings.ContainsAny(text, ".eE") && !strings.HasPrefix(text, "0x") {
			return "!!float"
		}
		return "!!int"
	}
	return "!!str"
}

// isNumber reports whether JSON can write a text as a number of the core schema.
func isNumber(text string) bool { return decimal(text) != "" }

// decimal writes a number of the core schema as JSON, "" if text isn't one.
func decimal(text string) string {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789abcdefABCDEFxo.+-") != "" {
		return ""
	}
	sign := strings.TrimRight(text[:len(text)-len(digits)], "+")
	for prefix, base := range map[string]int{"0x": 16, "0o": 8} {
		if rest, ok := strings.CutPrefix(digits, prefix); ok {
			if n, err := strconv.ParseUint(rest, base, 64); err == nil {
				return sign + strconv.FormatUint(n, 10)
			}
			return ""
		}
	}
	if json := []byte(sign + digits); ordjson.Check(json) == nil && ordjson.KindOf(json) == ordjson.Number {
		return string(json)
	}
	if strings.Trim(digits, "0123456789.eE+-") != "" || digits[0]|' ' == 'e' {
		return ""
	}
	if f, err := strconv.ParseFloat(digits, 64); err == nil {
		return sign + strconv.FormatFloat(f, 'g', -1, 64)
	}
	return ""
}

// scalar writes a scalar as JSON.
func scalar(n *yaml.Node) []byte {
	core := coreTag(n.Value)
	if !n.Plain || n.Tag != "" && !matches(n.Tag, core) {
		return ordjson.AppendString(nil, n.Value)
	}
	switch core {
	case "!!null":
		return []byte("null")
	case "!!bool":
		return bytes.ToLower([]byte(n.Value))
	case "!!int", "!!float":
		return []byte(decimal(n.Value))
	}
	return ordjson.AppendString(nil, n.Value)
}
