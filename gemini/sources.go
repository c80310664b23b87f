package gemini

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const folder = ".gemini"

// system are an administrator's files by operating system (source): the folder, and
// the variables that name its two files elsewhere.
var system = []struct{ OS, Folder string }{
	{"linux", "/etc/gemini-cli"},
	{"darwin", "/Library/Application Support/GeminiCli"},
	{"windows", `C:\ProgramData\gemini-cli`},
}

// Locate lists the files that may configure hooks, in the order in which the client
// runs their hooks: an administrator's defaults, the user's, the project's, an
// administrator's settings. Extensions follow.
func (Dialect) Locate(p schema.Places) (out []schema.Source) {
	add := func(scope schema.Scope, file string) { out = append(out, schema.Source{File: file, Scope: scope}) }
	dir := system[0].Folder
	for _, s := range system {
		if s.OS == p.OS {
			dir = s.Folder
		}
	}
	managed := func(variable, base string) {
		if p.System != "" {
			variable = "" // it is about this machine
		}
		add(schema.ScopeManaged, cmp.Or(p.Env.Get(variable), p.OfSystem(filepath.Join(dir, base))))
	}
	managed("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "system-defaults.json")
	if p.Home != "" {
		add(schema.ScopeUser, filepath.Join(p.Home, folder, "settings.json"))
	}
	if p.Project != "" && p.Project != p.Home {
		add(schema.ScopeProject, filepath.Join(p.Project, folder, "settings.json"))
	}
	managed("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "settings.json")
	return out
}

// Plugins lists the hook files of the installed extensions that are enabled for the
// project.
func (Dialect) Plugins(p schema.Places, _ []*schema.Config, read func(string) ([]byte, error)) (out []schema.Source) {
	if p.Home == "" {
		return nil
	}
	root := filepath.Join(p.Home, folder, "extensions")
	for _, dir := range family.Extensions(root, "gemini-extension.json", p.Project, read) {
		out = append(out, profile.Plugins.Sources(dir, read)...)
	}
	return out
}

// precedence is that of the settings that are single values, the strongest first.
var precedence = []schema.Scope{schema.ScopeManaged, schema.ScopeGiven, schema.ScopeProject, schema.ScopeUser}

// Resolve unites the hooks of all sources and leaves out what a setting switches
// off: all hooks, single ones by name, or, by mistake, those of an event.
func (Dialect) Resolve(cfgs []*schema.Config) (hooks []schema.Hook, ds schema.Diagnostics) {
	off, by := dialect.Decided(cfgs, precedence, dialect.DisablesAll)
	var void, disabled []string
	for _, c := range cfgs {
		void, disabled = append(void, c.Void...), append(disabled, c.Disabled...)
	}
	for _, c := range cfgs {
		if off && len(c.Hooks) > 0 {
			ds.Add(schema.CodeDisabled, switchPath, "a switch in "+by.File+" turns off "+c.Source.File).File =
				c.Source.File
			continue
		}
		for _, h := range c.Hooks {
			switch {
			case slices.Contains(disabled, hookName(&h)):
				d := ds.Add(schema.CodeDisabled, disabledPath, "hooksConfig.disabled switches off the hook "+
					hookName(&h))
				d.File, d.Event = c.Source.File, h.Native
			case slices.Contains(void, h.Native): // reported at the matcher
			default:
				hooks = append(hooks, h)
			}
		}
	}
	return hooks, ds
}

// hookName is what a hook goes by: its name, else its command.
func hookName(h *schema.Hook) string {
	s, _ := h.Extra.Text("name")
	return cmp.Or(s, h.Command)
}

// Servers lists the configured MCP servers, whose names the names of their tools
// begin with.
func (d Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	var files []string
	for _, s := range d.Locate(p) {
		files = append(files, s.File)
	}
	return dialect.ServersIn(files, read, "mcpServers")
}

// NameServer splits the name of an MCP tool whose payload has no mcp_context, as
// before 0.25.0, after the name of a configured server.
func (Dialect) NameServer(c *schema.Call, servers []schema.Server) {
	dialect.NameServer(c, servers, func(server string) string { return profile.MCP.Word(server) + "_" })
}
