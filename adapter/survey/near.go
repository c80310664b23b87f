package survey

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// A Misplaced file has hooks and is next to the files that its agent reads, under a name that the agent doesn't read.
type Misplaced struct {
	Agent      dialect.Dialect
	File, Read string // Read is the file where the agent would find the hooks
}

// inPlugin is where a plugin of many agents has its hooks. In an agent's own folder no agent reads it.
const inPlugin = "hooks/hooks.json"

// Unread lists the misplaced files of a project: files that look like a plugin's, and any in the folders of agents
// without a hook file there.
func Unread(p schema.Places) (list []Misplaced) {
	for _, d := range adapter.Dialects() {
		for _, s := range d.Locate(p) {
			file := filepath.Join(filepath.Dir(s.File), filepath.FromSlash(inPlugin))
			known := slices.ContainsFunc(list, func(m Misplaced) bool { return m.File == file })
			if m := misplacedAt(file, p); s.OfProject() && !known && m != nil {
				list = append(list, *m)
			}
		}
	}
	return append(list, unreadBeside(p, list)...)
}

// MisplacedAt describes a file in an agent's folder at a place that only plugins have; nil for any other file.
func MisplacedAt(file string, p schema.Places) *Misplaced {
	p.Project = filepath.Dir(filepath.Dir(filepath.Dir(file)))
	return misplacedAt(file, p)
}

func misplacedAt(file string, p schema.Places) *Misplaced {
	root, isUsual := strings.CutSuffix(filepath.ToSlash(file), "/"+inPlugin)
	root = filepath.FromSlash(root)
	if !isUsual || root == p.Project || !hasHooks(file) {
		return nil
	}
	var found *Misplaced
	for _, d := range adapter.Dialects() {
		if manifest, _ := d.Profile().Plugins.Manifest(root, discover.Read); manifest != "" {
			return nil
		}
		for _, s := range d.Locate(p) {
			reads := func(f schema.Source) bool { return f.File == file }
			switch {
			case slices.ContainsFunc(discover.Files(s), reads):
				return nil
			case found == nil && s.OfProject() && !s.Folder && filepath.Dir(s.File) == root:
				found = &Misplaced{d, file, s.File}
			}
		}
	}
	return found
}

// unreadBeside lists the files next to the files that an agent would read, except the known ones.
func unreadBeside(p schema.Places, known []Misplaced) (list []Misplaced) {
	for _, d := range adapter.Dialects() {
		var own []schema.Source
		for _, s := range d.Locate(p) {
			if s.OfProject() && filepath.Dir(s.File) != p.Project {
				own = append(own, s)
			}
		}
		if slices.ContainsFunc(own, hookfile.HoldsFile) {
			continue
		}
		for _, s := range own {
			dir := filepath.Dir(s.File)
			for _, f := range discover.Files(schema.Source{File: dir, Folder: true}) {
				listed := slices.ContainsFunc(slices.Concat(known, list), func(m Misplaced) bool {
					return m.File == f.File
				})
				if !listed && f.File != s.File && hasHooks(f.File) {
					list = append(list, Misplaced{d, f.File, s.File})
				}
			}
		}
	}
	return list
}

// hasHooks reports whether a file is a JSON object with hooks in it.
func hasHooks(file string) bool {
	text, err := discover.Read(file)
	if err != nil {
		return false
	}
	o, err := ordjson.Parse(ordjson.BlankComments(text))
	return err == nil && o.Has("hooks")
}

// Limits of the search below a project: it must not take long in a large repository.
const (
	depthBelow   = 3
	foldersBelow = 2000
)

// Hint returns advice on misplaced files and hooks in subfolders, for the error that a project has no hooks; "" if
// there are none.
func Hint(p schema.Places) string {
	for _, d := range adapter.Dialects() {
		for _, s := range d.Locate(p) {
			if s.OfProject() && hookfile.BrokenLink(s.File) {
				return "; " + hookfile.Relative(p.Project, s.File) + " is a broken symbolic link"
			}
		}
		if hookfile.PluginFile(d, p.Project) != "" {
			return "; for this plugin: hookbridge plugin"
		}
	}
	for _, m := range Unread(p) {
		return "; " + m.Message(p.Project) + ": " + m.Fix(p.Project)
	}
	if named := NamedFiles(p); len(named) > 0 {
		return "; " + named[0].Message(p.Project)
	}
	if below := Below(p); len(below) > 0 {
		return "; there are hooks in " + strings.Join(below, ", ") + ": --project " + shell.Quote(below[0])
	}
	return ""
}

// Message describes what is wrong with the file; its path is relative to a folder.
func (m *Misplaced) Message(dir string) string {
	if m.Agent == nil {
		return "no agent reads " + hookfile.Relative(dir, m.File)
	}
	return m.Agent.Profile().Title + " doesn't read " + hookfile.Relative(dir, m.File) + ", so its hooks never run"
}

// Fix describes how to fix it.
func (m *Misplaced) Fix(dir string) string { return "move them to " + hookfile.Relative(dir, m.Read) }

// Below lists the folders below a project that have their own hook files, relative to it.
func Below(p schema.Places) (list []string) {
	seen := 0
	_ = filepath.WalkDir(p.Project, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(p.Project, path)
		if err != nil || !e.IsDir() || rel == "." {
			return nil
		}
		name := e.Name()
		ofOthers := name == "node_modules" || name == "vendor" || name == "testdata"
		if path == p.Home || name[0] == '.' || ofOthers {
			return filepath.SkipDir
		}
		if seen++; seen > foldersBelow {
			return filepath.SkipAll
		}
		if configured(path, p) {
			list = append(list, rel)
		}
		if strings.Count(rel, string(filepath.Separator)) >= depthBelow-1 {
			return filepath.SkipDir
		}
		return nil
	})
	return list
}
