// Package tomljson turns a TOML document into JSON text, so that code that reads hooks from JSON also reads them from
// TOML. It is the only package that imports the TOML library, and it uses only the parser.
package tomljson

import (
	"bytes"
	"errors"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// An Error is an error in a document. Line and Col count from 1, Col in bytes.
type Error struct {
	Line, Col int
	Msg       string
}

// Error returns the error as LINE:COLUMN: MESSAGE.
func (e *Error) Error() string {
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Col) + ": " + e.Msg
}

// A Map maps positions in the JSON text to positions in the TOML document.
type Map struct {
	index *ordjson.Index
	marks []mark // in the order of json
}

type mark struct{ json, toml int }

// Position returns the line and column, from 1, for an offset of the JSON text.
func (m *Map) Position(off int) (line, col int) {
	i := sort.Search(len(m.marks), func(i int) bool { return m.marks[i].json > off })
	at := 0
	if i > 0 {
		at = m.marks[i-1].toml
	}
	return m.index.Position(at)
}

func position(text []byte, at int) (line, col int) {
	head := text[:min(at, len(text))]
	return 1 + bytes.Count(head, []byte{'\n'}), len(head) - bytes.LastIndexByte(head, '\n')
}

// Reader returns read with TOML files converted to JSON.
func Reader(read func(file string) ([]byte, error)) func(file string) ([]byte, error) {
	return func(file string) ([]byte, error) {
		text, err := read(file)
		if err != nil || !strings.HasSuffix(file, ".toml") {
			return text, err
		}
		text, _, err = Document(text)
		return text, err
	}
}

// Document returns the document as one JSON object. Dates and times become strings, as do numbers that JSON has no form
// for; other integers are decimal. Every error is an *Error. A byte order mark at the start is skipped.
func Document(text []byte) ([]byte, *Map, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	p := unstable.Parser{}
	p.Reset(text)
	root := &table{made: byHeader}
	at := root
	for p.NextExpression() {
		e := p.Expression()
		var err error
		switch e.Kind {
		case unstable.Table:
			at, err = root.open(e.Key(), false)
		case unstable.ArrayTable:
			at, err = root.open(e.Key(), true)
		case unstable.KeyValue:
			err = at.set(e)
		}
		if err != nil {
			line, col := position(text, offset(e))
			return nil, nil, &Error{line, col, err.Error()}
		}
	}

	if err := p.Error(); err != nil {
		return nil, nil, syntaxError(text, &p, err)
	}
	m := &Map{index: ordjson.NewIndex(text)}
	return root.append(nil, m), m, nil
}

func syntaxError(text []byte, p *unstable.Parser, err error) *Error {
	e := &Error{1, 1, strings.TrimPrefix(err.Error(), "toml: ")}
	var pe *unstable.ParserError
	if errors.As(err, &pe) {
		e.Msg = pe.Message
		if pe.Highlight != nil {
			e.Line, e.Col = position(text, int(p.Range(pe.Highlight).Offset))
		}
	}
	return e
}

func offset(e *unstable.Node) int {
	if it := e.Key(); it.Next() {
		return int(it.Node().Raw.Offset)
	}
	return int(e.Raw.Offset)
}

// A table is an object; its fields keep their order.
type table struct {
	names  []string
	values []any // *table, *list or scalar
	offs   []int
	index  map[string]int // of the names, if there are many
	made   making
}

// making is how a table was created, which decides what may add to it.
type making uint8

const (
	byPath   making = iota // by the header of a table in it, without a header of its own
	byHeader               // by its own header, or as the document
	byKey                  // by a dotted key
	byValue                // in braces
)

// A list is an array: of tables that headers add, or of a value.
type list struct {
	items []any
	value bool
}

// A scalar is a value as JSON text, at its place in the document.
type scalar struct {
	json []byte
	at   int
}

// child returns the value of that name, or a new table if there is none.
func (t *table) child(n *unstable.Node, made making) any {
	if v := t.find(string(n.Data)); v != nil {
		return v
	}
	next := &table{made: made}
	t.add(string(n.Data), next, int(n.Raw.Offset))
	return next
}

// fewNames is how many names are found without an index.
const fewNames = 8

func (t *table) find(name string) any {
	if len(t.names) > fewNames {
		if i, ok := t.index[name]; ok {
			return t.values[i]
		}
		return nil
	}
	for i, n := range t.names {
		if n == name {
			return t.values[i]
		}
	}
	return nil
}

func (t *table) add(name string, value any, at int) {
	if len(t.names) >= fewNames && t.index == nil {
		t.index = map[string]int{}
		for i, n := range t.names {
			t.index[n] = i
		}
	}
	if t.index != nil {
		t.index[name] = len(t.names)
	}
	t.names, t.values, t.offs = append(t.names, name), append(t.values, value), append(t.offs, at)
}

