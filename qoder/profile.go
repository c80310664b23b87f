package qoder

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// profile holds the constants of Qoder CLI (observed 1.1.52, unless another source is named). A text in QODER_ENV_FILE
// breaks every later command of 1.1.52, so a host's file isn't usable.
var profile = dialect.Profile{
	Name: "qoder", Title: "Qoder", Known: []string{"1.1.52"}, Client: "qodercli", Programs: programs, Events: events,
	Actions: &family.Actions, Modes: &modes,
	Tools:      allTools, // the CLI and the IDE read the same settings
	PlainTools: plainTools,
	MCP: dialect.MCPNames{Prefix: mcpPrefix, Between: "__", NameRules: schema.NameRules{Else: '_', Kept: "-"},
		Forms: []dialect.ServerForm{
			{Before: "plugin_", Owned: true, Of: "plugins", Source: "the package of 1.1.52: plugin:PLUGIN:SERVER"}}},
	Grammar: matchers, ValueGrammar: values, Key: key, Vocabularies: words,
	Files: dialect.Files{
		Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", AgentFolder: "agents", FrontMatter: frontMatter,
		Worktrees: ".qoder/worktrees", // EnterWorktree moves QODER_PROJECT_DIR there
		Plugins: dialect.Plugins{Manifests: []string{".qoder-plugin/plugin.json", ".claude-plugin/plugin.json"},
			Own: ".qoder-plugin/plugin.json", Enabled: "enabledPlugins",
			Hooks:    []string{"hooks/hooks.json"},
			Root:     "${CLAUDE_PLUGIN_ROOT}",
			Vars:     []string{"QODER_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"},
			Data:     "CLAUDE_PLUGIN_DATA",
			Forms:    dialect.DottedForm | dialect.ListForm | dialect.BareForm, // observed 1.1.52
			Required: []string{"name"},
			Texts: []string{"${QODER_PLUGIN_ROOT}", "${QODER_PLUGIN_DATA}", "${CLAUDE_PLUGIN_ROOT}",
				"${CLAUDE_PLUGIN_DATA}"}},
		Members: []dialect.HookMember{
			{Feature: schema.HookMatcher, Name: "matcher"}, {Feature: schema.HookCondition, Name: "if"},
			{Feature: schema.HookTimeout, Name: "timeout"}, {Feature: schema.HookAsync, Name: "async"},
			{Feature: schema.HookRewake, Name: "asyncRewake"}, {Feature: schema.HookOnce, Name: "once"},
			{Feature: schema.HookStatus, Name: "statusMessage"}, {Feature: schema.HookShell, Name: "shell"},
			{Feature: schema.HookArgs, Name: "args"}, {Feature: schema.HookEnv, Name: "env"},
			{Feature: schema.HookModel, Name: "model"}, {Feature: schema.HookSequential, Name: "sequential"},
			{Feature: schema.HookHTTP, Name: "type"}, {Feature: schema.HookPrompt, Name: "type"},
			{Feature: schema.HookAgent, Name: "type"},
		},
		Ignored: []dialect.Ignored{
			{Name: "name", Severity: schema.Note}, {Name: "description", Severity: schema.Note},
			{Name: "rewakeMessage", Severity: schema.Loss}, {Name: "rewakeSummary", Severity: schema.Loss},
			{Name: "tools", Severity: schema.Loss}, {Name: "maxTurns", Severity: schema.Loss},
		},
	},
	Payloads: dialect.Payloads{
		// other fields stay unchanged: error_type, details, image_urls, mcp_context, original_request_name and others
		Fields: &family.AllFields,
		Sent:   recorded,
		Marks:  []dialect.Mark{{Sure: 4, Env: marking}, {Sure: 1}},
	},
	Answers: dialect.Answers{
		RefusalStatus: 2, // observed 1.1.52
		LoopLimit:     -1,
		Lone: []dialect.LoneRow{ // observed 1.1.52
			{On: schema.PermissionRequest, Effects: schema.EffectDeny | schema.EffectInput},
			{On: schema.PreTool, Effects: schema.EffectInput},
			{On: schema.PostTool, Effects: schema.EffectOutput},
		},
	},
	Timing: dialect.Timing{
		Timeouts:       cliTimeouts,
		LongestTimeout: longestTimeout,
	},
	Environment: dialect.Environment{
		EnvFile: dialect.EnvFile{
			Variable: "QODER_ENV_FILE",
			Events:   []schema.Event{schema.SessionStart, schema.Setup, schema.CwdChanged, schema.FileChanged},
		},
		Starts: dialect.Start{Variable: projectVariable}, FillsText: "${",
		HostVariables: dialect.Variables{"QODER_HOOK_SOURCE", "QODER_HOOK_VERSION", "QODER_PROJECT_DIR", "QODER_SITE",
			"QODER_ENV_FILE",
			"QODER_PLUGIN_ROOT", "QODER_PLUGIN_DATA", "QODER_CWD", "QODER_SESSION_ID", "QODER_TOOL_NAME",
			"QODER_TRANSCRIPT_PATH",
			"QODER_TOOL_INPUT_FILE_PATH"},
		Reads: []dialect.EnvRow{{Name: dirVariable, Moves: dialect.MovesHooks},
			{Name: nameVariable, Moves: dialect.MovesHooks}, {Name: pluginsVariable, Moves: dialect.MovesHooks},
			{Name: siteVariable, Moves: dialect.Describes}, {Name: sourceVariable, Moves: dialect.Describes},
			{Name: versionVariable, Moves: dialect.Describes}, {Name: projectVariable, Moves: dialect.Describes}},
		HTTP: schema.HTTPRules{Event: "event", Follow: true, Text: true},
	},
	Transcript: dialect.Transcript{
		EarlyTranscript: true,
	},
}

