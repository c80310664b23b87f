package opencode

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// more writes what other agents' payloads lack.
func more(w *ordjson.Writer, c *schema.Call, _ schema.View) {
	w.Int("protocol", Protocol)
	w.String("worktree", c.Project)
}

// classify reads what a tool's call says in another member: the folder of a command, the
// files of a patch. A command that failed other agents report at another event.
func classify(_ *family.Agent, c *schema.Call) {
	t := &c.Tool
	switch {
	case t.Name == patchTool:
		t.Kinds = family.PatchKinds(c, grammar, patchOf(t))
	case t.Kind() != schema.Shell:
		return
	}
	if dir := t.Input.Text(schema.RoleCwd); filepath.IsAbs(dir) {
		c.Cwd = dir
	} else if dir != "" {
		c.Cwd = filepath.Join(c.Cwd, dir)
	}
	code, ok := t.Output.Get(schema.RoleExitCode)
	if c.Event == schema.PostTool && ok && string(code) != "0" && string(code) != "null" {
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, strings.TrimRight(t.Output.Text(schema.RoleStdout), "\n"))
	}
}

// serverTools are the names of MCP tools as they are taken apart.
var serverTools = dialect.MCPNames{Between: "_"}

// grammar is how OpenCode reads a patch.
var grammar patch.Grammar

func patchOf(t *schema.Tool) string { return t.Input.Text(schema.RoleCommand) }

// Split lists the files of a patch as calls of their own. A name that may be that of a
// server's tool is taken apart at each place where the server's may end, and for that of a
// tool that a plugin defines.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	switch t := &c.Tool; {
	case t.Kind() == schema.MCP && t.Server == "":
		add := func(server, name string, k schema.Kind) {
			p := c.Clone()
			p.Tool.Server, p.Tool.Name, p.Tool.Kinds, p.Tool.Servers = server, name, []schema.Kind{k}, nil
			alternatives = append(alternatives, []*schema.Call{p})
		}
		for _, s := range serverTools.Splits(t.Name) {
			add(s[0], s[1], schema.MCP)
		}
		add("", t.Name, schema.Other)
		return alternatives
	case t.Name != patchTool:
		return nil
	}
	files, _ := grammar.Read(patchOf(&c.Tool))
	if len(files) == 0 {
		return nil
	}
	return [][]*schema.Call{family.PatchParts(c, files)}
}

// Join returns the patch in which one file is changed as its rewritten part says.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	if c.Tool.Name != patchTool {
		return in, true
	}
	text, ok := family.JoinPatch(c, grammar, patchOf(&c.Tool), part, in)
	if !ok {
		return nil, false
	}
	return schema.Args{{Role: schema.RoleCommand, Name: "patchText", Raw: ordjson.AppendString(nil, text)}}, true
}

// noOutput is what a command's result says that printed nothing.
const noOutput = "(no output)"

// readResult gives a result its roles: {title, output, metadata}, or content blocks of an
// MCP tool. The output of read has line numbers, its metadata the text.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) (out schema.Args) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	}
	meta, _ := o.Members("metadata")
	shown, _ := meta.Members("display")
	add := func(role schema.Role, raw []byte) {
		if raw != nil {
			out = append(out, schema.Arg{Role: role, Raw: raw})
		}
	}
	text := o.Value("output")
	switch {
	case k == schema.MCP && o.Has("content"):
		add(schema.RoleBlocks, o.Value("content"))
	case k == schema.Shell:
		if o.Str("output") == noOutput {
			text = []byte(`""`)
		}
		add(schema.RoleStdout, text)
		add(schema.RoleExitCode, meta.Value("exit"))
	case k == schema.Read && shown.Str("type") == "file":
		add(schema.RoleContent, shown.Value("text"))
	case k.ChangesFile():
		add(schema.RoleOK, []byte("true"))
	default:
		add(schema.RoleWhole, text)
	}
	return out
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
		code, _ := t.Output.Get(schema.RoleExitCode)
		n, _ := strconv.Atoi(string(code))
		meta.Int("exit", int64(n))
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
