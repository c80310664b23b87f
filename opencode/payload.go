package opencode

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// more writes fields that other agents' payloads lack.
func more(w *ordjson.Writer, c *schema.Call, _ schema.View) {
	w.Int("protocol", Protocol)
	w.String("worktree", c.Project)
}

// classify sets facts that a tool call has in other fields: the folder of a command, the files of a patch. Other agents
// report a failed command at another event.
func classify(_ *family.Agent, c *schema.Call) {
	t := &c.Tool
	if t.Name == patchTool {
		t.Kinds = family.PatchKinds(c, patch.Script, patchOf(t))
		return
	}
	family.Enter(c)
	code, ok := t.Output.Get(schema.RoleExitCode)
	if c.Event == schema.PostTool && ok && string(code) != "0" && string(code) != "null" {
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, strings.TrimRight(t.Output.Text(schema.RoleStdout), "\n"))
	}
}

// serverTools is how the names of MCP tools are split.
var serverTools = dialect.MCPNames{Between: "_"}

func patchOf(t *schema.Tool) string { return t.Input.Text(schema.RoleCommand) }

// Split lists the files of a patch as separate calls. A name that may belong to an MCP tool is split at each place
// where the server's name may end. It is also read as a tool that a plugin defines.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	t := &c.Tool
	if t.Name == patchTool {
		return family.SplitPatch(c, patch.Script, patchOf(t))
	}
	if t.Kind() != schema.MCP || t.Server != "" {
		return nil
	}
	for _, s := range append(serverTools.Splits(t.Name), [2]string{"", t.Name}) {
		p := c.Clone()
		p.Tool.Server, p.Tool.Name, p.Tool.Servers = s[0], s[1], nil
		if s[0] == "" {
			p.Tool.Kinds = []schema.Kind{schema.Other}
		}
		alternatives = append(alternatives, []*schema.Call{p})
	}
	return alternatives
}

// Join returns the patch in which one file is changed by its rewritten part.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	if c.Tool.Name != patchTool {
		return in, true
	}
	text, ok := family.JoinPatch(c, patch.Script, patchOf(&c.Tool), part, in)
	return schema.Args{{Role: schema.RoleCommand, Name: "patchText", Raw: text}}, ok
}

// noOutput is the result of a command without output.
const noOutput = "(no output)"

// readResult returns a result by role: {title, output, metadata}, or content blocks of an MCP tool. The output of read
// has line numbers, its metadata the text.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	o, err := ordjson.Members(raw, 0)
	meta, _ := o.Members("metadata")
	shown, _ := meta.Members("display")
	role, value := schema.RoleWhole, o.Value("output")
	switch {
	case err != nil:
		value = raw
	case k == schema.MCP && o.Has("content"):
		role, value = schema.RoleBlocks, o.Value("content")
	case k == schema.Shell && o.Str("output") == noOutput:
		role, value = schema.RoleStdout, []byte(`""`)
	case k == schema.Shell:
		role = schema.RoleStdout
	case k == schema.Read && shown.Str("type") == "file":
		role, value = schema.RoleContent, shown.Value("text")
	case k.ChangesFile():
		role, value = schema.RoleOK, []byte("true")
	}
	out := schema.Args{{Role: role, Raw: value}, {Role: schema.RoleExitCode, Raw: meta.Value("exit")}}
	return slices.DeleteFunc(out, func(a schema.Arg) bool { return a.Raw == nil })
}

// appendResult writes the result of another agent's call.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t, w := &c.Tool, ordjson.NewWriter(dst)
	whole, _ := t.Output.Get(schema.RoleWhole)
	text, meta := family.TextOf(whole), ordjson.NewWriter(nil)
	switch blocks, _ := t.Output.Get(schema.RoleBlocks); {
	case v.Kind == schema.MCP && blocks != nil:
		w.Raw("content", blocks)
		return w.Bytes()
	case v.Kind == schema.Shell:
		text = schema.JoinText(t.Output.Text(schema.RoleStdout), t.Output.Text(schema.RoleStderr))
		code, known := t.Output.Get(schema.RoleExitCode)
		if !known {
			code = []byte("0")
		}
		meta.Raw("exit", code)
	case v.Kind == schema.Read:
		text = t.Output.Text(schema.RoleContent)
		meta.Raw("display", ordjson.AppendTexts(nil, "type", "file", "text", text))
	case whole == nil:
		text = string(schema.AppendNamed(nil, t.Output))
	}
	w.String("title", "")
	w.String("output", text)
	w.Raw("metadata", meta.Bytes())
	return w.Bytes()
}
