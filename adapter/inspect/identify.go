package inspect

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// others are agents without a dialect, with what marks their files: folders of the
// path, or parts of the text.
var others = []struct {
	name    string
	folders []string
	texts   []string
}{
	{"Amazon Q", []string{".amazonq"}, []string{`"agentSpawn"`}},
	{"Cline", []string{".clinerules"}, []string{`"tool": "cline"`}},
	{"universal-ai-config", []string{".universal-ai-config"}, nil},
}

// OtherAgent names the agent that a file is written for if that is none of the
// dialects; "" if nothing speaks against one of them. The path is one from the
// project or the home folder: what lies above says nothing about the file.
func OtherAgent(path string, text []byte) string {
	path = "/" + strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	at, name := -1, ""
	for _, o := range others {
		for _, f := range o.folders {
			if i := strings.LastIndex(path, "/"+f+"/"); i > at {
				at, name = i, o.name
			}
		}
	}
	for _, d := range adapter.Dialects() { // the innermost folder counts
		if i := folderIn(d, path); i > at {
			return ""
		}
	}
	if name != "" {
		return name
	}
	for _, o := range others {
		if slices.ContainsFunc(o.texts, func(t string) bool { return strings.Contains(string(text), t) }) {
			return o.name
		}
	}
	return ""
}

// Misread reports a file of hooks with the events of another agent and none of d's.
func Misread(d dialect.Dialect, text []byte, at schema.Source) (ds schema.Diagnostics) {
	o, _ := ordjson.Parse(text)
	hooks, _ := o.Members("hooks")
	has := func(d dialect.Dialect) bool {
		return slices.ContainsFunc(hooks, func(m ordjson.Member) bool { return d.Profile().Row(m.Name) != nil })
	}
	for _, other := range adapter.Dialects() {
		if !has(d) && has(other) {
			x := ds.Add(schema.CodeShape, "", "this looks like a file of "+other.Profile().Title+", not of "+
				d.Profile().Title)
			x.Fix = "name " + other.Profile().Title + " as its agent"
			x.File, x.Line, x.Col = at.File, 1, 1
			break
		}
	}
	return ds
}

// Accepted turns a file that its own agent refuses into no config.
func Accepted(cfg *schema.Config, ds schema.Diagnostics) (*schema.Config, schema.Diagnostics) {
	for i := range ds {
		if ds[i].Code == schema.CodeVoidFile {
			ds[i].Severity = schema.Error
		}
	}
	if ds.Max() == schema.Error {
		return nil, ds
	}
	return cfg, ds
}

