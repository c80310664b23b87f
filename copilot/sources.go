package copilot

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// foreignFolder is the folder of Claude Code, whose settings Copilot loads.
const foreignFolder = ".claude"

// files are the hook files in the order in which their hooks run (observed 1.0.102). VS Code reads only those in
// folders, and the cloud agent only those in the project's folder.
var files = []family.FileRow{
	{Scope: schema.ScopeManaged, Path: "/etc/github-copilot/policy.d", Folder: true},
	{Scope: schema.ScopeUser, Path: "hooks", Folder: true, Deep: true},
	{Scope: schema.ScopeUser, Path: "settings.json"},
	{Scope: schema.ScopeProject, Path: "hooks", Folder: true, Deep: true},
	{Scope: schema.ScopeProject, Path: "copilot/settings.json"},
	{Scope: schema.ScopeLocal, Path: "copilot/settings.local.json"},
}

// Locate lists the files that may configure hooks.
func (d Dialect) Locate(p schema.Places) []schema.Source {
	project, cloud := "", d.Version == onCloud
	if p.Project != "" {
		project = filepath.Join(p.Project, ".github")
	}
	rows := slices.DeleteFunc(slices.Clone(files), func(r family.FileRow) bool {
		if cloud {
			return !r.Folder || r.Scope != schema.ScopeProject
		}
		return d.onCode() && !r.Folder
	})
	return family.Locate(rows, homeOf(p), project, p)
}

// Given returns the source for a file that the user named. A hooks.json belongs to a plugin if the plugin's manifest is
// in the same folder or in its parent.
func (Dialect) Given(file string) schema.Source {
	s := schema.Source{File: file}
	dir := filepath.Dir(file)
	if filepath.Base(file) != "hooks.json" || filepath.Base(filepath.Dir(dir)) == ".github" {
		return s
	}
	roots := []string{dir}
	if filepath.Base(dir) == "hooks" {
		roots = append(roots, filepath.Dir(dir))
	}
	for _, root := range roots {
		for _, manifest := range profile.Plugins.Manifests {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(manifest))); err == nil {
				s.Scope, s.Plugin = schema.ScopePlugin, root
				return s
			}
		}
	}
	return s
}

// Plugins lists the files of the user's installed plugins, and Claude Code's settings if they also turn Copilot's hooks
// off or on (both observed 1.0.102).
func (d Dialect) Plugins(p schema.Places, _ []*schema.Config, read func(string) ([]byte, error)) (out []schema.Source) {
	if d.Version == onCloud || d.onCode() {
		return nil
	}
	for _, root := range installed(homeOf(p), read) {
		out = append(out, profile.Plugins.Sources(root, read)...)
	}
	for _, cfg := range d.foreign(p.Project, read, p) {
		if cfg.DisableAll != nil {
			out = append(out, cfg.Source)
		}
	}
	return out
}

// foreign reads Claude Code's existing settings in a folder: only a project has local ones.
func (d Dialect) foreign(root string, read dialect.ReadFile, p schema.Places) (cfgs []*schema.Config) {
	for _, base := range []string{"settings.json", "settings.local.json"} {
		s := schema.Source{File: filepath.Join(root, foreignFolder, base), Scope: schema.ScopeProject}
		if root == "" || root != p.Project && base != "settings.json" {
			continue
		}
		if text, err := read(s.File); err == nil {
			cfg, _ := d.parse(text, s)
			cfgs = append(cfgs, cfg)
		}
	}
	return cfgs
}

func isOff(c *schema.Config) bool { return c.DisableAll != nil && *c.DisableAll }

// installed lists the folders of the plugins that the user turned on. They are copies, which config.json lists, and
// those of a marketplace in a folder, which are read in place (observed 1.0.102).
func installed(home string, read func(string) ([]byte, error)) (roots []string) {
	if home == "" {
		return nil
	}

	document := func(parts ...string) ordjson.Object {
		text, _ := read(filepath.Join(parts...))
		o, _, _ := ordjson.ParseLast(ordjson.BlankComments(text))
		return o
	}
	for _, o := range document(home, "config.json").Objects("installedPlugins") {
		if on, _ := o.Bool("enabled"); on && dialect.IsPlace(o.Str("cache_path")) {
			roots = append(roots, o.Str("cache_path"))
		}
	}

	settings := document(home, "settings.json")
	markets := settings.Value("extraKnownMarketplaces")
	enabled, _ := settings.Members("enabledPlugins")
	for _, e := range enabled {
		name, market, _ := strings.Cut(e.Name, "@")
		dir, _ := ordjson.String(ordjson.At(markets, ordjson.Pointer("", market)+"/source/path"))
		if on, _ := ordjson.Bool(e.Value); !on || !dialect.IsPlace(dir) {
			continue
		}
		for _, plugin := range document(dir, ".claude-plugin", "marketplace.json").Objects("plugins") {
			source, ok := plugin.Text("source")
			if ok && plugin.Str("name") == name && filepath.IsLocal(filepath.FromSlash(source)) {
				roots = append(roots, filepath.Join(dir, filepath.FromSlash(source)))
			}
		}
	}

	return roots
}

