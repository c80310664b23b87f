package claude

import (
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// files are the hook files in the order in which their hooks run: later ones win if only one can. An administrator's
// folder has one file, followed by those of a folder in order of their names. Lists are joined; of other settings the
// last counts (docs, settings page, checked 2026-11; observed 2.1.328 on Linux).
var files = []family.FileRow{
	{Scope: schema.ScopeUser, Path: "settings.json"},
	{Scope: schema.ScopeProject, Path: "settings.json"},
	{Scope: schema.ScopeLocal, Path: "settings.local.json"},
	{Scope: schema.ScopeManaged, OS: "linux", Path: "/etc/claude-code/managed-settings.json"},
	{Scope: schema.ScopeManaged, OS: "linux", Path: "/etc/claude-code/managed-settings.d", Folder: true},
	{Scope: schema.ScopeManaged, OS: "darwin", Path: "/Library/Application Support/ClaudeCode/managed-settings.json"},
	{Scope: schema.ScopeManaged, OS: "darwin", Path: "/Library/Application Support/ClaudeCode/managed-settings.d",
		Folder: true},
	{Scope: schema.ScopeManaged, OS: "windows", Path: `C:\Program Files\ClaudeCode\managed-settings.json`},
	{Scope: schema.ScopeManaged, OS: "windows", Path: `C:\Program Files\ClaudeCode\managed-settings.d`, Folder: true},
}

// Given returns the source for a file that the user named. A skill's plugin folder is its own folder (observed
// 2.1.328).
func (d Dialect) Given(file string) schema.Source {
	s := d.Agent.Given(file)
	if filepath.Base(file) == "SKILL.md" {
		s.Plugin = filepath.Dir(file)
	}
	return s
}

// Plugins lists the hook files of the plugins that the given configurations turn on, according to the client's registry
// of installed plugins.
func (d Dialect) Plugins(p schema.Places, cfgs []*schema.Config, read func(string) ([]byte, error)) (
	out []schema.Source) {
	enabled := dialect.PluginsOn(cfgs, d.Data.Plugins.Enabled)
	dir := d.Names.UserFolder(p)
	if len(enabled) == 0 || dir == "" {
		return nil
	}
	text, _ := read(filepath.Join(dir, "plugins", "installed_plugins.json"))
	o, _, _ := ordjson.ParseLast(text)
	list, _ := o.Members("plugins")
	for _, m := range list {
		if root := installPath(m.Value, p.Project); enabled[m.Name] && root != "" {
			out = append(out, d.Data.Plugins.Sources(root, read)...)
		}
	}
	return out
}

// installPath reads the folder from an entry of the registry: an object, or since version 2 a list of installations.
// The first one for the project or for all projects counts (observed 2.1.328).
func installPath(raw []byte, project string) string {
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return installedAt(raw)
	}
	around := ""
	for _, m := range list {
		o, _ := ordjson.Members(m.Value, 0)
		at, forProject := o.Str("projectPath"), slices.Contains(perProject, o.Str("scope"))
		switch {
		case !forProject || at != "" && filepath.Clean(at) == project:
			return installedAt(m.Value)
		case around == "" && at != "" && dialect.Within(at, project): // not seen in a client; a guard may run too often
			around = installedAt(m.Value)
		}
	}
	return around
}

var perProject = []string{"project", "local"}

func installedAt(raw []byte) string {
	o, _ := ordjson.Members(raw, 0)
	s := o.Str("installPath")
	if !dialect.IsPlace(s) {
		return ""
	}
	return filepath.Clean(s)
}

// precedence is the order in which disableAllHooks is decided (observed 2.1.328: a project's false overrides the user's
// true).
var precedence = []schema.Scope{schema.ScopeManaged, schema.ScopeGiven, schema.ScopeLocal, schema.ScopeProject,
	schema.ScopeUser}

// Resolve combines the hooks of all sources and applies the switches that turn them off. Managed hooks can be turned
// off by managed settings only, which may also allow no others.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	off, by := dialect.Decided(cfgs, precedence, dialect.DisablesAll)
	only, who := managedOnly(cfgs)
	return dialect.Unite(cfgs, func(c *schema.Config) (pointer, msg string) {
		switch managed := c.Source.Scope == schema.ScopeManaged; {
		case off && !(managed && by.Scope != schema.ScopeManaged):
			return "/disableAllHooks", "disableAllHooks in " + by.File + " switches off " + c.Source.File
		case only && !managed:
			return "/allowManagedHooksOnly", "allowManagedHooksOnly in " + who.File + " switches off " + c.Source.File
		}
		return "", ""
	})
}

// managedOnly reports whether managed settings allow only their own hooks; the last of them with the field counts. In
// other files the field has no effect (observed 2.1.328).
func managedOnly(cfgs []*schema.Config) (only bool, by schema.Source) {
	for _, c := range slices.Backward(cfgs) {
		if on, ok := c.Extra.Bool("allowManagedHooksOnly"); ok && c.Source.Scope == schema.ScopeManaged {
			return on, c.Source
		}
	}
	return false, by
}

// Servers reads the MCP servers of the project's .mcp.json and of the user's file, some of which are for single
// projects (docs 2026-08).
func (Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	user := filepath.Join(p.Home, ".claude.json")
	out := dialect.ServersIn([]string{filepath.Join(p.Project, ".mcp.json"), user}, read, "mcpServers")
	text, _ := read(user)
	o, _ := ordjson.Parse(text)
	projects, _ := o.Members("projects")
	own, _ := projects.Members(p.Project)
	return append(dialect.Servers(own, "mcpServers"), out...)
}
