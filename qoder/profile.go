package qoder

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// profile holds the constants of Qoder CLI (observed 1.1.52, where no other
// source is named). What is written to QODER_ENV_FILE breaks every later command
// of 1.1.52, so that a host's file is not usable.
var profile = dialect.Profile{
	Skeleton:        `{"hooks":{}}`,
	LoopLimit:       -1,
	EarlyTranscript: true,
	AgentFolder:     "agents",
	Vocabularies:    words,
	Plugins: dialect.Plugins{Manifests: []string{".qoder-plugin/plugin.json", ".claude-plugin/plugin.json"}, Hooks: "hooks/hooks.json",
		Dotted: true},
	Worktrees: ".qoder/worktrees", // EnterWorktree moves QODER_PROJECT_DIR there
	EnvFile: dialect.EnvFile{
		Variable: "QODER_ENV_FILE",
		Events:   []schema.Event{schema.SessionStart, schema.Setup, schema.CwdChanged, schema.FileChanged},
	},
	HostVariables: dialect.Variables{
		Names: []string{"QODER_HOOK_SOURCE", "QODER_HOOK_VERSION", "QODER_PROJECT_DIR", "QODER_SITE", "QODER_ENV_FILE",
			"QODER_PLUGIN_ROOT", "QODER_PLUGIN_DATA", "QODER_CWD", "QODER_SESSION_ID", "QODER_TOOL_NAME", "QODER_TRANSCRIPT_PATH",
			"QODER_TOOL_INPUT_FILE_PATH"},
	},
	Members: []dialect.HookMember{
		{Feature: schema.HookMatcher, Name: "matcher"},
		{Feature: schema.HookCondition, Name: "if"},
		{Feature: schema.HookTimeout, Name: "timeout"},
		{Feature: schema.HookAsync, Name: "async"},
		{Feature: schema.HookRewake, Name: "asyncRewake"},
		{Feature: schema.HookOnce, Name: "once"},
		{Feature: schema.HookStatus, Name: "statusMessage"},
		{Feature: schema.HookShell, Name: "shell"},
		{Feature: schema.HookArgs, Name: "args"},
		{Feature: schema.HookEnv, Name: "env"},
		{Feature: schema.HookModel, Name: "model"},
		{Feature: schema.HookSequential, Name: "sequential"},
		{Feature: schema.HookHTTP, Name: "type"},
		{Feature: schema.HookPrompt, Name: "type"},
		{Feature: schema.HookAgent, Name: "type"},
	},
	Ignored: []dialect.Ignored{
		{Name: "name", Severity: schema.Note}, {Name: "description", Severity: schema.Note},
		{Name: "rewakeMessage", Severity: schema.Loss}, {Name: "rewakeSummary", Severity: schema.Loss},
		{Name: "tools", Severity: schema.Loss}, {Name: "maxTurns", Severity: schema.Loss},
	},
	HTTP: schema.HTTPRules{Event: "event", Follow: true, Text: true},
}

// Profile returns the constants of the program.
func (d Dialect) Profile() *dialect.Profile {
	on := d.surface()
	if on == cli {
		return &profile
	}
	p := profile
	p.EnvFile = dialect.EnvFile{}
	if on == sdk { // its file holds options
		p.Skeleton = `{"settings":{"hooks":{}}}`
	}
	return &p
}
