package family

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
)

// MCPNames says how the tools of MCP servers are named: Prefix SERVER Between TOOL.
type MCPNames struct{ Prefix, Between string }

// Join makes the name of a server's tool.
func (n MCPNames) Join(server, tool string) string { return n.Prefix + server + n.Between + tool }

// Split takes such a name apart.
func (n MCPNames) Split(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, n.Prefix)
	if !ok {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, n.Between)
	return server, tool, ok && server != "" && tool != ""
}

// ServerIn returns the server that a matcher names, "" if none.
func (a *Agent) ServerIn(pattern string) string {
	_, rest, ok := strings.Cut(pattern, a.MCP.Prefix)
	if !ok {
		return ""
	}
	server, _, ok := strings.Cut(rest, a.MCP.Between)
	if !ok || server == "" || strings.ContainsAny(server, `.*+?()[]{}|\^$ `) {
		return ""
	}
	return server
}

// ServersIn returns names of servers among which is one whose tools the matcher
// takes, if it takes those of some servers only.
func (a *Agent) ServersIn(pattern string) []string {
	return matcher.Between(pattern, a.MCP.Prefix, a.MCP.Between, func(s string) bool { return a.Tool(s) != nil })
}
