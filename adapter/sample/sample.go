package sample

import (
	"path/filepath"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// ForHost translates a sample into the host's names. Tool, input and output may
// use any dialect's names, or canonical ones. A tool that the host doesn't have
// becomes the one that its model would use instead, as far as that is known: a
// whole-file write for an edit, a command for a read or a deletion.
func ForHost(host dialect.Dialect, a Event) Event {
	row := host.Profile().Row(a.Event)
	if row == nil {
		return a
	}
	if !row.Event.IsTool() {
		a.Input = hostMembers(host, row, a.Input)
		return a
	}
	kind := kindOf(host, a.Tool)
	if a.Server != "" || kind == schema.MCP || kind == schema.Other { // a server's tool may be named like another
		return a
	}
	in := canonicalArgs(kind, a.Input, func(r *schema.ToolRow) []schema.ArgRow { return r.Input })
	own := host.Profile().ToolOfKind(kind)
	sh := host.Profile().ToolOfKind(schema.Shell)
	asParts := kind == schema.Read && a.Input != nil && sh != nil && slices.Contains(sh.Parts, kind)
	if own == nil || own == sh && kind != schema.Shell || asParts {
		if a.Input == nil { // an example has a file, a pattern and an address
			in = examples(canonicalRows, a.Project)
		}
		command, ok := asCommand(kind, in) // as its model reads files
		if own = host.Profile().ToolOfKind(schema.Shell); !ok || own == nil {
			return a
		}
		kind, a.Tool = schema.Shell, schema.Shell.String()
		in = schema.Args{{Role: schema.RoleCommand, Raw: ordjson.AppendString(nil, command)}}
	}
	takes := func(role schema.Role) bool {
		return slices.ContainsFunc(own.Input, func(r schema.ArgRow) bool { return r.Role == role })
	}
	_, names := in.Get(schema.RolePath)
	if kind == schema.Edit && takes(schema.RolePath) && !takes(schema.RoleNewText) {
		in = wholeFile(in, a.Project)
	}
	in = absolute(in, a.Project)
	if address, ok := in.Get(schema.RoleURL); ok && !takes(schema.RoleURL) && takes(schema.RolePrompt) {
		in = append(slices.Clone(in), schema.Arg{Role: schema.RolePrompt, Raw: address}) // the tool reads it there
	}
	switch {
	case a.Input == nil:
	case names && !takes(schema.RolePath):
		a.Input, a.Args = nil, in // the host has one text for all of it, such as a patch
	default:
		a.Input = appendNative(in, own.Input)
	}
	if a.Output != nil {
		out := canonicalArgs(kind, a.Output, func(r *schema.ToolRow) []schema.ArgRow { return r.Output })
		a.Output = appendNative(out, own.Output)
	}
	return a
}

// absolute names the file of a call as agents do, by its whole path.
func absolute(args schema.Args, project string) schema.Args {
	args = slices.Clone(args)
	for i, a := range args {
		file, ok := ordjson.String(a.Raw)
		if a.Role == schema.RolePath && ok && file != "" && !filepath.IsAbs(file) && project != "" {
			args[i].Raw = ordjson.AppendString(nil, filepath.Join(project, file))
		}
	}
	return args
}

// kindOf is the kind of a tool named in any dialect's words or by its kind.
func kindOf(host dialect.Dialect, tool string) schema.Kind {
	if kind, ok := schema.ParseKind(tool); ok {
		return kind
	}
	t, _ := ToolCalled(host, tool)
	return t.Kind()
}

// canonicalArgs gives the fields of an object the roles that their names have for
// tools of a kind: as canonical words, or as those of any dialect.
func canonicalArgs(kind schema.Kind, object []byte, rows func(*schema.ToolRow) []schema.ArgRow) schema.Args {
	var known []schema.ArgRow
	for _, d := range adapter.Dialects() {
		for _, t := range d.Profile().Tools {
			if slices.Contains(t.Kinds, kind) {
				known = append(known, rows(&t)...)
			}
		}
	}
	o, _ := ordjson.Members(object, 0)
	return schema.ReadLines(lists.Map(o, func(m ordjson.Member) schema.Arg {
		role := roleNamed(m.Name, known)
		canonical := func(a *schema.ArgRow) bool {
			return a.Role == role && a.Words != nil && string(a.Words.In(m.Value)) != string(m.Value)
		}
		if a := lists.Find(known, canonical); a != nil { // spelled as some dialect does
			m.Value = a.Words.In(m.Value)
		}
		return schema.Arg{Role: role, Name: m.Name, Raw: m.Value}
	}), known)
}

// roleNamed is the role of a field: a canonical word for what such tools have counts before the name that a dialect's
// tool has for it, and any other canonical word after.
func roleNamed(name string, known []schema.ArgRow) schema.Role {
	canonical := schema.Rest
	for r := schema.Rest + 1; r < schema.NumRoles; r++ {
		if r.String() == name {
			canonical = r
		}
	}
	has := func(a schema.ArgRow) bool { return a.Role == canonical }
	if canonical != schema.Rest && slices.ContainsFunc(known, has) {
		return canonical
	}
	if a := lists.Find(known, func(a *schema.ArgRow) bool { return a.Name == name }); a != nil {
		return a.Role
	}
	return canonical
}

// appendNative writes arguments as an object in the names of rows; what they have
// no name for keeps its own.
func appendNative(args schema.Args, rows []schema.ArgRow) []byte {
	w := ordjson.NewWriter(nil)
	for _, a := range schema.WriteLines(args, rows) {
		if a, known := schema.NativeArg(rows, a); known && a.Name != "" {
			w.Raw(a.Name, a.Raw)
		}
	}
	return w.Bytes()
}

// wholeFile is an edit as a write of the whole file: of the file as it is in the
// project, or of the new text alone if it can't be read.
func wholeFile(args schema.Args, project string) schema.Args {
	content, file := args.Text(schema.RoleNewText), args.Text(schema.RolePath)
	if !filepath.IsAbs(file) {
		file = filepath.Join(project, file)
	}
	if old, err := discover.Read(file); err == nil {
		content = edits.Apply(string(old), []schema.TextEdit{{Old: args.Text(schema.RoleOldText), New: content}})
	}
	raw, _ := args.Get(schema.RolePath)
	return schema.Args{{Role: schema.RolePath, Raw: raw},
		{Role: schema.RoleContent, Raw: ordjson.AppendString(nil, content)}}
}

// commands are what a model types where its agent has no tool of a kind.
var commands = []struct {
	kind  schema.Kind
	words string
	args  []schema.Role
}{
	{schema.Read, "cat --", []schema.Role{schema.RolePath}},
	{schema.Delete, "rm --", []schema.Role{schema.RolePath}},
	{schema.List, "ls --", []schema.Role{schema.RolePath}},
	{schema.Glob, "rg --files -g", []schema.Role{schema.RoleGlob, schema.RolePattern}},
	{schema.Grep, "grep -rn --", []schema.Role{schema.RolePattern, schema.RolePath}},
	{schema.Fetch, "curl", []schema.Role{schema.RoleURL}},
}

// canonicalRows are what the commands are made of.
var canonicalRows = []schema.ArgRow{{Role: schema.RolePath}, {Role: schema.RolePattern}, {Role: schema.RoleURL}}

func asCommand(kind schema.Kind, args schema.Args) (command string, ok bool) {
	for _, c := range commands {
		if c.kind != kind {
			continue
		}
		command = c.words
		for _, r := range c.args {
			if _, ok := args.Get(r); ok {
				command += " " + shell.Quote(args.Text(r))
			}
		}
		return command, true
	}
	return "", false
}

// hostMembers renames fields of a payload to the host's names for them.
func hostMembers(host dialect.Dialect, row *schema.EventRow, object []byte) []byte {
	o, _ := ordjson.Members(object, 0)
	if len(o) == 0 {
		return object
	}
	own := fieldNames(host, row)
	for i, m := range o {
		for _, d := range adapter.Dialects() {
			other := schema.RowFor(d.Profile().Events, row.Event)
			if other == nil || d.Profile().Name == host.Profile().Name {
				continue
			}
			for _, theirs := range fieldNames(d, other) {
				at := slices.IndexFunc(own, func(n fieldName) bool { return n.field == theirs.field })
				if theirs.name == m.Name && at >= 0 {
					o[i].Name = own[at].name
				}
			}
		}
	}
	return o.Append(nil)
}

type fieldName struct {
	field schema.Field
	name  string
}

// fieldNames are a dialect's names for the fields of an event: those under which
// it writes them when each has a value of its own.
func fieldNames(d dialect.Dialect, row *schema.EventRow) (names []fieldName) {
	c := &schema.Call{Dialect: d.Profile().Name, Event: row.Event, Native: row.Native}
	for _, f := range row.Fields {
		c.SetStr(f, "field "+strconv.Itoa(int(f)))
	}
	o, err := ordjson.Parse(d.AppendCall(nil, c, viewOf(d, c)))
	if err != nil {
		return nil
	}
	for _, f := range row.Fields {
		for _, m := range o {
			if string(m.Value) == string(c.Get(f)) {
				names = append(names, fieldName{f, m.Name})
			}
		}
	}
	return names
}
