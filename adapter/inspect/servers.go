package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// editing are parts of the commands of MCP servers whose tools change files of the project: names of their packages
// (npm, PyPI, Docker Hub, 2026-11).
var editing = []string{"server-filesystem", "mcp/filesystem", "desktop-commander", "serena"}

// EditingServers are notes on MCP servers in the hosts by whose tools a model changes files past guards of the project
// that select tools for edits: no agent shows such a call as an edit.
func EditingServers(p schema.Places, hosts []adapter.Dialect) (notes []string) {
	read := discover.NewBudget(p).Read
	for _, host := range hosts {
		lister := host.Abilities().Servers
		if lister == nil {
			continue
		}
		for _, server := range lister.Servers(p, read) {
			if !editsFiles(server) {
				continue
			}
			if guards := pastBy(p, server.Name); len(guards) > 0 {
				notes = lists.With(notes, fmt.Sprintf("the tools of the MCP server %s of %s change files, and %s "+
					"doesn't select them; add them to its matcher", server.Name, host.Profile().Title,
					strings.Join(guards, ", ")))
			}
		}
	}
	return notes
}

func editsFiles(s schema.Server) bool {
	command := strings.Join(append([]string{s.Command}, s.Args...), " ")
	return slices.ContainsFunc(editing, func(part string) bool { return strings.Contains(command, part) })
}

// pastBy are the guards of the project on edits by a tool's name, as FILE:LINE, if none of its guards selects the
// tools of a server.
func pastBy(p schema.Places, server string) (guards []string) {
	for _, d := range adapter.Dialects() {
		res, _ := survey.LoadScope(d, p, schema.ScopeProject)
		for i := range res.Hooks {
			h := &res.Hooks[i]
			if h.Event != schema.PreTool {
				continue
			}
			takes := func(e sample.Event) bool { return runsAt(d, h, e, p) }
			if strings.Contains(h.Matcher, server) ||
				takes(sample.Event{Tool: "any", Server: server, Input: []byte("{}")}) {
				return nil
			}
			if takes(sample.Event{Tool: schema.Write.String()}) || takes(sample.Event{Tool: schema.Edit.String()}) {
				guards = append(guards, fmt.Sprintf("%s:%d", h.Source.File, h.Line))
			}
		}
	}
	return guards
}