// OwnerOf returns the agent whose hooks a file holds: by a folder of its path, or else
// by the events that it names, and of several that have them the one that finds least
// fault with the text, or else the one whose files alone can hold the text. nil if
// nothing decides.
func OwnerOf(path string, events []string, text []byte) dialect.Dialect {
	var found dialect.Dialect
	at := -1
	for _, d := range adapter.Dialects() {
		if i := folderIn(d, strings.ToLower(strings.ReplaceAll(path, `\`, "/"))); i > at {
			found, at = d, i
		}
	}
	if found != nil {
		return found
	}
	best, fewest := 0, 0
	for _, d := range adapter.Dialects() {
		n := 0
		for _, e := range events {
			if d.Profile().Row(e) != nil {
				n++
			}
		}
		if n < max(best, 1) {
			continue
		}
		_, ds := d.ParseConfig(text, d.Given(path))
		if n > best || len(ds) < fewest {
			found, best, fewest = d, n, len(ds)
		}
	}
	if found != nil {
		return found
	}
	for _, name := range adapter.Names() {
		d, err := adapter.Find(name)
		if files := dialect.Ability[dialect.FileRecognizer](d); err == nil && files != nil && files.Recognizes(text) {
			return d
		}
	}
	return nil
}

// ProjectOf is the folder around the agent's own folder in a path, "" if it has
// none.
func ProjectOf(d dialect.Dialect, path string) string {
	if i := folderIn(d, strings.ReplaceAll(path, `\`, "/")); i > 0 {
		return path[:i]
	}
	return ""
}

// folderIn is where the last folder of the agent's own begins in a path with slashes,
// -1 if it has none.
func folderIn(d dialect.Dialect, path string) int {
	at := strings.LastIndex("/"+path, "/."+d.Profile().Name)
	for _, f := range d.Profile().Folders {
		at = max(at, strings.LastIndex("/"+path+"/", "/"+f+"/"))
	}
	if at > 0 {
		return at - 1
	}
	return at
}

// placeOf finds the place of a JSON Pointer's value; ok is false if there is none.
func placeOf(text []byte, pointer string) (line, col int, ok bool) {
	m := pointed(text, pointer)
	if m == nil {
		return 0, 0, false
	}
	line, col = ordjson.Position(text, m.Off)
	return line, col, true
}

// Place gives the findings about a file the places that their pointers have in its
// text, which may know an entry's place only until then.
func Place(ds schema.Diagnostics, file string, text []byte) {
	asked := map[string][]*schema.Diagnostic{} // by pointer
	above := map[string]bool{}                 // what holds one that is asked for
	for i := range ds {
		p := ds[i].Path
		if p == "" || ds[i].File != file {
			continue
		}
		asked[p] = append(asked[p], &ds[i])
		for i := strings.LastIndexByte(p, '/'); i > 0 && !above[p[:i]]; i = strings.LastIndexByte(p[:i], '/') {
			above[p[:i]] = true
		}
	}
	o, _, err := ordjson.ParseLast(text)
	if err != nil || len(asked) == 0 {
		return
	}
	index := ordjson.NewIndex(text)
	var walk func(list []ordjson.Member, at string)
	walk = func(list []ordjson.Member, at string) {
		for i, m := range list {
			name := m.Name
			if name == "" {
				name = strconv.Itoa(i)
			}
			path := ordjson.Pointer(at, name)
			for _, d := range asked[path] {
				d.Line, d.Col = index.Position(m.Off)
			}
			if !above[path] {
				continue
			}
			if inner, err := ordjson.Members(m.Value, m.Off); err == nil {
				walk(inner, path)
			} else if inner, err := ordjson.Elements(m.Value, m.Off); err == nil {
				walk(inner, path)
			}
		}
	}
	walk(o, "")
}

// pointed finds a JSON Pointer's field or element, nil if there is none.
func pointed(text []byte, pointer string) *ordjson.Member {
	o, err := ordjson.Parse(text)
	if err != nil || pointer == "" {
		return nil
	}
	list := []ordjson.Member(o)
	tokens := strings.Split(pointer[1:], "/")
	for i, t := range tokens {
		m := memberAt(list, strings.NewReplacer("~1", "/", "~0", "~").Replace(t))
		if m == nil || i == len(tokens)-1 {
			return m
		}
		if inner, err := ordjson.Members(m.Value, m.Off); err == nil {
			list = inner
		} else if list, err = ordjson.Elements(m.Value, m.Off); err != nil {
			return nil
		}
	}
	return nil
}

func memberAt(list []ordjson.Member, name string) *ordjson.Member {
	for i := range list {
		if list[i].Name == name || list[i].Name == "" && strconv.Itoa(i) == name {
			return &list[i]
		}
	}
	return nil
}

// Without blanks the field at a JSON Pointer out of a text, with its name and one
// comma beside it: what is left keeps its places and its pointers. ok is false if
// there is no such field or the rest would be no JSON.
func Without(text []byte, pointer string) (out []byte, ok bool) {
	m := pointed(text, pointer)
	if m == nil || m.Name == "" {
		return nil, false
	}
	out = append([]byte(nil), text...)
	start, end := bytes.LastIndexByte(out[:m.Off], ':'), m.Off+len(m.Value)
	for range 2 { // the quotes of its name
		start = bytes.LastIndexByte(out[:max(start, 0)], '"')
	}
	if start < 0 {
		return nil, false
	}
	const blanks = " \t\r\n"
	if rest := bytes.TrimLeft(out[end:], blanks); bytes.HasPrefix(rest, []byte{','}) {
		end = len(out) - len(rest) + 1
	} else if before := bytes.TrimRight(out[:start], blanks); bytes.HasSuffix(before, []byte{','}) {
		start = len(before) - 1
	}
	for i := start; i < end; i++ {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	return out, ordjson.Check(out) == nil
}
