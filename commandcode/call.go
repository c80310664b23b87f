package commandcode

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// What a command's result says beside what it printed (observed 1.64.0).
const (
	noOutput = "(no output)"
	exited   = "Exit code: "
)

// more writes what other agents' payloads lack.
func more(w *ordjson.Writer, _ *schema.Call, v schema.View) {
	if v.Tool != "" {
		w.String(displayField, displayed(v.Tool))
	}
}

// classify keeps of several names for an argument the one that the tool takes, and finds the commands that failed.
func classify(a *family.Agent, c *schema.Call) {
	c.Tool.Input = family.Preferred(c.Tool.Input, a.ArgRows(c.Str(schema.FieldToolName)))
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

// enter makes the folder that a command's call names that of the call. No row has it: hooks see it where it was given.
func enter(c *schema.Call) {
	o, err := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	if err != nil {
		return
	}
	switch dir := cmp.Or(o.Str("cwd"), o.Str("directory")); {
	case filepath.IsAbs(dir):
		c.Cwd = dir
	case dir != "":
		c.Cwd = filepath.Join(c.Cwd, dir)
	}
}

// joinArgs puts the arguments that a call of SHELL or MONITOR has beside its command into the command, quoted as the
// client does.
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

// named are the files that a call of READ or READ_MULTI names, each by a path or a pattern: one, or a list, which may
// be written as a text (package 1.64.0, readPathEntries).
func named(c *schema.Call) (files []string) {
	o, err := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	if err != nil || c.Tool.Kind() != schema.Read {
		return nil
	}
	folder := cmp.Or(o.Str("target_directory"), c.Cwd)
	for _, names := range [][2]string{{"file_path", "path"}, {"paths", "include"}} {
		raw := o.Value(names[0])
		if raw == nil || string(raw) == "null" {
			raw = o.Value(names[1])
		}

		text, isText := ordjson.String(raw)
		list, err := ordjson.Elements(raw, 0)
		if isText {
			if list, err = ordjson.Elements([]byte(strings.TrimSpace(text)), 0); err != nil {
				files = append(files, text)
				continue
			}
		}

		for _, e := range list {
			switch file, _ := ordjson.String(e.Value); {
			case file == "":
			case filepath.IsAbs(file) || strings.HasPrefix(file, "~"):
				files = append(files, file)
			default:
				files = append(files, filepath.Join(folder, file))
			}
		}
	}
	return files
}

// Split lists the files of one call as calls of their own.
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

// Join reports that no list is written anew: no hook changes an input here.
func (Dialect) Join(_, _ *schema.Call, in schema.Args) (schema.Args, bool) { return in, false }

// readResult gives a result, which is a text, its roles. That of read_file has line numbers.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	text, isText := ordjson.String(raw)
	switch {
	case isText && k == schema.Read:
		if head, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(head, "Read ") {
			text = rest
		}
		return schema.Args{{Role: schema.RoleContent, Raw: ordjson.AppendString(nil, family.Unnumbered(text, ": "))}}
	case isText && k == schema.Shell:
		return schema.Args{{Role: schema.RoleStdout, Raw: ordjson.AppendString(nil, strings.TrimSuffix(text,
			noOutput))}}
	case isText && k == schema.MCP:
		block := ordjson.AppendTexts(nil, "type", "text", "text", text)
		return schema.Args{{Role: schema.RoleBlocks, Raw: append(append([]byte{'['}, block...), ']')}}
	}
	return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
}

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
