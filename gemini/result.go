package gemini

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// The members of a tool_response, and what the text of a command's result is made
// of (observed 0.61.0).
const (
	forModel, forUser, failed = "llmContent", "returnDisplay", "error"

	untrusted, trusted = "<untrusted_context>\n", "\n</untrusted_context>"
	outputMark         = "Output: "
	exitMark           = "Exit Code: "
	noOutput           = "(empty)"
)

// endMarks begin the lines behind a command's output.
var endMarks = []string{"Error: ", exitMark, "Signal: ", "Background PIDs: ", "Process Group PGID: "}

// decodeResult reads a tool_response. A result with an error, and that of a command
// that failed, is told by other agents at another event.
func decodeResult(c *schema.Call, raw []byte) {
	t := &c.Tool
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		t.Output = schema.Args{{Role: schema.RoleWhole, Raw: raw}}
		return
	}
	content, _ := o.Get(forModel)
	for _, m := range o {
		a := schema.Arg{Name: m.Name, Raw: m.Value}
		switch {
		case m.Name == forModel && !hasError(raw):
			a.Role, a.Raw = contentRole(t.Kind(), content)
		case m.Name == forUser && (t.Kind() == schema.Write || t.Kind() == schema.Edit):
			t.Output = append(t.Output, fileResult(m.Value)...)
		}
		t.Output = append(t.Output, a)
	}
	if message, ok := errorOf(o); ok {
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, message)
		return
	}
	s, _ := ordjson.String(content)
	if _, code := splitOutput(s); t.Kind() == schema.Shell && code > 0 {
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, text(t.Output, schema.RoleStdout))
		t.Output = append(t.Output, schema.Arg{Role: schema.RoleExitCode, Raw: strconv.AppendInt(nil, int64(code), 10)})
	}
}

// hasError reports whether a tool_response says that the tool failed.
func hasError(raw []byte) bool {
	o, _ := ordjson.Members(raw, 0)
	_, ok := errorOf(o)
	return ok
}

func errorOf(o ordjson.Object) (message string, ok bool) {
	raw, _ := o.Get(failed)
	inner, err := ordjson.Members(raw, 0)
	if err != nil {
		return "", false
	}
	raw, _ = inner.Get("message")
	message, _ = ordjson.String(raw)
	return message, true
}

// contentRole says what the text for the model is, by the kind of tool.
func contentRole(k schema.Kind, raw []byte) (schema.Role, []byte) {
	s, isText := ordjson.String(raw)
	switch {
	case k == schema.Shell && isText:
		out, _ := splitOutput(s)
		return schema.RoleStdout, ordjson.AppendString(nil, out)
	case k == schema.Read && isText:
		return schema.RoleContent, raw
	case k == schema.MCP && !isText:
		return schema.RoleBlocks, partsToBlocks(raw)
	case k == schema.Write || k == schema.Edit:
		return schema.Rest, raw
	}
	return schema.RoleWhole, raw
}

// splitOutput takes a command's output and exit status out of its result.
func splitOutput(s string) (out string, code int) {
	s = strings.TrimSuffix(strings.TrimPrefix(s, untrusted), trusted)
	s, ok := strings.CutPrefix(s, outputMark)
	if !ok {
		return s, 0
	}
	lines := strings.Split(s, "\n")
	n := len(lines)
	for n > 1 && isEnd(lines[n-1]) {
		n--
		if text, ok := strings.CutPrefix(lines[n], exitMark); ok {
			code, _ = strconv.Atoi(text)
		}
	}
	if out = strings.Join(lines[:n], "\n"); out == noOutput {
		out = ""
	}
	return out, code
}

func isEnd(line string) bool {
	for _, m := range endMarks {
		if strings.HasPrefix(line, m) {
			return true
		}
	}
	return false
}

// fileResult reads what a file tool shows the user: the file before and after.
func fileResult(raw []byte) (out schema.Args) {
	o, _ := ordjson.Members(raw, 0)
	created, _ := o.Get("isNewFile")
	for _, a := range schema.DecodeArgs(o, changed) {
		switch {
		case a.Role == schema.RoleOriginal && string(created) == "true":
			a.Raw = []byte("null")
		case a.Role == schema.Rest:
			continue
		}
		out = append(out, a)
	}
	return out
}

