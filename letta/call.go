package letta

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// The text in a command's result around its output (observed 0.32.18).
const (
	noOutput = "(Command completed with no output)"
	exited   = "Exit code: "
)

// read sets the status of a result, which distinguishes a failure: the failure also raises a separate event.
func read(_ *family.Agent, c *schema.Call, _ ordjson.Object, _ schema.Environ) {
	if o, err := ordjson.Members(c.Get(schema.FieldToolOutput), 0); err == nil {
		c.SetStr(schema.FieldStatus, o.Str("status"))
	}
}

// classify reads the error of a failed call, which is a list of blocks as a text.
func classify(_ *family.Agent, c *schema.Call) {
	if c.Event != schema.PostToolFailure {
		return
	}
	text := c.Str(schema.FieldError)
	if _, err := ordjson.Elements([]byte(text), 0); err == nil {
		text = family.TextOf([]byte(text))
	}
	if rest, ok := strings.CutPrefix(text, exited); ok && c.Tool.Kind() == schema.Shell {
		code, printed, _ := strings.Cut(rest, "\n")
		if _, err := strconv.Atoi(code); err == nil {
			c.Tool.Output = schema.Args{{Role: schema.RoleExitCode, Raw: []byte(code)}}
			text = strings.TrimSuffix(strings.TrimSuffix(printed, noOutput), "\n")
		}
	}
	c.SetStr(schema.FieldError, text)
}

// readResult returns a result by role. That of Read has line numbers.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	o, _ := ordjson.Members(raw, 0)
	if _, isText := o.Text("output"); !isText {
		return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	}
	return family.ReadText(k, o.Value("output"), printed, lineMark)
}

func printed(text string) string { return strings.TrimSuffix(text, noOutput) }

const lineMark = "\t"

// appendResult writes the result of another agent's call.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	if c.Str(schema.FieldStatus) == failed {
		return append(dst, ordjson.AppendTexts(nil, "status", failed, "output", c.Str(schema.FieldError))...)
	}
	return append(dst, ordjson.AppendTexts(nil, "status", "success", "output",
		family.ResultText(c, v, noOutput, lineMark))...)
}

// Views lists the views of a call; a failed call has those of both events (observed 0.32.18).
func (a Dialect) Views(c *schema.Call) []schema.View {
	views := a.Agent.Views(c)
	if c.Event != schema.PostToolFailure || c.Dialect == a.Data.Agent() {
		return views
	}
	for _, v := range views {
		v.Event = afterTool
		views = append(views, v)
	}
	return views
}

// AppendCall writes c; an error is a list of blocks, and the client's own is unchanged.
func (a Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	if c.Event != schema.PostToolFailure {
		return a.Agent.AppendCall(dst, c, v)
	}

	c = c.Clone()
	came, _ := ordjson.Parse(c.Raw)
	if raw := came.Value("error_message"); c.Dialect == a.Data.Agent() && raw != nil {
		c.Set(schema.FieldError, raw)
		return a.Agent.AppendCall(dst, c, v)
	}

	text := c.Str(schema.FieldError)
	if code, known := c.Tool.Output.Get(schema.RoleExitCode); known && v.Kind == schema.Shell {
		text = schema.JoinText(exited+string(code), cmp.Or(text, noOutput))
	}
	if v.Event == afterTool {
		c.Event = schema.PostTool
		c.SetStr(schema.FieldStatus, failed)
	} else {
		text = string(schema.TextBlocks(ordjson.AppendString(nil, text)))
	}
	c.SetStr(schema.FieldError, text)
	return a.Agent.AppendCall(dst, c, v)
}
