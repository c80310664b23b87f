package sample

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// ForHost translates a sample into the host's names. Tool, input and output may use any dialect's names, or canonical
// ones. A tool that the host doesn't have becomes the one that its model would use instead, as far as known: a
// whole-file write for an edit, a command for a read or a deletion. Arguments that the tool doesn't have are left out
// and listed in Left. An argument of no known agent stays, as the user's own.
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
	if a.Server != "" || kind == schema.MCP || kind == schema.Other { // a server's tool may have the name of another
		return a
	}

	input := func(r *schema.ToolRow) []schema.ArgRow { return r.Input }
	known := rowsOf(kind, input)
	in := canonicalArgs(a.Input, known)
	own := ownTool(host, a.Tool, kind, a.Input != nil)
	sh := host.Profile().ToolOfKind(schema.Shell)
	asParts := kind == schema.Read && a.Input != nil && sh != nil && slices.Contains(sh.Parts, kind)
	if named := host.Profile().Tool(a.Tool); named != nil && named == own { // as the user wrote
		asParts = false
	}
	if own == nil || own == sh && kind != schema.Shell || asParts {
		if a.Input == nil { // an example has a file, a pattern and an address
			in = examples(canonicalRows, a.Project)
		}
		command, ok := asCommand(kind, in) // as its model reads files
		if own = host.Profile().ToolOfKind(schema.Shell); !ok || own == nil {
			return a
		}
		if a.Input != nil {
			a.Left = outside(in, commandOf(kind).rows(), known)
		}
		kind, a.Tool = schema.Shell, schema.Shell.String()
		in = schema.Args{{Role: schema.RoleCommand, Raw: ordjson.AppendString(nil, command)}}
	}

	_, names := in.Get(schema.RolePath)
	if kind == schema.Edit && takes(own, schema.RolePath) && !takes(own, schema.RoleNewText) && a.Input != nil {
		a.Left = outside(in, slices.Concat(editRows, own.Input), known)
		in = wholeFile(in, a.Project)
	}

	in = absolute(in, a.Project)
	if address, ok := in.Get(schema.RoleURL); ok && !takes(own, schema.RoleURL) && takes(own, schema.RolePrompt) {
		in = slices.DeleteFunc(slices.Clone(in), func(x schema.Arg) bool { return x.Role == schema.RoleURL })
		in = append(in, schema.Arg{Role: schema.RolePrompt, Raw: address}) // the tool reads it there
	}

	var changed *lines
	if kind == schema.Edit || kind == schema.MultiEdit {
		changed = linesOf(withCanonicalEdits(in), a.Project)
	}
	writer := host.Abilities().Edits
	otherName := kind == schema.Write && !takes(own, schema.RoleContent) // the written text
	switch {
	case a.Input == nil && otherName: // all that the tool takes would be an edit
		a.Args = absolute(examples([]schema.ArgRow{{Role: schema.RolePath}, {Role: schema.RoleContent}}, a.Project),
			a.Project)
	case a.Input == nil:
	case names && (inText(own, kind) || otherName): // the host has one text for all of it, such as a patch
		a.Left = outside(in, editRows, known)
		if a.Input, a.Args = nil, withCanonicalEdits(in); changed != nil {
			a.Args = changed.args()
		}
	case changed != nil && writer != nil && !inWords(a.Input, own.Input):
		a.Left = append(a.Left, outside(in, editRows, known)...)
		a.Input = writer.EditInput(changed.file, changed.changes())
	default:
		a.Left = append(a.Left, outside(schema.WriteLines(in, own.Input), own.Input, known)...)
		in = slices.DeleteFunc(in, func(x schema.Arg) bool {
			return x.Role == schema.Rest && slices.Contains(a.Left, x.Name)
		})
		a.Input = appendNative(in, own.Input)
	}
	if a.Output != nil {
		out := canonicalArgs(a.Output, rowsOf(kind, func(r *schema.ToolRow) []schema.ArgRow { return r.Output }))
		a.Output = appendNative(out, own.Output)
	}

	return a
}

// outside returns the names of arguments without a row. Of those without a role it returns only arguments of other
// agents' tools, whose rows are in known.
func outside(args schema.Args, rows, known []schema.ArgRow) (names []string) {
	for _, a := range args {
		has := func(r schema.ArgRow) bool {
			return r.Role == a.Role && (a.Role != schema.Rest || r.Name == a.Name)
		}
		named := func(r schema.ArgRow) bool { return r.Name == a.Name }
		if !slices.ContainsFunc(rows, has) && (a.Role != schema.Rest || slices.ContainsFunc(known, named)) {
			names = append(names, cmp.Or(a.Name, a.Role.String()))
		}
	}
	return names
}

