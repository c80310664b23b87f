package copilot

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// grammar is how Copilot reads a patch (observed 1.0.102).
var grammar = patch.Grammar{LoneCR: true, Indented: true, Trimmed: true, Blank: patch.ScriptBlank}

func patchOf(c *schema.Call) string {
	if c.Tool.Name != patchTool {
		return ""
	}
	return c.Tool.Input.Text(schema.RoleCommand)
}

func inputName(c *schema.Call) string {
	if v := lists.Find(c.Values, func(v *schema.Value) bool { return v.Field == schema.FieldToolInput }); v != nil {
		return v.Name
	}
	return ""
}

// checkPatch removes the finding about an input that is text if it is a patch. An unparsable patch is an error: hooks
// see the files that it names, and none runs if it names none.
func checkPatch(c *schema.Call, ds schema.Diagnostics) (schema.Diagnostics, bool) {
	at := ordjson.Pointer("", inputName(c))
	ds = slices.DeleteFunc(ds, func(d schema.Diagnostic) bool { return d.Path == at })
	if files, err := grammar.Read(patchOf(c)); err != nil {
		ds.Add(schema.CodeShape, at, err.Error()).Event = c.Native
		return ds, len(files) > 0
	}
	return ds, true
}

// requested reads the unified diff with which permissionRequest shows a file change; nil if there is none. A diff from
// nothing creates a file.
func requested(c *schema.Call) *schema.Call {
	diff := ""
	if a := lists.Find(c.Tool.Input, func(a *schema.Arg) bool { return a.Name == "diff" }); a != nil {
		diff, _ = ordjson.String(a.Raw)
	}

	path := c.Tool.Input.Text(schema.RolePath)
	_, hunks, ok := strings.Cut(diff, "\n@@ ")
	if !ok || path == "" {
		return nil
	}

	var text strings.Builder
	text.WriteString("*** Begin Patch\n*** Update File: " + path + "\n")
	for line := range strings.SplitSeq("@@ "+strings.TrimSuffix(hunks, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "@@ "):
			line = "@@"
		case strings.HasPrefix(line, `\`): // no newline at the end of the file
			continue
		}
		text.WriteString(line + "\n")
	}
	files, err := patch.Grammar{}.Parse(text.String() + "*** End Patch")
	if err != nil {
		return nil
	}

	if strings.Contains(diff, "--- a/dev/null\n") || strings.Contains(diff, "--- /dev/null\n") {
		var content strings.Builder
		for i := range files[0].Hunks {
			content.WriteString(files[0].Hunks[i].New())
		}
		files[0] = patch.File{Op: patch.Add, Path: path, Content: content.String()}
	}
	return family.PatchParts(c, files[:1])[0]
}

func diffOf(t *schema.Tool, k schema.Kind) string {
	f := family.PatchFile(t, k)
	name := strings.TrimPrefix(f.Path, "/")
	from := "a/" + name
	var lines strings.Builder
	if f.Op == patch.Add {
		from = "a/dev/null"
		f.Hunks = []patch.Hunk{patch.Replace("", f.Content)}
	}
	for i := range f.Hunks {
		lines.WriteString("@@ @@\n")
		for _, l := range f.Hunks[i].Lines {
			lines.WriteString(string(l.Mark) + l.Text + "\n")
		}
	}
	return "\ndiff --git a/" + name + " b/" + name + "\n--- " + from + "\n+++ b/" + name + "\n" + lines.String()
}

// Split lists the single actions of a call that does several things: files of a patch, replacements, places of a
// search, or fetched pages. If the name of an MCP tool can be split in several places, each is an alternative.
func (d Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	t := &c.Tool
	if s := patchOf(c); s != "" {
		return family.SplitPatch(c, grammar, s)
	}
	if t.Kind() == schema.MCP && t.Server == "" {
		add := func(i int) *schema.Tool {
			p := c.Clone()
			alternatives = append(alternatives, []*schema.Call{p})
			p.Tool.Skip(i)
			return &p.Tool
		}
		for i := 1; i < len(t.Name); i++ {
			if t.Name[i] == '-' && (i < len(t.Name)-1 || t.Cut != 0) {
				add(i + 1).Server = t.Name[:i]
			}
		}
		if t.Cut != 0 { // the server's name may be cut off
			add(len(t.Name)).Begins = t.Name
		}
		return alternatives
	}

	for i, a := range t.Input {
		list, err := pathsIn(t, &a)
		inCode := t.Name == replacesTool && a.Name == "replacements" || t.Name == fetchTool && a.Name == fetched
		if err != nil || len(list) == 0 || a.Role != schema.RolePath && !inCode {
			continue
		}

		var parts []*schema.Call
		for _, m := range list {
			p := c.Clone()
			p.Tool.Input = slices.Clone(t.Input)
			switch {
			case t.Name == replacesTool:
				o, _ := ordjson.Members(m.Value, 0)
				p.Tool.Input = schema.DecodeArgs(o, codeTool("replace_string_in_file").Input)
			case inCode:
				p.Tool.Input[i] = schema.Arg{Role: schema.RoleURL, Name: a.Name, Raw: m.Value}
			default:
				p.Tool.Input[i].Raw = m.Value
			}
			parts = append(parts, p)
		}
		return [][]*schema.Call{parts}
	}

	return nil
}

// pathsIn lists the elements of an input field. A search may name several paths in one text, separated by blanks; a
// path may contain a blank, too.
func pathsIn(t *schema.Tool, a *schema.Arg) ([]ordjson.Member, error) {
	text, isText := ordjson.String(a.Raw)
	paths := strings.Fields(text)
	severalPaths := isText && len(paths) > 1 && a.Role == schema.RolePath
	if !severalPaths || t.Kind() != schema.Grep && t.Kind() != schema.Glob {
		return ordjson.Elements(a.Raw, 0)
	}
	list := []ordjson.Member{{Value: a.Raw}}
	for _, path := range paths {
		list = append(list, ordjson.Member{Value: ordjson.AppendString(nil, path)})
	}
	return list, nil
}

// Join returns the input of a call with another input for one of its parts.
func (d Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	if c.Tool.Kind() == schema.MCP {
		return in, true
	}
	joined, ok := family.JoinPatch(c, grammar, patchOf(c), part, in)
	return c.Tool.Input.Set(schema.RoleCommand, inputName(c), joined), ok
}
