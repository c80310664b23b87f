package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

func readHooks(d adapter.Dialect, input string, stdin io.Reader) (*schema.Config, schema.Diagnostics) {
	switch {
	case d.Profile().IsModule(input):
		return readModule(d, input, ".")
	case input != "-" && discover.IsFolder(input):
		return readProject(d, input)
	}
	at, text, err := schema.Source{}, []byte(nil), error(nil)
	if text, err = readInput(input, stdin); input != "-" {
		at = sourceOf(d, input)
	}
	if err != nil {
		return nil, unreadable(strings.TrimPrefix(input, "-"), err)
	}
	return parseHooks(d, at, text)
}

func readInput(file string, stdin io.Reader) ([]byte, error) {
	if file == "-" {
		return readAll(stdin)
	}
	return discover.Read(file)
}

func unreadable(file string, err error) (ds schema.Diagnostics) {
	ds.Add(schema.CodeUnreadable, "", discover.Reason(err)).File = file
	return ds
}

// readModule lists the callbacks of a module, that is looked for in dir, then in
// the current folder. It is named by its path from dir if it lies below, so that
// what is written with that name holds elsewhere too.
func readModule(d adapter.Dialect, file, dir string) (*schema.Config, schema.Diagnostics) {
	root, err := filepath.Abs(dir)
	if inside := filepath.Join(root, file); !filepath.IsAbs(file) && discover.IsFile(inside) {
		file = inside
	}
	if err == nil {
		file, err = filepath.Abs(file)
	}
	if err != nil {
		return nil, unreadable(file, err)
	}
	cfg, ds := bridge.ReadModule(context.Background(), d, file, root, os.Environ())
	rel, err := filepath.Rel(root, file)
	if cfg == nil || err != nil || strings.HasPrefix(rel, "..") {
		return cfg, ds
	}
	for i := range cfg.Hooks {
		cfg.Hooks[i].Command = "./" + filepath.ToSlash(rel)
	}
	return cfg, ds
}

// sourceOf is the source for a file: for one of the user's own files the one that its
// agent finds, for any other the one that the user named.
func sourceOf(d adapter.Dialect, input string) schema.Source {
	home, _ := os.UserHomeDir()
	abs, err := filepath.Abs(input)
	for _, s := range d.Locate(schema.Places{Home: home}) {
		if s.Folder && filepath.Dir(abs) == s.File {
			s.File, s.Folder = abs, false
		}
		if err == nil && home != "" && s.File == abs && s.Scope == schema.ScopeUser {
			return s
		}
	}
	return given(d, input)
}

// given is the source for a file that the user named. A plugin is known by its
// whole path: its hooks run in other folders than the one it was named from.
func given(d adapter.Dialect, file string) schema.Source {
	s := d.Given(file)
	if root := listedBy(d, file); s.Plugin == "" && root != "" {
		s.Plugin, s.Scope = root, schema.ScopePlugin
	}
	if s.Plugin != "" {
		s.Plugin = absolute(s.Plugin)
	}
	return s
}

// listedBy is the folder of the plugin whose manifest lists a file, "" if none
// does.
func listedBy(d adapter.Dialect, file string) string {
	plugins := &d.Profile().Plugins
	for dir, n := filepath.Dir(absolute(file)), 0; n < 4; dir, n = filepath.Dir(dir), n+1 {
		if manifest, _ := plugins.Manifest(dir, discover.Read); manifest == "" {
			continue
		}
		files, _ := plugins.Files(dir, discover.Read)
		for _, f := range files {
			if f.File == absolute(file) && f.Text == nil {
				return dir
			}
		}
	}
	return ""
}

// readProject unites the files of a project, those of this machine left out.
func readProject(d adapter.Dialect, dir string) (*schema.Config, schema.Diagnostics) {
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
				ds = append(ds, unreadable(s.File, err)...)
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
		ds = append(ds, convert.LeftBehind(cfg, len(all.Hooks) > 0)...)
	}
	file := pluginFile(d, dir)
	switch {
	case all != nil && file != "":
		ds.AddSeverity(schema.CodeMemberLost, schema.Note, "",
			"this folder is also a plugin; to read the plugin's hooks, name its file").File = file
	case all == nil && ds.Max() < schema.Error && file != "":
		text, err := discover.Read(file)
		if err == nil {
			return parseHooks(d, sourceOf(d, file), text)
		}
		ds = append(ds, unreadable(file, err)...)
	case all == nil && ds.Max() < schema.Error:
		ds.Add(schema.CodeUnreadable, "", "no hook file of "+d.Profile().Title+" in this project, and no plugin").File =
			dir
	}
	return all, ds
}

