package family

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A ResultShape is the form of results of the agent's tools for some kinds.
type ResultShape struct {
	Kinds   []schema.Kind
	Members []ResultMember
}

// A ResultMember is a field of a result: the value in that role of another agent's call, or Default. Without a role it
// is always Default.
type ResultMember struct {
	Name    string
	Role    schema.Role
	Default string
	Form    ResultForm
}

// A ResultForm is how a field of a result is computed.
type ResultForm uint8

const (
	AsGiven    ResultForm = iota
	NoLineEnd             // a text without its final line end
	FileObject            // the content of a file with its path and its lines
	Written               // "create" for a new file, else "update"
	EditList              // edits in the agent's names
)

// readResult returns a tool_response by role. A value that isn't an object is kept whole; the content blocks of an MCP
// tool have their own role.
func (a *Agent) readResult(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args {
	if a.Steps.ReadResult != nil {
		return a.Steps.ReadResult(k, row, raw)
	}
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		role := schema.RoleWhole
		if k == schema.MCP && ordjson.KindOf(raw) == ordjson.Array {
			role = schema.RoleBlocks
		}
		return schema.Args{{Role: role, Raw: raw}}
	}
	var rows []schema.ArgRow
	if row != nil {
		rows = row.Output
	}
	as := schema.DecodeArgs(o, rows)
	if file, ok := o.Get("file"); ok && k == schema.Read { // flatten the fields of the file
		inner, _ := ordjson.Members(file, 0)
		for _, x := range schema.DecodeArgs(inner, fileRows) {
			if x.Role != schema.Rest {
				as = append(as, x)
			}
		}
	}
	return as
}

var fileRows = []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}}

// appendResult writes the tool_response that the agent would send in view v for the result in c.
func (a *Agent) appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	if a.owns(c) {
		return append(dst, c.Get(schema.FieldToolOutput)...)
	}
	if a.Steps.Result != nil {
		return a.Steps.Result(dst, c, v)
	}
	if raw, ok := t.Result(v.Kind); ok {
		return append(dst, raw...)
	}
	if v.Kind == schema.MCP {
		return append(dst, given(t, schema.RoleBlocks, "[]")...)
	}
	for _, s := range a.Results {
		if slices.Contains(s.Kinds, v.Kind) {
			return a.appendShape(dst, s.Members, c)
		}
	}
	return schema.AppendArgs(dst, t.Output, nil)
}

func (a *Agent) appendShape(dst []byte, members []ResultMember, c *schema.Call) []byte {
	w, t := ordjson.NewWriter(dst), &c.Tool
	for _, m := range members {
		raw := []byte(m.Default)
		if m.Role != schema.Rest {
			raw = given(t, m.Role, m.Default)
		}
		if s, ok := ordjson.String(raw); ok && m.Role == schema.RolePath && !filepath.IsAbs(s) && c.Cwd != "" {
			raw = ordjson.AppendString(nil, filepath.Join(c.Cwd, s))
		}
		switch m.Form {
		case NoLineEnd:
			if s, ok := ordjson.String(raw); ok && strings.HasSuffix(s, "\n") {
				raw = ordjson.AppendString(nil, s[:len(s)-1])
			}
		case FileObject:
			raw = fileObject(given(t, schema.RolePath, `""`), raw)
		case Written:
			if raw = []byte(`"update"`); string(given(t, schema.RoleOriginal, "null")) == "null" {
				raw = []byte(`"create"`)
			}
		case EditList:
			raw = schema.CanonicalEdits.Convert(raw, a.Edits)
		}
		w.Raw(m.Name, raw)
	}

	return w.Bytes()
}

func given(t *schema.Tool, r schema.Role, missing string) []byte {
	if raw, ok := t.Output.Get(r); ok {
		return raw
	}
	if raw, ok := t.Input.Get(r); ok {
		return raw
	}
	return []byte(missing)
}

func fileObject(path, content []byte) []byte {
	lines := int64(1)
	if s, ok := ordjson.String(content); ok {
		lines += int64(strings.Count(s, "\n"))
	}
	w := ordjson.NewWriter(nil)
	w.Raw("filePath", path)
	w.Raw("content", content)
	w.Int("numLines", lines)
	w.Int("startLine", 1)
	w.Int("totalLines", lines)
	return w.Bytes()
}

const exitCode = "Exit code "