func (t *table) open(key unstable.Iterator, element bool) (*table, error) {
	for key.Next() {
		n := key.Node()
		name, last := string(n.Data), key.IsLast()
		if last && element && t.find(name) == nil {
			t.add(name, &list{}, int(n.Raw.Offset))
		}
		switch v := t.child(n, byPath).(type) {
		case *table:
			switch {
			case last && element:
				return nil, errors.New(strconv.Quote(name) + " is a table already, not a list of tables")
			case v.made == byValue, last && v.made != byPath:
				return nil, errors.New(strconv.Quote(name) + " is defined twice")
			case last:
				v.made = byHeader
			}
			t = v
		case *list:
			if last && element && !v.value {
				v.items = append(v.items, &table{made: byHeader})
			}
			var next *table
			if n := len(v.items); n > 0 {
				next, _ = v.items[n-1].(*table)
			}
			if next == nil || v.value || last && !element {
				return nil, errors.New(strconv.Quote(name) + " is a list already")
			}
			t = next
		default:
			return nil, errors.New(strconv.Quote(name) + " is a value already")
		}
	}

	return t, nil
}

func (t *table) set(e *unstable.Node) error {
	key := e.Key()
	for key.Next() {
		n := key.Node()
		name := string(n.Data)
		if key.IsLast() {
			if t.find(name) != nil {
				return errors.New(strconv.Quote(name) + " is defined twice")
			}
			v, err := value(e.Value(), int(n.Raw.Offset))
			if err != nil {
				return err
			}
			t.add(name, v, int(n.Raw.Offset))
			return nil
		}
		next, ok := t.child(n, byKey).(*table)
		if !ok {
			return errors.New(strconv.Quote(name) + " is a value already")
		}
		if next.made == byHeader || next.made == byValue {
			return errors.New(strconv.Quote(name) + " is defined twice")
		}
		t = next
	}
	return nil
}

func value(n *unstable.Node, at int) (any, error) {
	switch n.Kind {
	case unstable.Array:
		l := &list{value: true}
		for it := n.Children(); it.Next(); {
			v, err := value(it.Node(), at)
			if err != nil {
				return nil, err
			}
			l.items = append(l.items, v)
		}
		return l, nil
	case unstable.InlineTable:
		t := &table{made: byKey}
		for it := n.Children(); it.Next(); {
			if err := t.set(it.Node()); err != nil {
				return nil, err
			}
		}
		t.made = byValue
		return t, nil
	case unstable.LocalDate, unstable.LocalDateTime, unstable.DateTime:
		if _, err := time.Parse(time.DateOnly, string(n.Data[:min(len(n.Data), len(time.DateOnly))])); err != nil {
			return nil, errors.New(string(n.Data) + " is not a date")
		}
	case unstable.Bool:
		return scalar{bytes.Clone(n.Data), at}, nil
	case unstable.Integer, unstable.Float:
		if n.Kind == unstable.Integer && tooLarge(string(n.Data)) {
			return nil, errors.New(string(n.Data) + " is too large")
		}
		return scalar{number(string(n.Data)), at}, nil
	}

	return scalar{ordjson.AppendString(nil, string(n.Data)), at}, nil
}

// tooLarge reports an integer with more than 64 bits, which TOML doesn't allow.
func tooLarge(s string) bool {
	_, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 0, 64)
	return errors.Is(err, strconv.ErrRange)
}

func number(s string) []byte {
	plain := strings.TrimPrefix(strings.ReplaceAll(s, "_", ""), "+")
	if n, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return strconv.AppendInt(nil, n, 10)
	}
	if ordjson.Check([]byte(plain)) == nil {
		return []byte(plain)
	}
	return ordjson.AppendString(nil, s)
}

func (t *table) append(dst []byte, m *Map) []byte {
	dst = append(dst, '{')
	for i, name := range t.names {
		if i > 0 {
			dst = append(dst, ',')
		}
		m.marks = append(m.marks, mark{len(dst), t.offs[i]})
		dst = append(ordjson.AppendString(dst, name), ':')
		dst = appendValue(dst, t.values[i], m)
	}
	return append(dst, '}')
}

func appendValue(dst []byte, v any, m *Map) []byte {
	switch v := v.(type) {
	case *table:
		return v.append(dst, m)
	case *list:
		return ordjson.AppendArray(dst, v.items, func(dst []byte, item any) []byte {
			if t, ok := item.(*table); ok && len(t.offs) > 0 {
				m.marks = append(m.marks, mark{len(dst), t.offs[0]})
			}
			return appendValue(dst, item, m)
		})
	case scalar:
		return append(dst, v.json...)
	}
	return append(dst, "null"...)
}
