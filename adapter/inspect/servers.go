package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// editing lists parts of the commands of MCP servers whose tools change files of the project: names of their packages
// (npm, PyPI, Docker Hub, 2026-11).
var editing = []string{"server-filesystem", "mcp/filesystem", "desktop-commander", "serena"}

// EditingServers returns notes on MCP servers of the hosts whose tools change files without triggering the project's
// guards on edits: no agent shows such a call as an edit.
func EditingServers(p schema.Places, hosts []adapter.Dialect) (notes []string) {
	for _, host := range hosts {
		for _, s := range passing(host, p) {
			notes = lists.With(notes, fmt.Sprintf("%s change files, and %s doesn't select them; add them to its "+
				"matcher (%s)", s.tools, strings.Join(s.guards, ", "), schema.CodeServerEdits))
		}
	}
	return notes
}

// editingServers adds the same notes to the guards.
func (x *examination) editingServers() {
	for _, s := range passing(x.host, x.places) {
		for i := range x.found {
			f := &x.found[i]
			if f.Hook != nil && slices.Contains(s.guards, placeIn(f.Hook)) {
				f.Problems = append(f.Problems, Problem{Reached, schema.CodeServerEdits, schema.Note,
					s.tools + " change files, and the hook doesn't select them", "add " + s.tools + " to its matcher"})
			}
		}
	}
}

// A passingServer is a server whose tools change files, and the guards on edits that don't select its tools.
type passingServer struct {
	tools  string // a description
	guards []string
}

func passing(host dialect.Dialect, p schema.Places) (servers []passingServer) {
	lister := host.Abilities().Servers
	if lister == nil {
		return nil
	}
	for _, server := range lister.Servers(p, discover.NewBudget(p).Read) {
		if !editsFiles(server) {
			continue
		}
		if guards := pastBy(p, server.Name); len(guards) > 0 {
			servers = append(servers, passingServer{fmt.Sprintf("the tools of the MCP server %s of %s", server.Name,
				host.Profile().Title), guards})
		}
	}
	return servers
}

func editsFiles(s schema.Server) bool {
	command := strings.Join(append([]string{s.Command}, s.Args...), " ")
	return slices.ContainsFunc(editing, func(part string) bool { return strings.Contains(command, part) })
}

// pastBy returns the project's guards on edits by a tool's name, as FILE:LINE. It returns none if one of the project's
// guards selects the server's tools.
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
				guards = append(guards, placeIn(h))
			}
		}
	}
	return guards
}

func placeIn(h *schema.Hook) string { return fmt.Sprintf("%s:%d", h.Source.File, h.Line) }
