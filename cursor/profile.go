package cursor

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

const name = "cursor"

// profile holds Cursor's constants (observed SDK 1.0.32, unless another source is named). Variables that a hook sets
// are part of its answer.
var profile = dialect.Profile{
	Name: name, Title: "Cursor", Events: events, Actions: &actions, Tools: tools,
	Grammar: schema.Grammar{All: "*", Expression: schema.JavaScript}, Programs: programs,
	Known:        []string{editorVersion, "2026.09.26"}, // of the editor, and of the command line
	Client:       "cursor-agent",
	Vocabularies: words,
	Files: dialect.Files{
		Markers: []string{".cursorrules"},
		Unseen: dialect.Unseen{
			Managed: "team hooks from the dashboard"}, Skeleton: `{"version":1,"hooks":{}}`, EventsAt: "/hooks",
		HomeTwice: true, // observed SDK 1.0.32
		Plugins: dialect.Plugins{
			Manifests: []string{".cursor-plugin/plugin.json", ".claude-plugin/plugin.json", "plugin.json"},
			Own:       ".cursor-plugin/plugin.json",
			Hooks:     []string{"hooks/hooks.json"},
			Forms:     dialect.PathForm | dialect.ListForm | dialect.BareForm | dialect.FileForm,
			Absent:    dialect.OtherType,
			Root:      "${CURSOR_PLUGIN_ROOT}", Converts: true,
			Vars: []string{"CURSOR_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"}}, // SDK 1.0.32's code
		Members: []dialect.HookMember{
			{Feature: schema.HookTimeout, Name: "timeout"}, {Feature: schema.HookFailPolicy, Name: "failClosed"},
			{Feature: schema.HookLoopLimit, Name: "loop_limit"}, {Feature: schema.HookPrompt, Name: "type"},
			{Feature: schema.HookModel, Name: "model"},
		},
	},
	Payloads: dialect.Payloads{
		Fields: &members,
		Sent:   recorded,
		Marks: []dialect.Mark{{Sure: 9, AnyEvent: true, Members: []string{"cursor_version"}},
			{Sure: 5, Members: []string{"conversation_id"}}, {Sure: 4}},
		Newest: editorVersion, // the newest editor with a captured payload
	},
	Answers: dialect.Answers{
		AnswerWords: []string{"permission", "user_message", "agent_message", "followup_message", "updated_input",
			"additional_context",
			"userMessage", "agentMessage"},
		ContextLimits: []dialect.ContextLimit{{Units: contextLimit}}, LoopLimit: 5,
		RefusalStatus: 2,    // observed SDK 1.0.32
		PatchesInput:  true, // updated_input is applied field by field
		Lone: []dialect.LoneRow{ // observed SDK 1.0.32
			{On: schema.PreTool, Effects: schema.EffectInput},
			{On: schema.PostTool, Effects: schema.EffectOutput},
			{On: schema.Stop, Effects: schema.EffectKeepGoing},
			{On: schema.SubagentStop, Effects: schema.EffectKeepGoing},
		},
	},
	Timing: dialect.Timing{
		Timeouts: []dialect.TimeoutRow{{Default: 60 * time.Second}}, // observed SDK 1.0.32: killed at 60.4 s
		// observed SDK 1.0.32: with more, a hook's denial is ignored
		LongestTimeout: dialect.LongestTimer,
		OutputGrace:    -1, // observed SDK 1.0.32
	},
	Environment: dialect.Environment{
		Starts:     dialect.Start{Windows: dialect.PowerShell5}, // observed SDK 1.0.32
		LoginShell: true,                                        // observed SDK 1.0.32
		KeepsEnv:   true,                                        // docs 2026-08; the SDK leaves them out for tool hooks
		Reads: []dialect.EnvRow{{Name: projectVariable, Moves: dialect.Describes},
			{Name: remoteVariable, Moves: dialect.Describes},
			{Name: versionVariable, Moves: dialect.Describes},
			{Name: "PWD", Moves: dialect.Describes}, {Name: "HOME", Moves: dialect.Describes},
			{Name: "USERPROFILE", Moves: dialect.Describes}, {Name: dialect.ShellVariable, Moves: dialect.Starts}},
		HostVariables: dialect.Variables{projectVariable, "CURSOR_VERSION", "CURSOR_USER_EMAIL",
			"CURSOR_TRANSCRIPT_PATH",
			"CURSOR_PLUGIN_ROOT", remoteVariable},
	},
}

const (
	projectVariable = "CURSOR_PROJECT_DIR"
	versionVariable = "CURSOR_VERSION"
)

// remoteVariable is set for hooks of agents in the cloud: to "true", up to version
// 2.4 to a path (docs 2026-08 and 2026-01).
const remoteVariable = "CURSOR_CODE_REMOTE"

// Profile returns the dialect's constants.
func (d Dialect) Profile() *dialect.Profile {
	if d.profile != nil {
		return d.profile
	}
	return &profile
}

// At returns the dialect at a version or program. The versions of rows are the editor's; the other programs have all
// events.
func (Dialect) At(version string) (dialect.Dialect, error) {
	p, err := profile.At(version)
	if err != nil {
		return nil, err
	}
	p.AsOf = asOf(p.AsOf)
	if version == "" {
		return Dialect{}, nil
	}
	if oldWords(version) {
		p.StopBlocks = 5 // for all hooks (docs 2026-01)
	}
	if version == sdk {
		p.Layers = dialect.RootAlone // observed SDK 1.0.32
	}
	p.Narrow(func(row *schema.EventRow) schema.Feature { return lacks(version, row) })
	return Dialect{Version: version, profile: p}, nil
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	own := &d // one allocation for all
	return dialect.Abilities{Servers: own, ServerNames: own, Imports: own, Transcripts: own}
}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"sessionStart", "sessionEnd"}, Fields: `{"model_id":"some-model"}`},
}
