package gemini

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// The fields of a tool_response, and the parts of the text in a command's result (observed 0.61.0).
const (
	forModel, forUser  = "llmContent", "returnDisplay"
	untrusted, trusted = "<untrusted_context>\n", "\n</untrusted_context>"
	outputMark         = "Output: "
	exitMark           = "Exit Code: "
	noOutput           = "(empty)"
)

// endMarks begin the lines after a command's output.
var endMarks = []string{"Error: ", exitMark, "Signal: ", "Background PIDs: ", "Process Group PGID: "}

// decodeResult reads a tool_response. For a result with an error, and that of a failed command, other agents raise
// another event.
func decodeResult(c *schema.Call, raw []byte) {
	t := &c.Tool
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		t.Output = schema.Args{{Role: schema.RoleWhole, Raw: raw}}
		return
	}

	t.Output = nil
	message, failed := errorIn(raw)
	code := 0
	for _, m := range o {
		a := schema.Arg{Name: m.Name, Raw: m.Value}
		switch {
		case m.Name == forModel && !failed:
			a.Role, a.Raw, code = content(t.Kind(), m.Value)
		case m.Name == forUser && (t.Kind() == schema.Write || t.Kind() == schema.Edit):
			t.Output = append(t.Output, fileResult(m.Value)...)
		}
		t.Output = append(t.Output, a)
	}

	if code != 0 {
		message = t.Output.Text(schema.RoleStdout)
		t.Output = append(t.Output, schema.Arg{Role: schema.RoleExitCode, Raw: strconv.AppendInt(nil, int64(code), 10)})
	}
	if failed || code != 0 {
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, message)
	}
}

func errorIn(raw []byte) (message string, ok bool) {
	o, _ := ordjson.Members(raw, 0)
	o, err := o.Members("error")
	return o.Str("message"), err == nil
}

// content returns the role of the model's text, by the kind of tool.
func content(k schema.Kind, raw []byte) (role schema.Role, value []byte, code int) {
	s, isText := ordjson.String(raw)
	switch {
	case k == schema.Shell && isText:
		s, code = splitOutput(s)
		return schema.RoleStdout, ordjson.AppendString(nil, s), code
	case k == schema.Read && isText:
		return schema.RoleContent, raw, 0
	case k == schema.MCP && !isText:
		return schema.RoleBlocks, eachText(raw, func(w *ordjson.Writer, s string) {
			w.String("type", "text")
			w.String("text", strings.TrimSuffix(strings.TrimPrefix(s, untrusted), trusted))
		}), 0
	case k == schema.Write || k == schema.Edit:
		return schema.Rest, raw, 0
	}
	return schema.RoleWhole, raw, 0
}

// eachText rewrites the texts in a list of parts or of content blocks. Values without text are unchanged.
func eachText(raw []byte, write func(w *ordjson.Writer, s string)) []byte {
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return raw
	}
	return ordjson.AppendArray(nil, list, func(dst []byte, m ordjson.Member) []byte {
		o, _ := ordjson.Members(m.Value, 0)
		s, ok := o.Text("text")
		kind, typed := o.Get("type")
		if !ok || typed && (string(kind) != `"text"` || len(o) != 2) {
			return append(dst, m.Value...)
		}
		w := ordjson.NewWriter(dst)
		write(&w, s)
		return w.Bytes()
	})
}

func splitOutput(s string) (out string, code int) {
	s = strings.TrimSuffix(strings.TrimPrefix(s, untrusted), trusted)
	s, ok := strings.CutPrefix(s, outputMark)
	if !ok {
		return s, 0
	}
	lines := strings.Split(s, "\n")
	n := len(lines)
	for ; n > 1 && isEnd(lines[n-1]); n-- {
		if text, ok := strings.CutPrefix(lines[n-1], exitMark); ok {
			code, _ = strconv.Atoi(text)
		}
	}
	if out = strings.Join(lines[:n], "\n"); out == noOutput {
		out = ""
	}
	return out, max(code, 0)
}

