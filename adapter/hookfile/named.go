package hookfile

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// A Desk is where a user names files: the folder that paths start from, and the home folder.
type Desk struct{ Dir, Home string }

// Abs returns an absolute path.
func (u Desk) Abs(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(u.Dir, name)
}

// Inside returns a path relative to the current folder or to the user's own, whichever contains it: the folders above
// mean nothing for a file.
func (u Desk) Inside(name string) string {
	abs := u.Abs(name)
	for _, dir := range []string{u.Dir, u.Home} {
		if rel, err := filepath.Rel(dir, abs); dir != "" && err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	rel, _ := filepath.Rel(filepath.Dir(filepath.Dir(filepath.Dir(abs))), abs)
	return rel
}

// Hooks reads the hooks of a file, of a project's files, or of a plugin. If they can't be read, the Config is nil and
// the diagnostics contain the reason.
func (u Desk) Hooks(d dialect.Dialect, name string) (*schema.Config, schema.Diagnostics) {
	if discover.IsFolder(name) {
		return u.project(d, name)
	}
	text, err := discover.Read(name)
	if err != nil {
		return nil, Unreadable(name, err)
	}
	return u.Parse(d, u.Source(d, name), text)
}

// Unreadable reports a file that can't be read.
func Unreadable(file string, err error) (ds schema.Diagnostics) {
	ds.Add(schema.CodeUnreadable, "", discover.Reason(err)).File = file
	return ds
}

// Source returns the source for a file: for one of the user's own files as its agent finds it, for any other as the
// user named it.
func (u Desk) Source(d dialect.Dialect, input string) schema.Source {
	abs := u.Abs(input)
	for _, s := range d.Locate(schema.Places{Home: u.Home}) {
		if s.Folder && filepath.Dir(abs) == s.File {
			s.File, s.Folder = abs, false
		}
		if u.Home != "" && s.File == abs && s.Scope == schema.ScopeUser {
			return s
		}
	}
	return u.Given(d, input)
}

// Given returns the source for a file that the user named. A plugin gets its absolute path, because its hooks run in
// other folders.
func (u Desk) Given(d dialect.Dialect, file string) schema.Source {
	s := d.Given(file)
	if root := u.listedBy(d, file); s.Plugin == "" && root != "" {
		s.Plugin, s.Scope = root, schema.ScopePlugin
	}
	if s.Plugin != "" {
		s.Plugin = u.Abs(s.Plugin)
	}
	return s
}

// listedBy returns the folder of the plugin whose manifest lists a file, or "".
func (u Desk) listedBy(d dialect.Dialect, file string) string {
	plugins := &d.Profile().Plugins
	for dir, n := filepath.Dir(u.Abs(file)), 0; n < 4; dir, n = filepath.Dir(dir), n+1 {
		if manifest, _ := plugins.Manifest(dir, discover.Read); manifest == "" {
			continue
		}
		files, _ := plugins.Files(dir, discover.Read)
		for _, f := range files {
			if f.File == u.Abs(file) && f.Text == nil {
				return dir
			}
		}
	}
	return ""
}

// project merges the files of a project, without those of this machine.
func (u Desk) project(d dialect.Dialect, dir string) (*schema.Config, schema.Diagnostics) {
	var all *schema.Config
	var others []*schema.Config
	var ds schema.Diagnostics
	var sources []schema.Source
	for _, s := range d.Locate(schema.Places{Project: dir}) {
		sources = append(sources, discover.Files(s)...)
	}

	for _, s := range sources {
		text, err := discover.Read(s.File)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				ds = append(ds, Unreadable(s.File, err)...)
			}
			continue
		}

		cfg, more := d.ParseConfig(text, s)
		ds = append(ds, more...)
		if all == nil {
			all = cfg
		} else {
			all.Hooks = append(all.Hooks, cfg.Hooks...)
			others = append(others, cfg)
		}
	}
	for _, cfg := range others {
		ds = append(ds, LeftBehind(cfg, len(all.Hooks) > 0)...)
	}

	file := PluginFile(d, dir)
	switch {
	case all != nil && file != "":
		ds.AddSeverity(schema.CodeMemberLost, schema.Note, "",
			"this folder is also a plugin; to read the plugin's hooks, name its file").File = file
	case all == nil && ds.Max() < schema.Error && file != "":
		text, err := discover.Read(file)
		if err == nil {
			return u.Parse(d, u.Source(d, file), text)
		}
		ds = append(ds, Unreadable(file, err)...)
	case all == nil && ds.Max() < schema.Error:
		x := ds.Add(schema.CodeUnreadable, "", "no hook file of "+d.Profile().Title+" here, and no plugin")
		x.File, x.Fix = dir, "name its file"
		if o := adapter.Located(schema.Places{Project: dir}, HoldsFile); len(o) > 0 {
			x.Fix = "use --from " + adapter.NameOf(o[0])
		}
	}

	return all, ds
}

// Parse reads the text of a hook file, of a Markdown file with hooks, or of a plugin's manifest.
func (u Desk) Parse(d dialect.Dialect, at schema.Source, text []byte) (cfg *schema.Config, found schema.Diagnostics) {
	var odd schema.Diagnostics // the user names the file's agent
	if name := OtherAgent(u.Inside(at.File), text); name != "" {
		d := odd.AddSeverity(schema.CodeShape, schema.Loss, "", "this looks like a file of "+name+
			"; reading it as one of "+d.Profile().Title)
		d.File = at.File
	}
	defer func() { found = append(found, odd...) }()
	if IsMarkdown(at.File) {
		return parseFrontmatter(d, at, text)
	}
	if found = Misread(d, text, at); found != nil {
		return nil, found
	}
	if cfg, more, ok := u.manifest(d, at); ok {
		return cfg, more
	}
	return Accepted(d.ParseConfig(text, at))
}

func parseFrontmatter(d dialect.Dialect, at schema.Source, text []byte) (*schema.Config, schema.Diagnostics) {
	cfg, ds := ParseFile(d, text, at)
	if cfg, ds = Accepted(cfg, ds); cfg != nil && len(cfg.Hooks) > 0 {
		x := ds.Add(schema.CodeUnknownMember, "/hooks", "these hooks run only while their skill or agent is active; "+
			"the converted ones belong to the project and always run")
		x.File = at.File
	}
	return cfg, ds
}

func (u Desk) manifest(d dialect.Dialect, at schema.Source) (cfg *schema.Config, ds schema.Diagnostics, ok bool) {
	files, root, ds, ok := PluginFiles(d, at.File)
	if !ok {
		return nil, nil, false
	}

	plugin := u.Abs(root) // its hooks run in another folder
	at.Plugin, at.Scope = plugin, schema.ScopePlugin
	cfg = &schema.Config{Source: at}
	if ds.Max() == schema.Error {
		cfg = nil
	}

	for _, f := range files {
		text, err := f.Text, error(nil)
		if text == nil {
			text, err = discover.Read(f.File)
		}
		if err != nil {
			ds.Add(schema.CodeUnreadable, "/hooks", discover.Reason(err)).File = at.File
			continue
		}
		one, more := Accepted(d.ParseConfig(text, schema.Source{File: f.File, Scope: schema.ScopePlugin,
			Plugin: plugin}))
		ds = append(ds, more...)
		if one == nil || cfg == nil {
			continue
		}
		cfg.Hooks = append(cfg.Hooks, one.Hooks...)
		if f.Text == nil { // a manifest's other fields aren't settings
			ds = append(ds, LeftBehind(one, len(one.Hooks) > 0)...)
		}
	}

	return cfg, ds, true
}
