package claude

import (
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// profile holds Claude Code's constants (observed 2.1.328, unless another source is named). The last message appeared
// in the transcript up to 60 ms after the start of the stop hooks.
var profile = dialect.Profile{
	Name: "claude", Title: "Claude Code", Known: []string{"2.1.332"}, Client: "claude", Events: events,
	Actions: &family.Actions, Modes: &modes, Ways: &ways, Tools: tools, PlainTools: plainTools,
	MCP: dialect.MCPNames{Prefix: "mcp__", Between: "__", NameRules: schema.NameRules{Else: '_', Kept: "-"},
		Forms: []dialect.ServerForm{
			{Before: "plugin_", Owned: true, Of: "plugins",
				Source: "observed 2.1.328: mcp__plugin_led-ger_my-books__echo"},
			{Before: "claude_ai_", Titled: true, Of: "claude.ai connectors",
				Source: "texts in the package of 2.1.328"}}},
	Grammar: matchers, Key: key, Vocabularies: words,
	Files: dialect.Files{
		Markers:   []string{"CLAUDE.md"},
		DenyRules: "/permissions/deny", // docs, permissions page, checked 2026-11
		Unseen: dialect.Unseen{
			Managed: "settings of the organization from Anthropic's server, macOS preferences, " +
				"and the Windows registry"},
		Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", AgentFolder: "agents", FrontMatter: frontMatter,
		Plugins: dialect.Plugins{Manifests: []string{".claude-plugin/plugin.json"}, Own: ".claude-plugin/plugin.json",
			Hooks: []string{"hooks/hooks.json"}, Beside: true,
			Forms:    dialect.DottedForm | dialect.ListForm | dialect.BareForm,
			Required: []string{"name"}, Enabled: "enabledPlugins", Root: "${CLAUDE_PLUGIN_ROOT}",
			Vars: []string{"CLAUDE_PLUGIN_ROOT"}, Data: "CLAUDE_PLUGIN_DATA",
			Texts: []string{"${CLAUDE_PLUGIN_ROOT}", "${CLAUDE_PLUGIN_DATA}"}}, // observed 2.1.328
		Members: []dialect.HookMember{
			{Feature: schema.HookCondition, Name: "if"}, {Feature: schema.HookTimeout, Name: "timeout"},
			{Feature: schema.HookFailPolicy, Name: "onFailure"}, {Feature: schema.HookAsync, Name: "async"},
			{Feature: schema.HookRewake, Name: "asyncRewake"}, {Feature: schema.HookOnce, Name: "once"},
			{Feature: schema.HookStatus, Name: "statusMessage"}, {Feature: schema.HookShell, Name: "shell"},
			{Feature: schema.HookArgs, Name: "args"}, {Feature: schema.HookModel, Name: "model"},
			{Feature: schema.HookOnBlock, Name: "continueOnBlock"},
			{Feature: schema.HookHTTP | schema.HookPrompt | schema.HookAgent | schema.HookMCPTool, Name: "type"},
		},
	},
	Payloads: dialect.Payloads{
		Fields:      &members,
		Sent:        recorded,
		Marks:       []dialect.Mark{{Sure: 3, Env: []string{"CLAUDECODE"}}, {Sure: 2}},
		CleansPaths: true,
	},
	Answers: dialect.Answers{
		AnswerWords: []string{"hookSpecificOutput", "permissionDecision", "systemMessage", "suppressOutput",
			"stopReason"},
		RefusalStatus: 2, // observed 2.1.328
		StopBlocks:    8, StopBlocksVariable: blocksVariable, LoopLimit: -1, LastCounts: true,
		Lone: []dialect.LoneRow{ // observed 2.1.328
			{On: schema.PermissionRequest, Effects: schema.EffectDeny | schema.EffectInput, Pick: dialect.PickEarly},
			{On: schema.PreTool, Effects: schema.EffectInput, Pick: dialect.PickLate},
			{On: schema.PostTool, Effects: schema.EffectOutput, Pick: dialect.PickLate},
		},
	},
	Timing: dialect.Timing{
		Timeouts: timeouts, OutputGrace: 500 * time.Millisecond, ReleaseLine: true,
	},
	Environment: dialect.Environment{
		EnvFile: dialect.EnvFile{
			Variable: "CLAUDE_ENV_FILE",
			Events:   []schema.Event{schema.SessionStart, schema.Setup, schema.CwdChanged, schema.FileChanged},
			Usable:   true,
		},
		HTTP: schema.HTTPRules{AnyPort: true},
		Reads: []dialect.EnvRow{{Name: homeVariable, Moves: dialect.MovesHooks},
			{Name: blocksVariable, Moves: dialect.MovesLimit}, {Name: agentVariable, Moves: dialect.Describes},
			{Name: projectVariable, Moves: dialect.Describes}, {Name: remoteVariable, Moves: dialect.Describes}},
		// Variables that it sets itself, and two that tune its own process. Others with the prefix are the user's, like
		// CLAUDE_CODE_USE_BEDROCK, and a hook that starts Claude Code needs them.
		Starts: dialect.Start{Variable: projectVariable}, // commands start where the last `cd` led
		HostVariables: dialect.Variables{"CLAUDECODE", "CLAUDE_PID", "CLAUDE_ENV_FILE", "CLAUDE_PLUGIN_ROOT",
			"CLAUDE_PLUGIN_DATA", "CLAUDE_EFFORT",
			"CLAUDE_CODE_CHILD_NOTES_DIR", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT",
			"CLAUDE_CODE_EXECPATH", "CLAUDE_CODE_MESSAGING_SOCKET",
			"CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID",
			"CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_TMPDIR",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", remoteVariable},
	},
	Transcript: dialect.Transcript{
		EarlyTranscript: true, LateTranscript: 300 * time.Millisecond,
	},
}

// Variables that hookbridge reads.
const (
	homeVariable    = "CLAUDE_CONFIG_DIR"
	blocksVariable  = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
	agentVariable   = "AI_AGENT"
	projectVariable = "CLAUDE_PROJECT_DIR"
)

// modes ask the user (observed 2.1.328: dontAsk denies the same calls without a message or a hook, auto and
// bypassPermissions run them).
var modes = []dialect.Mode{
	{Name: "default", Asks: &family.Changing, Source: "observed 2.1.328"},
	{Name: "plan", Asks: &[]schema.Kind{schema.MCP, schema.Write, schema.Edit, schema.Notebook},
		Source: "observed 2.1.328"},
	{Name: "acceptEdits", Asks: &[]schema.Kind{schema.MCP, schema.Fetch}, Source: "observed 2.1.328"},
	{Name: "bypassPermissions", Source: "observed 2.1.328"},
}

// timeouts are the time limits (docs 2026-08 and observed 2.1.328).
var timeouts = []dialect.TimeoutRow{
	{Event: schema.SessionEnd, Handler: schema.HandlerPrompt, Default: 30 * time.Second, Max: 60 * time.Second},
	{Event: schema.SessionEnd, Handler: schema.HandlerAgent, Default: 60 * time.Second, Max: 60 * time.Second},
	{Event: schema.SessionEnd, Default: 1500 * time.Millisecond, Max: 60 * time.Second},
	{Handler: schema.HandlerPrompt, Default: 30 * time.Second},
	{Handler: schema.HandlerAgent, Default: 60 * time.Second},
	{Event: schema.PromptSubmit, Default: 30 * time.Second},
	{Event: schema.MessageDisplay, Default: 10 * time.Second},
	{Default: 600 * time.Second}, // 60 s before 2.1.3
}

// Dialect is the Claude Code dialect; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version. Agents with a copy of Claude Code's protocol use its values by name.
func New() Dialect { return Dialect{&newest} }

var newest = family.Agent{
	Data: &profile, File: &file, Files: files, Payload: payload, Renames: renames, CallID: "toolu_",
	Names: family.Names{Folder: ".claude", Home: homeVariable, Project: projectVariable,
		Plugin: "CLAUDE_PLUGIN_", Remote: remoteVariable,
		HookOnly: []string{"CLAUDE_ENV_FILE", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_EFFORT",
			sessionVariable}},
	Edits: schema.EditNames{Old: "old_string", New: "new_string", All: "replace_all"}, FullEdits: true,
	Results: results, ShellErrors: true, ShowsAlso: true, OwnTools: true, Answer: &answer, Merging: merging,
	HonoredSince: honoredSince,
	// The files under ~/.claude/projects (observed 2.1.328) also contain events of other types: attachments, requests,
	// summaries of hooks. No hook of the corpus reads those.
	Record: family.TranscriptRules{Version: "2.1.328", PlainPrompt: true, CountsTokens: true},
	Steps: family.Steps{Hook: hook, Advise: advise, Read: read, Version: versionIn, Environment: environmentOf,
		Classify: nameServer, Decide: applyDecision, Take: take, Output: newOutput},
}

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.At(version, func(a *family.Agent) dialect.Dialect {
		a.File = a.File.At(a.Data.AsOf)
		return Dialect{a}
	})
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Conditions: d, EnvFile: d, Refusals: d, Servers: d, Transcripts: d, Rules: d}
}