var modes = []dialect.Mode{{Name: "default", Asks: &family.Changing, Source: "observed 1.1.52"},
	{Name: "yolo", Approves: true, Source: "observed 1.1.52"}}

// The time limits (package 1.1.52; the IDE and QoderWork from docs 2026-07). At the end of a session, the CLI gives all
// hooks together the longest of their timeouts, 1.5 s to 60 s. A hook without a timeout gets the minimum. The CLI runs
// the commands of the Agent SDK's settings.
var (
	cliTimeouts  = []dialect.TimeoutRow{sessionEnd, prompts, agents, {Default: 600 * time.Second}}
	ideTimeouts  = []dialect.TimeoutRow{prompts, agents, {Default: 30 * time.Second}}
	workTimeouts = []dialect.TimeoutRow{prompts, agents, {Default: 60 * time.Second}}
	sdkTimeouts  = []dialect.TimeoutRow{{Handler: schema.HandlerCallback, Default: 600 * time.Second}, sessionEnd,
		prompts, agents, {Default: 600 * time.Second}}
	sessionEnd = dialect.TimeoutRow{Event: schema.SessionEnd, Min: 1500 * time.Millisecond, Max: 60 * time.Second}
	prompts    = dialect.TimeoutRow{Handler: schema.HandlerPrompt, Default: 30 * time.Second}
	agents     = dialect.TimeoutRow{Handler: schema.HandlerAgent, Default: 60 * time.Second}
)

// Dialect is the Qoder dialect; New returns it.
type Dialect struct {
	*family.Agent
	on    surface
	early bool // the IDE before it got further events
}

// New returns the dialect of the newest CLI.
func New() Dialect { return Dialect{Agent: &newest, on: cli} }

var newest = family.Agent{
	Data: &profile, File: &file, Payload: payload, Names: family.Names{Project: projectVariable}, CallID: "toolu_",
	Results:     results,
	ShellErrors: true, Answer: &answer, Merging: merging,
	// The files under ~/.qoder/projects (observed 1.1.52) are like Claude Code's, but without token usage. That the IDE
	// has the same format is a guess.
	Record: family.TranscriptRules{Version: "unknown"},
	Steps: family.Steps{Hook: hook, Advise: advise, Words: valueMatcher, Read: read, Classify: serverContext,
		View: ownName, More: appendContext,
		Decide: applyDecision, Take: take, Fit: fit, Knows: func(native string) bool {
			return profile.Row(native) != nil
		}},
}

// At returns the dialect at a version or program.
func (Dialect) At(version string) (dialect.Dialect, error) {
	if _, err := profile.At(version); err != nil {
		return nil, err
	}
	return asOf(version), nil
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	own := &d // one allocation for all
	return dialect.Abilities{Conditions: own, EnvFile: own, Refusals: own, Servers: own,
		Files: own, Callbacks: own, Modules: own, Transcripts: own}
}

// asOf returns the dialect at an existing version or program.
func asOf(version string) Dialect {
	if version == sdkName {
		version = sdkVersion
	}

	a, _ := newest.AsOf(version)
	d := Dialect{Agent: a, on: surfaceOf(version), early: version == earlyIDE}
	p := a.Data
	p.AsOf = "" // every known version of the CLI has all rows
	if d.on == cli {
		return d
	}

	p.EnvFile = dialect.EnvFile{}
	p.Events = d.eventRows()
	switch d.on {
	case ide:
		a.File = withHandlers(2)
		a.Renames, a.Answer, a.Steps.Fit = ideSource, ideAnswer(), ideFit
		p.Timeouts = ideTimeouts
	case work:
		a.File = withHandlers(1)
		p.Timeouts = workTimeouts
	case sdk: // its file contains options, and it runs the CLI
		p.Timeouts = sdkTimeouts
		p.Skeleton, p.EventsAt = `{"settings":{"hooks":{}}}`, "/settings/hooks"
		p.Tools, p.Modules = cliTools(), moduleEndings
	}
	return d
}

// DecodeCall reads a payload of any of Qoder's programs.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	if d.on == cli || d.on == sdk {
		return d.Agent.DecodeCall(src, env)
	}
	c, ds := newest.DecodeCall(src, env)
	if c != nil {
		c.Version = d.Data.Version
	}
	return c, ds
}

// Views lists how the program of c would show it.
func (d Dialect) Views(c *schema.Call) []schema.View { return d.of(c).Agent.Views(c) }

// AppendCall writes c as its own program would.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	return d.of(c).Agent.AppendCall(dst, c, v)
}

// Shown returns the tool's input as a hook in view v sees it.
func (d Dialect) Shown(c *schema.Call, v schema.View) schema.Args { return d.of(c).Agent.Shown(c, v) }

// matchers is for an expression that is searched for anywhere in the name; one with a syntax error is compared as text
// (qodercli 1.1.52).
var matchers = schema.Grammar{Trim: true, All: "*", Expression: schema.JavaScript, Equal: true}

// values is for matchers of values such as source, reason and trigger: a text without operators is one or more exact
// values, any other like matchers (qodercli 1.1.52).
var values = schema.Grammar{Trim: true, All: "*", Values: true, Expression: schema.JavaScript, Equal: true}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"PostToolUse", "PostToolUseFailure", "PreCompact", "PreToolUse", "Stop",
		"SubagentStart", "SubagentStop"}, Fields: `{"model":"some-model"}`},
	{Events: []string{"SubagentStart", "SubagentStop"},
		Fields: `{"agent_id":"agent-1","agent_type":"general-purpose"}`},
	{Events: []string{"Notification"}, Fields: `{"details":{"mode":"form"}}`},
	{Events: []string{"Stop"},
		Fields: `{"parent_request_set_id":"request-1","parent_business_info":{"product":"cli"}}`},
}
