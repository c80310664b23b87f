package qoder

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// profile holds the constants of Qoder CLI (observed 1.1.52, where no other
// source is named). What is written to QODER_ENV_FILE breaks every later command
// of 1.1.52, so that a host's file is not usable.
var profile = dialect.Profile{
	Name:            "qoder",
	Title:           "Qoder",
	Programs:        programs,
	Events:          events,
	Tools:           allTools, // the CLI and the IDE read the same settings
	Fields:          members,
	MCP:             dialect.MCPNames{Prefix: mcpPrefix, Between: "__"},
	Marks:           []dialect.Mark{{Sure: 4, Env: append([]string{"QODER_HOOK_SOURCE", "QODER_PROJECT_DIR"}, ideVariables...)}, {Sure: 1}},
	Grammar:         schema.GrammarRegexpOrEqual,
	ValueGrammar:    schema.GrammarValues,
	Key:             key,
	Timeouts:        timeouts(cli, 600*time.Second),
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

// timeouts are the time limits (package 1.1.52; the IDE and QoderWork from docs
// 2026-07). At the end of a session the CLI gives all hooks together the longest
// time that one of them states, 1.5 s to 60 s; a hook that states none gets the
// least. The commands of the Agent SDK's settings are run by the CLI.
func timeouts(on surface, command time.Duration) []dialect.TimeoutRow {
	rows := []dialect.TimeoutRow{
		{Handler: schema.HandlerPrompt, Default: 30 * time.Second},
		{Handler: schema.HandlerAgent, Default: 60 * time.Second},
		{Default: command},
	}
	end := dialect.TimeoutRow{Event: schema.SessionEnd, Min: 1500 * time.Millisecond, Max: 60 * time.Second}
	switch on {
	case cli:
		return append([]dialect.TimeoutRow{end}, rows...)
	case sdk:
		return append([]dialect.TimeoutRow{{Handler: schema.HandlerCallback, Default: command}, end}, rows...)
	}
	return rows
}

// Profile returns the constants of the program.
func (d Dialect) Profile() *dialect.Profile {
	if d.profile != nil {
		return d.profile
	}
	return &profile
}

// At returns the dialect at a version or program.
func (Dialect) At(version string) (dialect.Dialect, error) {
	p, err := profile.At(version)
	if err != nil {
		return nil, err
	}
	if version == sdkName {
		version = sdkVersion
	}
	d := Dialect{Version: version, profile: p}
	p.AsOf = "" // every known version of the CLI has all rows
	on := d.surface()
	if on == cli {
		return d, nil
	}
	p.EnvFile = dialect.EnvFile{}
	p.Events = d.eventRows()
	switch on {
	case ide:
		p.Timeouts = timeouts(on, 30*time.Second)
	case work:
		p.Timeouts = timeouts(on, 60*time.Second)
	case sdk: // its file holds options, and it runs the CLI
		p.Timeouts = timeouts(on, 600*time.Second)
		p.Skeleton, p.Tools, p.Modules = `{"settings":{"hooks":{}}}`, tools, moduleEndings
	}
	return d, nil
}
