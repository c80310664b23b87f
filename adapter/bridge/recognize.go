package bridge

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// usable reports whether hooks can run for the host's payload. Hooks judge the readable part of a call with an odd
// input: without an answer the host would run it. FailClosed denies it instead, like any call that isn't read
// completely.
func usable(b *Bridge, c *schema.Call, whole bool) bool {
	if b.FailClosed {
		return !c.Malformed && whole
	}
	return !c.Malformed || c.Tool.Name != ""
}

// judgeable returns the findings on a call's form for hooks that judge its readable part.
func judgeable(b *Bridge, c *schema.Call, ds schema.Diagnostics) schema.Diagnostics {
	if !c.Malformed || !usable(b, c, true) {
		return ds
	}
	for i := range ds {
		if ds[i].Code == schema.CodeShape {
			ds[i].Code, ds[i].Severity = schema.CodeOddInput, schema.Weaker
		}
	}
	return ds
}

// commonNames lists the names that tools of every agent use for what they act on, as plainName returns them, the
// likeliest first. They determine the most likely meaning of a tool that no table describes.
var commonNames = []struct {
	role  schema.Role
	kinds []schema.Kind
	names []string
}{
	{schema.RoleCommand, []schema.Kind{schema.Shell},
		[]string{"command", "cmd", "commandline", "shellcommand", "script", "code", "application",
			"executable"}},
	{schema.RolePath, []schema.Kind{schema.Write, schema.Edit, schema.Read},
		[]string{"filepath", "path", "file", "filename", "absolutepath", "relativepath", "fullpath", "targetfile",
			"targetpath", "targetfilepath", "notebookpath", "scriptpath", "directorypath", "dirpath", "folderpath",
			"directory", "folder"}},
	{schema.RoleURL, []schema.Kind{schema.Fetch}, []string{"url", "uri", "href"}},
	{schema.RoleContent, nil, []string{"content", "contents", "filetext"}},
	{schema.RoleOldText, nil, []string{"oldstring", "oldstr", "oldtext"}},
	{schema.RoleNewText, nil, []string{"newstring", "newstr", "newtext"}},
}

// plainName returns a field's name without the differences in spelling between agents.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// unnamed returns the arguments that no row names, by their plain names; a model may send any number of them.
func unnamed(in schema.Args) map[string]int {
	first := map[string]int{}
	for i, a := range in {
		if a.Role != schema.Rest || !says(a) {
			continue
		}
		if name := plainName(a.Name); first[name] == 0 {
			first[name] = i + 1
		}
	}
	return first
}

// listed returns a call for each element of the lists that an undescribed tool acts on. Such a list has a name of
// commonNames or its plural. An object, in a list or not, may have fields with these names.
func listed(r *run, c *schema.Call) (parts []*schema.Call) {
	t, row := &c.Tool, r.hostRules.Tool(c.Tool.Name)
	described := row != nil && len(row.Kinds) > 0
	ofServer := t.Kind() == schema.MCP && t.Server != "" // otherwise only the name looks like one
	if !c.Event.IsTool() || described || ofServer || t.Kind() != schema.MCP && t.Kind() != schema.Other {
		return nil
	}
	for _, a := range t.Input {
		for _, in := range inputsIn(a) {
			p := c.Clone()
			p.Tool.Whole, p.Tool.Kinds, p.Tool.Input = nil, []schema.Kind{schema.Other}, in
			parts = append(parts, p)
		}
	}
	return parts
}

// inputsIn returns the inputs within an argument; see listed.
func inputsIn(a schema.Arg) (inputs []schema.Args) {
	name := singular(plainName(a.Name))
	list, err := ordjson.Elements(a.Raw, 0)
	if err != nil {
		name, list = "", []ordjson.Member{{Value: a.Raw}}
	}

	for _, m := range list {
		o, notObject := ordjson.Members(m.Value, 0)
		acts := slices.ContainsFunc(o, func(m ordjson.Member) bool { return singular(plainName(m.Name)) != "" })
		switch {
		case acts || name != "" && notObject == nil:
			inputs = append(inputs, schema.DecodeArgs(o, nil))
		case name != "":
			inputs = append(inputs, schema.Args{{Role: schema.Rest, Name: name, Raw: m.Value}})
		}
	}
	return inputs
}

// singular returns the name in commonNames for a plain name or its plural, or "".
func singular(name string) string {
	for _, form := range []string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "ies") + "y"} {
		for _, m := range commonNames {
			if m.kinds != nil && slices.Contains(m.names, form) {
				return form
			}
		}
	}
	return ""
}

// subjects has the argument that each kind of call acts on. Without it no guard can judge the call.
var subjects = [...]schema.Role{
	schema.Shell: schema.RoleCommand, schema.Read: schema.RolePath, schema.Write: schema.RolePath,
	schema.Edit: schema.RolePath, schema.MultiEdit: schema.RolePath, schema.Delete: schema.RolePath,
	schema.Notebook: schema.RolePath, schema.Fetch: schema.RoleURL,
}

// subjectOf returns the role of what the host's tool acts on, according to its row: the path, or the text of a patch.
// 0: the row names none.
func subjectOf(row *schema.ToolRow) schema.Role {
	if row == nil {
		return 0
	}
	kinds := slices.Concat(row.Kinds, row.Also)
	if len(kinds) == 0 || int(kinds[0]) >= len(subjects) {
		return 0
	}
	for _, role := range []schema.Role{subjects[kinds[0]], schema.RoleCommand} {
		if role != 0 && slices.ContainsFunc(row.Input, func(a schema.ArgRow) bool { return a.Role == role }) {
			return role
		}
	}
	return 0
}

