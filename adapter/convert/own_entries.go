package convert

import (
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

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
				command, _ := ordjson.String(member(o, shape[len(shape)-1]))
				if call, ok := cmdline.Parse(command, argsOf(o)); ok {
					out = append(out, OwnEntry{h.Pointer, array, e.Value, len(handlers) == 1, call})
				}
			}
		}
	}
	return out, nil
}

func member(o ordjson.Object, name string) []byte {
	raw, _ := o.Get(name)
	return raw
}

// argsOf are the arguments of a handler without a shell, nil for one with it.
func argsOf(o ordjson.Object) []string { return ordjson.Strings(member(o, "args")) }

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
