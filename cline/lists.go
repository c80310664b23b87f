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

// A listTool is a tool that takes a list, in each of the forms that the client accepts (program 3.0.65). A model may
// write several forms at once; the types of all fields determine which one the client uses.
type listTool struct {
	tool  string
	list  string   // the field of the list, and of an element's value in the tool's rows
	also  []string // further names of that field
	value string   // the field with an element's value; "": the element is the value
	// named are names for an element's value, in the client's order. An input with one of them is a single element.
	named []string
}

var listTools = []listTool{
	{tool: shellTool, list: "commands", also: []string{"cmd"}, named: []string{"command"}},
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

// A listing is the content of an input.
type listing struct {
	elements [][]byte
	beside   ordjson.Object // the other fields of the input
	unsure   bool           // the client uses only some of the elements: they have several names
}

// read lists the elements in any form of a tool's input.
func (t *listTool) read(input []byte) (l listing) {
	o, err := ordjson.Members(withoutNulls(input), 0)
	if err != nil {
		t.add(&l, input)
		return l
	}

	o = slices.Clone(o)
	fields := 0
	for _, name := range append([]string{t.list}, t.also...) {
		if m, found := o.Take(name); found {
			t.add(&l, m.Value)
			fields++
		}
	}
	if slices.ContainsFunc(t.named, o.Has) {
		t.add(&l, o.Append(nil))
		fields++
	} else {
		l.beside = o
	}
	l.unsure = l.unsure || fields > 1
	return l
}

// add lists a value, or the elements of a list: each once for each of its names.
func (t *listTool) add(l *listing, value []byte) {
	if many, err := ordjson.Elements(value, 0); err == nil {
		for _, m := range many {
			t.add(l, m.Value)
		}
		return
	}
	o, err := ordjson.Members(value, 0)
	if err != nil || len(t.named) < 2 {
		l.elements = append(l.elements, value)
		return
	}

	var values []string
	for _, name := range t.named {
		value := string(o.Value(name))
		if value == "" || value == "null" || slices.Contains(values, value) {
			continue
		}
		values = append(values, value)
		one := slices.DeleteFunc(slices.Clone(o), func(m ordjson.Member) bool {
			return m.Name != name && slices.Contains(t.named, m.Name)
		})
		l.elements = append(l.elements, one.Append(nil))
	}
	l.unsure = l.unsure || len(values) > 1
}

// one returns an element with the fields of the tool's row.
func (t *listTool) one(element []byte) ordjson.Object {
	o, err := ordjson.Members(element, 0)
	if err != nil {
		return ordjson.Object{{Name: t.list, Value: element}}
	}
	if t.tool == shellTool {
		words := append([]string{o.Str("command")}, o.Strings("args")...)
		line := words[0]
		if len(words) > 1 { // no shell reads them
			line = shell.Join(words)
		}
		return ordjson.Object{{Name: t.list, Value: ordjson.AppendString(nil, line)}}
	}
	o = slices.DeleteFunc(slices.Clone(o), func(m ordjson.Member) bool { return isNull(m) || m.Name == t.list })
	for i := range o {
		if o[i].Name == t.value || slices.Contains(t.named, o[i].Name) {
			o[i].Name = t.list
		}
	}
	return o
}

// plain returns a tool's input with the fields of its row: the only element of a list, or the text of several commands.
// Any other list is unchanged.
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

	l := t.read(input)
	switch {
	case len(l.elements) == 0, len(l.elements) > 1 && t.tool != shellTool:
		return input
	case len(l.elements) == 1:
		return with(t.one(l.elements[0]), l.beside)
	}

	var lines []string
	for _, e := range l.elements {
		line, _ := ordjson.String(t.one(e)[0].Value)
		lines = append(lines, line)
	}

	return with(ordjson.Object{{Name: t.list, Value: ordjson.AppendString(nil, strings.Join(lines, "\n"))}}, l.beside)
}

// with adds missing fields from another object.
func with(o, beside ordjson.Object) []byte {
	for _, m := range beside {
		if !o.Has(m.Name) {
			o = append(o, m)
		}
	}
	return o.Append(nil)
}

func withoutNulls(input []byte) []byte {
	o, err := ordjson.Members(input, 0)
	if err != nil || !slices.ContainsFunc(o, isNull) {
		return input
	}
	return ordjson.Object(slices.DeleteFunc(slices.Clone(o), isNull)).Append(nil)
}

func isNull(m ordjson.Member) bool { return ordjson.KindOf(m.Value) == ordjson.Null }

// native converts an input with the fields of a tool's row to the tool's form: with a list.
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

// complete converts a rewritten input to the tool's form.
func complete(c *schema.Call, in []byte) []byte {
	if c.Tool.Kind() == schema.MCP {
		return in
	}
	return native(c.Tool.Name, in)
}

// Split lists the elements of a list, and the files of a patch, as separate calls: each command runs in its own shell.
func (d Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	if c.Tool.Name == patchTool {
		return family.SplitPatch(c, patch.Grammar{}, c.Tool.Input.Text(schema.RoleCommand))
	}
	t, l := listed(c)
	list := l.elements
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

// listed returns a call's listing, including the parts that were already rewritten.
func listed(c *schema.Call) (t *listTool, l listing) {
	if t = listOf(c.Tool.Name); t == nil || c.Tool.Kind() == schema.MCP {
		return nil, l
	}
	for _, a := range c.Tool.Input {
		if a.Role == joinedRole && a.Name == t.list && ordjson.KindOf(a.Raw) == ordjson.Array {
			return t, t.read(a.Raw)
		}
	}
	return t, t.read(c.Get(schema.FieldToolInput))
}

// joinedRole is the role of a whole list.
const joinedRole = schema.Rest

// Join returns the input of a call with another input for one of its parts.
func (d Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	if c.Tool.Name == patchTool {
		text, ok := family.JoinPatch(c, patch.Grammar{}, c.Tool.Input.Text(schema.RoleCommand), part, in)
		return schema.Args{{Role: schema.RoleCommand, Name: "input", Raw: text}}, ok
	}
	t, l := listed(c)
	list := l.elements
	switch {
	case len(list) < 2:
		return in, true
	case l.unsure: // with the whole list, the client would use more elements
		return nil, false
	}

	rows, done := d.ArgRows(t.tool), false
	was := string(schema.AppendArgs(nil, part.Tool.Input, rows))
	out := []byte{'['}
	for i, e := range list {
		if !done && string(schema.AppendArgs(nil, schema.DecodeArgs(t.one(e), rows), rows)) == was {
			one := t.read(native(t.tool, schema.AppendArgs(nil, in, rows))).elements
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
