package adapter

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// fill returns the call with what the view needs and the host did not send:
// the edits that lead from the file on disk to its new content, or the content.
// The call itself is not changed.
func (r *run) fill(v schema.View) *schema.Call {
	written := r.call.Event == schema.PostTool && actKind(v.Kind) == schema.Write && len(r.mem.items) > 0
	if v.Needs == 0 && !written {
		return r.call
	}
	c := r.call.Clone()
	if written {
		r.addOriginal(c)
	}
	if v.Needs&schema.NeedEdits != 0 {
		r.fillEdits(c, v.Kind)
	}
	if v.Needs&schema.NeedContent != 0 {
		r.fillContent(c, v.Kind)
	}
	return c
}

func (r *run) fillContent(c *schema.Call, k schema.Kind) {
	text, ok := r.fileText(c)
	if !ok {
		return
	}
	raw := ordjson.AppendString(nil, text)
	if k == schema.Read {
		c.Tool.Output = c.Tool.Output.Set(schema.RoleContent, "", raw)
		return
	}
	if c.Event == schema.PreTool { // what the file will hold
		text = applyEdits(text, editsOf(&c.Tool))
		raw = ordjson.AppendString(nil, text)
	}
	c.Tool.Input = c.Tool.Input.Set(schema.RoleContent, "content", raw)
}

// fillEdits replaces the input by the edits that it amounts to.
func (r *run) fillEdits(c *schema.Call, k schema.Kind) {
	t := &c.Tool
	_, many := t.Input.Get(schema.RoleEdits)
	_, file := t.Input.Get(schema.RoleContent)
	if t.Kind() == k && !file && many == (k == schema.MultiEdit) { // the host tells the edit in the same form
		return
	}
	es := editsOf(t)
	if raw, ok := t.Input.Get(schema.RoleContent); ok && len(es) == 0 {
		content, _ := ordjson.String(raw)
		es = r.edits(c, content)
	}
	path, _ := t.Input.Get(schema.RolePath)
	in := schema.Args{{Role: schema.RolePath, Raw: path}}
	if path == nil {
		in = nil
	}
	if k == schema.Write {
		t.Input = t.Input.Set(schema.RoleEdits, "", schema.CanonicalEdits.Append(nil, es))
		return
	}
	if k == schema.MultiEdit {
		in = append(in, schema.Arg{Role: schema.RoleEdits, Raw: schema.CanonicalEdits.Append(nil, es)})
	} else {
		e := oneEdit(es)
		in = append(in, schema.Arg{Role: schema.RoleOldText, Raw: ordjson.AppendString(nil, e.Old)},
			schema.Arg{Role: schema.RoleNewText, Raw: ordjson.AppendString(nil, e.New)})
	}
	for _, a := range t.Input { // members that no table names stay
		if a.Role == schema.Rest {
			in = append(in, a)
		}
	}
	t.Input = in
}

// edits finds what a whole-file write changes. After the write the file holds
// the new content already; the relay may remember what it was.
func (r *run) edits(c *schema.Call, content string) []schema.TextEdit {
	if c.Event != schema.PreTool {
		if es, ok := r.rememberedEdits(); ok {
			return es
		}
		if raw, _ := c.Tool.Output.Get(schema.RoleOriginal); ordjson.KindOf(raw) == ordjson.StringKind {
			old, _ := ordjson.String(raw)
			return diff(old, content)
		}
		return []schema.TextEdit{{New: content}}
	}
	old, ok := r.fileText(c)
	if !ok {
		return []schema.TextEdit{{New: content}}
	}
	return diff(old, content)
}

// fileText reads the file that the call is about.
func (r *run) fileText(c *schema.Call) (string, bool) {
	raw, _ := c.Tool.Input.Get(schema.RolePath)
	path, _ := ordjson.String(raw)
	if path == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Cwd, path)
	}
	if text, ok := r.texts[path]; ok {
		return text, true
	}
	text, err := discover.Read(path)
	if err != nil {
		return "", false
	}
	if r.texts == nil {
		r.texts = map[string]string{}
	}
	r.texts[path] = string(text)
	return r.texts[path], true
}

// editsOf returns the edits that a call names itself.
func editsOf(t *schema.Tool) []schema.TextEdit {
	if raw, ok := t.Input.Get(schema.RoleEdits); ok {
		return schema.CanonicalEdits.Decode(raw)
	}
	raw, ok := t.Input.Get(schema.RoleNewText)
	if !ok {
		return nil
	}
	var e schema.TextEdit
	e.New, _ = ordjson.String(raw)
	raw, _ = t.Input.Get(schema.RoleOldText)
	e.Old, _ = ordjson.String(raw)
	raw, _ = t.Input.Get(schema.RoleReplaceAll)
	e.All, _ = ordjson.Bool(raw)
	return []schema.TextEdit{e}
}

// oneEdit is what a tool that knows one edit only is shown of several.
func oneEdit(es []schema.TextEdit) schema.TextEdit {
	if len(es) == 1 {
		return es[0]
	}
	var old, new []string
	for _, e := range es {
		old, new = append(old, e.Old), append(new, e.New)
	}
	return schema.TextEdit{Old: strings.Join(old, "\n"), New: strings.Join(new, "\n")}
}

func applyEdits(text string, es []schema.TextEdit) string {
	for _, e := range es {
		switch {
		case e.Old == "":
			text = e.New
		case e.All:
			text = strings.ReplaceAll(text, e.Old, e.New)
		default:
			text = strings.Replace(text, e.Old, e.New, 1)
		}
	}
	return text
}

// diff is one edit of whole lines that turns old into new: what both begin and
// end with is left out. A mere insertion keeps the line before it, as an edit
// needs a text to replace.
func diff(old, new string) []schema.TextEdit {
	if old == new {
		return []schema.TextEdit{{Old: old, New: new}}
	}
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	cut := func(lines []string) string { return strings.Join(lines[start:len(lines)-end], "") }
	if cut(a) == "" && start > 0 {
		start--
	}
	if cut(a) == "" && end > 0 {
		end--
	}
	x, y := cut(a), cut(b)
	if strings.HasSuffix(x, "\n") && strings.HasSuffix(y, "\n") && len(x) > 1 && len(y) > 1 {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return []schema.TextEdit{{Old: x, New: y}}
}
