package adapter

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
)

// A ByName is an agent with hooks and no dialect: hookbridge has only the places of its files, and never ran it.
type ByName struct {
	Name  string // as in a flag
	Title string // as in sentences
	// Files are a project's files with hooks, with slashes; * matches any name in a folder.
	Files []string
	Home  []string // those of the user, below the home folder
	Only  string   // the field of a JSON file with the hooks; "": any field
	// Folders and Texts identify other files of it: folders of the path, parts of the text.
	Folders, Texts []string
	// Guards are the events whose hooks can deny what the agent is about to do, separated by blanks, in any case. A
	// name that ends with * matches all names with that prefix.
	Guards string
	Code   bool // the agent has a dialect, and these files are its own code
	// Never is why its hooks run nowhere; "": they run in the agent.
	Never  string
	Source string // the document with Files and Guards
	Date   string // when it was read
}

// byName lists the agents that hookbridge knows by name only, and programs that write files for several.
var byName = []ByName{
	{Name: "abacusai", Title: "Abacus AI", Home: []string{".abacusai/*.json"}, Only: "hooks", Guards: "pretooluse",
		Source: "named by other tools; no page on its hooks was found", Date: "2026-11-28"},
	{Name: "amazonq", Title: "Amazon Q", Files: []string{".amazonq/cli-agents/*.json", ".amazonq/agents/*.json"},
		Home: []string{".aws/amazonq/cli-agents/*.json"}, Only: "hooks",
		Folders: []string{".amazonq"}, Texts: []string{`"agentSpawn"`},
		Guards: "pretooluse userpromptsubmit", Source: "amazon-q-developer-cli docs/hooks.md", Date: "2026-11-26"},
	{Name: "amp", Title: "Amp",
		Files: []string{".amp/settings.json", ".amp/settings.jsonc", ".amp/plugins/*.ts"},
		Home:  []string{".config/amp/settings.json", ".config/amp/plugins/*.ts"}, Only: "amp.permissions",
		Guards: "amp.permissions", Source: "ampcode.com/manual", Date: "2026-08-14"},
	{Name: "continue", Title: "Continue", Files: []string{".continue/settings.json"},
		Home: []string{".continue/settings.json"}, Only: "hooks", Guards: "pretooluse",
		Never:  "Continue's CLI 1.5.47 never starts hooks",
		Source: "npm @continuedev/cli 1.5.47: hooks with exit code 2 in its files, and the calls ran",
		Date:   "2026-11-26"},
	{Name: "crush", Title: "Crush", Files: []string{"crush.json", ".crush.json"},
		Home: []string{".config/crush/crush.json"}, Only: "hooks", Guards: "pretooluse pre_tool_use permissionrequest",
		Source: "charmbracelet/crush docs/hooks/README.md", Date: "2026-11-28"},
	{Name: "devin", Title: "Devin", Files: []string{".devin/hooks.json", ".devin/hooks.v1.json"},
		Home: []string{".config/devin/config.json"}, Guards: "pre_* pretooluse permissionrequest",
		Source: "docs.devin.ai/desktop/cascade/hooks and rulesync 17.0.0", Date: "2026-11-26"},
	{Name: "dsh", Title: "DeepSeek Harness", Files: []string{".dsh/hooks.json"}, Home: []string{".dsh/hooks.json"},
		Guards: "pretooluse", Source: "READMEs of its plugins for hooks; the harness itself has plugins only",
		Date: "2026-11-28"},
	{Name: "goose", Title: "Goose", Files: []string{".agents/plugins/*/hooks/hooks.json"},
		Home: []string{".agents/plugins/*/hooks/hooks.json"}, Only: "hooks", Guards: "pretooluse",
		Source: "block/goose documentation at 0825b570", Date: "2026-11-26"},
	{Name: "kiro", Title: "Kiro", Files: []string{".kiro/hooks/*.json", ".kiro/agents/*.json"},
		Home: []string{".kiro/hooks/*.json", ".kiro/agents/*.json"}, Only: "hooks",
		Guards: "pretooluse userpromptsubmit", Source: "kiro.dev/docs/hooks and /docs/cli/v3/hooks",
		Date: "2026-11-26"},
	{Name: "muse", Title: "Muse Code", Files: []string{".muse/hooks.json"},
		Home: []string{".config/muse/settings.json"}, Only: "hooks", Guards: "pretooluse permissionrequest",
		Source: "dev.meta.ai/docs/muse-code, as others quote it", Date: "2026-11-26"},
	{Name: "openhands", Title: "OpenHands", Files: []string{".openhands/hooks.json"},
		Home: []string{".openhands/hooks.json"}, Guards: "pretooluse userpromptsubmit pre_tool_use user_prompt_submit",
		Source: "docs.openhands.dev/openhands/usage/customization/hooks; HookConfig of its SDK", Date: "2026-11-29"},
	{Name: "universal-ai-config", Title: "universal-ai-config", Folders: []string{".universal-ai-config"},
		Source: "its files in public repositories", Date: "2026-11-26"},
	{Name: "windsurf", Title: "Windsurf", Files: []string{".windsurf/hooks.json"},
		Home: []string{".codeium/windsurf/hooks.json"}, Guards: "pre_*",
		Source: "docs.windsurf.com/windsurf/cascade/hooks", Date: "2026-11-26"},
}

// KnownByName lists the agents that hookbridge knows by name only, and the former clients of others.
func KnownByName() []ByName { return slices.Concat(byName, former) }

// FindByName returns the agent of that name that hookbridge knows by name only, or nil.
func FindByName(name string) *ByName {
	is := func(a *ByName) bool { return strings.EqualFold(a.Name, name) }
	return cmp.Or(lists.Find(byName, is), lists.Find(former, is))
}

func known(is func(*ByName) bool) *ByName {
	return cmp.Or(lists.Find(byName, is), lists.Find(former, is), lists.Find(InCode(), is))
}

// InCode lists the agents with a dialect whose own hooks are code: hookbridge names these files and can't read them.
func InCode() (list []ByName) {
	for _, d := range Dialects() {
		if in := d.Abilities().Code; in != nil {
			a := ByName{Name: d.Profile().Name, Title: d.Profile().Title, Guards: "*", Code: true}
			a.Files, a.Home = in.CodeFiles()
			list = append(list, a)
		}
	}
	return list
}

// OwnerByName returns the agent whose file is at a path with slashes, or nil.
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
	return known(func(a *ByName) bool { return slices.ContainsFunc(a.Files, is) || slices.ContainsFunc(a.Home, is) })
}

// Guard reports whether hooks of an event can deny what the agent is about to do.
func (a *ByName) Guard(event string) bool {
	event = strings.ToLower(event)
	return slices.ContainsFunc(strings.Fields(a.Guards), func(g string) bool {
		start, open := strings.CutSuffix(g, "*")
		return g == event || open && strings.HasPrefix(event, start)
	})
}
