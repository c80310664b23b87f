package family

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// PatchFile returns the change of one file as part of a patch.
func PatchFile(t *schema.Tool, k schema.Kind) patch.File {
	f := patch.File{Op: patch.Update, Path: t.Input.Text(schema.RolePath)}
	if k == schema.Delete {
		f.Op = patch.Delete
		return f
	}
	if source, ok := t.Input.Get(schema.RoleCellSource); ok { // the call may not name the cell that it replaces
		text, _ := ordjson.String(source)
		f.Hunks = []patch.Hunk{patch.Replace("", text)}
		return f
	}
	raw, _ := t.Input.Get(schema.RoleEdits)
	es := schema.CanonicalEdits.Decode(raw)
	if len(es) == 0 {
		es = []schema.TextEdit{{Old: t.Input.Text(schema.RoleOldText), New: t.Input.Text(schema.RoleNewText)}}
	}
	if content, ok := t.Input.Get(schema.RoleContent); ok && (len(es) != 1 || es[0].Old == "") {
		f.Op = patch.Add
		f.Content, _ = ordjson.String(content)
		return f
	}
	for _, e := range es {
		f.Hunks = append(f.Hunks, patch.Replace(e.Old, e.New))
	}
	return f
}

// partOf returns the call for one change of one file.
func partOf(c *schema.Call, f patch.File) *schema.Call {
	p := c.Clone()
	p.Tool.Whole = nil
	path := f.Path
	if !filepath.IsAbs(path) && c.Cwd != "" {
		path = filepath.Join(c.Cwd, path)
	}
	p.Tool.Kinds = []schema.Kind{map[patch.Op]schema.Kind{patch.Add: schema.Write, patch.Delete: schema.Delete,
		patch.Update: schema.Edit}[f.Op]}
	if f.Op != patch.Delete && strings.HasSuffix(path, ".ipynb") {
		p.Tool.Kinds = append(p.Tool.Kinds, schema.Notebook)
	}
	p.Tool.Input = PatchArgs(f, path)
	if c.Event == schema.PostTool {
		p.Tool.Output = schema.Args{{Role: schema.RoleOK, Raw: []byte("true")}}
	}
	return p
}

// PatchArgs returns a patch's change of one file, by role.
func PatchArgs(f patch.File, path string) schema.Args {
	in := schema.Args{{Role: schema.RolePath, Raw: ordjson.AppendString(nil, path)}}
	add := func(r schema.Role, s string) {
		in = append(in, schema.Arg{Role: r, Raw: ordjson.AppendString(nil, s)})
	}
	switch f.Op {
	case patch.Add:
		add(schema.RoleContent, f.Content)
	case patch.Update:
		if es := edits(f); len(es) == 1 {
			add(schema.RoleOldText, es[0].Old)
			add(schema.RoleNewText, es[0].New)
		} else {
			in = append(in, schema.Arg{Role: schema.RoleEdits, Raw: schema.CanonicalEdits.Append(nil, es)})
		}
	}
	return in
}

// edits returns the changes in a file's hunks. A change that only adds lines includes a line around them, as an edit
// needs text to replace.
func edits(f patch.File) (es []schema.TextEdit) {
	for i := range f.Hunks {
		h := &f.Hunks[i]
		old, new := h.Changed()
		if old == "" {
			old, new = h.Old(), h.New()
		}
		es = append(es, schema.TextEdit{Old: strings.TrimSuffix(old, "\n"), New: strings.TrimSuffix(new, "\n")})
	}
	return es
}

// PatchParts returns the calls that are equivalent to a patch: one for each file, two for a moved one.
func PatchParts(c *schema.Call, files []patch.File) (parts []*schema.Call) {
	for _, f := range files {
		parts = append(parts, partOf(c, f))
		if f.MoveTo != "" { // the moved file is written at its new place
			var content strings.Builder
			for i := range f.Hunks {
				content.WriteString(f.Hunks[i].New())
			}
			parts = append(parts, partOf(c, patch.File{Op: patch.Add, Path: f.MoveTo, Content: content.String()}))
		}
	}
	return parts
}

// SplitPatch returns the parts of a patch as its only reading; nil if it names no file.
func SplitPatch(c *schema.Call, g patch.Grammar, text string) [][]*schema.Call {
	files, _ := g.Read(text)
	if len(files) == 0 {
		return nil
	}
	return [][]*schema.Call{PatchParts(c, files)}
}

// PatchKinds returns the kinds of a patch, given by the change of its first file. A call whose patch names no file is
// malformed, except for a patch without a path, as hookbridge shows it.
func PatchKinds(c *schema.Call, g patch.Grammar, text string) []schema.Kind {
	if parts := SplitPatch(c, g, text); parts != nil {
		return parts[0][0].Tool.Kinds
	}
	c.Malformed = c.Malformed || text != "" && !strings.Contains(text, "File: \n")
	return []schema.Kind{schema.Edit, schema.Write}
}

// JoinPatch returns, as JSON, the patch in which one file is changed by its rewritten part; ok is false if a patch
// can't express that.
func JoinPatch(
	c *schema.Call, g patch.Grammar, text string, part *schema.Call, in schema.Args,
) (joined []byte, ok bool) {
	files, err := g.Parse(text)
	path := part.Tool.Input.Text(schema.RolePath)
	if err != nil {
		return nil, false
	}
	for i := range files {
		was := partOf(c, files[i])
		if was.Tool.Input.Text(schema.RolePath) != path || was.Tool.Kind() != part.Tool.Kind() {
			continue
		}
		t := part.Tool
		t.Input = in
		f := PatchFile(&t, part.Tool.Kind())
		if f.Op != files[i].Op {
			return nil, false
		}
		if in.Text(schema.RolePath) == path {
			f.Path = files[i].Path
		}
		f.MoveTo = files[i].MoveTo
		files[i] = f
		return ordjson.AppendString(nil, string(patch.Append(nil, files))), true
	}
	return nil, false
}
