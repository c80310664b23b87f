package family

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// PatchFile is a change of one file as a part of a patch.
func PatchFile(t *schema.Tool, k schema.Kind) patch.File {
	f := patch.File{Op: patch.Update, Path: t.Input.Text(schema.RolePath)}
	if k == schema.Delete {
		f.Op = patch.Delete
		return f
	}
	if source, ok := t.Input.Get(schema.RoleCellSource); ok { // the call may not say which cell it replaces
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

// partOf is the call as it does one thing to one file.
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

// PatchArgs is what a patch does to one file, by role.
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

// edits are the changes of a file's hunks. One that only adds lines keeps a line
// around them, as an edit needs text to replace.
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

// PatchParts are the calls that a patch amounts to: one for each file, two for one that
// moves.
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

// SplitPatch is a patch as the only alternative of what it amounts to; nil where it names
// no file.
func SplitPatch(c *schema.Call, g patch.Grammar, text string) [][]*schema.Call {
	files, _ := g.Read(text)
	if len(files) == 0 {
		return nil
	}
	return [][]*schema.Call{PatchParts(c, files)}
}

// PatchKinds are the kinds of a patch: of what it does to its first file. A call whose
// patch names no file is malformed, but for one without a path, as hookbridge shows them.
func PatchKinds(c *schema.Call, g patch.Grammar, text string) []schema.Kind {
	if parts := SplitPatch(c, g, text); parts != nil {
		return parts[0][0].Tool.Kinds
	}
	c.Malformed = c.Malformed || text != "" && !strings.Contains(text, "File: \n")
	return []schema.Kind{schema.Edit, schema.Write}
}

// JoinPatch is, as JSON, the patch in which one file is changed as its rewritten part says;
// ok is false if a patch can't say that.
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
