package cursor

import (
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

func (e *encoder) tool() {
	t := &e.c.Tool
	name := e.v.Tool
	if e.v.Kind == schema.MCP {
		name = mcpPrefix + t.Name
	}
	e.String("tool_name", name)
	e.Value("tool_input", e.input)
	if e.row.Event == schema.PostTool {
		e.Value("tool_output", e.quotedOutput)
	}
	for _, f := range e.row.Fields {
		if f == schema.FieldInterrupted {
			e.useID()
		}
		if f == schema.FieldError {
			e.failure()
			continue
		}
		e.field(f, e.fallback(f))
	}
	if e.row.Event != schema.PostToolFailure {
		e.useID()
	}
	switch {
	case e.exact:
		e.field(schema.FieldToolCwd, "")
	case e.v.Kind == schema.Shell:
		e.String("cwd", e.c.Cwd)
	}
}

func (e *encoder) useID() {
	if !e.exact || e.c.Tool.UseID != "" {
		e.String("tool_use_id", e.c.Tool.UseID)
	}
}

func rowOfView(v schema.View) *schema.ToolRow {
	if v.Kind == schema.MCP {
		return &mcpTool
	}
	return profile.Tool(v.Tool)
}

// quotedOutput writes the tool's result as the string that Cursor makes of it.
func (e *encoder) quotedOutput(dst []byte) []byte { return ordjson.AppendStringBytes(dst, e.output()) }

func (e *encoder) input(dst []byte) []byte {
	t := &e.c.Tool
	if t.Whole != nil {
		return append(dst, t.Whole...)
	}
	row := rowOfView(e.v)
	switch {
	case row == nil:
		return schema.AppendNamed(dst, t.Input)
	case e.exact:
		return schema.AppendOwn(dst, t.Input, row.Input)
	}
	w := ordjson.NewWriter(dst)
	for _, a := range t.Input {
		if a, ok := schema.NativeArg(row.Input, a); ok {
			w.Raw(a.Name, a.Raw)
		}
	}
	if e.v.Kind == schema.Shell && e.c.Dialect != "cursor" {
		if _, ok := t.Input.Get(schema.RoleCwd); !ok {
			w.String("cwd", e.c.Cwd)
		}
	}
	return w.Bytes()
}

func (e *encoder) output() []byte {
	t := &e.c.Tool
	if raw, ok := t.Output.Get(schema.RoleWhole); ok {
		if s, ok := ordjson.String(raw); ok {
			return []byte(s)
		}
		return raw
	}
	row := rowOfView(e.v)
	switch {
	case e.exact && len(t.Output) == 1 && t.Output[0].Name == "": // a plain text
		s, _ := ordjson.String(t.Output[0].Raw)
		return []byte(s)
	case e.exact && row != nil:
		return schema.AppendOwn(nil, t.Output, row.Output)
	case row == nil || len(row.Output) == 0: // the result has no form of its own, so it stays as it is
		return schema.AppendNamed(nil, t.Output)
	case e.c.Dialect == "cursor":
		return schema.AppendArgs(nil, t.Output, row.Output)
	}
	result := t.Output
	if e.c.Event == schema.PostToolFailure {
		result = failedResult(e.c)
	}
	w := ordjson.NewWriter(nil)
	for _, r := range row.Output {
		raw, ok := result.Get(r.Role)
		if !ok {
			raw, ok = t.Input.Get(r.Role)
		}
		switch {
		case r.Role == schema.RoleStdout:
			raw, ok = joinStreams(result), true
		case r.Role == schema.RoleLength && !ok:
			s := t.Output.Text(schema.RoleContent)
			w.Int(r.Name, int64(len(s)))
		case r.Role == schema.RoleOK:
			raw, ok = []byte("true"), true
		case r.Role == schema.RoleExitCode && !ok:
			raw, ok = []byte("0"), true
		case r.Role == schema.RoleIsError && !ok:
			raw, ok = []byte("false"), true
		}
		if ok {
			w.Raw(r.Name, raw)
		}
	}
	return w.Bytes()
}

// failedResult is the result of a call that another agent reports as failed,
// with what it printed for its only content.
func failedResult(c *schema.Call) schema.Args {
	text := ordjson.AppendString(nil, c.Str(schema.FieldError))
	out := append(schema.Args(nil), c.Tool.Output...)
	return append(out, schema.Arg{Role: schema.RoleStdout, Raw: text}, schema.Arg{Role: schema.RoleBlocks, Raw: schema.TextBlocks(text)},
		schema.Arg{Role: schema.RoleIsError, Raw: []byte("true")})
}

// joinStreams is the one output that Cursor shows of the two.
func joinStreams(as schema.Args) []byte {
	a, b := as.Text(schema.RoleStdout), as.Text(schema.RoleStderr)
	if out, ok := as.Get(schema.RoleStdout); ok && b == "" {
		return out
	}
	return ordjson.AppendString(nil, schema.JoinText(a, b))
}

func (e *encoder) gate() {
	t := &e.c.Tool
	for _, f := range e.row.Fields {
		switch f {
		case schema.FieldToolName:
			e.String("tool_name", t.Name)
		case schema.FieldToolInput:
			if _, text := ordjson.String(t.Whole); text && e.exact {
				e.Raw("tool_input", t.Whole)
			} else {
				e.Raw("tool_input", ordjson.AppendStringBytes(nil, e.input(nil)))
			}
		case schema.FieldResult:
			e.Value("result_json", e.quotedOutput)
		case schema.FieldServerName:
			if e.exact {
				e.field(f, "")
			} else if e.v.Server != "" {
				e.String("mcp_server_name", e.v.Server)
			}
		case schema.FieldSandbox:
			e.limit()
			if !e.old || e.exact {
				e.field(f, "false")
			}
		case schema.FieldAttachments:
			e.field(f, "[]")
		case schema.FieldCommand, schema.FieldToolCwd, schema.FieldPath, schema.FieldContent, schema.FieldEdits, schema.FieldOutput:
			e.gateArg(f)
		default:
			e.field(f, e.fallback(f))
		}
	}
	if e.exact {
		e.useID()
	}
}

// limit writes the time limit of a command, which the gate names up to version 2.4
// (docs 2026-01).
func (e *encoder) limit() {
	raw, ok := e.c.Tool.Input.Get(schema.RoleTimeout)
	if ok && e.row.Event == schema.PreTool && (e.old || e.exact) {
		e.Raw(gateTimeout, raw)
	}
}

const gateTimeout = "timeout"

// asRead is a file's text as Cursor reads it: without a byte order mark, lines
// ended by LF, and no more than its limit (observed SDK 1.0.32).
func asRead(raw []byte) []byte {
	s, ok := ordjson.String(raw)
	if !ok {
		return raw
	}
	s = strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n")
	return ordjson.AppendString(nil, cutUTF16(s, readLimit))
}

// cutUTF16 is what of s fits into a number of UTF-16 units.
func cutUTF16(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for i, c := range s {
		if limit -= max(utf16.RuneLen(c), 1); limit < 0 {
			return s[:i]
		}
	}
	return s
}

func (e *encoder) gateArg(f schema.Field) {
	t := &e.c.Tool
	for _, g := range gateArgs {
		if g.Field != f {
			continue
		}
		raw, ok := t.Input.Get(g.Role)
		if g.Out {
			raw, ok = t.Output.Get(g.Role)
		}
		switch {
		case e.exact && (f == schema.FieldEdits || !ok):
			e.field(f, "")
			return
		case f == schema.FieldEdits && ok:
			raw = schema.CanonicalEdits.Convert(raw, edit)
		case f == schema.FieldEdits:
			raw = edit.Append(nil, editsOf(t))
		case f == schema.FieldContent && ok && e.c.Dialect != "cursor":
			raw = asRead(raw)
		case f == schema.FieldOutput && e.c.Dialect != "cursor":
			raw = joinStreams(t.Output)
			if e.c.Event == schema.PostToolFailure {
				raw = joinStreams(failedResult(e.c))
			}
		case f == schema.FieldToolCwd && !ok:
			raw = ordjson.AppendString(nil, e.c.Cwd)
		case !ok:
			raw = []byte(`""`)
		}
		e.Raw(members.Of(f).Name, raw)
		return
	}
}

// editsOf makes one edit of a replacement or a whole-file write.
func editsOf(t *schema.Tool) []schema.TextEdit {
	if _, ok := t.Input.Get(schema.RoleNewText); ok {
		return []schema.TextEdit{{Old: t.Input.Text(schema.RoleOldText), New: t.Input.Text(schema.RoleNewText)}}
	}
	return []schema.TextEdit{{New: t.Input.Text(schema.RoleContent)}}
}

// subagent writes a start event from the call of the tool that starts agents.
func (e *encoder) subagent() {
	t := &e.c.Tool
	kind := agentTypes.Spell(t.Input.Text(schema.RoleAgentType))
	if e.old {
		e.String("subagent_type", kind)
		e.String("prompt", t.Input.Text(schema.RolePrompt))
		return
	}
	e.String("subagent_id", t.UseID)
	e.String("subagent_type", kind)
	e.String("task", t.Input.Text(schema.RolePrompt))
	e.as("parent_conversation_id", schema.FieldSession, `""`)
	e.String("tool_call_id", t.UseID)
	e.String("subagent_model", t.Input.Text(schema.RoleModel))
	e.Bool("is_parallel_worker", false)
}
