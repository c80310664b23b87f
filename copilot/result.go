package copilot

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// success is the word for a tool that worked, endMark begins the last line of a command's result, endWords come before
// the exit code (observed 1.0.102).
const success, endMark, endWords = "success", "<shellId: ", " completed with exit code "

// decodeResult reads the result of a tool: a text, in an object with a field for success. A failed command also counts
// as a success there; other agents raise another event for it.
func decodeResult(c *schema.Call, raw []byte) {
	t := &c.Tool
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		t.Output = schema.Args{{Role: roleOfText(t.Kind()), Raw: raw}}
		return
	}
	for _, m := range o {
		a := schema.Arg{Name: m.Name, Raw: m.Value}
		s, isText := ordjson.String(m.Value)
		if isText && (m.Name == "textResultForLlm" || m.Name == "text_result_for_llm") {
			switch a.Role = roleOfText(t.Kind()); a.Role {
			case schema.RoleStdout:
				out, code := splitOutput(s)
				a.Raw = ordjson.AppendString(nil, out)
				failedWith(c, code, out)
			case schema.RoleBlocks:
				a.Raw = schema.TextBlocks(ordjson.AppendString(nil, s))
			}
		}
		t.Output = append(t.Output, a)
	}
}

// confirmation returns the answer of create and edit to a successful change (observed 1.0.102), "" for any other call.
// Other agents each have their own.
func confirmation(c *schema.Call, v schema.View) string {
	path := c.Tool.Input.Text(schema.RolePath)
	if path == "" || c.Event != schema.PostTool || v.Tool == patchTool {
		return ""
	}
	switch v.Kind {
	case schema.Write:
		written := utf16.Encode([]rune(c.Tool.Input.Text(schema.RoleContent)))
		return "Created file " + path + " with " + strconv.Itoa(len(written)) + " characters"
	case schema.Edit, schema.MultiEdit:
		return "File " + path + " updated with changes."
	}
	return ""
}

func failedWith(c *schema.Call, code, out string) {
	if code == "" || code == "0" {
		return
	}
	c.Event = schema.PostToolFailure
	c.SetStr(schema.FieldError, out)
	c.Tool.Output = append(c.Tool.Output, schema.Arg{Role: schema.RoleExitCode, Raw: []byte(code)})
}

func roleOfText(k schema.Kind) schema.Role {
	switch k {
	case schema.Shell:
		return schema.RoleStdout
	case schema.Read:
		return schema.RoleContent
	case schema.MCP:
		return schema.RoleBlocks
	}
	return schema.RoleWhole
}

// Uncounted removes the line that names the shell (observed 1.0.102: every command has its own).
func (Dialect) Uncounted(result string) string {
	out, _ := splitOutput(result)
	return out
}

func splitOutput(s string) (out, code string) {
	i := strings.LastIndex(s, endMark)
	if i < 0 || i > 0 && s[i-1] != '\n' || !strings.HasSuffix(s, ">") {
		return s, ""
	}
	_, code, ok := strings.Cut(strings.TrimSuffix(s[i:], ">"), endWords)
	if n, err := strconv.Atoi(code); !ok || err != nil || strconv.Itoa(n) != code {
		return s, ""
	}
	return strings.TrimSuffix(s[:i], "\n"), code
}

func resultOf(c *schema.Call, v schema.View, camel bool) []byte {
	if camel {
		return ordjson.AppendTexts(nil, "resultType", success, "textResultForLlm", resultText(c, v, true))
	}
	return ordjson.AppendTexts(nil, "result_type", success, "text_result_for_llm", resultText(c, v, true))
}

// resultText returns a tool's result as one text. With cli, it follows the command line: a command's output ends with
// its exit code, and a sentence confirms a file change. For VS Code, neither is known.
func resultText(c *schema.Call, v schema.View, cli bool) string {
	t := &c.Tool
	if said := confirmation(c, v); cli && said != "" {
		return said
	}

	if raw, ok := t.Output.Get(schema.RoleWhole); ok {
		return family.TextOf(raw)
	}
	if t.Kind() == schema.Shell || t.Kind() == schema.Delete {
		code := "0"
		if raw, ok := t.Output.Get(schema.RoleExitCode); ok {
			code = string(raw)
		}
		number := cmp.Or(string(c.Get(schema.FieldCommandNumber)), "0")
		out := schema.JoinText(t.Output.Text(schema.RoleStdout), t.Output.Text(schema.RoleStderr))
		if c.Event == schema.PostToolFailure {
			if said := strings.TrimSpace(c.Str(schema.FieldError)); !strings.Contains(out, said) {
				out = schema.JoinText(out, said)
			}
			code = cmp.Or(strings.TrimPrefix(code, "0"), "1")
		}
		if !cli {
			return out
		}
		return strings.TrimPrefix(strings.TrimSuffix(out, "\n")+"\n"+endMark+number+endWords+code+">", "\n")
	}

	for _, role := range []schema.Role{schema.RoleContent, schema.RoleBlocks} {
		if raw, ok := t.Output.Get(role); ok {
			return family.TextOf(raw)
		}
	}

	return family.TextOf(schema.AppendNamed(nil, t.Output))
}
