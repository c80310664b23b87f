package droid

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// The text in a command's result around its output (observed 0.225.2).
const (
	noOutput = "Command completed successfully"
	exited   = "\n\n[Process exited with code 0]"
)

// printed returns a command's output. Its exit code is 0: a failed command raises no event.
func printed(text string) string {
	out, ended := strings.CutSuffix(text, exited)
	switch {
	case !ended:
		return text
	case out == noOutput:
		return ""
	}
	return strings.TrimSuffix(out, "\n")
}

// readResult returns a result, which is a text, by role. Those of Create and Edit are JSON.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	return family.ReadText(k, raw, printed, "")
}

// appendResult writes another agent's result as the text that the tool would return.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t := &c.Tool
	whole, _ := t.Output.Get(schema.RoleWhole)
	blocks, isBlocks := t.Output.Get(schema.RoleBlocks)
	text := ""
	switch content, ok := t.Output.Get(schema.RoleContent); {
	case v.Kind == schema.Shell || v.Kind == schema.Delete:
		text = schema.JoinText(t.Output.Text(schema.RoleStdout), t.Output.Text(schema.RoleStderr))
		switch {
		case text == "":
			text = noOutput
		case !strings.HasSuffix(text, "\n"):
			text += "\n" // some agents remove it
		}
		text += exited
	case v.Kind == schema.Read && ok:
		text = family.TextOf(content)
	case isBlocks:
		text = family.TextOf(blocks)
	case v.Kind.ChangesFile():
		w := ordjson.NewWriter(nil)
		w.Bool("success", true)
		w.String("file_path", t.Input.Text(schema.RolePath))
		text = string(w.Bytes())
	case whole != nil:
		text = family.TextOf(whole)
	default:
		text = string(schema.AppendNamed(nil, t.Output))
	}

	return ordjson.AppendString(dst, text)
}

// grammar is how Droid reads a patch (program 0.225.2).
var grammar = patch.Grammar{LoneCR: true, Trimmed: true, Blank: patch.ScriptBlank}

func patchOf(c *schema.Call) string { return c.Tool.Input.Text(schema.RoleCommand) }

// classify sets the kind of a patch by the change of its first file.
func classify(_ *family.Agent, c *schema.Call) {
	if c.Tool.Name == patchTool {
		c.Tool.Kinds = family.PatchKinds(c, grammar, patchOf(c))
	}
}

// Split lists the files of a patch, and the patterns of a search, as separate calls.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	if c.Tool.Name == patchTool {
		return family.SplitPatch(c, grammar, patchOf(c))
	}
	patterns, ok := c.Tool.Input.Get(schema.RoleGlob)
	list, err := ordjson.Elements(patterns, 0)
	if !ok || err != nil || len(list) == 0 {
		return nil
	}
	var parts []*schema.Call
	for _, m := range list {
		p := c.Clone()
		p.Tool.Input = p.Tool.Input.Set(schema.RoleGlob, globs, m.Value)
		parts = append(parts, p)
	}
	return [][]*schema.Call{parts}
}

// Join returns the patch in which one file is changed by its rewritten part.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	if c.Tool.Name != patchTool {
		patterns, _ := c.Tool.Input.Get(schema.RoleGlob)
		list, err := ordjson.Elements(patterns, 0)
		return in, err != nil || len(list) < 2 // of several patterns, the changed one isn't known
	}
	text, ok := family.JoinPatch(c, grammar, patchOf(c), part, in)
	return schema.Args{{Role: schema.RoleCommand, Name: "input", Raw: text}}, ok
}
