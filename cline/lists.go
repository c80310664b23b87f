package cline

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// A listTool is a tool that takes a list, in each of the forms that the client accepts for it (program 3.0.65).
type listTool struct {
	tool  string
	list  string   // the field of the list, and of its element's value in the rows of the tool
	also  []string // further names of that field
	value string   // the field of an element that has its value; "": the element is the value
	named []string // further names of that field; an input that has one is the only element itself
}

var listTools = []listTool{
	{tool: shellTool, list: "commands", also: []string{"command", "cmd"}},
	{tool: readTool, list: "files", also: []string{"file_paths", "paths"}, value: "path",
		named: []string{"path", "file_path", "filePath"}},
	{tool: grepTool, list: "queries"},
	{tool: fetchTool, list: "requests", value: "url"},
}

func listOf(tool string) *listTool {
	for i := range listTools {
		if listTools[i].tool == tool {
			return &listTools[i]
		}
	}
	return nil
}

// elements are those of a tool's input, and what the input has beside them. ok is false if it has no list.
func (t *listTool) elements(input []byte) (list [][]byte, beside ordjson.Object, ok bool) {
	value := input
	if o, err := ordjson.Members(input, 0); err == nil {
		if t.single(o) {
			return [][]byte{input}, nil, true
		}
		value = nil
		for _, name := range append([]string{t.list}, t.also...) {
			if value != nil {
				break
			}
			if m, found := o.Take(name); found {
				value = m.Value
			}
		}
		beside = o
	}

	if value == nil {
		return nil, nil, false
	}
	many, err := ordjson.Elements(value, 0)
	if err != nil {
		return [][]byte{value}, beside, true
	}
	for _, m := range many {
		list = append(list, m.Value)
	}
	return list, beside, true
}

// single reports whether an input is itself the only element: it has the value's field, or a program with arguments.
func (t *listTool) single(o ordjson.Object) bool {
	program := t.tool == shellTool && o.Has("command") && o.Has("args")
	return !o.Has(t.list) && (program || slices.ContainsFunc(t.named, o.Has))
}

// one is an element in the fields of the tool's row.
func (t *listTool) one(element []byte) ordjson.Object {
	o, err := ordjson.Members(element, 0)
	if err != nil {
		return ordjson.Object{{Name: t.list, Value: element}}
	}
	if t.tool == shellTool {
		words := append([]string{o.Str("command")}, o.Strings("args")...)
		line := words[0]
		if len(words) > 1 { // no shell reads them
			for i := range words {
				words[i] = shell.Quote(words[i])
			}
			line = strings.Join(words, " ")
		}
		return ordjson.Object{{Name: t.list, Value: ordjson.AppendString(nil, line)}}
	}
	o = slices.Clone(o)
	for i := range o {
		if o[i].Name == t.value || slices.Contains(t.named, o[i].Name) {
			o[i].Name = t.list
		}
	}
	return slices.DeleteFunc(o, func(m ordjson.Member) bool { return ordjson.KindOf(m.Value) == ordjson.Null })
}

// plain is a tool's input in the fields of its row: of a list with one element that element, of several commands their
// text. Another list stays as it is.
func plain(tool string, input []byte) []byte {
	switch {
	case tool == patchTool && ordjson.KindOf(input) == ordjson.StringKind:
		return ordjson.Object{{Name: "input", Value: input}}.Append(nil)
	case tool == editTool:
		return withoutNulls(input)
	}

	t := listOf(tool)
	if t == nil {
		return input
	}

	list, beside, ok := t.elements(input)
	switch {
	case !ok || len(list) == 0:
		return input
	case len(list) == 1:
		return append(t.one(list[0]), beside...).Append(nil)
	case t.tool != shellTool:
		return input
	}

	var lines []string
	for _, e := range list {
		line, _ := ordjson.String(t.one(e)[0].Value)
		lines = append(lines, line)
	}

	joined := ordjson.AppendString(nil, strings.Join(lines, "\n"))
	return append(ordjson.Object{{Name: t.list, Value: joined}}, beside...).Append(nil)
}

func withoutNulls(input []byte) []byte {
	o, err := ordjson.Members(input, 0)
	if err != nil || !slices.ContainsFunc(o, isNull) {
		return input
	}
	return ordjson.Object(slices.DeleteFunc(slices.Clone(o), isNull)).Append(nil)
}

