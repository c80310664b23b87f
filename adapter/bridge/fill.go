package bridge

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// fill returns the call with what the view needs and the host did not send:
// the edits that lead from the file on disk to its new content, or the content.
// The call itself is not changed.
func fillView(r *run, call *schema.Call, v schema.View) *schema.Call {
	written := call.Event == schema.PostTool && v.Kind.Base() == schema.Write && len(r.mem.act(call).items) > 0
	other := call.Tool.Kind() == schema.Other && v.Kind != schema.Other
	if v.Needs == 0 && !written && !other {
		return call
	}
	c := call.Clone()
	if other { // shown as another tool, without what is the tool's own
		c.Tool.Input = slices.DeleteFunc(slices.Clone(c.Tool.Input), func(a schema.Arg) bool { return a.Role == schema.Rest })
	}
	if written {
		addOriginal(r, call, c)
	}
	if v.Needs&schema.NeedEdits != 0 {
		fillEdits(r, call, c, v.Kind)
	}
	if v.Needs&schema.NeedChanges != 0 {
		fillChanges(r, call, c)
	}
	if v.Needs&schema.NeedContent != 0 {
		fillContent(r, c, v.Kind)
	}
	return c
}

// fillChanges lists the lines that a write has changed: from what the file held
// before, else as the host reported the edits.
func fillChanges(r *run, call *schema.Call, c *schema.Call) {
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
	t.Input = t.Input.Set(schema.RoleEdits, "", schema.CanonicalEdits.Append(nil, es))
}

