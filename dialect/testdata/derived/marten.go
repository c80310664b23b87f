// Package marten is a dialect for an agent that doesn't exist: it has Claude Code's protocol, with other names for its
// folders, variables, tools and two payload fields. It shows what such a dialect states.
package marten

import (
	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the marten's; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns what the agent has beside what every dialect has.
func (d Dialect) Abilities() dialect.Abilities {
	from := claude.Dialect{Agent: d.Agent}
	return dialect.Abilities{Conditions: from, EnvFile: from, Refusals: from, Servers: from, Transcripts: from}
}

var newest = family.Lazy{Make: makeAgent}

func makeAgent() *family.Agent {
	from := claude.New()
	return &family.Agent{
		Data: makeProfile(from.Data), File: from.File, Payload: from.Payload, Renames: from.Renames, CallID: "toolu_",
		Names: family.Names{Folder: ".marten", Home: "MARTEN_HOME", Project: "MARTEN_PROJECT", Plugin: "MARTEN_PLUGIN_",
			HookOnly: []string{"MARTEN_ENV_FILE"}},
		Files: []family.FileRow{{Scope: schema.ScopeUser, Path: "settings.json"},
			{Scope: schema.ScopeProject, Path: "settings.json"}},
		Edits: from.Edits, FullEdits: true, Results: from.Results, ShellErrors: true, ShowsAlso: true, OwnTools: true,
		Answer: from.Answer, Merging: from.Merging, Record: from.Record,
		Steps: family.Steps{Hook: from.Steps.Hook, Advise: from.Steps.Advise, Read: from.Steps.Read,
			Classify: from.Steps.Classify, Decide: from.Steps.Decide, Take: from.Steps.Take, Output: from.Steps.Output,
			Environment: func(*schema.Call) []schema.EnvVar { return schema.Vars("MARTEN", "1") }},
	}
}

func makeProfile(from *dialect.Profile) *dialect.Profile {
	return &dialect.Profile{
		Name: "marten", Title: "Marten", Known: []string{"1.0"},
		Events: from.Events, Actions: from.Actions, Modes: from.Modes,
		Tools: family.Renamed(from.Tools, [2]string{"Bash", "Terminal"}, [2]string{"Write", "Save"},
			[2]string{"Edit", "Change"}),
		MCP:     dialect.MCPNames{Prefix: "den__", Between: "__", NameRules: from.MCP.NameRules},
		Grammar: from.Grammar, Key: from.Key, Vocabularies: from.Vocabularies,
		Files: dialect.Files{Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", AgentFolder: "agents", Members: from.Members,
			Plugins: dialect.Plugins{Manifests: []string{".marten-plugin/plugin.json"},
				Hooks: []string{"hooks/hooks.json"},
				Forms: dialect.PathForm | dialect.ListForm | dialect.BareForm | dialect.FileForm}},
		Payloads: dialect.Payloads{
			Fields: from.Fields.Renamed(map[schema.Field]string{schema.FieldSession: "martenSession",
				schema.FieldToolName: "tool"}),
			Marks: []dialect.Mark{{Sure: 9, Members: []string{"martenSession"}}}, CleansPaths: true},
		Answers: dialect.Answers{RefusalStatus: 3, StopBlocks: 8, LoopLimit: -1, LastCounts: true, Lone: from.Lone},
		Timing:  from.Timing,
		Environment: dialect.Environment{HTTP: from.HTTP, HostVariables: dialect.Variables{"MARTEN"},
			EnvFile: dialect.EnvFile{Variable: "MARTEN_ENV_FILE", Events: from.EnvFile.Events, Usable: true}},
		Transcript: from.Transcript,
	}
}
