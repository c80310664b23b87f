package omp

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/pi"
	"github.com/hookbridge/hookbridge/schema"
)

// The text in a result around a command's output or a file (observed 18.2.3).
const (
	wallTime = "\n\nWall time: "
	exited   = "\n\nCommand exited with code "
	lineMark = ":"
)

// printed extracts a command's output from its result.
func printed(text string) string {
	if at := strings.LastIndex(text, wallTime); at >= 0 {
		text = text[:at]
	}
	return strings.TrimPrefix(text, pi.NoOutput)
}

// classify sets the kinds of an edit, and the exit code of a failed command.
func classify(_ *family.Agent, c *schema.Call) {
	if c.Tool.Name == editTool {
		c.Tool.Kinds = editKinds(c)
	}
	c.Malformed = c.Malformed || namesNothing(c)
	family.Enter(c)
	if c.Event != schema.PostToolFailure || c.Tool.Kind() != schema.Shell {
		return
	}
	text := c.Str(schema.FieldError)
	at := strings.LastIndex(text, exited)
	if at < 0 {
		return
	}
	code, _, _ := strings.Cut(text[at+len(exited):], "\n")
	if _, err := strconv.Atoi(code); err == nil {
		c.Tool.Output = schema.Args{{Role: schema.RoleExitCode, Raw: []byte(code)}}
		c.SetStr(schema.FieldError, strings.TrimSuffix(printed(text), "\n"))
	}
}

// readResult returns a result by role: a command's output, or a file's lines without the line that names the file.
func readResult(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args {
	out := pi.New().Steps.ReadResult(k, row, raw)
	for i, a := range out {
		text := family.TextOf(a.Raw)
		switch a.Role {
		case schema.RoleStdout:
			text = printed(text)
		case schema.RoleContent:
			head, rest, _ := strings.Cut(text, "\n")
			if _, ok := heading(head); ok {
				text = family.Unnumbered(rest, lineMark)
			}
		default:
			continue
		}
		out[i].Raw = ordjson.AppendString(nil, text)
	}
	return out
}
