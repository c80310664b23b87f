package bridge

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// fillView returns a copy of the call with what the view needs and the host didn't send: the edits from the file on
// disk to its new content, or the content.
func fillView(r *run, call *schema.Call, v schema.View) *schema.Call {
	written := call.Event == schema.PostTool && v.Kind.Base() == schema.Write && r.mem.Call(call).Known()
	other := call.Tool.Kind() == schema.Other && v.Kind != schema.Other
	if v.Needs == 0 && !written && !other {
		return call
	}
	c := call.Clone()
	t := &c.Tool
	if other { // shown as another tool, without fields that only its own tool has
		t.Input = slices.DeleteFunc(slices.Clone(t.Input), func(a schema.Arg) bool { return a.Role == schema.Rest })
	}
	if written {
		t.Output = withOriginal(r, call)
	}
	if v.Needs&schema.NeedEdits != 0 {
		t.Input = asEdits(r, call, c, v.Kind)
	}
	if v.Needs&schema.NeedChanges != 0 {
		t.Input = withChanges(r, call, c)
	}
	if v.Needs&schema.NeedContent != 0 && !r.files.closed {
		t.Input, t.Output = withContent(r, c, v.Kind)
	}
	return c
}

// withChanges returns the input with the lines that a write has changed: computed from the file's earlier content, else
// as the host reported the edits.
func withChanges(r *run, call, c *schema.Call) schema.Args {
	t := &c.Tool
	es := editsOf(t)
	raw, ok := t.Input.Get(schema.RoleContent)
	if !ok {
		raw, ok = t.Output.Get(schema.RoleContent)
	}
	content, _ := ordjson.String(raw)
	before, _ := t.Output.Get(schema.RoleOriginal)
	old, known := ordjson.String(before)
	switch {
	case known && len(es) > 0 && es[0].Old != "" && strings.Contains(old, es[0].Old):
		es = edits.Lines(old, edits.Apply(old, es))
	case len(es) == 0 && ok:
		es = editsOfWrite(r, call, c, schema.Write, content)
	case len(es) == 0:
		es = []schema.TextEdit{{New: t.Input.Text(schema.RoleCellSource)}}
	}
	return t.Input.Set(schema.RoleEdits, "", schema.CanonicalEdits.Append(nil, es))
}

// withContent returns input and output with the content of a file before or after the call.
func withContent(r *run, c *schema.Call, k schema.Kind) (in, out schema.Args) {
	f := r.files.start(c)
	in, out = c.Tool.Input, c.Tool.Output
	if k == schema.Read {
		if f.ok && (f.whole || c.Event == schema.PreTool) {
			out = out.Set(schema.RoleContent, "", ordjson.AppendString(nil, f.text))
		}
		return in, out
	}
	es := editsOf(&c.Tool)
	text := f.text
	source, _ := in.Get(schema.RoleCellSource)
	switch {
	case len(es) == 0 && source == nil && (!f.ok || c.Tool.Kind() == schema.Other): // its new content is unknown
		return in, out
	case source != nil && (c.Event == schema.PreTool || !f.whole):
		text = withCell(text, source)
	case !f.ok || !f.whole: // only the added text is known
		text = edits.One(es).New
	case c.Event == schema.PreTool: // the file's future content
		text = edits.Apply(text, es)
	}
	return in.Set(schema.RoleContent, "content", ordjson.AppendString(nil, text)), out
}

// withCell returns a notebook with one more cell. For a guard on written text it doesn't matter which cell the new
// source replaces.
func withCell(text string, source []byte) string {
	o, _ := ordjson.Parse([]byte(text))
	list, err := o.Elements("cells")
	if err != nil {
		s, _ := ordjson.String(source)
		return s
	}
	cell := ordjson.NewWriter(nil)
	cell.String("cell_type", "code")
	cell.Raw("metadata", []byte("{}"))
	cell.Raw("source", source)
	cells := []byte{'['}
	for _, m := range list {
		cells = append(append(cells, m.Value...), ',')
	}
	cells = append(append(cells, cell.Bytes()...), ']')
	for i := range o {
		if o[i].Name == "cells" {
			o[i].Value = cells
		}
	}
	return string(o.Append(nil))
}