// absolute makes the file of a call absolute, as agents do.
func absolute(args schema.Args, project string) schema.Args {
	args = slices.Clone(args)
	for i, a := range args {
		file, ok := ordjson.String(a.Raw)
		relative := ok && file != "" && !filepath.IsAbs(file)
		if a.Role == schema.RolePath && relative && project != "" {
			args[i].Raw = ordjson.AppendString(nil, filepath.Join(project, file))
		}
	}
	return args
}

// kindOf returns the kind of a tool, named in any dialect or by its kind.
func kindOf(host dialect.Dialect, tool string) schema.Kind {
	if kind, ok := schema.ParseKind(tool); ok {
		return kind
	}
	t, _ := ToolCalled(host, tool)
	return t.Kind()
}

// rowsOf returns the arguments of all dialects' tools of a kind, or what rows returns for each tool.
func rowsOf(kind schema.Kind, rows func(*schema.ToolRow) []schema.ArgRow) (known []schema.ArgRow) {
	for _, d := range adapter.Dialects() {
		for _, t := range d.Profile().Tools {
			if slices.Contains(t.Kinds, kind) {
				known = append(known, rows(&t)...)
			}
		}
	}
	return known
}

// canonicalArgs gives the fields of an object the roles of their names in the known rows: canonical names, or names of
// any dialect.
func canonicalArgs(object []byte, known []schema.ArgRow) schema.Args {
	o, _ := ordjson.Members(object, 0)
	return schema.ReadLines(lists.Map(o, func(m ordjson.Member) schema.Arg {
		role := roleNamed(m.Name, known)
		if m.Name != role.String() && o.Has(role.String()) { // the canonical name counts
			role = schema.Rest
		}
		canonical := func(a *schema.ArgRow) bool {
			return a.Role == role && a.Words != nil && string(a.Words.In(m.Value)) != string(m.Value)
		}
		if a := lists.Find(known, canonical); a != nil { // spelled as in some dialect
			m.Value = a.Words.In(m.Value)
		}
		return schema.Arg{Role: role, Name: m.Name, Raw: m.Value}
	}), known)
}

// withCanonicalEdits gives the texts of a list of edits their canonical names, from any dialect's names.
func withCanonicalEdits(in schema.Args) schema.Args {
	raw, _ := in.Get(schema.RoleEdits)
	list, err := ordjson.Elements(raw, 0)
	if raw == nil || err != nil {
		return in
	}

	known := rowsOf(schema.Edit, func(r *schema.ToolRow) []schema.ArgRow { return r.Input })
	names := map[schema.Role]string{schema.RoleOldText: schema.CanonicalEdits.Old,
		schema.RoleNewText: schema.CanonicalEdits.New, schema.RoleReplaceAll: schema.CanonicalEdits.All}
	edits := ordjson.AppendArray(nil, list, func(dst []byte, e ordjson.Member) []byte {
		o, err := ordjson.Members(e.Value, 0)
		if err != nil {
			return append(dst, e.Value...)
		}
		for i, m := range o {
			o[i].Name = cmp.Or(names[roleNamed(m.Name, known)], m.Name)
		}
		return o.Append(dst)
	})
	return in.Set(schema.RoleEdits, "", edits)
}

// roleNamed returns the role of a field. A canonical name for an argument of such tools comes first, then the name in a
// dialect's tool, then any other canonical name.
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

// appendNative writes arguments as an object with the names in rows; others keep their own names.
func appendNative(args schema.Args, rows []schema.ArgRow) []byte {
	w := ordjson.NewWriter(nil)
	for _, a := range schema.WriteLines(args, rows) {
		if a, known := schema.NativeArg(rows, a); known && a.Name != "" {
			w.Raw(a.Name, a.Raw)
		}
	}
	return w.Bytes()
}

// editRows are the arguments of a change of a file.
var editRows = []schema.ArgRow{{Role: schema.RolePath}, {Role: schema.RoleContent}, {Role: schema.RoleOldText},
	{Role: schema.RoleNewText}, {Role: schema.RoleReplaceAll}, {Role: schema.RoleEdits}}

