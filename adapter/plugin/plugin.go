// Package plugin reads the hooks of one agent's plugin and writes what other agents need to run them: a file of entries
// for each, the pointer to it in the agent's manifest, and a launcher that finds hookbridge. It decides what the files
// should contain; commands print it.
package plugin

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Plugin is the folder of a plugin with the hooks that its author wrote.
type Plugin struct {
	Root  string
	Owner adapter.Dialect // the agent that the hooks are written for
	Files []string        // of the hooks, from the root, with "/"
	Hooks []schema.Hook
	Found schema.Diagnostics // about those files

	now tree // the files as they are
	own tree // the files without what Write has written
}

// Open reads the plugin in a folder. owner is the agent that its hooks are written for; nil: the first whose files have
// hooks. ok is false if no agent finds any.
func Open(root string, owner adapter.Dialect) (p *Plugin, ok bool) {
	p = &Plugin{Root: root, now: tree{root: root}}
	p.own = bare(p.now)
	finds := adapter.Where(func(d adapter.Dialect) bool {
		_, hooks, _ := p.own.hooks(d)
		return len(hooks) > 0 && (owner == nil || adapter.SameAgent(owner, d))
	})
	if len(finds) == 0 {
		return p, false
	}

	named := slices.IndexFunc(finds, func(d adapter.Dialect) bool {
		manifest := d.Profile().Plugins.Own
		return manifest != "" && p.own.text(manifest) != nil
	})
	d := finds[max(named, 0)]
	p.Owner = d
	_, _, p.Found = p.own.hooks(d)
	p.Files, p.Hooks, _ = p.now.hooks(d)
	p.Hooks = slices.DeleteFunc(p.Hooks, func(h schema.Hook) bool { return cmdline.FindsHooks(h.Command, h.Args) })
	p.Files = slices.DeleteFunc(p.Files, func(file string) bool {
		return p.own.text(file) == nil && p.now.ours(d, file)
	})
	return p, true
}

// Taken has everything that an agent reads from a plugin's current files.
type Taken struct {
	Agent    adapter.Dialect
	Manifest string   // from the root, with "/"; "": none
	Files    []string // files with hooks
	Hooks    []schema.Hook
	Found    schema.Diagnostics
	Never    string // why it runs no hooks
}

// Take reads the plugin as an agent does.
func (p *Plugin) Take(d adapter.Dialect) (t Taken) {
	rules := &d.Profile().Plugins
	t.Agent, t.Never = d, rules.Never
	if d.Profile().HostOnly != "" {
		t.Never = d.Profile().Title + " has its own plugin format"
	}
	if t.Never != "" {
		return t
	}
	if manifest, _ := rules.Manifest(p.Root, p.now.read); manifest != "" {
		t.Manifest = p.now.short(manifest)
	} else if rules.Use == dialect.ManifestNeeded {
		t.Never = "without " + rules.Own + " the folder isn't a plugin of " + d.Profile().Title
		return t
	}
	t.Files, t.Hooks, t.Found = p.now.hooks(d)
	if importer := d.Abilities().Imports; rules.Converts && importer != nil && len(t.Hooks) == 0 {
		for _, h := range p.Hooks { // as their own agent reads them
			if own, runs := importer.Import(h); runs && slices.Contains(t.Files, p.now.short(h.Source.File)) {
				t.Hooks = append(t.Hooks, own)
			}
		}
	}
	return t
}

// AuthorStates reports whether the author states an agent's hooks in its manifest, which Plan doesn't change. others
// describes them if they differ; "": they are the same.
func (p *Plugin) AuthorStates(d adapter.Dialect) (others string, stated bool) {
	rules := rulesOf(d)
	if rules == nil || rules.Fixed() || adapter.SameAgent(d, p.Owner) {
		return "", false
	}
	manifest := manifestOf(p.own, d, rules)
	o, _ := ordjson.Parse(p.own.text(manifest))
	if !o.Has("hooks") {
		return "", false
	}
	files, _, _ := p.own.hooks(d)
	switch {
	case slices.ContainsFunc(files, func(file string) bool { return slices.Contains(p.Files, file) }):
		return "", true
	case len(files) == 0 || slices.Contains(files, manifest):
		return "its author states other hooks for " + d.Profile().Title + " in " + manifest, true
	}
	return "its author has other hooks for " + d.Profile().Title + ": " + strings.Join(files, ", "), true
}

// A tree is the files of a folder, with changes.
type tree struct {
	root    string
	changed map[string][]byte // by the path from the root, with "/"; nil: there is none
}