// partsToBlocks turns the parts of a result into the content blocks of the MCP
// protocol. What is no text is left as it is.
func partsToBlocks(raw []byte) []byte {
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return raw
	}
	out := []byte{'['}
	for i, m := range list {
		if i > 0 {
			out = append(out, ',')
		}
		o, _ := ordjson.Members(m.Value, 0)
		part, _ := o.Get("text")
		s, ok := ordjson.String(part)
		if !ok {
			out = append(out, m.Value...)
			continue
		}
		w := ordjson.NewWriter(out)
		w.String("type", "text")
		w.String("text", strings.TrimSuffix(strings.TrimPrefix(s, untrusted), trusted))
		out = w.Bytes()
	}
	return append(out, ']')
}

// appendResult writes the tool_response that Gemini CLI would give in view v for the
// result of another agent's call.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	w := ordjson.NewWriter(dst)
	out := func(r schema.Role) []byte { raw, _ := t.Output.Get(r); return raw }
	shell := v.Kind == schema.Shell || v.Kind == schema.Delete
	if c.Event != schema.PostTool && !(shell && out(schema.RoleExitCode) != nil) {
		message := c.Str(schema.FieldError)
		w.String(forModel, message)
		w.String(forUser, message)
		inner := ordjson.NewWriter(nil)
		inner.String("message", message)
		inner.String("type", "unknown")
		w.Raw(failed, inner.Bytes())
		return w.Bytes()
	}
	whole, isWhole := t.Output.Get(schema.RoleWhole)
	switch {
	case shell:
		printed, marks := printedBy(c)
		w.String(forModel, untrusted+outputMark+printed+marks+trusted)
		w.String(forUser, printed)
	case v.Kind == schema.Read && out(schema.RoleContent) != nil:
		w.Raw(forModel, out(schema.RoleContent))
		w.String(forUser, "")
	case v.Kind == schema.MCP && out(schema.RoleBlocks) != nil:
		w.Raw(forModel, blocksToParts(out(schema.RoleBlocks)))
		w.String(forUser, "")
	case (v.Tool == writeTool || v.Tool == editTool) && !isWhole:
		path := text(t.Input, schema.RolePath)
		w.String(forModel, "Successfully modified file: "+path)
		w.Raw(forUser, appendFile(t, path))
	case isWhole:
		w.Raw(forModel, whole)
		w.String(forUser, "")
	default:
		w.Raw(forModel, ordjson.AppendString(nil, string(schema.AppendArgs(nil, t.Output, nil))))
		w.String(forUser, "")
	}
	return w.Bytes()
}

const writeTool, editTool = "write_file", "replace"

// printedBy is the output of a command, and what stands behind it.
func printedBy(c *schema.Call) (out, marks string) {
	t := &c.Tool
	out = schema.JoinText(strings.TrimSuffix(text(t.Output, schema.RoleStdout), "\n"), text(t.Output, schema.RoleStderr))
	if c.Event == schema.PostToolFailure {
		out = c.Str(schema.FieldError)
		if code, _ := t.Output.Get(schema.RoleExitCode); string(code) != "0" {
			marks = "\n" + exitMark + string(code)
		}
	}
	if out == "" {
		out = noOutput
	}
	return out, marks
}

// appendFile writes what a file tool shows the user.
func appendFile(t *schema.Tool, path string) []byte {
	get := func(r schema.Role) string {
		if raw, ok := t.Output.Get(r); ok {
			s, _ := ordjson.String(raw)
			return s
		}
		return text(t.Input, r)
	}
	original, _ := t.Output.Get(schema.RoleOriginal)
	w := ordjson.NewWriter(nil)
	w.String("fileDiff", "")
	w.String("fileName", filepath.Base(path))
	w.String("filePath", path)
	w.String("originalContent", get(schema.RoleOriginal))
	w.String("newContent", get(schema.RoleContent))
	w.Bool("isNewFile", string(original) == "null")
	return w.Bytes()
}

// blocksToParts turns the content blocks of an MCP result into parts.
func blocksToParts(raw []byte) []byte {
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return raw
	}
	out := []byte{'['}
	for i, m := range list {
		if i > 0 {
			out = append(out, ',')
		}
		o, _ := ordjson.Members(m.Value, 0)
		part, _ := o.Get("text")
		s, ok := ordjson.String(part)
		if kind, _ := o.Get("type"); !ok || string(kind) != `"text"` || len(o) != 2 {
			out = append(out, m.Value...)
			continue
		}
		w := ordjson.NewWriter(out)
		w.String("text", untrusted+s+trusted)
		out = w.Bytes()
	}
	return append(out, ']')
}
