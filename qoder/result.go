package qoder

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// decodeResult reads a tool_response. What is no object is kept whole, as the
// IDE's texts are; the content blocks of an MCP tool have a role of their own.
func decodeResult(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args {
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
	if file, ok := o.Get("file"); ok && k == schema.Read { // lift the members of the file
		inner, _ := ordjson.Members(file, 0)
		for _, a := range schema.DecodeArgs(inner, fileRows) {
			if a.Role != schema.Rest {
				as = append(as, a)
			}
		}
	}
	return as
}

var fileRows = []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}}

// A resultWriter writes the result of another agent's call.
type resultWriter struct {
	w ordjson.Writer
	t *schema.Tool
}

func (r *resultWriter) get(role schema.Role, fallback string) []byte {
	if raw, ok := r.t.Output.Get(role); ok {
		return raw
	}
	if raw, ok := r.t.Input.Get(role); ok {
		return raw
	}
	return []byte(fallback)
}

func (r *resultWriter) put(name string, role schema.Role, fallback string) {
	r.w.Raw(name, r.get(role, fallback))
}

// appendResult writes the tool_response that Qoder would give in view v for the
// result in c (shapes observed 1.1.52).
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	if c.Dialect == "qoder" {
		return append(dst, c.Get(schema.FieldToolOutput)...)
	}
	if raw, ok := t.Output.Get(schema.RoleWhole); ok {
		return append(dst, raw...)
	}
	r := resultWriter{w: ordjson.NewWriter(dst), t: t}
	switch v.Kind {
	case schema.Shell, schema.Delete:
		r.shell()
	case schema.Read:
		r.w.String("type", "text")
		r.w.Raw("file", appendFile(nil, r.get(schema.RolePath, `""`), r.get(schema.RoleContent, `""`)))
	case schema.Write:
		kind := "update"
		if string(r.get(schema.RoleOriginal, "null")) == "null" {
			kind = "create"
		}
		r.w.String("type", kind)
		r.put("filePath", schema.RolePath, `""`)
		r.put("content", schema.RoleContent, `""`)
		r.w.Raw("structuredPatch", []byte("[]"))
		r.put("originalFile", schema.RoleOriginal, "null")
	case schema.Edit:
		r.put("filePath", schema.RolePath, `""`)
		r.put("oldString", schema.RoleOldText, `""`)
		r.put("newString", schema.RoleNewText, `""`)
		r.put("originalFile", schema.RoleOriginal, "null")
		r.w.Raw("structuredPatch", []byte("[]"))
		r.w.Bool("userModified", false)
		r.put("replaceAll", schema.RoleReplaceAll, "false")
	case schema.MCP:
		return append(dst, r.get(schema.RoleBlocks, "[]")...)
	default:
		return schema.AppendArgs(dst, t.Output, nil)
	}
	return r.w.Bytes()
}

// shell writes the result of a command that succeeded: a failed one raises
// another event.
func (r *resultWriter) shell() {
	r.w.String("kind", "completed")
	r.w.Raw("stdout", trimNewline(r.get(schema.RoleStdout, `""`)))
	r.put("stderr", schema.RoleStderr, `""`)
	r.put("exitCode", schema.RoleExitCode, "0")
	r.w.Raw("signal", []byte("null"))
	r.put("interrupted", schema.RoleInterrupted, "false")
	r.w.Bool("isImage", false)
	r.w.Bool("noOutputExpected", false)
}

// appendFile writes the file object of a Read result.
func appendFile(dst, path, content []byte) []byte {
	lines := int64(1)
	if s, ok := ordjson.String(content); ok {
		lines += int64(strings.Count(s, "\n"))
	}
	w := ordjson.NewWriter(dst)
	w.Raw("filePath", path)
	w.Raw("content", content)
	w.Int("numLines", lines)
	w.Int("startLine", 1)
	w.Int("totalLines", lines)
	return w.Bytes()
}

// trimNewline drops the line end that Qoder takes off a command's output.
func trimNewline(raw []byte) []byte {
	s, ok := ordjson.String(raw)
	if !ok || !strings.HasSuffix(s, "\n") {
		return raw
	}
	return ordjson.AppendString(nil, strings.TrimSuffix(s, "\n"))
}

const exitCode = "Exit code "

// shellError is the error text of a failed command: its status, where the host
// gives it, then what it printed.
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

// splitShellError takes the status off the error text of a failed command, if
// it can be put back exactly.
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

// appendInput writes the tool's input in the words of v.
func (d Dialect) appendInput(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	row := toolNamed(v.Tool)
	switch {
	case t.Whole != nil:
		return append(dst, t.Whole...)
	case c.Dialect == "qoder":
		return schema.AppendOwn(dst, t.Input, inputRows(v.Tool))
	case v.Kind == schema.Delete && (row == nil || row.Kinds[0] != schema.Delete):
		return appendRemove(dst, t)
	case row == nil || len(row.Kinds) == 0:
		return schema.AppendNamed(dst, t.Input)
	}
	return schema.AppendArgs(dst, t.Input, row.Input)
}

// appendRemove shows the deletion of a file as a command: the CLI has no tool
// for it.
func appendRemove(dst []byte, t *schema.Tool) []byte {
	raw, _ := t.Input.Get(schema.RolePath)
	path, _ := ordjson.String(raw)
	w := ordjson.NewWriter(dst)
	w.String("command", "rm "+shell.Quote(path))
	w.String("description", "Delete file")
	return w.Bytes()
}
