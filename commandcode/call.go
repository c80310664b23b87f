package commandcode

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
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
	family.Enter(c)
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