// Resolve combines the hooks of all sources that aren't turned off. A project's settings turn off all hooks, another
// file only its own (observed 1.0.102). Of the project's settings, the last one with the switch counts, after Claude
// Code's. Policies can't be turned off. Several hooks of one event run one after the other.
func (d Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	off := ""
	for _, k := range []kind{imported, settings} {
		for _, c := range cfgs {
			if c.DisableAll == nil || kindOf(c.Source) != k || c.Source.Scope == schema.ScopeUser ||
				c.Source.Scope == schema.ScopePlugin {
				continue
			}
			if off = ""; isOff(c) {
				off = c.Source.File
			}
		}
	}

	hooks, ds := dialect.Unite(cfgs, func(c *schema.Config) (pointer, msg string) {
		switch {
		case off != "" && c.Source.Scope != schema.ScopeManaged:
			return switchPath, "disableAllHooks in " + off + " switches off the hooks of " + c.Source.File
		case isOff(c):
			return switchPath, "disableAllHooks switches off the hooks of the file"
		}
		return "", ""
	})
	if !d.onCode() {
		inTurn(hooks)
	}
	dialect.RunInOrder(hooks)
	return hooks, ds
}

// inTurn sorts the hooks of each file: those at events with Copilot's own names come before those at Claude Code's
// (observed 1.0.102).
func inTurn(hooks []schema.Hook) {
	for i := 0; i < len(hooks); {
		end := i + 1
		for end < len(hooks) && hooks[end].Source.File == hooks[i].Source.File {
			end++
		}
		slices.SortStableFunc(hooks[i:end], func(a, b schema.Hook) int {
			return cmp.Compare(rank(a.Native), rank(b.Native))
		})
		i = end
	}
}

func rank(native string) int {
	if isPascal(native) {
		return 1
	}
	return 0
}

// Imported lists the Claude Code settings that Copilot loads: those of the project, unless an entry voids the file. VS
// Code also loads the user's.
func (d Dialect) Imported(p schema.Places, read func(string) ([]byte, error)) (files []string) {
	if d.Version == onCloud {
		return nil
	}
	cfgs := d.foreign(p.Project, read, p)
	if d.onCode() {
		cfgs = append(cfgs, d.foreign(p.Home, read, p)...)
	}
	for _, cfg := range cfgs {
		if len(cfg.AsKnown().Hooks) > 0 {
			files = append(files, cfg.Source.File)
		}
	}
	return files
}

// Import returns such a hook as Copilot runs it: with Claude Code's event names, commands and requests, but without
// arguments, conditions and background runs.
func (d Dialect) Import(h schema.Hook) (own schema.Hook, ok bool) {
	h.Args, h.Async, h.Condition, h.HasCondition = nil, false, "", false
	return h, d.Row(h.Native) != nil && (h.Handler == schema.HandlerCommand || h.Handler == schema.HandlerHTTP &&
		!d.onCode())
}

// AlwaysImports is true except in VS Code.
func (d Dialect) AlwaysImports() bool { return !d.onCode() }

// ImportSwitch describes how to avoid the import: no setting turns it off.
func (d Dialect) ImportSwitch() string {
	if d.onCode() {
		return "chat.hookFilesLocations"
	}
	return `it has no such setting, but "` + profile.VoidMember.Name + `": ` + profile.VoidMember.Value +
		` in one hook makes it skip the file; hookbridge install --scope project writes that`
}

// Review describes what a project's hooks need to run.
func (Dialect) Review() string {
	return "Start Copilot in the project and trust the folder: until then it runs no hook of the project and " +
		"doesn't warn you."
}

// Trust reports whether the folder of a project's hook is trusted (observed 1.0.102).
func (d Dialect) Trust(h *schema.Hook, p schema.Places, read func(string) ([]byte, error)) dialect.TrustState {
	if d.onCode() || h.Source.Scope != schema.ScopeProject && h.Source.Scope != schema.ScopeLocal {
		return dialect.TrustNotNeeded
	}
	text, err := read(filepath.Join(homeOf(p), "config.json"))
	o, _, bad := ordjson.ParseLast(ordjson.BlankComments(text))
	switch {
	case err == nil && bad != nil:
		return dialect.TrustUnknown
	case slices.ContainsFunc(o.Strings("trustedFolders"), func(dir string) bool {
		return dialect.Within(dir, p.Project)
	}):
		return dialect.Trusted
	}
	return dialect.Untrusted
}

// Servers lists the configured MCP servers, which are the prefixes of their tools' names.
func (Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	var files []string
	if home := homeOf(p); home != "" {
		files = append(files, filepath.Join(home, "mcp-config.json"))
	}
	if dir := p.Project; dir != "" {
		files = append(files, filepath.Join(dir, ".mcp.json"), filepath.Join(dir, ".github", "mcp.json"),
			filepath.Join(dir, ".vscode", "mcp.json"))
	}
	return dialect.ServersIn(files, read, "mcpServers", "servers")
}
