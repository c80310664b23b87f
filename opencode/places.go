package opencode

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// fileName is the plugin's, in a folder of plugins.
const fileName = "hookbridge.js"

// folders are the program's own, which have its name: the user's and the project's.
func (d Dialect) folders(p schema.Places) (out []schema.Source) {
	if config := dialect.Home(p, "XDG_CONFIG_HOME", ".config"); config != "" {
		out = append(out, schema.Source{File: filepath.Join(config, d.Data.Name), Scope: schema.ScopeUser})
	}
	if p.Project != "" {
		out = append(out, schema.Source{File: filepath.Join(p.Project, "."+d.Data.Name), Scope: schema.ScopeProject})
	}
	return out
}

// Locate lists where the plugin may be: the program reads both folders of plugins.
func (d Dialect) Locate(p schema.Places) (out []schema.Source) {
	for _, s := range d.folders(p) {
		for _, plugins := range []string{"plugin", "plugins"} {
			out = append(out, schema.Source{File: filepath.Join(s.File, plugins, fileName), Scope: s.Scope})
		}
	}
	return out
}

// settings lists the program's own settings files. Kilo Code reads OpenCode's, too.
func (d Dialect) settings(p schema.Places) (files []string) {
	dirs := d.folders(p)
	if p.Project != "" {
		dirs = append(dirs, schema.Source{File: p.Project})
	}
	for _, dir := range dirs {
		for _, file := range []string{name + ".json", d.Data.Name + ".json"} {
			file = filepath.Join(dir.File, file)
			files = append(files, file, file+"c")
		}
	}
	if file := p.Env.Get(settingsVariable(d.Data.Name)); file != "" {
		files = append(files, file)
	}
	return files
}

// settingsVariable names a further settings file of the program.
func settingsVariable(program string) string { return strings.ToUpper(program) + "_CONFIG" }

// Traces are the folders, and settings of the program's own name.
func (d Dialect) Traces(p schema.Places) []string {
	files := slices.DeleteFunc(d.settings(p), func(file string) bool {
		return !strings.HasPrefix(filepath.Base(file), d.Data.Name)
	})
	return append(files, lists.Map(d.folders(p), func(s schema.Source) string { return s.File })...)
}

// Plugins lists the plugins that convert has written under other names: the program reads each file of its folders.
func (d Dialect) Plugins(p schema.Places, _ []*schema.Config, read dialect.ReadFile) []schema.Source {
	return family.OtherModules(d.Module(), d.Locate(p), read)
}

// Servers lists the configured MCP servers, those with longer names first: the names of
// tools begin with them.
func (d Dialect) Servers(p schema.Places, read dialect.ReadFile) []schema.Server {
	servers := dialect.ServersIn(d.settings(p), read, "mcp")
	slices.SortStableFunc(servers, func(a, b schema.Server) int { return len(b.Name) - len(a.Name) })
	return servers
}

// NameServer splits the name of an MCP tool behind that of a configured server.
func (d Dialect) NameServer(c *schema.Call, servers []schema.Server) {
	dialect.NameServer(c, servers, func(server string) string { return d.Data.MCP.Word(server) + d.Data.MCP.Between })
}

var _ dialect.Importer = Dialect{}

// shims are published plugins that run Claude Code's hooks by themselves (read 2026-11).
var shims = []string{"oh-my-opencode", "oh-my-openagent", "opencode-claude-code-hooks"}

// Imported lists Claude Code's files where another plugin runs their hooks too: one of
// shims in the settings, or a file in a plugin folder that reads them.
func (d Dialect) Imported(p schema.Places, read dialect.ReadFile) (files []string) {
	if !d.hasShim(p, read) {
		return nil
	}
	for _, s := range claude.New().Locate(p) {
		if _, err := read(s.File); err == nil && s.Scope != schema.ScopeManaged {
			files = append(files, s.File)
		}
	}
	return files
}

func (d Dialect) hasShim(p schema.Places, read dialect.ReadFile) bool {
	for _, file := range d.settings(p) {
		text, _ := read(file)
		o, _, _ := ordjson.ParseLast(ordjson.BlankComments(text))
		plugins := string(o.Value("plugin"))
		if slices.ContainsFunc(shims, func(s string) bool { return strings.Contains(plugins, s) }) {
			return true
		}
	}
	return family.Beside(d.Locate(p), read, func(text []byte) bool {
		_, ours := d.ReadEntries(text)
		return !ours && bytes.Contains(text, []byte("PreToolUse")) && bytes.Contains(text, []byte(".claude"))
	}) != nil
}

// Import reports whether such plugins run a hook.
func (Dialect) Import(h schema.Hook) (schema.Hook, bool) {
	runs := []schema.Event{schema.PreTool, schema.PostTool, schema.PromptSubmit, schema.Stop}
	return h, h.Handler == schema.HandlerCommand && slices.Contains(runs, h.Event)
}

// AlwaysImports reports that a plugin that is there runs them.
func (Dialect) AlwaysImports() bool { return true }

// ImportSwitch says how that is switched off.
func (Dialect) ImportSwitch() string {
	return "remove the other plugin from opencode.json or from the plugin folder"
}
