package gemini

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const folder = ".gemini"

// files are the hook files in the order in which the client runs their hooks (source): an
// administrator's defaults, the user's, the project's, an administrator's settings. Extensions follow.
var files = []family.FileRow{
	{Scope: schema.ScopeManaged, OS: "linux", Variable: defaultsVariable, Path: "/etc/gemini-cli/system-defaults.json"},
	{Scope: schema.ScopeManaged, OS: "darwin", Variable: defaultsVariable,
		Path: "/Library/Application Support/GeminiCli/system-defaults.json"},
	{Scope: schema.ScopeManaged, OS: "windows", Variable: defaultsVariable,
		Path: `C:\ProgramData\gemini-cli\system-defaults.json`},
	{Scope: schema.ScopeUser, Path: "settings.json"},
	{Scope: schema.ScopeProject, Path: "settings.json"},
	{Scope: schema.ScopeManaged, OS: "linux", Variable: settingsVariable, Path: "/etc/gemini-cli/settings.json"},
	{Scope: schema.ScopeManaged, OS: "darwin", Variable: settingsVariable,
		Path: "/Library/Application Support/GeminiCli/settings.json"},
	{Scope: schema.ScopeManaged, OS: "windows", Variable: settingsVariable,
		Path: `C:\ProgramData\gemini-cli\settings.json`},
}

const (
	defaultsVariable = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
	settingsVariable = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"

	workspaceVariable = "GEMINI_CLI_TRUST_WORKSPACE"
	projectVariable   = "GEMINI_PROJECT_DIR"
	foldersVariable   = "GEMINI_CLI_TRUSTED_FOLDERS_PATH"
)

// Locate lists the files that may configure hooks. In the home folder, there are no project files.
func (d Dialect) Locate(p schema.Places) []schema.Source {
	if p.Project == p.Home {
		p.Project = ""
	}
	return d.Agent.Locate(p)
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

// precedence is the order of single-valued settings, the strongest first.
var precedence = []schema.Scope{schema.ScopeManaged, schema.ScopeGiven, schema.ScopeProject, schema.ScopeUser}

// Resolve combines the hooks of all sources without those that a setting turns off: all hooks, single ones by name, or,
// by mistake, those of an event.
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
			case slices.Contains(void, h.Native): // already reported at the matcher
			default:
				hooks = append(hooks, h)
			}
		}
	}
	return hooks, ds
}

// hookName returns a hook's name, or else its command.
func hookName(h *schema.Hook) string {
	s, _ := h.Extra.Text("name")
	return cmp.Or(s, h.Command)
}

// Servers lists the configured MCP servers, which are the prefixes of their tools' names.
func (d Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	var files []string
	for _, s := range d.Locate(p) {
		files = append(files, s.File)
	}
	return dialect.ServersIn(files, read, "mcpServers")
}

// NameServer splits the name of an MCP tool after a configured server, if the payload has no mcp_context, as before
// 0.25.0.
func (Dialect) NameServer(c *schema.Call, servers []schema.Server) {
	dialect.NameServer(c, servers, func(server string) string { return profile.MCP.Word(server) + "_" })
}

// Review describes how a folder is trusted.
func (Dialect) Review() string {
	return "Start Gemini CLI in the project and trust the folder with /permissions: until then it runs neither the " +
		"project's hooks nor the user's."
}

// Trust looks the project's folder up among the user's trusted ones (source 0.61.0): the longest path counts. The
// client asks about a folder that isn't listed.
func (Dialect) Trust(h *schema.Hook, p schema.Places, read func(string) ([]byte, error)) dialect.TrustState {
	if h.Source.Plugin != "" || p.Project == "" {
		return dialect.TrustNotNeeded
	}
	switch p.Env.Get(workspaceVariable) {
	case "true":
		return dialect.Trusted
	case "false":
		return dialect.FolderUntrusted
	}
	settings, _ := read(filepath.Join(p.Home, folder, "settings.json"))
	if on, ok := ordjson.Bool(ordjson.At(ordjson.BlankComments(settings), "/security/folderTrust/enabled")); ok && !on {
		return dialect.TrustNotNeeded
	}
	file := cmp.Or(p.Env.Get(foldersVariable), filepath.Join(p.Home, folder, "trustedFolders.json"))
	text, err := read(file)
	return family.FolderTrust(text, err, p.Project)
}