func fillContent(r *run, c *schema.Call, k schema.Kind) {
	f := r.files.start(c)
	if k == schema.Read {
		if f.ok && (f.whole || c.Event == schema.PreTool) {
			c.Tool.Output = c.Tool.Output.Set(schema.RoleContent, "", ordjson.AppendString(nil, f.text))
		}
		return
	}
	es := editsOf(&c.Tool)
	text := f.text
	source, _ := c.Tool.Input.Get(schema.RoleCellSource)
	switch {
	case len(es) == 0 && source == nil && (!f.ok || c.Tool.Kind() == schema.Other): // what it writes is not known
		return
	case source != nil && (c.Event == schema.PreTool || !f.whole):
		text = withCell(text, source)
	case !f.ok || !f.whole: // what is added is all that is known
		text = edits.One(es).New
	case c.Event == schema.PreTool: // what the file will hold
		text = edits.Apply(text, es)
	}
	c.Tool.Input = c.Tool.Input.Set(schema.RoleContent, "content", ordjson.AppendString(nil, text))
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

// fillEdits replaces the input by the edits that it amounts to.
func fillEdits(r *run, call *schema.Call, c *schema.Call, k schema.Kind) {
	t := &c.Tool
	_, many := t.Input.Get(schema.RoleEdits)
	_, file := t.Input.Get(schema.RoleContent)
	es := editsOf(t)
	if t.Kind() == k && !file && (many == (k == schema.MultiEdit) || len(es) == 0) { // the host reports the edit in the same form
		return
	}
	if raw, ok := t.Input.Get(schema.RoleContent); ok && len(es) == 0 {
		content, _ := ordjson.String(raw)
		es = editsOfWrite(r, call, c, k, content)
	}
	t.Input = editInput(t.Input, k, es)
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

// edits finds what a whole-file write changes. After the write the file holds
// the new content already; the relay may remember what it was.
func editsOfWrite(r *run, call *schema.Call, c *schema.Call, k schema.Kind, content string) []schema.TextEdit {
	if c.Event == schema.PostTool {
		if es, ok := rememberedEdits(r, call); ok {
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
type files struct{ texts map[string]fileText }

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
	if path == "" {
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

// fileKinds are the tools of which an agent shows its hooks the whole path,
// however the model has written it (observed Claude Code 2.1.328, Cursor SDK
// 1.0.32). Qoder passes on what the model wrote, so that "../secret" would slip
// past a guard of theirs.
var fileKinds = []schema.Kind{schema.Read, schema.Write, schema.Edit, schema.MultiEdit, schema.Delete, schema.Notebook}

// wholePaths makes the paths of a call, and of its result, those of the files that
// the host's tool finds, and absolute where the agent of the hooks would show them so.
func wholePaths(c *schema.Call, host, hooks dialect.Dialect, home string) {
	var rules schema.PathRules
	if row := host.Profile().Tool(c.Tool.Name); row != nil {
		rules = row.Path
	}
	if dir := c.Tool.Input.Text(schema.RoleCwd); isRelative(dir) && host.Profile().Name != hooks.Profile().Name { // the call's folder
		c.Tool.Input = c.Tool.Input.Set(schema.RoleCwd, "", ordjson.AppendString(nil, c.Cwd))
	}
	whole := slices.ContainsFunc(c.Tool.Kinds, func(k schema.Kind) bool { return slices.Contains(fileKinds, k) })
	if !whole && rules == (schema.PathRules{}) {
		return
	}
	cleans := hooks.Profile().CleansPaths
	for _, args := range []*schema.Args{&c.Tool.Input, &c.Tool.Output} {
		for i, a := range *args {
			s, ok := ordjson.String(a.Raw)
			if !ok || a.Role != schema.RolePath {
				continue
			}
			found := foundPath(s, rules, c.Cwd, home)
			switch {
			case whole && isRelative(found) && path.IsAbs(c.Cwd):
				found = path.Join(c.Cwd, found)
			case whole && cleans && path.IsAbs(found):
				found = path.Clean(found)
			}
			if found != s { // parts of a call share what isn't theirs alone
				*args = slices.Clone(*args)
				(*args)[i].Raw = ordjson.AppendString(nil, found)
			}
		}
	}
}

// foundPath is the path of the file that a tool with such rules looks for.
func foundPath(s string, rules schema.PathRules, cwd, home string) string {
	if rules.Trim {
		s = strings.TrimFunc(s, isScriptSpace)
	}
	if rest, ok := strings.CutPrefix(s, "~"); ok && rules.Home && home != "" && (rest == "" || strings.ContainsAny(rest[:1], `/\`)) {
		s = path.Join(home, strings.ReplaceAll(rest, `\`, "/"))
	}
	if rules.Drop != "" {
		s = strings.Map(func(c rune) rune {
			if strings.ContainsRune(rules.Drop, c) {
				return -1
			}
			return c
		}, s)
	}
	if rest, ok := strings.CutPrefix(s, rules.Prefix); ok && rules.Prefix != "" && !startsThere(s, rules.Prefix, cwd) {
		s = strings.TrimLeft(rest, "/") // what remains starts from the working folder
	}
	if !rules.Percent || !strings.Contains(s, "%") {
		return s
	}
	if in, ok := percentDecoded(cwd); !ok || in != cwd && isRelative(s) { // the client decodes the whole path
		s = path.Join(cwd, s)
	}
	s, _ = percentDecoded(s)
	return s
}

// startsThere reports whether a path with a prefix, or its first name, exists as it is written.
func startsThere(s, prefix, cwd string) bool {
	first := s
	if name, _, more := strings.Cut(s, "/"); more && name != prefix {
		first = name
	}
	_, err := os.Lstat(filepath.Join(cwd, first))
	return err == nil
}

// percentDecoded decodes %XX as JavaScript's decodeURIComponent does; ok is false and the
// text unchanged if it throws.
func percentDecoded(s string) (decoded string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+3 > len(s) {
			return s, false
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return s, false
		}
		b.WriteByte(byte(n))
		i += 2
	}
	if !utf8.ValidString(b.String()) {
		return s, false
	}
	return b.String(), true
}

// isScriptSpace reports whether JavaScript's trim takes a character away.
func isScriptSpace(c rune) bool { return unicode.IsSpace(c) && c != '\u0085' || c == '\ufeff' }

// isRelative reports whether a path starts from the working folder on any system.
func isRelative(s string) bool {
	return s != "" && !strings.ContainsAny(s[:1], `/\~$`) && !(len(s) > 1 && s[1] == ':')
}

// wholeArg makes a path that starts from the working folder absolute.
func wholeArg(a schema.Arg, cwd string) schema.Arg {
	if s, ok := ordjson.String(a.Raw); ok && a.Role == schema.RolePath && isRelative(s) && path.IsAbs(cwd) {
		a.Raw = ordjson.AppendString(nil, path.Join(cwd, s))
	}
	return a
}

// startIn is the working directory of a command hook: the one that its agent would
// use, unless that is the call's own and the hook's relative script exists only in the
// project. With a host that gives every command its own directory, such a guard would
// be lost; its own agent starts it in the session's directory.
func startIn(r *run, c *schema.Call, spec *process.Spec, project string) string {
	dir := folderFor(r, c, spec.Dir)
	if dir == project || project == "" || len(spec.Argv) == 0 {
		return dir
	}
	words := spec.Argv
	if n := len(words); n > 2 && strings.HasSuffix(words[n-2], "-c") || n > 2 && words[n-2] == "-Command" { // a shell's line
		words = shell.FirstCommand(words[n-1])
	}
	script := shell.RelativeScript(words)
	if script == "" || discover.IsFile(filepath.Join(dir, script)) || !discover.IsFile(filepath.Join(project, script)) {
		return dir
	}
	return project
}

// folderFor returns the first folder that exists: a guard must run even if the call's
// folder is wrong or gone.
func folderFor(r *run, c *schema.Call, wanted string) string {
	for _, dir := range []string{wanted, c.Project, r.places.Env.Get("PWD"), r.places.Home} {
		if dir != "" && discover.IsFolder(dir) {
			return dir
		}
	}
	return ""
}
