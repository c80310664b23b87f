package gemini

import (
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Gemini CLI dialect; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{&newest} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Refusals: d, Servers: d, ServerNames: d, Prompts: d,
		Splits: d, Transcripts: d, Trust: d}
}

const name = "gemini"

// newest is Gemini CLI as a member of the family, whose files it shares; payloads and answers have different fields.
var newest = family.Agent{
	Data: &profile, File: &file, Payload: payload, Files: files,
	Names:      family.Names{Folder: folder, Project: projectVariable},
	KeepsAlias: true, OwnTools: true,
	Merging: merging,
	Steps: family.Steps{Advise: advise, Classify: classify, View: view, Input: input, Result: appendResult,
		More: appendServer},
}

// profile holds the agent's constants (observed 0.61.0).
var profile = dialect.Profile{
	Name: name, Title: "Gemini CLI", Events: events, Actions: &actions, Modes: &modes, Ways: &ways,
	Known: []string{"0.61.0"}, Client: "gemini", Tools: tools,
	MCP: dialect.MCPNames{Prefix: mcpPrefix, Between: "_", NameRules: schema.NameRules{Else: '_', Kept: "-.:"},
		Loose: true, Ends: 30}, // source
	Grammar: matchers, ValueGrammar: values, Key: key, Vocabularies: words,
	Files: dialect.Files{
		Markers:  []string{"GEMINI.md"},
		Skeleton: `{"hooks":{}}`, EventsAt: "/hooks",
		Plugins: dialect.Plugins{
			Manifests: []string{"gemini-extension.json"},
			Own:       "gemini-extension.json",
			Hooks:     []string{"hooks/hooks.json"},
			// observed 0.61.0
			Use: dialect.ManifestNeeded, Required: []string{"name", "version"},
			Root: "${extensionPath}", Replaced: []string{"${extensionPath}"}},
		Members: []dialect.HookMember{
			{Feature: schema.HookMatcher, Name: "matcher"}, {Feature: schema.HookTimeout, Name: "timeout"},
			{Feature: schema.HookEnv, Name: "env"}, {Feature: schema.HookSequential, Name: "sequential"},
		},
		Ignored: []dialect.Ignored{{Name: "name", Severity: schema.Note}, {Name: "description", Severity: schema.Note}},
	},
	Payloads: dialect.Payloads{
		Fields: &members,
		Marks: []dialect.Mark{ // every payload has a timestamp
			{Sure: 7, Members: []string{"timestamp"}, Lacks: []string{"permission_mode"}},
			{Sure: 6, Events: []string{"BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection",
				"BeforeTool",
				"AfterTool", "PreCompress"}},
		},
	},
	Answers: dialect.Answers{
		RefusalStatus: 2,  // like every code except 0 and 1 (observed 0.61.0)
		StopBlocks:    10, // at most 20 reach the model, then the client hangs or crashes
		LoopLimit:     -1,
		Lone: []dialect.LoneRow{ // observed 0.61.0
			{On: schema.PreTool, Effects: schema.EffectInput},
			{On: schema.PostTool, Effects: schema.EffectContext}, // a replaced result drops it
		},
	},
	Timing: dialect.Timing{
		Timeouts:       []dialect.TimeoutRow{{Default: 60 * time.Second}},
		LongestTimeout: maxTimeout * time.Millisecond, // docs, source
		OutputGrace:    -1,
	},
	Environment: dialect.Environment{
		Starts: dialect.Start{Windows: dialect.PowerShell5}, // its source
		Reads: []dialect.EnvRow{{Name: defaultsVariable, Moves: dialect.MovesHooks},
			{Name: settingsVariable, Moves: dialect.MovesHooks}, {Name: workspaceVariable, Moves: dialect.MovesRecord},
			{Name: foldersVariable, Moves: dialect.MovesRecord}, {Name: projectVariable, Moves: dialect.Describes}},
		HostVariables: dialect.Variables{projectVariable, "GEMINI_CWD", "GEMINI_PLANS_DIR", "GEMINI_SESSION_ID"},
	},
}

// merging: reasons of hooks that allow count too (observed 0.61.0).
var merging = schema.MergeRules{Separator: "\n", AllReasons: true, JoinOutputs: true}

// PromptPrefix returns what a headless client puts before the first prompt (observed 0.61.0).
func (Dialect) PromptPrefix(context string) string {
	return "<hook_context>" + strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(context) + "</hook_context>\n\n"
}

// asksSince is the first version with the decision "ask" (source).
const asksSince = "0.36.0"

// matchers is for an expression that may match anywhere in the name; one with a syntax error is compared as text
// (observed 0.61.0).
var matchers = schema.Grammar{Trim: true, All: "*", Expression: schema.JavaScript, Equal: true}

// values is for matchers of values such as source, reason and trigger: one exact value (observed 0.61.0).
var values = schema.Grammar{Trim: true, All: "*"}
