package qoder

import (
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// managed are the files of an administrator, by operating system. That they lie
// here is a guess by analogy: the facts name the level, not its place.
var managed = []struct{ OS, File string }{
	{"linux", "/etc/qoder/settings.json"},
	{"darwin", "/Library/Application Support/Qoder/settings.json"},
	{"windows", `C:\ProgramData\qoder\settings.json`},
}

// Locate lists the files that may configure hooks, in the order in which Qoder
// plans their hooks: project, local, user, system (package 1.1.52; Claude Code
// begins with the user's). Of answers that cannot both hold the last counts.
func (d Dialect) Locate(p schema.Places) []schema.Source {
	var out []schema.Source
	add := func(scope schema.Scope, parts ...string) {
		out = append(out, schema.Source{File: filepath.Join(parts...), Scope: scope})
	}
	if p.Project != "" && d.surface() != work {
		add(schema.ScopeProject, p.Project, folderName(p), "settings.json")
		add(schema.ScopeLocal, p.Project, folderName(p), "settings.local.json")
	}
	if dir := d.configDir(p); dir != "" {
		add(schema.ScopeUser, dir, "settings.json")
	}
	for _, m := range managed {
		if m.OS == p.OS && d.surface() != work {
			add(schema.ScopeManaged, m.File)
		}
	}
	return out
}

// folderName is the name of the configuration folders of user and project.
func folderName(p schema.Places) string {
	if name := p.Env.Get("QODER_CONFIG_DIR_NAME"); name != "" && filepath.Base(name) == name && name != ".." {
		return name
	}
	return ".qoder"
}

// configDir is the user's folder.
func (d Dialect) configDir(p schema.Places) string {
	if dir := p.Env.Get("QODER_CONFIG_DIR"); dir != "" {
		return dir
	}
	switch {
	case p.Home == "":
		return ""
	case d.surface() == work:
		return filepath.Join(p.Home, ".qoderwork")
	}
	return filepath.Join(p.Home, folderName(p))
}

// Given is the source for a file that the user named: a hooks.json in a folder
// called hooks belongs to the plugin around it.
func (Dialect) Given(file string) schema.Source {
	s := schema.Source{File: file, Scope: schema.ScopeGiven}
	dir := filepath.Dir(file)
	if filepath.Base(file) == "hooks.json" && filepath.Base(dir) == "hooks" {
		s.Scope, s.Plugin = schema.ScopePlugin, filepath.Dir(dir)
	}
	return s
}

// Plugins lists none: how Qoder keeps its register of installed plugins is not
// known. A plugin's hooks can be given by name.
func (Dialect) Plugins(schema.Places, []*schema.Config, func(string) ([]byte, error)) []schema.Source {
	return nil
}

// order is that of the sources (package 1.1.52).
var order = []schema.Scope{schema.ScopeGiven, schema.ScopeProject, schema.ScopeLocal, schema.ScopeUser, schema.ScopeManaged, schema.ScopeTeam, schema.ScopePlugin}

// precedence is the order in which the switches are decided: the settings are
// merged before they are looked at, the nearest level last.
var precedence = []schema.Scope{schema.ScopeManaged, schema.ScopeGiven, schema.ScopeLocal, schema.ScopeProject, schema.ScopeUser}

// Resolve unites the hooks of all sources in Qoder's order and applies what
// switches them off, which spares none.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	cfgs, ds := selected(cfgs)
	off, by := disabled(cfgs)
	sorted := slices.Clone(cfgs)
	slices.SortStableFunc(sorted, func(a, b *schema.Config) int {
		return slices.Index(order, a.Source.Scope) - slices.Index(order, b.Source.Scope)
	})
	var hooks []schema.Hook
	for _, c := range sorted {
		if !off {
			hooks = append(hooks, c.Hooks...)
		} else if len(c.Hooks) > 0 {
			d := ds.Add(schema.CodeDisabled, switchPath(cfgs, by), "a switch in "+by.File+" turns off "+c.Source.File)
			d.File = c.Source.File
		}
	}
	return hooks, ds
}

func disabled(cfgs []*schema.Config) (off bool, by schema.Source) {
	for _, scope := range precedence {
		for _, c := range cfgs {
			if c.Source.Scope == scope && c.DisableAll != nil {
				return *c.DisableAll, c.Source
			}
		}
	}
	return false, by
}

// switchPath names the member that switched the hooks off.
func switchPath(cfgs []*schema.Config, by schema.Source) string {
	for _, c := range cfgs {
		raw, _ := c.Extra.Get("hooksConfig")
		o, _ := ordjson.Members(raw, 0)
		if on, _ := o.Get("enabled"); c.Source == by && string(on) == "false" {
			return "/hooksConfig/enabled"
		}
	}
	return "/disableAllHooks"
}

// Imported lists none: Qoder reads no other agent's settings (observed 1.1.52).
func (Dialect) Imported(schema.Places, func(string) ([]byte, error)) []string { return nil }
