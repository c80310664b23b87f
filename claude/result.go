package claude

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// decodeResult reads a tool_response. What is no object is kept whole; the
// content blocks of an MCP tool have a role of their own.
func decodeResult(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		role := schema.RoleWhole
		if k == schema.MCP && ordjson.KindOf(raw) == ordjson.Array {
			role = schema.RoleBlocks
		}
		return schema.Args{{Role: role, Raw: raw}}
	}
	if k == schema.Read {
		return decodeRead(o)
	}
	var rows []schema.ArgRow
	if row != nil {
		rows = row.Output
	}
	return schema.DecodeArgs(o, rows)
}

// decodeRead lifts the members of the file object that a Read returns.
func decodeRead(o ordjson.Object) schema.Args {
	as := schema.DecodeArgs(o, nil)
	raw, _ := o.Get("file")
	file, err := ordjson.Members(raw, 0)
	if err != nil {
		return as
	}
	for _, a := range schema.DecodeArgs(file, readFile) {
		if a.Role != schema.Rest {
			as = append(as, a)
		}
	}
	return as
}

var readFile = []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}}

// appendResult writes the tool_response that Claude Code would give in view v
// for the result in c (shapes observed 2.1.328).
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	if raw, ok := t.Output.Get(schema.RoleWhole); ok {
		return append(dst, raw...)
	}
	if c.Dialect == "claude" {
		return appendOwnResult(dst, c, v)
	}
	get := func(r schema.Role, fallback string) []byte {
		if raw, ok := t.Output.Get(r); ok {
			return raw
		}
		if raw, ok := t.Input.Get(r); ok {
			return raw
		}
		return []byte(fallback)
	}
	w := ordjson.NewWriter(dst)
	switch v.Kind {
	case schema.Shell, schema.Delete:
		w.Raw("stdout", trimNewline(get(schema.RoleStdout, `""`)))
		w.Raw("stderr", get(schema.RoleStderr, `""`))
		w.Raw("interrupted", get(schema.RoleInterrupted, "false"))
		w.Bool("isImage", false)
		w.Bool("noOutputExpected", false)
	case schema.Read:
		w.String("type", "text")
		w.Raw("file", appendFile(nil, get(schema.RolePath, `""`), get(schema.RoleContent, `""`)))
	case schema.Write:
		kind := "update"
		original := get(schema.RoleOriginal, "null")
		if string(original) == "null" {
			kind = "create"
		}
		w.String("type", kind)
		w.Raw("filePath", get(schema.RolePath, `""`))
		w.Raw("content", get(schema.RoleContent, `""`))
		w.Raw("structuredPatch", []byte("[]"))
		w.Raw("originalFile", original)
		w.Bool("userModified", false)
	case schema.Edit, schema.MultiEdit:
		w.Raw("filePath", get(schema.RolePath, `""`))
		if v.Kind == schema.Edit {
			w.Raw("oldString", get(schema.RoleOldText, `""`))
			w.Raw("newString", get(schema.RoleNewText, `""`))
		} else {
			w.Raw("edits", schema.CanonicalEdits.Convert(get(schema.RoleEdits, "[]"), edit))
		}
		w.Raw("originalFile", get(schema.RoleOriginal, "null"))
		w.Raw("structuredPatch", []byte("[]"))
		w.Bool("userModified", false)
		w.Raw("replaceAll", get(schema.RoleReplaceAll, "false"))
	case schema.MCP:
		return append(dst, get(schema.RoleBlocks, "[]")...)
	default:
		return schema.AppendArgs(dst, t.Output, nil)
	}
	return w.Bytes()
}

// appendOwnResult writes a result that was read from this dialect: the names
// are still there.
func appendOwnResult(dst []byte, c *schema.Call, v schema.View) []byte {
	if raw, ok := c.Tool.Output.Get(schema.RoleBlocks); ok {
		return append(dst, raw...)
	}
	w := ordjson.NewWriter(dst)
	for _, a := range c.Tool.Output {
		if v.Kind == schema.Read && a.Role != schema.Rest {
			continue // inside the file object, which is written whole
		}
		w.Raw(a.Name, a.Raw)
	}
	return w.Bytes()
}

// appendFile writes the file object of a Read result.
func appendFile(dst, path, content []byte) []byte {
	lines := int64(1)
	if s, ok := ordjson.String(content); ok {
		lines += int64(bytes.Count([]byte(s), []byte("\n")))
	}
	w := ordjson.NewWriter(dst)
	w.Raw("filePath", path)
	w.Raw("content", content)
	w.Int("numLines", lines)
	w.Int("startLine", 1)
	w.Int("totalLines", lines)
	return w.Bytes()
}

// trimNewline drops the line end that Claude Code takes off a command's output.
func trimNewline(raw []byte) []byte {
	s, ok := ordjson.String(raw)
	if !ok || s == "" || s[len(s)-1] != '\n' {
		return raw
	}
	return ordjson.AppendString(nil, s[:len(s)-1])
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

// splitShellError takes the status off the error text of a failed command.
func splitShellError(c *schema.Call) {
	rest, ok := strings.CutPrefix(c.Str(schema.FieldError), exitCode)
	if !ok {
		return
	}
	code, text, _ := strings.Cut(rest, "\n")
	if n, err := strconv.Atoi(code); err != nil || strconv.Itoa(n) != code { // it becomes a JSON number
		return
	}
	if text == "" && code != rest { // a line end that could not be put back
		return
	}
	c.Tool.Output = schema.Args{{Role: schema.RoleExitCode, Raw: []byte(code)}}
	c.SetStr(schema.FieldError, text)
}
