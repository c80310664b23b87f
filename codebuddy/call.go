package codebuddy

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeCall reads a payload; that of SessionStart has no folder.
func (a Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	c, ds := a.Agent.DecodeCall(src, env)
	if c != nil {
		c.Cwd = cmp.Or(c.Cwd, c.Project)
	}
	return c, ds
}

// AppendCall writes c; the error in a result of the client's own call keeps its place.
func (a Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	if row := a.Row(c.Native); row != nil && c.Dialect == a.Data.Agent() && c.Event != row.Event {
		c = c.Clone()
		c.Drop(schema.FieldError)
	}
	return a.Agent.AppendCall(dst, c, v)
}

// classify turns a failed result into a failure event.
func classify(_ *family.Agent, c *schema.Call) {
	o, _ := ordjson.Members(c.Get(schema.FieldToolOutput), 0)
	if failed, _ := o.Bool("is_error"); failed && c.Event == schema.PostTool && slices.Contains(failing,
		c.Tool.Kind()) {
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, strings.TrimSuffix(printed(o.Str("error")), "\n"))
	}
}

// printed returns the output of a failed command: the error itself, or the content of the frame around it that the
// model gets.
func printed(text string) string {
	head, stdout, framed := strings.Cut(text, "\nStdout: ")
	end := strings.LastIndex(stdout, "\nExit Code: ")
	if !framed || end < 0 || !strings.HasPrefix(head, "Command: ") {
		return text
	}
	stdout, stderr, _ := strings.Cut(stdout[:end], "\nStderr: ")
	return schema.JoinText(strings.TrimSuffix(stdout, none), strings.TrimSuffix(stderr, none))
}

const none = "(empty)"

// more writes the client's additional fields, for calls of other agents.
func more(w *ordjson.Writer, c *schema.Call, _ schema.View) {
	if c.Tool.UseID != "" {
		w.String("call_id", c.Tool.UseID)
	}
	w.String("client", "CLI")
	w.String("version", known)
}

// readResult returns a tool_response by role: a file's text without line numbers, and nothing for a change, whose input
// has everything.
func readResult(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args {
	text, isText := ordjson.String(raw)
	o, err := ordjson.Members(raw, 0)
	switch {
	case k == schema.Read && isText:
		return schema.Args{{Role: schema.RoleContent, Raw: ordjson.AppendString(nil, plain(text))}}
	case (k == schema.Write || k == schema.Edit) && isText:
		return nil
	case k == schema.MCP && ordjson.KindOf(raw) == ordjson.Array:
		return schema.Args{{Role: schema.RoleBlocks, Raw: raw}}
	case err != nil:
		return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	case row == nil:
		return schema.DecodeArgs(o, nil)
	}
	return schema.DecodeArgs(o, row.Output)
}

const mark = "→" // between a line's number and its text

func plain(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if number, rest, ok := strings.Cut(line, mark); ok && strings.Trim(number, " 0123456789") == "" {
			lines[i] = rest
		}
	}
	return strings.Join(lines, "\n")
}

func numbered(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		n := strconv.Itoa(i + 1)
		lines[i] = strings.Repeat(" ", max(0, 4-len(n))) + n + mark + lines[i]
	}
	return strings.Join(lines, "\n")
}

// result writes the tool_response that the client would send for another agent's call.
func result(dst []byte, c *schema.Call, v schema.View) []byte {
	t, w, failed := &c.Tool, ordjson.NewWriter(dst), c.Event == schema.PostToolFailure
	blocks, isList := t.Output.Get(schema.RoleBlocks)
	switch {
	case v.Kind == schema.Shell, v.Kind == schema.Delete:
		interrupted, _ := t.Output.Get(schema.RoleInterrupted)
		code, known := t.Output.Get(schema.RoleExitCode)
		if !known {
			code = []byte(map[bool]string{true: "1", false: "0"}[failed])
		}
		w.Raw("exitCode", code)
		w.Raw("signal", []byte("null"))
		w.Bool("interrupted", string(interrupted) == "true")
		w.Bool("sandboxDenied", false)
		w.Int("stderrBytesTruncated", 0)
		w.Int("stdoutBytesTruncated", 0)
		w.String("tool_error_code", map[bool]string{true: "8002", false: "0"}[failed])
	case failed:
	case v.Kind == schema.Read && t.Output.Text(schema.RoleContent) != "":
		return ordjson.AppendString(dst, numbered(t.Output.Text(schema.RoleContent)))
	case v.Kind == schema.Write:
		return ordjson.AppendString(dst, "Successfully overwrote file: "+t.Input.Text(schema.RolePath))
	case v.Kind == schema.Edit:
		return ordjson.AppendString(dst, "Successfully edited file: "+t.Input.Text(schema.RolePath))
	case isList:
		return append(dst, blocks...)
	default:
		if raw, ok := t.Output.Get(schema.RoleWhole); ok {
			return append(dst, raw...)
		}
		return schema.AppendArgs(dst, t.Output, nil)
	}
	if failed {
		w.Bool("is_error", true)
		w.String("error", c.Str(schema.FieldError))
	}

	return w.Bytes()
}

// Spec prepares a command hook as the client starts it (package 2.117.0, observed on Linux): the
// user's shell, in the project.
func (a Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	set := schema.Vars(project, c.Project, "CLAUDE_PROJECT_DIR", c.Project)
	if root := h.Source.Plugin; root != "" {
		set = append(set, schema.Vars("CODEBUDDY_PLUGIN_ROOT", root, "CLAUDE_PLUGIN_ROOT", root)...)
	}
	s := process.Spec{Dir: c.Project, Env: p.Env.With(nil, set...)}
	switch {
	case h.Shell == "powershell":
		s.Argv = dialect.PowerShell(h, h.Command, "pwsh", "-NoProfile", "-NonInteractive", "-WindowStyle", "Hidden",
			"-Command")
	case p.OS == "windows":
		s.Argv = dialect.Argv(h, h.Command, "bash", "-c")
	default:
		s.Argv = dialect.Argv(h, h.Command, dialect.UserShell(p), "-c")
	}
	return s, nil
}

// Servers reads the MCP servers of the project and of the user (docs 2.117.0).
func (a Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	dir := a.Names.UserFolder(p)
	return dialect.ServersIn([]string{filepath.Join(p.Project, ".mcp.json"), filepath.Join(dir, ".mcp.json"),
		filepath.Join(dir, "mcp.json")}, read, "mcpServers")
}

// origin returns the agent as a Claude Code dialect.
func origin(a *family.Agent) claude.Dialect { return claude.Dialect{Agent: a} }

// Given returns the source for a file that the user named.
func (a Dialect) Given(file string) schema.Source { return origin(a.Agent).Given(file) }

// Resolve returns the hooks that are in effect, from several files.
func (a Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	return origin(a.Agent).Resolve(cfgs)
}
