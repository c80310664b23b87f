package hookfile

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// OtherAgent names the agent that a file is written for if it has no dialect; "" if nothing indicates that. The path
// starts at the project or the home folder: the folders above mean nothing for the file.
func OtherAgent(path string, text []byte) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if owner := adapter.OwnerByName(path); owner != nil {
		return owner.Title
	}

	path = "/" + strings.ToLower(path)
	at, name, others := -1, "", adapter.KnownByName()
	for _, o := range others {
		for _, f := range o.Folders {
			if i := strings.LastIndex(path, "/"+f+"/"); i > at {
				at, name = i, o.Title
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
		if slices.ContainsFunc(o.Texts, func(t string) bool { return strings.Contains(string(text), t) }) {
			return o.Title
		}
	}
	return ""
}

// Misread reports a hook file with the events of another agent and none of d.
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
			x.Fix = "use --from " + other.Profile().Name
			x.File, x.Line, x.Col = at.File, 1, 1
			break
		}
	}
	return ds
}

// Accepted returns nil for a file that its own agent rejects.
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

// OwnerOf returns the agent whose hooks a file contains: by a folder of its path, which is sure, or else by rank, or
// else the only one whose files can contain the text. It returns nil if nothing decides.
func OwnerOf(path string, events []string, text []byte) (found dialect.Dialect, sure bool) {
	path = strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	at := -1
	for _, d := range adapter.Dialects() {
		if i := folderIn(d, path); i > at {
			found, at = d, i
		}
	}
	if found != nil {
		return found, true
	}

	var best []int
	for _, d := range adapter.Dialects() {
		if r := rank(d, path, events, text); r[0] > 0 && slices.Compare(r, best) > 0 {
			found, best = d, r
		}
	}
	if found != nil {
		return found, false
	}

	for _, name := range adapter.Names() {
		d, err := adapter.Find(name)
		if files := d.Abilities().Files; err == nil && files != nil && files.Recognizes(text) {
			return d, false
		}
	}

	if _, err := ordjson.Parse(text); err != nil {
		return ownerOfTOML(text), false
	}
	return nil, false
}

// rank returns how well a file fits an agent, the most important first: how many of the events the agent has, whether a
// folder has the name of the agent's own without its dot, as in a repository of dotfiles, how many hooks select a tool
// of the agent by name, and how few findings it has.
func rank(d dialect.Dialect, path string, events []string, text []byte) []int {
	n, folder, tools := 0, 0, 0
	for _, e := range events {
		if d.Profile().Row(e) != nil {
			n++
		}
	}
	if n == 0 {
		return []int{0}
	}

	for name := range strings.SplitSeq(path, "/") {
		name = "." + strings.TrimPrefix(name, "dot_")
		if d.Profile().OwnFolder(name) && !strings.Contains(name[1:], ".") {
			folder = 1
		}
	}

	cfg, ds := d.ParseConfig(text, d.Given(path))
	if cfg != nil {
		for i := range cfg.Hooks {
			m, err := d.Profile().Matcher(&cfg.Hooks[i])
			if err == nil && !m.All() && slices.ContainsFunc(d.Profile().Tools, func(t schema.ToolRow) bool {
				return m.Match(t.Name)
			}) {
				tools++
			}
		}
	}
	return []int{n, folder, tools, -len(ds)}
}

// ownerOfTOML returns the agent that reads the most hooks in a text other than JSON, and of several the one with the
// fewest findings; nil if no agent finds any.
func ownerOfTOML(text []byte) (found dialect.Dialect) {
	best, fewest := 0, 0
	for _, d := range adapter.Dialects() {
		cfg, ds := d.ParseConfig(text, schema.Source{Scope: schema.ScopeGiven})
		if cfg == nil || ds.Max() == schema.Error {
			continue
		}
		if n := len(cfg.Hooks); n > best || n == best && n > 0 && len(ds) < fewest {
			found, best, fewest = d, n, len(ds)
		}
	}
	return found
}

// ProjectOf returns the folder around the agent's own folder in a path, or "".
func ProjectOf(d dialect.Dialect, path string) string {
	if i := folderIn(d, strings.ReplaceAll(path, `\`, "/")); i > 0 {
		return path[:i]
	}
	return ""
}

// folderIn returns where the last folder of the agent's own begins in a path with slashes, or -1.
func folderIn(d dialect.Dialect, path string) int {
	at := strings.LastIndex("/"+path, "/."+d.Profile().Name)
	for _, f := range slices.Concat(d.Profile().Folders, d.Profile().Shared) {
		at = max(at, strings.LastIndex("/"+path+"/", "/"+f+"/"))
	}
	if at > 0 {
		return at - 1
	}
	return at
}
