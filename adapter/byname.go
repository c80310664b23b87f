package adapter

import (
	"path"
	"slices"
	"strings"
)

// A ByName is an agent with hooks that has no dialect: hookbridge knows where its files are and never ran it. Nothing
// else is claimed of it.
type ByName struct {
	Name  string // as a flag would have it
	Title string // as sentences have it
	// Files are those of a project with hooks, with slashes; * stands for any name in a folder.
	Files []string
	// Folders and Texts mark other files of it: folders of the path, parts of the text.
	Folders, Texts []string
	// Guards are the events whose hooks can refuse what the agent is about to do, with blanks between them and in any
	// case. A name that ends with * stands for all that begin so.
	Guards string
	// Never says why its hooks run nowhere; "": they run in the agent.
	Never  string
	Source string // the document that Files and Guards are from
}

// byName lists the agents that hookbridge knows by name only, and what writes files for several.
var byName = []ByName{
	{Name: "antigravity", Title: "Antigravity", Files: []string{".agents/hooks.json"}, Guards: "pretooluse",
		Source: "antigravity.google/docs/hooks, as others quote it; 2026-11"},
	{Name: "windsurf", Title: "Windsurf", Files: []string{".windsurf/hooks.json"}, Guards: "pre_*",
		Source: "docs.windsurf.com/windsurf/cascade/hooks, 2026-11"},
	{Name: "devin", Title: "Devin", Files: []string{".devin/hooks.json", ".devin/hooks.v1.json"},
		Guards: "pre_* pretooluse permissionrequest",
		Source: "docs.devin.ai/desktop/cascade/hooks and rulesync 17.0.0, 2026-11"},
	{Name: "kiro", Title: "Kiro", Files: []string{".kiro/hooks/*.json", ".kiro/agents/*.json"},
		Guards: "pretooluse userpromptsubmit", Source: "kiro.dev/docs/hooks and /docs/cli/v3/hooks, 2026-11"},
	{Name: "goose", Title: "Goose", Files: []string{".agents/plugins/*/hooks/hooks.json"}, Guards: "pretooluse",
		Source: "block/goose documentation at 0825b570"},
	{Name: "muse", Title: "Muse Code", Files: []string{".muse/hooks.json"}, Guards: "pretooluse permissionrequest",
		Source: "dev.meta.ai/docs/muse-code, as others quote it; 2026-11"},
	{Name: "amp", Title: "Amp",
		Files:  []string{".amp/settings.json", ".amp/settings.jsonc", ".amp/plugins/*.ts"},
		Guards: "amp.permissions", Source: "ampcode.com/manual, 2026-08"},
	{Name: "continue", Title: "Continue", Files: []string{".continue/settings.json"}, Guards: "pretooluse",
		Never:  "Continue's CLI 1.5.47 never starts hooks",
		Source: "npm @continuedev/cli 1.5.47: hooks with exit code 2 in its files, and the calls ran; 2026-11-26"},
	{Name: "amazonq", Title: "Amazon Q", Files: []string{".amazonq/cli-agents/*.json", ".amazonq/agents/*.json"},
		Folders: []string{".amazonq"}, Texts: []string{`"agentSpawn"`},
		Guards: "pretooluse userpromptsubmit", Source: "amazon-q-developer-cli docs/hooks.md"},
	{Name: "universal-ai-config", Title: "universal-ai-config", Folders: []string{".universal-ai-config"},
		Source: "its files in public repositories"},
}

// KnownByName lists the agents that hookbridge knows by name only.
func KnownByName() []ByName { return slices.Clone(byName) }

// FindByName returns the agent of that name that hookbridge knows by name only, nil if there is none.
func FindByName(name string) *ByName {
	if i := slices.IndexFunc(byName, func(a ByName) bool { return strings.EqualFold(a.Name, name) }); i >= 0 {
		return &byName[i]
	}
	return nil
}

// OwnerByName returns the agent whose file is at a path with slashes, nil if there is none.
func OwnerByName(file string) *ByName {
	parts := strings.Split(file, "/")
	is := func(pattern string) bool {
		n := strings.Count(pattern, "/") + 1
		ok := false
		if n <= len(parts) {
			ok, _ = path.Match(pattern, strings.Join(parts[len(parts)-n:], "/"))
		}
		return ok
	}
	if i := slices.IndexFunc(byName, func(a ByName) bool { return slices.ContainsFunc(a.Files, is) }); i >= 0 {
		return &byName[i]
	}
	return nil
}

// Guard reports whether hooks of an event can refuse what the agent is about to do.
func (a *ByName) Guard(event string) bool {
	event = strings.ToLower(event)
	return slices.ContainsFunc(strings.Fields(a.Guards), func(g string) bool {
		start, open := strings.CutSuffix(g, "*")
		return g == event || open && strings.HasPrefix(event, start)
	})
}