// wholeFile turns an edit into a write of the whole file: of the file in the project, or of the new text alone if it
// can't be read.
func wholeFile(args schema.Args, project string) (out schema.Args) {
	all, _ := args.Get(schema.RoleReplaceAll)
	changes := []schema.TextEdit{{Old: args.Text(schema.RoleOldText), New: args.Text(schema.RoleNewText),
		All: string(all) == "true"}}
	if raw, ok := args.Get(schema.RoleEdits); ok {
		changes = schema.CanonicalEdits.Decode(raw)
	}
	content := args.Text(schema.RoleContent)
	if _, whole := args.Get(schema.RoleContent); !whole {
		for _, c := range changes {
			content += c.New
		}
		file := args.Text(schema.RolePath)
		if !filepath.IsAbs(file) {
			file = filepath.Join(project, file)
		}
		if old, err := discover.Read(file); err == nil {
			content = edits.Apply(string(old), changes)
		}
	}
	if raw, ok := args.Get(schema.RolePath); ok {
		out = append(out, schema.Arg{Role: schema.RolePath, Raw: raw})
	}
	return append(out, schema.Arg{Role: schema.RoleContent, Raw: ordjson.AppendString(nil, content)})
}

// lines are the result of an edit of an existing file: a model that writes a patch, or names lines, changes whole
// lines.
type lines struct{ file, old, text string }

// linesOf returns nil if the file can't be read, or the old text isn't in it.
func linesOf(in schema.Args, project string) *lines {
	file := in.Text(schema.RolePath)
	if !filepath.IsAbs(file) {
		file = filepath.Join(project, file)
	}
	old, err := discover.Read(file)
	l := &lines{in.Text(schema.RolePath), string(old), wholeFile(in, project).Text(schema.RoleContent)}
	if err != nil || l.old == l.text {
		return nil
	}
	return l
}

func (l *lines) args() schema.Args {
	es := edits.As(schema.MultiEdit, l.old, l.text)
	return schema.Args{{Role: schema.RolePath, Raw: ordjson.AppendString(nil, l.file)},
		{Role: schema.RoleEdits, Raw: schema.CanonicalEdits.Append(nil, es)}}
}

func (l *lines) changes() []dialect.LineChange {
	text := edits.SplitLines(l.text)
	return lists.Map(edits.Hunks(edits.SplitLines(l.old), text), func(h edits.Hunk) dialect.LineChange {
		added := lists.Map(text[h.B0:h.B1], func(line string) string { return strings.TrimRight(line, "\r\n") })
		return dialect.LineChange{From: h.A0 + 1, To: h.A1, Lines: added}
	})
}

// inWords reports whether an input has only names of the tool's own.
func inWords(input []byte, rows []schema.ArgRow) bool {
	o, _ := ordjson.Members(input, 0)
	return !slices.ContainsFunc(o, func(m ordjson.Member) bool {
		return !slices.ContainsFunc(rows, func(r schema.ArgRow) bool { return r.Name == m.Name })
	})
}

// A command is what a model types if its agent has no tool of a kind.
type command struct {
	kind  schema.Kind
	words string
	args  []schema.Role
}

var commands = []command{
	{schema.Read, "cat --", []schema.Role{schema.RolePath}},
	{schema.Delete, "rm --", []schema.Role{schema.RolePath}},
	{schema.List, "ls --", []schema.Role{schema.RolePath}},
	{schema.Glob, "rg --files -g", []schema.Role{schema.RoleGlob, schema.RolePattern}},
	{schema.Grep, "grep -rn --", []schema.Role{schema.RolePattern, schema.RolePath}},
	{schema.Fetch, "curl", []schema.Role{schema.RoleURL}},
}

// commandOf returns the command for a kind, or nil.
func commandOf(kind schema.Kind) *command {
	return lists.Find(commands, func(c *command) bool { return c.kind == kind })
}

// rows returns the arguments of the command.
func (c *command) rows() []schema.ArgRow {
	return lists.Map(c.args, func(r schema.Role) schema.ArgRow { return schema.ArgRow{Role: r} })
}

// canonicalRows are the arguments that commands are made of.
var canonicalRows = []schema.ArgRow{{Role: schema.RolePath}, {Role: schema.RolePattern}, {Role: schema.RoleURL}}

func asCommand(kind schema.Kind, args schema.Args) (line string, ok bool) {
	c := commandOf(kind)
	if c == nil {
		return "", false
	}
	line = c.words
	for _, r := range c.args {
		if _, ok := args.Get(r); ok {
			line += " " + shell.Quote(args.Text(r))
		}
	}
	return line, true
}

// hostMembers renames fields of a payload to the host's names.
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

// fieldNames returns a dialect's names for the fields of an event, as written when each field has a different value.
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
