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

// teamFile has the hooks of the team's dashboard, as the client keeps them (readers of the command line 2026.08.25 and
// 2026.09.23; not observed). The SDK runs none (observed 1.0.32).
const teamFile = ".cursor/managed/active-team-hooks/hooks.json"

// Locate lists the files that may configure hooks. Cursor refuses the project's if a
// symbolic link in the project leads to it (observed SDK 1.0.32, since 1.0.26); the user's may be one.
func (d Dialect) Locate(p schema.Places) []schema.Source {
	out := family.Locate(files, p.Home, p.Project, p)
	if d.Version == sdk {
		out = slices.DeleteFunc(out, func(s schema.Source) bool { return s.Scope == schema.ScopeTeam })
	}
	for i := range out {
		if out[i].OfProject() && d.Profile().Since("3") { // the SDK's changelog names no version of the editor
			out[i].NoLinks = p.Project
		}
	}
	return out
}

// Given is the source for a file that the user named.
func (Dialect) Given(file string) schema.Source {
	return schema.Source{File: file, Scope: schema.ScopeGiven}
}

// Plugins reports none: the register of installed plugins is not documented.
func (Dialect) Plugins(schema.Places, []*schema.Config, func(string) ([]byte, error)) []schema.Source {
	return nil
}

// Resolve unites the hooks of all sources: all run.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	return dialect.Unite(cfgs, nil)
}

// Servers reads the MCP servers that Cursor is configured with, in order:
// the project's mcp.json, then the user's.
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

// NameServer completes a call of an MCP tool: older versions name the server by
// its address or launch command only, the generic event not at all.
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
	case 0: // that one alone is configured proves nothing: plugins and teams bring others
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
