package qoder

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// hookFiles are in the order in which Qoder plans their hooks (Claude Code begins with the user's). If two answers
// conflict, the last counts. There are no other files, not even an administrator's (observed 1.1.52).
var hookFiles = []family.FileRow{
	{Scope: schema.ScopeProject, Path: "settings.json"},
	{Scope: schema.ScopeLocal, Path: "settings.local.json"},
	{Scope: schema.ScopeUser, Path: "settings.json"},
}

// Locate lists the files that may configure hooks. If the project is the home folder, it has no files of its own
// (package 1.1.52).
func (d Dialect) Locate(p schema.Places) []schema.Source {
	project := ""
	if p.Project != "" && p.Project != p.Home && d.on != work {
		project = filepath.Join(p.Project, folderName(p))
	}
	return family.Locate(hookFiles, d.configDir(p), project, p)
}

// Variables that hookbridge reads.
const (
	dirVariable     = "QODER_CONFIG_DIR"
	nameVariable    = "QODER_CONFIG_DIR_NAME"
	pluginsVariable = "QODER_PLUGIN_CACHE_DIR"
	siteVariable    = "QODER_SITE"
	sourceVariable  = "QODER_HOOK_SOURCE"
	versionVariable = "QODER_HOOK_VERSION"
	projectVariable = "QODER_PROJECT_DIR"
)

func folderName(p schema.Places) string {
	if name := p.Env.Get(nameVariable); name != "" && filepath.Base(name) == name && name != ".." {
		return name
	}
	return ".qoder"
}

func (d Dialect) configDir(p schema.Places) string {
	if d.on == work {
		return dialect.Home(p, dirVariable, ".qoderwork")
	}
	return dialect.Home(p, dirVariable, folderName(p))
}

// order is the order of the sources (package 1.1.52).
var order = []schema.Scope{schema.ScopeGiven, schema.ScopeProject, schema.ScopeLocal, schema.ScopeUser,
	schema.ScopePlugin}

// precedence is the order in which the switches are decided: the settings are merged first, the nearest level last.
var precedence = []schema.Scope{schema.ScopeGiven, schema.ScopeLocal, schema.ScopeProject, schema.ScopeUser}

// Resolve combines the hooks of all sources in Qoder's order and applies the switches, which turn off all of them.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	cfgs, ds := selected(cfgs)
	path, by := switchedOff(cfgs)
	sorted := slices.Clone(cfgs)
	slices.SortStableFunc(sorted, func(a, b *schema.Config) int {
		return slices.Index(order, a.Source.Scope) - slices.Index(order, b.Source.Scope)
	})
	hooks, off := dialect.Unite(sorted, func(c *schema.Config) (pointer, msg string) {
		if path == "" {
			return "", ""
		}
		return path, "a switch in " + by.File + " turns off " + c.Source.File
	})
	return hooks, append(ds, off...)
}

// The fields that turn all hooks off.
const (
	disableSwitch = "/disableAllHooks"
	enabledSwitch = "/hooksConfig/enabled"
)

// switchedOff returns the field that turns all hooks off, "" if there is none, and its source. There are two such
// switches, and each is decided separately (observed 1.1.52).
func switchedOff(cfgs []*schema.Config) (path string, by schema.Source) {
	cfgs = slices.Clone(cfgs)
	slices.Reverse(cfgs) // of several at one level the first counts
	for _, s := range []struct {
		path string
		off  func(*schema.Config) *bool
	}{
		{disableSwitch, disabled},
		{enabledSwitch, func(c *schema.Config) *bool { return notEnabled(c.Extra) }},
	} {
		if off, by := dialect.Decided(cfgs, precedence, s.off); off {
			return s.path, by
		}
	}
	return "", by
}

func disabled(c *schema.Config) *bool {
	if strings.HasSuffix(c.Switch, enabledSwitch) {
		return nil
	}
	return c.DisableAll
}

// notEnabled returns the opposite of hooksConfig.enabled, nil if it is missing.
func notEnabled(o ordjson.Object) *bool {
	inner, _ := o.Members("hooksConfig")
	on, ok := inner.Bool("enabled")
	if !ok {
		return nil
	}
	on = !on
	return &on
}

// Servers reads the MCP servers of the project (docs 1.1.52) and of the user (observed 1.1.52).
func (d Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(p.Project, ".mcp.json"),
		filepath.Join(d.configDir(p), "settings.json")}, read, "mcpServers")
}

// Plugins lists the hook files of installed plugins that the settings turn on, in the order of Qoder's registry
// (observed 1.1.52). It leaves out an organization's plugins, which come only with a login.
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

// pluginsDir is the folder of the registry and the plugins' data (the variable: package 1.1.52).
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

// installScopes are the scopes of an installation, the nearest first; one with a folder counts there and below.
var installScopes = []string{"local", "project", "user"}

// installed returns the plugin's folder for the project, "" if there is none.
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

// switchedOn merges enabledPlugins; the nearer of two settings counts.
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

// dataFolder returns a plugin's own folder for data. It is named by the plugin's name and marketplace, which identify
// it in Qoder's cache.
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
