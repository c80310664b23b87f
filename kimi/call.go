package kimi

import (
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// exitLine is the last line of a failed command's error, before its exit code and a period (observed 2.1.0).
const exitLine = "Command failed with exit code: "

// DecodeCall reads a payload, in which a prompt is a list of blocks and an error an object.
func (a Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	o, err := ordjson.Parse(src)
	if err != nil {
		return a.Agent.DecodeCall(src, env)
	}
	for i, m := range o {
		switch inner, _ := ordjson.Members(m.Value, m.Off); {
		case m.Name == "prompt" && ordjson.KindOf(m.Value) == ordjson.Array:
			o[i].Value = ordjson.AppendString(nil, promptText(m.Value))
		case m.Name == "error" && inner.Has("message"):
			o[i].Value = inner.Value("message")
		}
	}
	c, ds := a.Agent.DecodeCall(o.Append(nil), env)
	if c != nil {
		c.Raw = src
		readFailure(c)
	}
	return c, ds
}

// readFailure sets the exit code of a failed command from its error.
func readFailure(c *schema.Call) {
	text, code, ok := strings.Cut(c.Str(schema.FieldError), exitLine)
	code = strings.TrimSuffix(code, ".")
	isCode := code != "" && strings.Trim(code, "0123456789") == ""
	if !ok || !isCode || c.Event != schema.PostToolFailure || c.Tool.Kind() != schema.Shell {
		return
	}
	c.Tool.Output = schema.Args{{Role: schema.RoleExitCode, Raw: []byte(code)}}
	c.SetStr(schema.FieldError, strings.TrimSuffix(text, "\n"))
}

// promptText returns the text of a prompt's blocks, as matchers see it.
func promptText(blocks []byte) string {
	var texts []string
	list, _ := ordjson.Elements(blocks, 0)
	for _, m := range list {
		if o, _ := ordjson.Members(m.Value, m.Off); o.Str("type") == "text" {
			texts = append(texts, o.Str("text"))
		}
	}
	return strings.Join(texts, " ")
}

// AppendCall writes c with a prompt's blocks and an error's object. Those of the agent's own call are unchanged unless
// the text was changed.
func (a Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	o, err := ordjson.Parse(a.Agent.AppendCall(nil, c, v))
	if err != nil {
		return dst
	}

	var came ordjson.Object
	if c.Dialect == a.Data.Agent() {
		came, _ = ordjson.Parse(c.Raw)
	}
	for i, m := range o {
		text, isText := ordjson.String(m.Value)
		switch raw := came.Value(m.Name); {
		case !isText:
		case m.Name == "prompt" && (v.Event == "UserPromptSubmit" || v.Event == "UserPromptQueued"):
			if o[i].Value = raw; raw == nil || !ordjson.Equal(raw, m.Value) && promptText(raw) != text {
				o[i].Value = schema.TextBlocks(ordjson.AppendString(nil, text))
			}
		case m.Name == "error" && raw != nil:
			o[i].Value = raw
		case m.Name == "error":
			if code, ok := c.Tool.Output.Get(schema.RoleExitCode); ok && v.Kind == schema.Shell {
				text = schema.JoinText(text, exitLine+string(code)+".")
			}
			w := ordjson.NewWriter(nil)
			w.String("code", "internal")
			w.String("message", text)
			w.Bool("retryable", false)
			o[i].Value = w.Bytes()
		}
	}

	return o.Append(dst)
}

// more writes fields that other agents' payloads lack.
func more(w *ordjson.Writer, c *schema.Call, _ schema.View) {
	w.String(client, "kimi_code_cli")
	if c.Event == schema.PromptSubmit {
		w.Bool("is_steer", false)
	}
}

// classify moves the call to the folder that its command names. The folder isn't in a row of the tool. The client sends
// it only if the model gave one (observed 2.1.0), and hooks of other agents' calls shouldn't get one.
func classify(_ *family.Agent, c *schema.Call) {
	if c.Tool.Kind() != schema.Shell {
		return
	}
	for i, a := range c.Tool.Input {
		if a.Name == "cwd" && a.Role == schema.Rest {
			c.Tool.Input[i].Role = schema.RoleCwd
		}
	}
	family.Enter(c)
}

// noOutput is the result of a command without output (observed 2.1.0).
const noOutput = "Command executed successfully."

// readResult returns a result, which is a text, by role. That of Read has line numbers.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	return family.ReadText(k, raw, printed, "\t")
}

func printed(text string) string {
	if text == noOutput {
		return ""
	}
	return text
}

// cut returns the beginning of a text, at most limit UTF-16 units.
func cut(text string, limit int) string {
	for i, r := range text {
		if limit -= utf16.RuneLen(r); limit < 0 {
			return text[:i]
		}
	}
	return text
}

// maxOutput is the length of a result that hooks get, in UTF-16 units.
const maxOutput = 2000

// appendResult writes another agent's result as the text that the tool would return.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	return ordjson.AppendString(dst, cut(family.ResultText(c, v, noOutput, "\t"), maxOutput))
}
