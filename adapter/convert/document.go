package convert

import (
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Document writes the entries as a file of their own, an entry a line.
func (c *Conversion) Document(to dialect.Dialect) []byte {
	if c.Module != nil {
		return c.Module
	}
	doc := document{hooks: to.Profile().EventsAt, byArray: map[string][]Placed{}}
	for _, e := range c.Entries {
		if doc.byArray[e.Pointer] == nil {
			doc.arrays = append(doc.arrays, e.Pointer)
		}
		doc.byArray[e.Pointer] = append(doc.byArray[e.Pointer], e)
	}
	skeleton, _ := ordjson.Parse([]byte(to.Profile().Skeleton))
	return append(doc.object(nil, skeleton, "", "\n"), '\n')
}

type document struct {
	hooks   string // where the object of events stands
	arrays  []string
	byArray map[string][]Placed
}

// object writes o, which is at that pointer, with the events if they belong there;
// indent begins its lines.
func (doc *document) object(out []byte, o ordjson.Object, at, indent string) []byte {
	out = append(out, '{')
	empty := true
	name := func(s string) {
		if !empty {
			out = append(out, ',')
		}
		empty = false
		out = append(ordjson.AppendString(append(out, indent+"  "...), s), ": "...)
	}
	for _, m := range o {
		name(m.Name)
		path := ordjson.Pointer(at, m.Name)
		if inner, err := ordjson.Members(m.Value, 0); err == nil && strings.HasPrefix(doc.hooks+"/", path+"/") {
			out = doc.object(out, inner, path, indent+"  ")
		} else {
			out = append(out, m.Value...)
		}
	}
	if at == doc.hooks {
		for _, a := range doc.arrays {
			name(strings.TrimPrefix(a, doc.hooks+"/"))
			out = append(out, '[')
			for k, e := range doc.byArray[a] {
				if k > 0 {
					out = append(out, ',')
				}
				out = append(append(out, indent+"    "...), e.Value...)
			}
			out = append(out, indent+"  ]"...)
		}
	}
	if !empty {
		out = append(out, indent...)
	}
	return append(out, '}')
}

// An OwnEntry is a handler in a file of a host whose command is a call of the
// bridge.
type OwnEntry struct {
	Pointer string // JSON Pointer of the handler
	Array   string // JSON Pointer of the event's array
	Value   []byte // the element of the array that holds the handler
	Alone   bool   // the element holds no other handler
	Call    cmdline.Call
}

// Element is the JSON Pointer of the array's element that holds the handler.
func (e *OwnEntry) Element() string {
	index, _, _ := strings.Cut(strings.TrimPrefix(e.Pointer, e.Array+"/"), "/")
	return e.Array + "/" + index
}

// OwnEntries lists the calls of the bridge in the text of a host's file, in its
// order, whether or not the host could load that file.
func OwnEntries(host dialect.Dialect, text []byte) ([]OwnEntry, error) {
	at := host.Profile().EventsAt
	if _, err := jsonedit.Absent(text, at+"/"+host.Profile().Events[0].Native); err != nil {
		return nil, err // with its place
	}
	standard, err := jsonedit.Standard(text)
	if err != nil {
		return nil, err
	}
	if err := ordjson.Check(standard); err != nil {
		return nil, err
	}
	shape := handlerShape(host)
	events, _ := ordjson.Members(ordjson.At(standard, at), 0)
	var out []OwnEntry
	for _, event := range events {
		array := ordjson.Pointer(at, event.Name)
		elements, _ := ordjson.Elements(event.Value, 0)
		for i, e := range elements {
			element := Placed{Pointer: array}.Element(i)
			handlers := handlersAt(e.Value, element, shape[:len(shape)-1])
			for _, h := range handlers {
				o, _ := ordjson.Members(h.Value, 0)
				if call, ok := cmdline.Parse(o.Str(shape[len(shape)-1]), o.Strings("args")); ok { // without a shell, if there are args
					out = append(out, OwnEntry{h.Pointer, array, e.Value, len(handlers) == 1, call})
				}
			}
		}
	}
	return out, nil
}

// handlerShape lists the names that lead from an element of an event's array to
// a handler's command, "*" for the elements of an array. It is read from what the
// host's own writer makes of a hook.
func handlerShape(host dialect.Dialect) []string {
	const mark = "command of a hook"
	row := &host.Profile().Events[0]
	e := schema.Entry{Native: row.Native, Pointer: host.Profile().EventsAt + "/" + row.Native}
	value, _ := host.WriteHook(e, &schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand, Command: mark})
	return pathTo(value, mark)
}

func pathTo(value []byte, mark string) []string {
	if s, ok := ordjson.String(value); ok {
		if s == mark {
			return []string{}
		}
		return nil
	}
	if list, err := ordjson.Elements(value, 0); err == nil {
		for _, m := range list {
			if path := pathTo(m.Value, mark); path != nil {
				return append([]string{"*"}, path...)
			}
		}
		return nil
	}
	o, _ := ordjson.Members(value, 0)
	for _, m := range o {
		if path := pathTo(m.Value, mark); path != nil {
			return append([]string{m.Name}, path...)
		}
	}
	return nil
}

// handlersAt lists the handlers in an element of an event's array.
func handlersAt(value []byte, pointer string, shape []string) []Placed {
	if len(shape) == 0 {
		return []Placed{{Pointer: pointer, Value: value}}
	}
	if shape[0] != "*" {
		o, _ := ordjson.Members(value, 0)
		raw, ok := o.Get(shape[0])
		if !ok {
			return nil
		}
		return handlersAt(raw, ordjson.Pointer(pointer, shape[0]), shape[1:])
	}
	var out []Placed
	list, _ := ordjson.Elements(value, 0)
	for i, m := range list {
		out = append(out, handlersAt(m.Value, Placed{Pointer: pointer}.Element(i), shape[1:])...)
	}
	return out
}
