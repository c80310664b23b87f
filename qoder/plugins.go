package qoder

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Plugins lists the hook files of the installed plugins that the settings switch
// on, in the order of Qoder's register (observed 1.1.52). Plugins of an
// organization, which only a login brings, are left out.
func (d Dialect) Plugins(p schema.Places, cfgs []*schema.Config, read func(string) ([]byte, error)) (
	out []schema.Source) {
	on := switchedOn(cfgs)
	dir := d.pluginsDir(p)
	if len(on) == 0 || dir == "" {
		return nil
	}
	for _, m := range register(dir, read) {
		if root := installed(m.Value, p.Project); on[m.Name] && root != "" {
			out = append(out, profile.Plugins.Sources(root, read)...)
		}
	}
	return out
}

// pluginsDir is where the register and the plugins' data lie (the variable:
// package 1.1.52).
func (d Dialect) pluginsDir(p schema.Places) string {
	if dir := p.Env.Get(pluginsVariable); dir != "" {
		if rest, ok := strings.CutPrefix(dir, "~"); ok {
			return filepath.Join(p.Home, rest)
		}
		return dir
	}
	if dir := d.configDir(p); dir != "" {
		return filepath.Join(dir, "plugins")
	}
	return ""
}

// registers are the files that may list the installed plugins; the first that
// exists counts.
var registers = []string{"installed_plugins_v2.json", "installed_plugins.json"}

func register(dir string, read func(string) ([]byte, error)) ordjson.Object {
	for _, name := range registers {
		if text, err := read(filepath.Join(dir, name)); err == nil {
			o, _ := ordjson.Parse(text)
			list, _ := o.Members("plugins")
			return list
		}
	}
	return nil
}

// scopes of an installation, the nearest first; those of a folder count in it and
// below.
var installScopes = []string{"local", "project", "user"}

// installed is the folder of a plugin that counts in the project, "" if none.
func installed(raw []byte, project string) string {
	list := ordjson.Objects(raw)
	for _, scope := range installScopes {
		for _, o := range list {
			at, root := o.Str("projectPath"), o.Str("installPath")
			counts := o.Str("scope") == scope && (scope == "user" || at == "" || dialect.Within(at, project))
			if counts && filepath.IsAbs(root) && !strings.Contains(root, "\x00") {
				return filepath.Clean(root)
			}
		}
	}
	return ""
}

// switchedOn unites enabledPlugins; of two settings that differ the nearer one
// counts.
func switchedOn(cfgs []*schema.Config) map[string]bool {
	var sorted []*schema.Config
	for _, scope := range slices.Backward(precedence) {
		for _, c := range slices.Backward(cfgs) {
			if c.Source.Scope == scope {
				sorted = append(sorted, c)
			}
		}
	}
	return dialect.PluginsOn(sorted, profile.Plugins.Enabled)
}

// dataFolder is a plugin's own folder for data: called by its name and
// marketplace, which a plugin in Qoder's cache is known by.
func (d Dialect) dataFolder(root string, p schema.Places) string {
	dir := d.pluginsDir(p)
	if dir == "" {
		return ""
	}
	id := filepath.Base(root)
	if rel, err := filepath.Rel(filepath.Join(dir, "cache"), root); err == nil {
		if parts := strings.Split(filepath.ToSlash(rel), "/"); len(parts) == 3 && parts[0] != ".." {
			id = parts[1] + "@" + parts[0]
		}
	}
	return filepath.Join(dir, "data", dialect.FolderName(id))
}
