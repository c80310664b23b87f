package claude

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// profile holds Claude Code's constants (observed 2.1.328, where no other source
// is named). The last message was seen in the transcript up to 60 ms after the stop
// hooks had started.
var profile = dialect.Profile{
	Skeleton:        `{"hooks":{}}`,
	AnswerWords:     []string{"hookSpecificOutput", "permissionDecision", "systemMessage", "suppressOutput", "stopReason"},
	StopBlocks:      8,
	LoopLimit:       -1,
	EarlyTranscript: true,
	LateTranscript:  300 * time.Millisecond,
	EnvFile: dialect.EnvFile{
		Variable: "CLAUDE_ENV_FILE",
		Events:   []schema.Event{schema.SessionStart, schema.Setup, schema.CwdChanged, schema.FileChanged},
		Usable:   true,
	},
	AgentFolder:  "agents",
	Vocabularies: words,
	ReleaseLine:  true,
	LastCounts:   true,
	CleansPaths:  true,
	HTTP:         schema.HTTPRules{AnyPort: true},
	Plugins:      dialect.Plugins{Manifests: []string{".claude-plugin/plugin.json"}, Hooks: "hooks/hooks.json", Beside: true},
	HostVariables: dialect.Variables{
		Names:    []string{"CLAUDECODE", "CLAUDE_PID", "CLAUDE_ENV_FILE", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_EFFORT"},
		Prefixes: []string{"CLAUDE_CODE_", "OTEL_"},
	},
	Members: []dialect.HookMember{
		{Feature: schema.HookCondition, Name: "if"},
		{Feature: schema.HookTimeout, Name: "timeout"},
		{Feature: schema.HookFailPolicy, Name: "onFailure"},
		{Feature: schema.HookAsync, Name: "async"},
		{Feature: schema.HookRewake, Name: "asyncRewake"},
		{Feature: schema.HookOnce, Name: "once"},
		{Feature: schema.HookStatus, Name: "statusMessage"},
		{Feature: schema.HookShell, Name: "shell"},
		{Feature: schema.HookArgs, Name: "args"},
		{Feature: schema.HookModel, Name: "model"},
		{Feature: schema.HookOnBlock, Name: "continueOnBlock"},
		{Feature: schema.HookHTTP | schema.HookPrompt | schema.HookAgent | schema.HookMCPTool, Name: "type"},
	},
}

// Profile returns the dialect's constants.
func (Dialect) Profile() *dialect.Profile { return &profile }
