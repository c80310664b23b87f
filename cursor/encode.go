package cursor

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// member writes a field of the event's row. Tool call fields combine several values of the call, and differ in the
// payload of a gate.
func (e *encoder) member(f schema.Field) {
	t := &e.c.Tool
	switch g := gateArg(f); {
	case f == schema.FieldAgentTranscript: // comes last
	case f == schema.FieldToolName && e.row.Gate != nil:
		e.String(e.name(f), t.Name)
	case f == schema.FieldToolName && e.v.Kind == schema.MCP:
		e.String(e.name(f), mcpPrefix+t.Name)
	case f == schema.FieldToolName:
		e.String(e.name(f), e.v.Tool)
	case f == schema.FieldToolInput && e.row.Gate == nil:
		e.Value(e.name(f), e.input)
	case f == schema.FieldToolInput:
		if _, text := ordjson.String(t.Whole); text && e.exact {
			e.Raw(e.name(f), t.Whole)
		} else {
			e.Raw(e.name(f), ordjson.AppendStringBytes(nil, e.input(nil)))
		}

	case f == schema.FieldToolOutput, f == schema.FieldResult: // as the string in Cursor's form
		e.Raw(e.name(f), ordjson.AppendStringBytes(nil, e.output()))
	case f == schema.FieldServerName && !e.exact:
		if e.v.Server != "" {
			e.String(e.name(f), e.v.Server)
		}

	case f == schema.FieldSandbox:
		e.limit()
		e.fields(f)
	case f == schema.FieldInterrupted:
		e.useID()
		e.fields(f)
	case f == schema.FieldError && e.row.Event.IsTool():
		e.failure()
	case g != nil && e.row.Gate != nil:
		e.arg(g)
	default:
		e.fields(f)
	}
}

func (e *encoder) useID() {
	if !e.exact || e.c.Tool.UseID != "" {
		e.String(e.name(schema.FieldToolUseID), e.c.Tool.UseID)
	}
}

func rowOfView(v schema.View) *schema.ToolRow {
	if v.Kind == schema.MCP {
		return &mcpTool
	}
	return profile.Tool(v.Tool)
}

func (e *encoder) input(dst []byte) []byte {
	t := &e.c.Tool
	if t.Whole != nil {
		return append(dst, t.Whole...)
	}
	row := rowOfView(e.v)
	switch {
	case row == nil:
		return schema.AppendNamed(dst, t.Input)
	case e.exact && e.v.Tool == t.Name:
		return schema.AppendOwn(dst, t.Input, row.Input)
	}
	in := t.Input
	if _, given := in.Get(schema.RoleCwd); e.v.Kind == schema.Shell && !e.own && !given {
		in = in.Set(schema.RoleCwd, "", ordjson.AppendString(nil, e.c.Cwd))
	}
	return schema.AppendArgs(dst, in, row.Input)
}