// matchers reads a text of letters, digits, "_", "-", blanks, "," and "|" as a list of exact names, and any other as an
// expression that may match anywhere in the name (observed 2.1.328).
var matchers = schema.Grammar{All: "*", Names: "_|-, ", Expression: schema.JavaScript}

// namesOnly is the same, but a text with "-", "," or blanks is an expression.
var namesOnly = schema.Grammar{All: "*", Names: "_|", Expression: schema.JavaScript}

// ways: print mode asks no questions (observed 2.1.328, in five permission modes).
var ways = []dialect.Way{{Command: "claude -p", Less: []dialect.Less{
	{Native: "PreToolUse", Effects: schema.EffectAsk, Refuses: true, Source: "observed 2.1.328"}}}}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"PermissionRequest", "PostToolBatch", "PostToolUse", "PostToolUseFailure",
		"PreSkillShellCommand", "PreToolUse", "Stop", "SubagentStop"}, Fields: `{"effort":{"level":"medium"}}`},
	{Events: []string{"SubagentStart", "SubagentStop"},
		Fields: `{"agent_id":"agent-1","agent_type":"general-purpose"}`},
	{Events: []string{"MessageDisplay"}, Fields: `{"prompt_id":"prompt-1"}`},
	{Events: []string{"PreModelSwitch", "PostModelSwitch"},
		Fields: `{"context_tokens":110,"prompt_cache_warm":true,"cache_ttl":"5m",` +
			`"estimated_cache_write_usd":0.0003,"pricing":"catalog"}`},
}