// short returns a file's path from the root, with "/".
func (t tree) short(file string) string {
	rel, err := filepath.Rel(t.root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

func (t tree) read(file string) ([]byte, error) {
	text, ok := t.changed[t.short(file)]
	switch {
	case !ok:
		return discover.Read(file)
	case text == nil:
		return nil, os.ErrNotExist
	}
	return text, nil
}

// has reports whether anything is at a path from the root, including what can't be read as a file.
func (t tree) has(path string) bool {
	if text, ok := t.changed[path]; ok {
		return text != nil
	}
	return hookfile.Exists(filepath.Join(t.root, filepath.FromSlash(path)))
}

// text returns the file at a path from the root, or nil.
func (t tree) text(path string) []byte {
	text, err := t.read(filepath.Join(t.root, filepath.FromSlash(path)))
	if err != nil {
		return nil
	}
	return append([]byte{}, text...)
}

// with returns the tree with another file; a nil text removes it.
func (t tree) with(path string, text []byte) tree {
	changed := map[string][]byte{path: text}
	for other, text := range t.changed {
		if other != path {
			changed[other] = text
		}
	}
	return tree{t.root, changed}
}

// hooks returns the hooks that an agent finds in the plugin's files.
func (t tree) hooks(d adapter.Dialect) (files []string, hooks []schema.Hook, ds schema.Diagnostics) {
	if d.Profile().HostOnly != "" || d.Profile().Plugins.Never != "" {
		return nil, nil, nil
	}
	list, ds := d.Profile().Plugins.Files(t.root, t.read)
	var cfgs []*schema.Config
	for _, f := range list {
		text, err := t.read(f.File)
		if err != nil {
			continue
		}
		cfg, more := hookfile.Reader{Dialect: d}.ParseConfig(text,
			schema.Source{File: f.File, Scope: schema.ScopePlugin,
				Plugin: t.root})
		cfgs, ds, files = append(cfgs, cfg), append(ds, more...), append(files, t.short(f.File))
	}
	hooks, more := d.Resolve(cfgs)
	return files, hooks, append(ds, more...)
}

// launched reports whether there are hooks and all are entries that start the launcher.
func launched(hooks []schema.Hook) bool {
	return len(hooks) > 0 && !slices.ContainsFunc(hooks, func(h schema.Hook) bool {
		call, _ := cmdline.Parse(h.Command, h.Args)
		return call.Launcher == ""
	})
}

// ours reports whether a text, read as an agent's hook file, has only such entries.
func (t tree) ours(d adapter.Dialect, path string) bool {
	text := t.text(path)
	if text == nil {
		return false
	}
	cfg, _ := d.ParseConfig(text, schema.Source{File: filepath.Join(t.root, filepath.FromSlash(path)),
		Scope: schema.ScopePlugin, Plugin: t.root})
	if o, _ := t.written(); len(cfg.Hooks) == 0 && path == fileOf(d) && adapter.Has(o.Hosts, d) {
		return emptied(text) // someone has removed the entries
	}
	return launched(cfg.Hooks)
}

// emptied reports whether a hook file has only events without entries.
func emptied(text []byte) bool {
	o, err := ordjson.Parse(text)
	events, _ := o.Members("hooks")
	return err == nil && !slices.ContainsFunc(o, func(m ordjson.Member) bool {
		return m.Name != "hooks" && m.Name != "version"
	}) && !slices.ContainsFunc(events, func(m ordjson.Member) bool { return len(ordjson.Objects(m.Value)) > 0 })
}

// rulesOf returns an agent's rules for plugins with hooks; nil if it runs none.
func rulesOf(d adapter.Dialect) *dialect.Plugins {
	rules := &d.Profile().Plugins
	if d.Profile().HostOnly != "" || rules.Never != "" || rules.Own == "" {
		return nil
	}
	return rules
}

// Writable reports whether Plan can make the plugin's hooks run in an agent.
func (p *Plugin) Writable(d adapter.Dialect) bool {
	return rulesOf(d) != nil && !adapter.SameAgent(d, p.Owner)
}

// Meant returns the agents that the plugin is made for: the agent of its hooks, the agents that Plan wrote for, and
// those with their own manifest in it.
func (p *Plugin) Meant() []adapter.Dialect {
	was, _ := p.Written()
	return adapter.Where(func(d adapter.Dialect) bool {
		own := d.Profile().Plugins.Own
		return adapter.SameAgent(d, p.Owner) || adapter.Has(was.Hosts, d) || own != "" && p.now.text(own) != nil
	})
}
