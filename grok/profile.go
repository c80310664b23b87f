package grok

import (
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Grok dialect; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Servers: d, Imports: d, EntryText: d, Trust: d}
}

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent; Grok Build doesn't have features that aren't here (observed 1.0.41).
func makeAgent() *family.Agent {
	origin := claude.New()
	return &family.Agent{
		Data: makeProfile(), File: &file, Files: files, Payload: payload, GivenAlone: true,
		CallID: "call_", // the model's own; observed 1.0.41
		Names: family.Names{Folder: folder, Home: homeVariable, Project: projectVariable,
			HookOnly: []string{"GROK_HOOK_EVENT", "GROK_HOOK_NAME", "GROK_SESSION_ID", "GROK_WORKSPACE_ROOT"}},
		Edits: origin.Edits, OwnTools: true,
		Answer: &family.AnswerRules{Top: origin.Answer.Top, Specific: origin.Answer.Specific, Silent: silent,
			Decides: []schema.Event{schema.PreTool}, Verdicts: verdicts},
		Merging: schema.MergeRules{Separator: "\n", FirstReason: true, JoinOutputs: true, BareDenial: true},
		Steps: family.Steps{Event: eventNamed, View: ownName, Unwrap: unwrap, Wrap: wrap, Result: appendResult,
			ReadResult: readResult, Output: newOutput},
	}
}

// makeProfile defines the agent's constants (observed 1.0.41).
func makeProfile() *dialect.Profile {
	return &dialect.Profile{
		Name: "grok", Title: "Grok Build", Known: []string{"1.0.41"}, Client: "grok",
		Events: events, Actions: &actions, Modes: &modes, Ways: &ways, Tools: tools, PlainTools: plainTools,
		MCP:     dialect.MCPNames{Between: "__", NameRules: schema.NameRules{Else: '_', Kept: "-"}},
		Grammar: matchers, Key: key, Vocabularies: words,
		Files: dialect.Files{
			Layers:   dialect.RootAlone, // observed 1.0.41
			Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Members: file.Members("matcher"),
			Plugins: dialect.Plugins{Never: "Grok Build lists the hooks of plugins and runs none (observed 1.0.41)"},
			// Copilot and Cursor ignore the field.
			VoidMember: dialect.VoidMember{Name: "url", Value: "0", Without: "says nothing"},
		},
		Payloads: dialect.Payloads{
			Fields: &members,
			Sent:   recorded, ResultLimit: dialect.Length{Bytes: inputLimit},
			Marks: []dialect.Mark{{Sure: 9, Members: []string{"hookEventName", "workspaceRoot"}}},
		},
		Answers: dialect.Answers{
			RefusalStatus: 2, // observed 1.0.41
			ContextLimits: []dialect.ContextLimit{{Units: 10000}}, StopBlocks: 8, LoopLimit: -1, Line: dialect.OwnInput,
			Lone: []dialect.LoneRow{{On: schema.PreTool, Effects: schema.EffectInput}},
		},
		Timing: dialect.Timing{Timeouts: timeouts, TimeoutUnit: time.Second, OutputGrace: -1},
		Environment: dialect.Environment{
			FillsText: "$",
			Reads: []dialect.EnvRow{{Name: homeVariable, Moves: dialect.MovesHooks},
				{Name: trustVariable, Moves: dialect.MovesRecord}, {Name: importVariable, Moves: dialect.MovesRecord},
				{Name: projectVariable, Moves: dialect.Describes}},
			// Observed 1.0.41: "only https:// URLs are allowed for HTTP hooks", and the call runs.
			HTTP: schema.HTTPRules{OnlyTLS: true, UnlessSecure: "use https, or write the hook as a command"},
			HostVariables: dialect.Variables{"GROK_HOOK_EVENT", "GROK_HOOK_NAME", "GROK_SESSION_ID",
				"GROK_WORKSPACE_ROOT"},
		},
		Transcript: dialect.Transcript{EarlyTranscript: true},
	}
}

// modes ask the user (observed 1.0.41 for default and bypassPermissions, which runs every call; else user guide).
var modes = []dialect.Mode{
	{Name: "default", Asks: &family.Changing, Source: "observed 1.0.41"},
	{Name: "auto", Source: "user guide: a classifier decides"},
	{Name: "plan", Source: "user guide: nothing that changes files runs"},
	{Name: "bypassPermissions", Source: "observed 1.0.41"},
}

// timeouts are the time limits (observed 1.0.41 for 5 and 1.5 s, else user guide).
var timeouts = []dialect.TimeoutRow{
	{Event: schema.SessionEnd, Default: 1500 * time.Millisecond},
	{Event: schema.PromptSubmit, Default: 30 * time.Second},
	{Event: schema.PostTool, Default: 600 * time.Second},
	{Event: schema.Stop, Default: 600 * time.Second},
	{Event: schema.SubagentStop, Default: 600 * time.Second},
	{Default: 5 * time.Second},
}

// key identifies a hook: of several equal commands with equal matchers, the first runs.
func key(h *schema.Hook) string { return h.Command + "\x00" + h.URL + "\x00" + h.Matcher }

// matchers reads a text of letters, digits, "_" and "|" as a list of exact names. It reads any other as an expression
// that may match anywhere in the name (observed 1.0.41).
var matchers = schema.Grammar{All: "*", Names: "_|", Expression: schema.Linear}

var ways = []dialect.Way{{Command: "grok -p", Less: []dialect.Less{
	{Native: "PreToolUse", Effects: schema.EffectAsk, Modes: []string{"bypassPermissions"}, Source: "observed 1.0.41"},
	{Native: "PreToolUse", Effects: schema.EffectAsk, Refuses: true,
		Source: "observed 1.0.41: the turn is canceled"}}}}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"Notification", "PermissionDenied", "PostCompact", "PostToolUse",
		"PostToolUseFailure", "PreCompact", "PreToolUse", "SessionEnd", "SessionStart", "Stop",
		"StopCancelled", "StopFailure", "SubagentStart", "SubagentStop", "UserPromptSubmit"},
		Fields: `{"timestamp":"2026-01-02T03:04:05.000000006+00:00"}`},
	{Events: []string{"PermissionDenied", "PostToolUse", "PostToolUseFailure", "PreToolUse"},
		Fields: `{"toolInputTruncated":false}`},
	{Events: []string{"PostToolUse"}, Fields: `{"toolResultTruncated":false,"isBackgrounded":false}`},
	{Events: []string{"StopCancelled"}, Fields: `{"cancelledBy":"runtime"}`},
	{Events: []string{"SubagentStart"}, Fields: `{"description":"Read the project"}`},
	{Events: []string{"SubagentStop"}, Fields: `{"phase":"gate"}`},
	{Events: []string{"Notification"}, Fields: `{"level":"error"}`},
}
