package copilot

import (
	"sync"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const name = "copilot"

// The programs, each of which replaces a version.
const (
	onCLI   = "cli"
	onCode  = "vscode"
	onCloud = "cloud"
)

// line is the command line. Its events have two names each. Those rows are made on first use, so that the compiler can
// build all other tables.
var line struct {
	made   sync.Once
	agent  family.Agent
	data   dialect.Profile
	events [29]schema.EventRow
}

func cli() *family.Agent {
	line.made.Do(func() {
		line.data = profile
		line.data.Events = named(line.events[:0])
		line.agent = family.Agent{Data: &line.data, File: &fileRules,
			Merging: schema.MergeRules{Separator: "\n\n", FirstReason: true}}
	})
	return &line.agent
}

// profile holds the constants of the command line, except its events (observed 1.0.102).
var profile = dialect.Profile{
	Name: name, Title: "Copilot",
	Programs: []dialect.Program{{Name: onCLI}, {Name: onCode}, {Name: onCloud}},
	Known:    []string{"1.0.102"}, Client: "copilot",
	Actions: &actions, Modes: &modes, Ways: &ways, Tools: cliTools, MCP: mcpNames,
	Grammar: matchers, Vocabularies: words,
	Files: dialect.Files{
		Markers: []string{".github/copilot-instructions.md"},
		Layers:  dialect.RootAlone, // observed 1.0.102
		Unseen: dialect.Unseen{
			Managed: "policies of the organization, and the Windows registry"}, Skeleton: `{"version":1,"hooks":{}}`,
		EventsAt: "/hooks", Folders: []string{".github/hooks", ".github/copilot", ".github/agents"},
		Shared: []string{".github"},
		VoidMember: dialect.VoidMember{Name: "timeoutSec", Value: "0",
			Without: "denies the tool calls that hookbridge is registered for"}, // both observed 1.0.102
		Plugins: dialect.Plugins{ // observed 1.0.102
			Manifests: []string{".plugin/plugin.json", "plugin.json", ".github/plugin/plugin.json",
				".claude-plugin/plugin.json"},
			Own:   ".github/plugin/plugin.json",
			Hooks: []string{"hooks.json", "hooks/hooks.json"},
			Forms: dialect.PathForm | dialect.BareForm, Use: dialect.ManifestLenient,
			Absent:   dialect.NoFile | dialect.OtherType,
			Root:     "${CLAUDE_PLUGIN_ROOT}",
			Vars:     []string{"PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"},
			Replaced: []string{"${PLUGIN_ROOT}", "${CLAUDE_PLUGIN_ROOT}"},
			Data:     "CLAUDE_PLUGIN_DATA"}, // observed 1.0.102
		Members: []dialect.HookMember{
			{Feature: schema.HookMatcher, Name: "matcher"}, {Feature: schema.HookTimeout, Name: "timeoutSec"},
			{Feature: schema.HookEnv, Name: "env"},
			{Feature: schema.HookArgs, Name: "exec"}, {Feature: schema.HookShell, Name: "powershell"},
			{Feature: schema.HookHTTP, Name: "type"},
		},
		Ignored: []dialect.Ignored{{Name: "comment", Severity: schema.Note},
			{Name: "description", Severity: schema.Note},
			{Name: "cwd", Severity: schema.Weaker},
			{Name: "powershell", Severity: schema.Note}},
	},
	Payloads: dialect.Payloads{
		Fields: &members,
		Sent:   recorded,
		Marks:  marks, Unnamed: true,
	},
	Answers: dialect.Answers{
		ContextLimits: contextLimits,
		AnswerWords: []string{"modifiedArgs", "modifiedResult", "modifiedPrompt", "modifiedResponse",
			"modifiedTransformedPrompt", "metaToUse", "responseContent"},
		RefusalStatus: 2, // observed 1.0.102
		StopBlocks:    8, LoopLimit: -1, Line: dialect.Chains,
		Lone: []dialect.LoneRow{ // observed 1.0.102
			{On: schema.PermissionRequest, Effects: schema.EffectDeny, Status: true},
			{On: schema.PostTool, Effects: schema.EffectOutput},
			{On: schema.PromptSubmit, Effects: schema.EffectContext | schema.EffectInput},
			{On: schema.Stop, Effects: schema.EffectKeepGoing},
		},
	},
	Timing: dialect.Timing{
		Timeouts:    []dialect.TimeoutRow{{Default: 30 * time.Second}}, // docs 2026-11
		OutputGrace: -1,
	},
	Environment: dialect.Environment{
		Starts: dialect.Start{Windows: dialect.PowerShellField},
		// Observed 1.0.102: no connection, a redirect, 404 and 500 deny.
		HTTP: schema.HTTPRules{Fails: true, Secure: []schema.Event{schema.PreTool, schema.PermissionRequest,
			schema.PreMCPCall}, Local: true,
			UnlessSecure: "use https, or set COPILOT_HOOK_ALLOW_HTTP_AUTH_HOOKS=1 (for this machine " +
				"COPILOT_HOOK_ALLOW_LOCALHOST=1) where Copilot starts",
			UnlessRemote: "set COPILOT_HOOK_ALLOW_LOCALHOST=1 where Copilot starts"},
		HostVariables: dialect.Variables{projectVariable, "COPILOT_HOOK_DIR", "COPILOT_CLI",
			"COPILOT_PLUGIN_ROOT", "COPILOT_PLUGIN_DATA", "PLUGIN_ROOT"},
		Reads: []dialect.EnvRow{{Name: homeVariable, Moves: dialect.MovesHooks},
			{Name: projectVariable, Moves: dialect.Describes}},
	},
	Transcript: dialect.Transcript{
		// Copilot writes an event 50 to 110 ms after it (observed 1.0.102).
		LateTranscript:  300 * time.Millisecond,
		EarlyTranscript: true,
	},
}

// Variables that hookbridge reads.
const (
	homeVariable    = "COPILOT_HOME"
	projectVariable = "COPILOT_PROJECT_DIR"
)

// vscode returns the agent in VS Code. It isn't a variable, because a copy would be made at every start.
func vscode() family.Agent {
	a, p := *cli(), profile
	p.Title, p.Events, p.Actions, p.Tools = "Copilot in VS Code", codeEvents, &codeActions, codeTools
	p.Unnamed, p.Line, p.StopBlocks, p.VoidMember = false, dialect.PassesInput, 0, dialect.VoidMember{}
	p.Starts.Windows = dialect.PowerShell5 // an entry's single command is also for it
	p.HostVariables, p.Lone = dialect.Variables{}, []dialect.LoneRow{{On: schema.PreTool, Effects: schema.EffectInput}}
	a.Data = &p
	return a
}

// Dialect is the Copilot dialect. Version is one of the command line ("1.0.70") or a
// program; New follows the newest command line.
type Dialect struct {
	*family.Agent
	Version string
}

// New returns the dialect of the newest command line.
func New() Dialect { return Dialect{Agent: cli()} }

// At returns the dialect at a version or of a program.
func (d Dialect) At(version string) (dialect.Dialect, error) {
	a := *cli()
	if version == onCode {
		a = vscode()
	}
	p, err := a.Data.At(version)
	if err != nil {
		return nil, err
	}
	a.Data = p
	return Dialect{&a, version}, nil
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	own := &d // one allocation for all
	return dialect.Abilities{Servers: own, ServerNames: own, Imports: own, Unnamed: own,
		Commands: own, Splits: own, Transcripts: own, Trust: own}
}

func inCode() Dialect {
	a := vscode()
	return Dialect{&a, onCode}
}

func (d Dialect) onCode() bool { return d.Version == onCode }

// marks: every payload has a timestamp. Payloads with another agent's event name lack fields of that agent.
var marks = []dialect.Mark{
	{Sure: 9, AnyEvent: true, Members: []string{"sessionId", "timestamp"}, Lacks: []string{"hookEventName"}},
	{Sure: 8, Members: []string{"timestamp"}, Lacks: []string{"permission_mode"},
		Events: []string{"UserPromptSubmit", "PreToolUse", "PostToolUse",
			"PostToolUseFailure", "PreCompact", "Stop", "SubagentStart", "SubagentStop", "ErrorOccurred"}},
	{Sure: 8, Members: []string{"timestamp"}, Lacks: []string{"transcript_path", "hookEventName"},
		Events: []string{"SessionStart", "SessionEnd"}},
}

func homeOf(p schema.Places) string { return dialect.Home(p, homeVariable, ".copilot") }

// matchers is for an expression that must match the whole name; one with a syntax error, even "*", never matches
// (observed 1.0.102).
var matchers = schema.Grammar{Expression: schema.JavaScript, Whole: true}

// pascalMatchers is for events under Claude Code's names. A text of letters, digits, "_" and "|" is a list that is
// compared with every name of the tool. Any other text is an expression for its first name (observed 1.0.102).
var pascalMatchers = schema.Grammar{Trim: true, All: "* **", Names: "_|", Expression: schema.JavaScript, Whole: true,
	First: true}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"SessionStart"}, Fields: `{"initial_prompt":"Fix the failing test."}`},
	{Events: []string{"sessionStart"}, Fields: `{"initialPrompt":"Fix the failing test."}`},
	{Events: []string{"SubagentStart", "SubagentStop"},
		Fields: `{"agent_id":"agent-1","parent_agent_id":"simulated"}`},
	{Events: []string{"subagentStart", "subagentStop"},
		Fields: `{"agentId":"agent-1","parentAgentId":"simulated"}`},
}