// pluginFile is the file of a plugin's folder that lists its hooks: the manifest,
// or the file that is read without one; "" if the folder is not a plugin of d.
func pluginFile(d adapter.Dialect, dir string) string {
	plugins := &d.Profile().Plugins
	if file, _ := plugins.Manifest(dir, discover.Read); file != "" {
		return file
	}
	for _, name := range plugins.Hooks {
		if file := filepath.Join(dir, filepath.FromSlash(name)); discover.IsFile(file) {
			return file
		}
	}
	return ""
}

// pluginFiles lists the files with hooks of the plugin that a manifest belongs
// to; ok is false if the file is not a manifest of d. What the manifest lists and
// what lies outside the plugin, where links lead too, is not read.
func pluginFiles(d adapter.Dialect, manifest string) (files []dialect.PluginFile, root string, ds schema.Diagnostics,
	ok bool) {
	plugins := &d.Profile().Plugins
	if root = plugins.RootOf(manifest); root == "" {
		return nil, "", nil, false
	}
	all, ds := plugins.Files(root, discover.Read)
	for _, f := range all {
		usual := func(name string) bool { return f.File == filepath.Join(root, filepath.FromSlash(name)) }
		if _, err := os.Lstat(f.File); err != nil && slices.ContainsFunc(plugins.Hooks, usual) {
			continue // no manifest has to list it, and no plugin has to have it
		}
		if !staysIn(root, f.File) {
			ds.Add(schema.CodeRefusedFile, "/hooks",
				f.File+" is outside the plugin, so the hooks of that file don't run").File = manifest
			continue
		}
		files = append(files, f)
	}
	return files, root, ds, true
}

// staysIn reports whether a file lies in a folder, links followed. A file that
// does not exist does.
func staysIn(root, file string) bool {
	dir, err := filepath.EvalSymlinks(root)
	at, err2 := filepath.EvalSymlinks(file)
	if err != nil || err2 != nil {
		return true
	}
	return dialect.Within(dir, at)
}

func parseHooks(d adapter.Dialect, at schema.Source, text []byte) (cfg *schema.Config, found schema.Diagnostics) {
	var odd schema.Diagnostics // the user says whose file it is
	if name := inspect.OtherAgent(fromProject(at.File), text); name != "" {
		d := odd.AddSeverity(schema.CodeShape, schema.Loss, "", "this looks like a file of "+name+
			"; reading it as one of "+d.Profile().Title)
		d.File = at.File
	}
	defer func() { found = append(found, odd...) }()
	if hookfile.IsMarkdown(at.File) {
		return parseFrontmatter(d, at, text)
	}
	if found = inspect.Misread(d, text, at); found != nil {
		return nil, found
	}
	if cfg, more, ok := parseManifest(d, at); ok {
		return cfg, more
	}
	return inspect.Accepted(d.ParseConfig(text, at))
}

func parseFrontmatter(d adapter.Dialect, at schema.Source, text []byte) (*schema.Config, schema.Diagnostics) {
	cfg, ds := hookfile.ParseFile(d, text, at)
	if cfg, ds = inspect.Accepted(cfg, ds); cfg != nil && len(cfg.Hooks) > 0 {
		x := ds.Add(schema.CodeUnknownMember, "/hooks", "these hooks run only while their skill or agent is active; "+
			"the converted ones belong to the project and always run")
		x.File = at.File
	}
	return cfg, ds
}

func parseManifest(d adapter.Dialect, at schema.Source) (cfg *schema.Config, ds schema.Diagnostics, ok bool) {
	files, root, ds, ok := pluginFiles(d, at.File)
	if !ok {
		return nil, nil, false
	}
	plugin := absolute(root) // where the hooks run is another folder
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
		one, more := inspect.Accepted(d.ParseConfig(text, schema.Source{File: f.File, Scope: schema.ScopePlugin,
			Plugin: plugin}))
		ds = append(ds, more...)
		if one == nil || cfg == nil {
			continue
		}
		cfg.Hooks = append(cfg.Hooks, one.Hooks...)
		if f.Text == nil { // a manifest's other fields aren't settings
			ds = append(ds, convert.LeftBehind(one, len(one.Hooks) > 0)...)
		}
	}
	return cfg, ds, true
}