func isEnd(line string) bool {
	return slices.ContainsFunc(endMarks, func(m string) bool { return strings.HasPrefix(line, m) })
}

// fileResult reads what a file tool shows the user: the file before and after.
func fileResult(raw []byte) (out schema.Args) {
	o, _ := ordjson.Members(raw, 0)
	created, _ := o.Get("isNewFile")
	for _, a := range schema.DecodeArgs(o, changed) {
		if a.Role == schema.RoleOriginal && string(created) == "true" {
			a.Raw = []byte("null")
		}
		if a.Role != schema.Rest {
			out = append(out, a)
		}
	}
	return out
}

// appendResult writes the tool_response that Gemini CLI would send in view v for the result of another agent's call.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	w := ordjson.NewWriter(dst)
	get := func(r schema.Role) []byte { raw, _ := t.Output.Get(r); return raw }
	shell := v.Kind == schema.Shell || v.Kind == schema.Delete
	if c.Event != schema.PostTool && !(shell && get(schema.RoleExitCode) != nil) {
		message := c.Str(schema.FieldError)
		w.String(forModel, message)
		w.String(forUser, message)
		w.Raw("error", ordjson.AppendTexts(nil, "message", message))
		return w.Bytes()
	}

	value, shown := []byte(nil), []byte(`""`)
	if whole, ok := t.Result(v.Kind); ok {
		value = whole
	}
	tool := profile.Tool(v.Tool)
	switch {
	case shell:
		out, marks := printedBy(c)
		value, shown = ordjson.AppendString(nil, untrusted+outputMark+out+marks+trusted), ordjson.AppendString(nil, out)
	case v.Kind == schema.Read && get(schema.RoleContent) != nil:
		value = get(schema.RoleContent)
	case v.Kind == schema.MCP && get(schema.RoleBlocks) != nil:
		value = eachText(get(schema.RoleBlocks), func(w *ordjson.Writer, s string) {
			w.String("text", untrusted+s+trusted)
		})
		shown = ordjson.AppendString(nil, family.TextOf(get(schema.RoleBlocks)))
	case value != nil:
	case tool != nil && len(tool.Output) > 0:
		value, shown = ordjson.AppendString(nil, "Successfully modified file: "+t.Input.Text(schema.RolePath)),
			appendFile(t)
	default:
		value = ordjson.AppendString(nil, string(schema.AppendArgs(nil, t.Output, nil)))
	}

	w.Raw(forModel, value)
	w.Raw(forUser, shown)
	return w.Bytes()
}

// printedBy returns the output of a command, and the lines after it.
func printedBy(c *schema.Call) (out, marks string) {
	t := &c.Tool
	out = schema.JoinText(strings.TrimSuffix(t.Output.Text(schema.RoleStdout), "\n"), t.Output.Text(schema.RoleStderr))
	if c.Event == schema.PostToolFailure {
		out = c.Str(schema.FieldError)
		if code, _ := t.Output.Get(schema.RoleExitCode); string(code) != "0" {
			marks = "\n" + exitMark + string(code)
		}
	}
	out = cmp.Or(out, noOutput)
	return out, marks
}

// appendFile writes what a file tool shows the user, as far as the other agent sends it.
func appendFile(t *schema.Tool) []byte {
	all := append(t.Output[:len(t.Output):len(t.Output)], t.Input...)
	path := t.Input.Text(schema.RolePath)
	w := ordjson.NewWriter(nil)
	w.String("fileName", filepath.Base(path))
	w.String("filePath", path)
	for _, row := range changed[1:] {
		raw, ok := all.Get(row.Role)
		if ok && string(raw) == "null" { // no file
			raw = []byte(`""`)
		}
		if ok {
			w.Raw(row.Name, raw)
		}
	}
	if original, ok := t.Output.Get(schema.RoleOriginal); ok {
		w.Bool("isNewFile", string(original) == "null")
	}
	return w.Bytes()
}