// shellError returns the error text of a failed command: its exit code, if the host sends it, then its output.
func shellError(c *schema.Call) []byte {
	text := c.Str(schema.FieldError)
	if code, ok := c.Tool.Output.Get(schema.RoleExitCode); ok {
		status := exitCode + string(code)
		if text != "" {
			status += "\n"
		}
		text = status + text
	}
	return ordjson.AppendString(nil, text)
}

// splitShellError removes the exit code from the error text of a failed command, if it can be restored exactly.
func splitShellError(c *schema.Call) {
	rest, ok := strings.CutPrefix(c.Str(schema.FieldError), exitCode)
	if !ok {
		return
	}
	code, text, more := strings.Cut(rest, "\n")
	if n, err := strconv.Atoi(code); err != nil || strconv.Itoa(n) != code || more && text == "" {
		return
	}
	c.Tool.Output = schema.Args{{Role: schema.RoleExitCode, Raw: []byte(code)}}
	c.SetStr(schema.FieldError, text)
}

// ReadText returns a result that is a single text by role. printed extracts a command's output from its result; mark is
// the separator between a file's line numbers and lines, "" if it has no numbers.
func ReadText(k schema.Kind, raw []byte, printed func(text string) string, mark string) schema.Args {
	role := schema.RoleWhole
	switch text, isText := ordjson.String(raw); {
	case !isText:
	case k == schema.Shell:
		role, raw = schema.RoleStdout, ordjson.AppendString(nil, printed(text))
	case k == schema.Read:
		role, raw = schema.RoleContent, ordjson.AppendString(nil, Unnumbered(text, mark))
	case k == schema.MCP:
		role, raw = schema.RoleBlocks, schema.TextBlocks(raw)
	}
	return schema.Args{{Role: role, Raw: raw}}
}

// Unnumbered removes the numbers that a tool puts before lines, with mark after them. A text without numbers is
// unchanged.
func Unnumbered(text, mark string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		number, rest, ok := strings.Cut(line, mark)
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
			return text
		}
		lines[i] = rest
	}
	return strings.Join(lines, "\n")
}

// Numbered adds such numbers to a text.
func Numbered(text, mark string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strconv.Itoa(i+1) + mark + line
	}
	return strings.Join(lines, "\n")
}

// ResultText returns another agent's result as one text. none is the result of a command without output; mark is the
// separator between a file's line numbers and lines, "" for no numbers.
func ResultText(c *schema.Call, v schema.View, none, mark string) string {
	t := &c.Tool
	whole, _ := t.Output.Get(schema.RoleWhole)
	blocks, isBlocks := t.Output.Get(schema.RoleBlocks)
	switch content, ok := t.Output.Get(schema.RoleContent); {
	case v.Kind == schema.Shell || v.Kind == schema.Delete:
		printed := schema.JoinText(t.Output.Text(schema.RoleStdout), t.Output.Text(schema.RoleStderr))
		return cmp.Or(printed, none)
	case v.Kind == schema.Read && ok && mark != "":
		return Numbered(TextOf(content), mark)
	case v.Kind == schema.Read && ok:
		return TextOf(content)
	case isBlocks:
		return TextOf(blocks)
	case whole != nil:
		return TextOf(whole)
	}
	return string(schema.AppendNamed(nil, t.Output))
}

// TextOf returns the text of a tool's result: a text, a command's output, or content blocks. Anything else is returned
// as JSON.
func TextOf(raw []byte) string {
	if s, ok := ordjson.String(raw); ok {
		return s
	}

	if o, err := ordjson.Members(raw, 0); err == nil {
		out, printed := "", false
		for _, name := range []string{"stdout", "stderr", "output"} {
			if s, ok := o.Text(name); ok {
				out, printed = schema.JoinText(out, s), true
			}
		}
		if content, ok := o.Get("content"); ok && !printed {
			return TextOf(content)
		} else if printed {
			return out
		}
	}

	out := ""
	list, err := ordjson.Elements(raw, 0)
	for _, m := range list {
		block, _ := ordjson.Members(m.Value, 0)
		s, ok := block.Text("text")
		if !ok {
			return string(ordjson.AppendCompact(nil, raw))
		}
		out = schema.JoinText(out, s)
	}

	if err == nil && len(list) > 0 {
		return out
	}
	return string(ordjson.AppendCompact(nil, raw))
}
