package dialect

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
)

// MCPNames says how the tools of MCP servers are named: Prefix SERVER Between TOOL.
// The zero value means that names don't tell the server.
type MCPNames struct{ Prefix, Between string }

// Join makes the name of a server's tool.
func (n MCPNames) Join(server, tool string) string { return n.Prefix + server + n.Between + tool }

// Split takes such a name apart, at the first place where that is possible.
func (n MCPNames) Split(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, n.Prefix)
	if !ok || n.Between == "" {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, n.Between)
	return server, tool, ok && server != "" && tool != ""
}

// ServerIn returns the MCP server that a matcher names, "" if none.
func (p *Profile) ServerIn(pattern string) string {
	_, rest, ok := strings.Cut(pattern, p.MCP.Prefix)
	if !ok || p.MCP.Between == "" {
		return ""
	}
	server, _, ok := strings.Cut(rest, p.MCP.Between)
	if !ok || strings.ContainsAny(server, `.*+?()[]{}|\^$ `) {
		return ""
	}
	return server
}

// ServersIn returns names of MCP servers among which is one whose tools the matcher
// takes, if it takes those of some servers only. A tool's own name is none: an
// expression would find it in every name made of it.
func (p *Profile) ServersIn(pattern string) []string {
	if p.MCP.Between == "" {
		return nil
	}
	return matcher.Between(pattern, p.MCP.Prefix, p.MCP.Between, func(s string) bool { return p.Tool(s) != nil })
}
