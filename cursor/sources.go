package cursor

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// files are the hook files in Cursor's order, an administrator's first (docs 2026-08).
var files = []family.FileRow{
	{Scope: schema.ScopeManaged, OS: "linux", Path: "/etc/cursor/hooks.json"},
	{Scope: schema.ScopeManaged, OS: "darwin", Path: "/Library/Application Support/Cursor/hooks.json"},
	{Scope: schema.ScopeManaged, OS: "windows", Path: `C:\ProgramData\Cursor\hooks.json`},
	{Scope: schema.ScopeTeam, Path: teamFile},
	{Scope: schema.ScopeProject, Path: ".cursor/hooks.json"},
	{Scope: schema.ScopeUser, Path: ".cursor/hooks.json"},
}

// teamFile has the hooks of the team's dashboard, as the client stores them (readers of the command line 2026.08.25 and
// 2026.09.23; not observed). The SDK runs none (observed 1.0.32).
const teamFile = ".cursor/managed/active-team-hooks/hooks.json"

// Locate lists the files that may configure hooks. Cursor rejects the project's file if a symbolic link in the project
// leads to it (observed SDK 1.0.32, since 1.0.26); the user's may be a link.
func (d Dialect) Locate(p schema.Places) []schema.Source {
	out := family.Locate(files, p.Home, p.Project, p)
	if d.Version == sdk {
		out = slices.DeleteFunc(out, func(s schema.Source) bool { return s.Scope == schema.ScopeTeam })
	}
	for i := range out {
		if out[i].OfProject() && d.Profile().Since("3") { // the SDK's changelog doesn't name the editor version
			out[i].NoLinks = p.Project
		}
	}
	return out
}

// Given returns the source for a file that the user named.
func (Dialect) Given(file string) schema.Source {
	return schema.Source{File: file, Scope: schema.ScopeGiven}
}

// Plugins returns none: the registry of installed plugins isn't documented.
func (Dialect) Plugins(schema.Places, []*schema.Config, func(string) ([]byte, error)) []schema.Source {
	return nil
}

// Resolve combines the hooks of all sources: all run.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	return dialect.Unite(cfgs, nil)
}

// Servers reads the MCP servers in Cursor's configuration, in order: the project's mcp.json, then the user's.
func (Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) (out []schema.Server) {
	for _, root := range []string{p.Project, p.Home} {
		if root == "" {
			continue
		}
		text, _ := read(filepath.Join(root, ".cursor", "mcp.json"))
		o, _ := ordjson.Parse(text)
		out = append(out, dialect.Servers(o, "mcpServers")...)
	}
	return out
}

// NameServer completes a call of an MCP tool: older versions identify the server only by its address or launch command,
// and the generic event doesn't at all.
func (Dialect) NameServer(c *schema.Call, servers []schema.Server) {
	t := &c.Tool
	if t.Kind() != schema.MCP || t.Server != "" {
		return
	}
	url := cmp.Or(c.Str(schema.FieldElicitURL), c.Str(schema.FieldServerURL))
	command := c.Str(schema.FieldServerCommand)
	t.Servers = namesOf(servers, func(s schema.Server) bool {
		line := strings.TrimSpace(s.Command + " " + strings.Join(s.Args, " "))
		sameURL := url != "" && s.URL == url
		return sameURL || line != "" && (line == command || strings.HasSuffix(command, "/"+line))
	})
	switch len(t.Servers) {
	case 0: // a single configured server proves nothing: plugins and teams add others
		t.Servers = namesOf(servers, func(schema.Server) bool { return true })
	case 1:
		t.Server, t.Servers = t.Servers[0], nil
	}
}

func namesOf(servers []schema.Server, fits func(schema.Server) bool) (names []string) {
	for _, s := range servers {
		if fits(s) && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// Imported lists the files of other agents that Cursor loads. A settings file counts only if one of its groups has a
// matcher, and the project's only if no symbolic link leads to it (observed SDK 1.0.32).
func (Dialect) Imported(p schema.Places, read func(string) ([]byte, error)) (files []string) {
	for _, f := range []string{".claude/settings.local.json", ".claude/settings.json"} {
		for _, root := range []string{p.Project, p.Home} {
			if root == "" || root == p.Home && f != ".claude/settings.json" {
				continue
			}
			file := filepath.Join(root, filepath.FromSlash(f))
			text, err := read(file)
			if err == nil && strings.Contains(string(text), `"matcher"`) &&
				(root != p.Project || !dialect.Linked(root, file)) {
				files = append(files, file)
			}
		}
	}
	return files
}

// AlwaysImports is true for the SDK (observed SDK 1.0.32).
func (d Dialect) AlwaysImports() bool {
	p := d.Profile().Program
	return p != nil && p.Name == sdk
}

// ImportSwitch names the setting (documented; older versions call it "Include
// third-party Plugins, Skills, and other configs").
func (Dialect) ImportSwitch() string { return "Settings, Agents, Third-Party Imports" }

// Import returns an imported hook as Cursor runs it: commands and prompts on eight events, without arguments,
// conditions and background runs (observed SDK 1.0.32).
func (d Dialect) Import(h schema.Hook) (own schema.Hook, ok bool) {
	if h.Handler != schema.HandlerCommand && h.Handler != schema.HandlerPrompt || !slices.Contains(imported, h.Event) {
		return own, false
	}
	endless := -1
	own = schema.Hook{Event: h.Event, Native: d.Profile().Generic(h.Event), Handler: h.Handler, Command: h.Command,
		Prompt: h.Prompt, Timeout: h.Timeout,
		LoopLimit: &endless, Source: h.Source, Path: h.Path, Line: h.Line, Col: h.Col}
	if h.Matcher == "" || !h.Event.IsTool() {
		return own, own.Native != ""
	}
	names := strings.Split(h.Matcher, "|")
	for i, name := range names {
		names[i] = importedTool(name)
	}
	own.Matcher, own.HasMatcher = strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), "|"),
		true
	return own, own.Native != "" && own.Matcher != ""
}

// importedTool converts a name in an imported matcher: "" if Cursor drops the name. An MCP tool loses its server.
func importedTool(name string) string {
	switch name {
	case "Bash":
		return "Shell"
	case "Edit":
		return "Write"
	case "Glob":
		return ""
	}
	if parts := strings.SplitN(name, "__", 3); len(parts) == 3 && parts[0] == "mcp" {
		return mcpPrefix + parts[2]
	}
	return name
}

var imported = []schema.Event{schema.PreTool, schema.PostTool, schema.PromptSubmit, schema.Stop, schema.SubagentStop,
	schema.SessionStart, schema.SessionEnd, schema.PreCompact}
