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

// fillView returns the call with what the view needs and the host did not send:
// the edits that lead from the file on disk to its new content, or the content.
// The call itself is not changed.
func fillView(r *run, call *schema.Call, v schema.View) *schema.Call {
	written := call.Event == schema.PostTool && v.Kind.Base() == schema.Write && r.mem.Call(call).Known()
	other := call.Tool.Kind() == schema.Other && v.Kind != schema.Other
	if v.Needs == 0 && !written && !other {
		return call
	}
	c := call.Clone()
	t := &c.Tool
	if other { // shown as another tool, without what is the tool's own
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

// withChanges is the input with the lines that a write has changed: from what the file held
// before, else as the host reported the edits.
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

// withContent is input and output with what a file holds, or will hold.
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
	case len(es) == 0 && source == nil && (!f.ok || c.Tool.Kind() == schema.Other): // what it writes is not known
		return in, out
	case source != nil && (c.Event == schema.PreTool || !f.whole):
		text = withCell(text, source)
	case !f.ok || !f.whole: // what is added is all that is known
		text = edits.One(es).New
	case c.Event == schema.PreTool: // what the file will hold
		text = edits.Apply(text, es)
	}
	return in.Set(schema.RoleContent, "content", ordjson.AppendString(nil, text)), out
}

// withCell is a notebook with one more cell. Which of its cells the new source
// replaces does not matter to a guard on what is written.
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

// asEdits is the input as the edits that it amounts to.
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

// editInput is the input of a tool of kind k that makes the edits.
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
	for _, a := range old { // members that no table names stay
		if a.Role == schema.Rest {
			in = append(in, a)
		}
	}
	return in
}

// editsOfWrite finds what a whole-file write changes. After the write the file holds
// the new content already; the relay may remember what it was.
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

// editsOf returns the edits that a call names itself.
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

// files reads the files that calls are about, each once.
type files struct {
	texts  map[string]fileText
	closed bool // none is read
}

// A fileText is what a file holds, or how it begins if it is very large.
type fileText struct {
	text      string
	whole, ok bool
}

// maxStart is how much of a file is read to show how it begins.
const maxStart = 32 << 20

// start reads the file that the call is about.
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

// text is the file's text if it is known as a whole.
func (f *files) text(c *schema.Call) (string, bool) {
	t := f.start(c)
	return t.text, t.ok && t.whole
}

// targetPath is the file that the call is about, "" if it names none.
func targetPath(c *schema.Call) string {
	path := c.Tool.Input.Text(schema.RolePath)
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.Cwd, path)
	}
	return path
}