func (e *encoder) output() []byte {
	t := &e.c.Tool
	row := rowOfView(e.v)
	same := e.exact && !e.reshaped
	if raw, ok := t.Result(e.v.Kind); ok {
		s, text := ordjson.String(raw)
		switch {
		case text && !same && !e.own && saidByInput(row): // no Cursor result contains what was found
		case text:
			return []byte(s)
		default:
			return raw
		}
	}

	switch {
	case e.reshaped && e.old && e.v.Kind == schema.Shell: // the command's output
		s, _ := ordjson.String(joinStreams(t.Output))
		return []byte(s)
	case same && len(t.Output) == 1 && t.Output[0].Name == "": // a plain text
		s, _ := ordjson.String(t.Output[0].Raw)
		return []byte(s)
	case same && row != nil:
		return schema.AppendOwn(nil, t.Output, row.Output)
	case row == nil || len(row.Output) == 0: // the result has no special form, so it is unchanged
		return schema.AppendNamed(nil, t.Output)
	case e.own && !e.reshaped:
		return schema.AppendArgs(nil, t.Output, row.Output)
	}

	result := resultOf(e.c)
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
			w.Int(r.Name, int64(len(t.Output.Text(schema.RoleContent))))
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

// saidByInput reports whether a tool's result only repeats its input, and that it worked.
func saidByInput(row *schema.ToolRow) bool {
	return row != nil && len(row.Output) > 0 && !slices.ContainsFunc(row.Output, func(r schema.ArgRow) bool {
		return r.Role != schema.RoleOK && !slices.ContainsFunc(row.Input, func(in schema.ArgRow) bool {
			return in.Role == r.Role
		})
	})
}

// resultOf returns the result of a call. If another agent reports the call as failed, the result is only its output.
func resultOf(c *schema.Call) schema.Args {
	if c.Event != schema.PostToolFailure {
		return c.Tool.Output
	}
	text := ordjson.AppendString(nil, c.Str(schema.FieldError))
	return append(slices.Clone(c.Tool.Output), schema.Arg{Role: schema.RoleStdout, Raw: text},
		schema.Arg{Role: schema.RoleBlocks, Raw: schema.TextBlocks(text)},
		schema.Arg{Role: schema.RoleIsError, Raw: []byte("true")})
}

// joinStreams returns the single output that Cursor shows for both streams.
func joinStreams(as schema.Args) []byte {
	a, b := as.Text(schema.RoleStdout), as.Text(schema.RoleStderr)
	if out, ok := as.Get(schema.RoleStdout); ok && b == "" {
		return out
	}
	return ordjson.AppendString(nil, schema.JoinText(a, b))
}

// limit writes the timeout of a command, which the gate has up to version 2.4 (docs 2026-01).
func (e *encoder) limit() {
	raw, ok := e.c.Tool.Input.Get(schema.RoleTimeout)
	if ok && e.row.Event == schema.PreTool && (e.old || e.exact) {
		if seconds, ok := scaled(raw, 0.001); ok {
			e.Raw(gateTimeout, seconds)
		}
	}
}

// gateTimeout is in seconds: 30 in the documents of 2026-01, where the tool's input has 30000 (editor 2.5.25).
const gateTimeout = "timeout"

// scaled returns a number multiplied by a factor. ok is false if the value isn't a number that can be scaled back.
func scaled(raw []byte, by float64) (out []byte, ok bool) {
	n, err := strconv.ParseFloat(string(raw), 64)
	out = strconv.AppendFloat(nil, math.Round(n*by*1000)/1000, 'f', -1, 64)
	return out, err == nil && math.Abs(n) < 1e12
}

// asRead returns a file's text as Cursor reads it: without a byte order mark, with LF line ends, and cut at its limit
// (observed SDK 1.0.32).
func asRead(raw []byte) []byte {
	s, ok := ordjson.String(raw)
	if !ok {
		return raw
	}
	s = strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n")
	return ordjson.AppendString(nil, cutUTF16(s, readLimit))
}

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

func (e *encoder) arg(g *gateRow) {
	t := &e.c.Tool
	raw, ok := t.Input.Get(g.Role)
	if g.Out {
		raw, ok = t.Output.Get(g.Role)
	}
	switch f := g.Field; {
	case e.exact && (f == schema.FieldEdits || !ok):
		e.fields(f)
		return
	case f == schema.FieldEdits && ok:
		raw = schema.CanonicalEdits.Convert(raw, edit)
	case f == schema.FieldEdits:
		raw = edit.Append(nil, editsOf(t))
	case f == schema.FieldContent && ok && !e.own:
		raw = asRead(raw)
	case f == schema.FieldOutput && !e.own:
		raw = joinStreams(resultOf(e.c))
	case f == schema.FieldToolCwd && !ok:
		raw = ordjson.AppendString(nil, e.c.Cwd)
	case !ok:
		raw = []byte(`""`)
	}
	e.Raw(e.name(g.Field), raw)
}

func editsOf(t *schema.Tool) []schema.TextEdit {
	if _, ok := t.Input.Get(schema.RoleNewText); ok {
		return []schema.TextEdit{{Old: t.Input.Text(schema.RoleOldText), New: t.Input.Text(schema.RoleNewText)}}
	}
	return []schema.TextEdit{{New: t.Input.Text(schema.RoleContent)}}
}

// subagent writes a start event from the call of the tool that starts agents.
func (e *encoder) subagent() {
	t := &e.c.Tool
	session, _ := ordjson.String(e.get(schema.FieldSession))
	for _, x := range []struct {
		field schema.Field
		text  string
	}{
		{schema.FieldAgentID, t.UseID}, {schema.FieldAgentType, agentTypes.Spell(t.Input.Text(schema.RoleAgentType))},
		{schema.FieldTask, t.Input.Text(schema.RolePrompt)}, {schema.FieldAgentParent, session},
		{schema.FieldToolCallID, t.UseID},
		{schema.FieldSubagentModel, t.Input.Text(schema.RoleModel)},
	} {
		if as := e.name(x.field); as != "" {
			e.String(as, x.text)
		}
	}
	e.fields(schema.FieldParallel)
}
