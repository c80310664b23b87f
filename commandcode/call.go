package commandcode

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// The text in a command's result around its output (observed 1.64.0).
const (
	noOutput = "(no output)"
	exited   = "Exit code: "
)

// more writes fields that other agents' payloads lack.
func more(w *ordjson.Writer, _ *schema.Call, v schema.View) {
	if v.Tool != "" {
		w.String(displayField, displayed(v.Tool))
	}
}

// classify assigns a role to the name of an argument that the tool uses, if it has several names, and detects failed
// commands.
func classify(a *family.Agent, c *schema.Call) {
	if row := a.Tool(c.Str(schema.FieldToolName)); row != nil {
		c.Tool.Input = preferred(c.Tool.Input, row.Input)
	}
	if c.Tool.Kind() == schema.Shell {
		c.Tool.Input = joinArgs(c.Tool.Input)
		enter(c)
	}
	text, _ := ordjson.String(c.Get(schema.FieldToolOutput))
	rest, failed := strings.CutPrefix(text, exited)
	code, printed, _ := strings.Cut(rest, "\n")
	_, err := strconv.Atoi(code)
	ended := failed && err == nil && c.Event == schema.PostTool
	if !ended || c.Tool.Kind() != schema.Shell {
		return
	}
	c.Event = schema.PostToolFailure
	c.Tool.Output = schema.Args{{Role: schema.RoleExitCode, Raw: []byte(code)}}
	c.SetStr(schema.FieldError, strings.TrimSuffix(printed, "\n"))
}

// preferred returns the arguments, with roles only for those that the tool uses. The first row of a role has the tool's
// own name.
func preferred(in schema.Args, rows []schema.ArgRow) schema.Args {
	given := lists.Map(in, func(a schema.Arg) string { return a.Name })
	out := slices.Clone(in)
	for i := range out {
		out[i].Role = schema.Rest
	}
	var done schema.Roles
	for _, row := range rows {
		if row.Role == schema.Rest || done.Has(row.Role) {
			continue
		}
		done |= schema.RoleSet(row.Role)
		var known []string
		for _, r := range rows {
			if r.Role == row.Role {
				known = append(known, r.Name)
			}
		}
		if i := taken(given, func(i int) []byte { return in[i].Raw }, known); i >= 0 {
			out[i].Role = row.Role
		}
	}
	return out
}

// taken returns the position of the argument that a tool uses, -1 if there is none. The client repairs a call after its
// hooks have run. It uses the tool's own name, which is the first. If that is missing or empty, it uses the first other
// name in the order of the call, or the own name with the mark of optional fields. Finally it uses another name with
// such a mark (package 1.64.0: repairToolInput).
func taken(given []string, value func(i int) []byte, known []string) int {
	sure := func(name string) string { return strings.TrimRight(name, "?*") }
	for _, fits := range []func(name string) bool{
		func(name string) bool { return name == known[0] },
		func(name string) bool { return slices.Contains(known, name) || sure(name) == known[0] },
		func(name string) bool { return slices.Contains(known, sure(name)) },
	} {
		for i, name := range given {
			if text := string(value(i)); fits(name) && text != "null" && text != `""` {
				return i
			}
		}
	}
	return -1
}

// argument returns the value that a tool uses for an argument with these names.
func argument(o ordjson.Object, known ...string) []byte {
	names := lists.Map(o, func(m ordjson.Member) string { return m.Name })
	if i := taken(names, func(i int) []byte { return o[i].Value }, known); i >= 0 {
		return o[i].Value
	}
	return nil
}

// enter moves the call to the folder that its command names. The folder isn't in a row: hooks see it under its original
// name.
func enter(c *schema.Call) {
	o, err := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	if err != nil {
		return
	}
	dir, _ := ordjson.String(argument(o, "cwd", "directory", "dir", "working_directory", "workingDirectory", "workdir",
		"folder"))
	switch {
	case filepath.IsAbs(dir):
		c.Cwd = dir
	case dir != "":
		c.Cwd = filepath.Join(c.Cwd, dir)
	}
}

// joinArgs appends the separate arguments of a call of SHELL or MONITOR to its command, quoted as the client does.
func joinArgs(in schema.Args) (out schema.Args) {
	command := in.Text(schema.RoleCommand)
	for _, a := range in {
		list, err := ordjson.Elements(a.Raw, 0)
		if a.Name != "args" || err != nil {
			out = append(out, a)
			continue
		}
		for _, e := range list {
			if word, ok := ordjson.String(e.Value); ok {
				command += " " + shell.Quote(word)
			}
		}
	}
	if len(out) == len(in) {
		return in
	}
	return out.Set(schema.RoleCommand, "command", ordjson.AppendString(nil, command))
}

// named lists the files of a call of READ or READ_MULTI, each given by a path or a pattern. The argument is one of
// them, or a list, which may be a text (package 1.64.0, readPathEntries).
func named(c *schema.Call) (files []string) {
	o, err := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	if err != nil || c.Tool.Kind() != schema.Read {
		return nil
	}
	for _, names := range [][]string{readNames, {"paths", "include", "files", "file_paths", "filepaths", "patterns"}} {
		raw := argument(o, names...)
		text, isText := ordjson.String(raw)
		list, err := ordjson.Elements(raw, 0)
		if isText {
			if list, err = ordjson.Elements([]byte(strings.TrimSpace(text)), 0); err != nil {
				files = append(files, text)
				continue
			}
		}
		for _, e := range list {
			if file, _ := ordjson.String(e.Value); file != "" {
				files = append(files, file)
			}
		}
	}

	if len(files) == 1 && ordjson.KindOf(argument(o, readNames...)) == ordjson.StringKind {
		return files // the tool accepts no relative path
	}
	folder, _ := ordjson.String(argument(o, "target_directory", "directory", "base_directory"))
	for i, file := range files {
		if !filepath.IsAbs(file) && !strings.HasPrefix(file, "~") {
			file = filepath.Join(cmp.Or(folder, c.Cwd), file)
		}
		files[i] = filepath.Clean(file) // if there are several, the client joins each path
	}
	return files
}

// Split lists the files of one call as separate calls.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	files := named(c)
	if len(files) == 0 || len(files) == 1 && files[0] == c.Tool.Input.Text(schema.RolePath) {
		return nil
	}
	var parts []*schema.Call
	for _, file := range files {
		p := c.Clone()
		p.Tool.Input = schema.Args{{Role: schema.RolePath, Name: "file_path", Raw: ordjson.AppendString(nil, file)}}
		parts = append(parts, p)
	}
	return [][]*schema.Call{parts}
}

// Join returns false: no hook changes an input here, so no list is rewritten.
func (Dialect) Join(_, _ *schema.Call, in schema.Args) (schema.Args, bool) { return in, false }

// readResult returns a result, which is a text, by role. That of read_file has line numbers.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	text, _ := ordjson.String(raw)
	if head, rest, ok := strings.Cut(text, "\n"); ok && k == schema.Read && strings.HasPrefix(head, "Read ") {
		raw = ordjson.AppendString(nil, rest)
	}
	return family.ReadText(k, raw, printed, ": ")
}

func printed(text string) string { return strings.TrimSuffix(text, noOutput) }

// appendResult writes another agent's result as the text that the tool would return.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	text := family.ResultText(c, v, noOutput, ": ")
	if c.Event == schema.PostToolFailure {
		code, known := c.Tool.Output.Get(schema.RoleExitCode)
		if text = c.Str(schema.FieldError); v.Kind == schema.Shell && known {
			text = schema.JoinText(exited+string(code), text)
		}
	}
	return ordjson.AppendString(dst, text)
}
