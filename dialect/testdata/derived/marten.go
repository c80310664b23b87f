// Package marten is a dialect for an agent that doesn't exist: Claude Code with other
// names for its folders, variables, tools and two payload fields. It shows what a derived dialect needs.
package marten

import (
	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the marten's; New returns it.
type Dialect struct{ claude.Dialect }

var origin = claude.Derived(differences)

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{origin} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return origin.Agent.At(version, func(a *family.Agent) dialect.Dialect { return Dialect{claude.Dialect{Agent: a}} })
}

func differences(a *family.Agent, p *dialect.Profile) {
	p.Name, p.Title, p.Known = "marten", "Marten", []string{"1.0"}
	p.Marks = []dialect.Mark{{Sure: 9, Members: []string{"martenSession"}}}
	p.Fields = p.Fields.Renamed(map[schema.Field]string{schema.FieldSession: "martenSession",
		schema.FieldToolName: "tool"})
	p.Tools = family.Renamed(p.Tools, [2]string{"Bash", "Terminal"}, [2]string{"Write", "Save"},
		[2]string{"Edit", "Change"})
	p.PlainTools = nil
	p.AnswerWords = nil // they are Claude Code's
	p.MCP.Prefix = "den__"
	p.HostVariables = dialect.Variables{"MARTEN"}
	p.EnvFile.Variable = "MARTEN_ENV_FILE"
	p.Plugins = dialect.Plugins{Manifests: []string{".marten-plugin/plugin.json"}, Hooks: []string{"hooks/hooks.json"}}
	p.StopBlocksVariable = ""

	a.HonoredSince = nil
	a.Names = family.Names{Folder: ".marten", Home: "MARTEN_HOME", Project: "MARTEN_PROJECT", Plugin: "MARTEN_PLUGIN_",
		HookOnly: []string{"MARTEN_ENV_FILE"}}
	a.Files = []family.FileRow{{Scope: schema.ScopeUser, Path: "settings.json"},
		{Scope: schema.ScopeProject, Path: "settings.json"}}
	a.Steps.Version = nil
	a.Steps.Environment = func(*schema.Call) []schema.EnvVar { return schema.Vars("MARTEN", "1") }
}