// honoredSince lists the first versions that honor an effect on an event (probes of 15 builds from 1.0.60 to 2.1.328
// and the changelog).
var honoredSince = []family.EffectSince{
	{Event: schema.PreTool, Effect: schema.EffectInput, Since: "2.0.10"},
	{Event: schema.PreTool, Effect: schema.EffectContext, Since: "2.1.9"},
	{Event: schema.PreTool, Effect: schema.EffectDefer, Since: "2.1.89"},
	{Event: schema.PreTool, Effect: schema.EffectAllow | schema.EffectAsk, Since: "1.0.59"},
	{Event: schema.PostTool, Effect: schema.EffectOutput, Since: "2.1.121"},
	{Event: schema.PostTool, Effect: schema.EffectClassifier, Since: "2.1.236"},
	{Event: schema.PreCompact, Effect: schema.EffectDeny | schema.EffectReason, Since: "2.1.105"},
	{Effect: schema.EffectNotice, Since: "1.0.64"},
	{Event: schema.PreTool, Effect: schema.EffectUserReason, Since: "1.0.64"}, // in the same message
	{Event: schema.PreSkillCommand, Effect: schema.EffectUserReason, Since: "1.0.64"},
}

// versionIn reads the version from the environment of the client's hooks: AI_AGENT=claude-code_2-1-328_harness
// (observed 2.1.328).
func versionIn(env schema.Environ) string {
	rest, ok := strings.CutPrefix(env.Get(agentVariable), "claude-code_")
	if !ok {
		return ""
	}
	v, _, _ := strings.Cut(rest, "_")
	return strings.ReplaceAll(v, "-", ".")
}