func isNull(m ordjson.Member) bool { return ordjson.KindOf(m.Value) == ordjson.Null }

// native is an input in the fields of a tool's row as the tool takes it: with a list.
func native(tool string, input []byte) []byte {
	t := listOf(tool)
	o, err := ordjson.Members(input, 0)
	if t == nil || err != nil || !o.Has(t.list) || ordjson.KindOf(o.Value(t.list)) == ordjson.Array {
		return input
	}

	w, element := ordjson.NewWriter(nil), ordjson.NewWriter(nil)
	var beside ordjson.Object
	row := profile.Tool(tool)
	for _, m := range o {
		switch known := slices.ContainsFunc(row.Input, func(a schema.ArgRow) bool { return a.Name == m.Name }); {
		case m.Name == t.list && t.value != "":
			element.Raw(t.value, m.Value)
		case m.Name != t.list && known:
			element.Raw(m.Name, m.Value)
		case m.Name != t.list:
			beside = append(beside, m)
		}
	}

	value := o.Value(t.list)
	if t.value != "" {
		value = element.Bytes()
	}

	w.Raw(t.list, append(append([]byte{'['}, value...), ']'))
	for _, m := range beside {
		w.Raw(m.Name, m.Value)
	}

	return w.Bytes()
}

// complete makes a rewritten input one that the tool takes.
func complete(c *schema.Call, in []byte) []byte {
	if c.Tool.Kind() == schema.MCP {
		return in
	}
	return native(c.Tool.Name, in)
}

// Split lists the elements of a list, and the files of a patch, as calls of their own: each command runs in a shell of
// its own.
func (d Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	if c.Tool.Name == patchTool {
		return family.SplitPatch(c, patch.Grammar{}, c.Tool.Input.Text(schema.RoleCommand))
	}
	t, list := listed(c)
	if len(list) < 2 {
		return nil
	}
	results, _ := ordjson.Elements(c.Get(schema.FieldToolOutput), 0)
	var parts []*schema.Call
	for i, e := range list {
		p := c.Clone()
		p.Tool.Input = schema.DecodeArgs(t.one(e), d.ArgRows(t.tool))
		if i < len(results) && len(results) == len(list) {
			one := append(append([]byte{'['}, results[i].Value...), ']')
			p.Tool.Output = readResult(p.Tool.Kind(), nil, one)
			p.Event = schema.PostTool
			p.Drop(schema.FieldError)
			fail(p, one)
		}
		parts = append(parts, p)
	}
	return [][]*schema.Call{parts}
}

// listed are the elements of a call's list, as its parts have been rewritten so far.
func listed(c *schema.Call) (t *listTool, list [][]byte) {
	if t = listOf(c.Tool.Name); t == nil || c.Tool.Kind() == schema.MCP {
		return nil, nil
	}
	for _, a := range c.Tool.Input {
		if a.Role == joinedRole && a.Name == t.list && ordjson.KindOf(a.Raw) == ordjson.Array {
			list, _, _ = t.elements(a.Raw)
			return t, list
		}
	}
	list, _, _ = t.elements(c.Get(schema.FieldToolInput))
	return t, list
}

// joinedRole is that of a whole list.
const joinedRole = schema.Rest

// Join returns the input of a call in which one of its parts has another one.
func (d Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	if c.Tool.Name == patchTool {
		text, ok := family.JoinPatch(c, patch.Grammar{}, c.Tool.Input.Text(schema.RoleCommand), part, in)
		return schema.Args{{Role: schema.RoleCommand, Name: "input", Raw: text}}, ok
	}
	t, list := listed(c)
	if len(list) < 2 {
		return in, true
	}

	rows, done := d.ArgRows(t.tool), false
	was := string(schema.AppendArgs(nil, part.Tool.Input, rows))
	out := []byte{'['}
	for i, e := range list {
		if !done && string(schema.AppendArgs(nil, schema.DecodeArgs(t.one(e), rows), rows)) == was {
			one, _, _ := t.elements(native(t.tool, schema.AppendArgs(nil, in, rows)))
			if len(one) != 1 {
				return nil, false
			}
			e, done = one[0], true
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, e...)
	}
	return schema.Args{{Role: joinedRole, Name: t.list, Raw: append(out, ']')}}, done
}