// says reports whether an argument has a value other than null.
func says(a schema.Arg) bool { return ordjson.KindOf(a.Raw) != ordjson.Null }

// recognized adds the kinds that the input suggests to a call whose tool no table describes, or that came without what
// its tool acts on. The tool's own name or kind stays first: a hook that names the tool sees it unchanged. Any other
// call stays the same.
func recognized(c *schema.Call, host *dialect.Profile) (*schema.Call, lack) {
	t, row := &c.Tool, host.Tool(c.Tool.Name)
	subject := subjectOf(row)
	if subject != 0 && slices.ContainsFunc(t.Input, func(a schema.Arg) bool { return a.Role == subject && says(a) }) {
		return c, lack{}
	}
	described := row != nil && len(row.Kinds) > 0
	lacks := subject != 0 && c.Event.IsTool()
	switch {
	case t.Kind() == schema.MCP, described && !lacks, subject == 0 && t.Kind() != schema.Other:
		return c, lack{}
	case t.Kind().ChangesFile() && subject == schema.RoleCommand: // its dialect has found no patch
		return c, lack{tool: t.Name, subject: subject}
	}
	now := c.Clone()
	found := byNames(&now.Tool, subject, described)
	without := lack{}
	if lacks {
		without = lack{t.Name, subject, found}
	}
	if !found && len(now.Tool.Kinds) == len(t.Kinds) {
		return c, without
	}
	return now, without
}

// byNames adds to the tool the roles and kinds that the names of its input suggest. found reports whether the subject
// is among them. The subject adds no kind to a described tool.
func byNames(t *schema.Tool, subject schema.Role, described bool) (found bool) {
	kinds, in := slices.Clone(t.Kinds), slices.Clone(t.Input)
	for i := range in { // the tool doesn't act on a null
		if in[i].Role == subject && subject != 0 {
			in[i].Role = schema.Rest
		}
	}

	others := unnamed(in)
	for _, m := range commonNames {
		i := slices.IndexFunc(in, func(a schema.Arg) bool { return a.Role == m.role && says(a) })
		for _, name := range m.names {
			if i < 0 {
				i = others[name] - 1
			}
		}
		if i < 0 {
			continue
		}
		in[i].Role = m.role
		if m.role == subject {
			found = true
			if described {
				continue
			}
		}
		for _, k := range m.kinds {
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}

	t.Kinds, t.Input = kinds, in
	if slices.Contains(kinds, schema.Shell) && !described {
		joinWords(t)
	}
	return found
}

// joinWords appends the words of a list of arguments to the command: the tool starts a program without a shell.
func joinWords(t *schema.Tool) {
	i := slices.IndexFunc(t.Input, func(a schema.Arg) bool {
		name := plainName(a.Name)
		return (name == "args" || name == "arguments") && says(a)
	})
	if i < 0 {
		return
	}

	raw, words := t.Input[i].Raw, []string(nil)
	line, isText := ordjson.String(raw)
	list, err := ordjson.Elements(raw, 0)
	if !isText && err != nil { // a number, say, that the client takes for a text
		list = []ordjson.Member{{Value: raw}}
	}
	for _, e := range list {
		word, isText := ordjson.String(e.Value)
		if !isText {
			word = string(e.Value)
		}
		words = append(words, word)
	}
	line = t.Input.Text(schema.RoleCommand) + " " + line + shell.Join(words)
	t.Input = slices.Delete(t.Input, i, i+1).Set(schema.RoleCommand, "command", ordjson.AppendString(nil, line))
}

// A lack describes a call of a known tool without the argument that it acts on. Zero: nothing is missing.
type lack struct {
	tool    string
	subject schema.Role
	found   bool // another field replaces it
}

// blinds reports whether hooks can't see what the tool acts on.
func (w lack) blinds() bool { return w.subject != 0 && !w.found }

func (w lack) report(l *log) {
	msg := w.tool + " came without its " + w.subject.String()
	switch {
	case w.blinds():
		l.noteAs(schema.Weaker, schema.CodeOddInput, msg+", so hooks can't see what it acts on")
	case w.found:
		l.noteAs(schema.Note, schema.CodeOddInput, msg+"; another field counts as it")
	}
}

// textRoles lists the arguments that are text in every agent.
const textRoles schema.Roles = 1<<schema.RoleCommand | 1<<schema.RoleCwd | 1<<schema.RolePath |
	1<<schema.RoleContent | 1<<schema.RoleOldText | 1<<schema.RoleNewText | 1<<schema.RoleCellSource |
	1<<schema.RolePattern | 1<<schema.RoleGlob | 1<<schema.RoleURL | 1<<schema.RolePrompt | 1<<schema.RoleQuery |
	1<<schema.RoleDescription

// inputAsText returns a call with numbers and booleans as text where the tools of all agents take text. A client that
// runs such a call converts them too, as JavaScript does.
func inputAsText(c *schema.Call) *schema.Call {
	var in schema.Args
	for i, a := range c.Tool.Input {
		text, ok := ordjson.ScriptText(a.Raw)
		if !ok || !textRoles.Has(a.Role) {
			continue
		}
		if in == nil {
			in = slices.Clone(c.Tool.Input)
		}
		in[i].Raw = ordjson.AppendString(nil, text)
	}
	if in == nil {
		return c
	}
	c = c.Clone()
	c.Tool.Input = in
	return c
}