// asEdits returns the input as the equivalent edits.
func asEdits(r *run, call, c *schema.Call, k schema.Kind) schema.Args {
	t := &c.Tool
	_, many := t.Input.Get(schema.RoleEdits)
	_, file := t.Input.Get(schema.RoleContent)
	es := editsOf(t)
	// the host reports the edit in the same form
	if t.Kind() == k && !file && (many == (k == schema.MultiEdit) || len(es) == 0) {
		return t.Input
	}
	if raw, ok := t.Input.Get(schema.RoleContent); ok && len(es) == 0 {
		content, _ := ordjson.String(raw)
		es = editsOfWrite(r, call, c, k, content)
	}
	return editInput(t.Input, k, es)
}

// editInput returns the input of a tool of kind k that makes the edits.
func editInput(old schema.Args, k schema.Kind, es []schema.TextEdit) (in schema.Args) {
	if path, ok := old.Get(schema.RolePath); ok {
		in = schema.Args{{Role: schema.RolePath, Raw: path}}
	}
	if k == schema.MultiEdit {
		in = append(in, schema.Arg{Role: schema.RoleEdits, Raw: schema.CanonicalEdits.Append(nil, es)})
	} else {
		e := edits.One(es)
		in = append(in, schema.Arg{Role: schema.RoleOldText, Raw: ordjson.AppendString(nil, e.Old)},
			schema.Arg{Role: schema.RoleNewText, Raw: ordjson.AppendString(nil, e.New)})
		if e.All {
			in = append(in, schema.Arg{Role: schema.RoleReplaceAll, Raw: []byte("true")})
		}
	}
	for _, a := range old { // fields that are in no table stay
		if a.Role == schema.Rest {
			in = append(in, a)
		}
	}
	return in
}

// editsOfWrite returns the changes of a whole-file write. After the write the file already has the new content; the
// relay may remember the old one.
func editsOfWrite(r *run, call *schema.Call, c *schema.Call, k schema.Kind, content string) []schema.TextEdit {
	if c.Event == schema.PostTool {
		if es, ok := r.mem.Call(call).Edits(); ok {
			return es
		}
		if raw, _ := c.Tool.Output.Get(schema.RoleOriginal); ordjson.KindOf(raw) == ordjson.StringKind {
			old, _ := ordjson.String(raw)
			return edits.As(k, old, content)
		}
		return []schema.TextEdit{{New: content}}
	}
	old, ok := r.files.text(c)
	if !ok {
		return []schema.TextEdit{{New: content}}
	}
	return edits.As(k, old, content)
}

// editsOf returns the edits in a call's input.
func editsOf(t *schema.Tool) []schema.TextEdit {
	if raw, ok := t.Input.Get(schema.RoleEdits); ok {
		return schema.CanonicalEdits.Decode(raw)
	}
	if _, ok := t.Input.Get(schema.RoleNewText); !ok {
		return nil
	}
	all, _ := t.Input.Get(schema.RoleReplaceAll)
	e := schema.TextEdit{Old: t.Input.Text(schema.RoleOldText), New: t.Input.Text(schema.RoleNewText)}
	e.All, _ = ordjson.Bool(all)
	return []schema.TextEdit{e}
}

// files reads the files of calls, each once.
type files struct {
	texts  map[string]fileText
	closed bool // read no file
}

// A fileText is the content of a file, or the beginning of a very large one.
type fileText struct {
	text      string
	whole, ok bool
}

// maxStart is how much of a large file is read.
const maxStart = 32 << 20

// start reads the call's file.
func (f *files) start(c *schema.Call) fileText {
	path := targetPath(c)
	if path == "" || f.closed {
		return fileText{}
	}
	if t, ok := f.texts[path]; ok {
		return t
	}
	text, size, err := discover.ReadStart(path, maxStart)
	if err != nil {
		return fileText{}
	}
	if f.texts == nil {
		f.texts = map[string]fileText{}
	}
	f.texts[path] = fileText{string(text), size <= discover.MaxFile, true}
	return f.texts[path]
}

// text returns the file's text if all of it is known.
func (f *files) text(c *schema.Call) (string, bool) {
	t := f.start(c)
	return t.text, t.ok && t.whole
}

// targetPath returns the call's file, "" if it names none.
func targetPath(c *schema.Call) string {
	path := c.Tool.Input.Text(schema.RolePath)
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.Cwd, path)
	}
	return path
}
