package pi

import (
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const seen = "observed 1.5.2"

// Dialect is the extension's protocol, in Claude Code's format; New returns it.
type Dialect struct{ family.ModuleAgent }

// New returns the dialect of the newest version.
func New() Dialect { return of(newest.Agent()) }

func of(a *family.Agent) Dialect { return Dialect{family.ModuleAgent{Agent: a, Module: extension}} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return of(a) })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Traces: d, EntryFile: d, Servers: d, Trust: d}
}

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent: its events, payloads and answers are Claude Code's, as far as the extension passes them
// on.
func makeAgent() *family.Agent {
	origin := claude.New()
	data, answer := makeProfile(origin.Data), family.ModuleAnswer(*origin.Answer)
	return &family.Agent{
		Data: &data, File: &family.ModuleEntries, Payload: family.ModulePayload(origin.Payload, sent),
		Names: family.Names{Folder: ".pi", User: ".pi/agent", Home: homeVariable}, Files: family.ModuleFiles,
		CallID: "call_", OwnTools: true,
		Answer: &answer, Edits: editNames, ShellErrors: true,
		Merging: schema.MergeRules{Separator: "\n", FirstReason: true},
		Steps: family.Steps{Entry: (*family.Parser).Flat, Hook: family.JoinArgs, Classify: classify,
			ReadResult: readResult, Result: appendResult, More: more, Decide: family.DecideModule,
			Output: family.ModuleOutput},
	}
}

// names are Claude Code's, limited to letters, digits and "_" (docs 1.5.2).
var names = dialect.MCPNames{Prefix: "mcp__", Between: "__", NameRules: schema.NameRules{Else: '_'}}

// makeProfile holds the constants of Pi (observed 1.5.2, unless another source is named) and of the extension.
func makeProfile(origin *dialect.Profile) dialect.Profile {
	return dialect.Profile{
		Name: "pi", Title: "Pi", Known: []string{"1.6.0"}, Client: "pi",
		Events: eventsOf(origin), Actions: &actions, Tools: tools(),
		HostOnly: "runs TypeScript and JavaScript extensions and has no command hooks",
		MCP:      names, Grammar: origin.Grammar, Vocabularies: words(origin),
		Files: dialect.Files{
			Skeleton: origin.Skeleton, EventsAt: origin.EventsAt, Members: family.ModuleEntries.Members(""),
		},
		Payloads: dialect.Payloads{
			Fields: &family.AllFields, Marks: []dialect.Mark{{Sure: 9, Members: []string{modeField}}},
		},
		Answers: dialect.Answers{RefusalStatus: family.ModuleRefusal, StopBlocks: 8, LoopLimit: -1},
		Timing: dialect.Timing{ // of the extension
			Timeouts: []dialect.TimeoutRow{{Default: 600 * time.Second}}, LongestTimeout: dialect.LongestTimer,
		},
		Environment: dialect.Environment{
			Starts:        dialect.Start{Windows: dialect.Cmd}, // by node, as the extension requests
			Reads:         []dialect.EnvRow{{Name: homeVariable, Moves: dialect.MovesHooks}},
			HostVariables: dialect.Variables{"PI_CODING_AGENT"},
		},
	}
}

const (
	notice = schema.EffectNotice
	refuse = schema.EffectDeny | schema.EffectReason
	// able are the effects that the extension supports on events that have them.
	able = refuse | notice | schema.EffectAllow | schema.EffectInput | schema.EffectContext | schema.EffectOutput |
		schema.EffectFeedback | schema.EffectKeepGoing
)

// raised are the events that the extension passes on, their causes in Pi, and notes about them.
var raised = []family.Raised{
	{Name: "SessionStart", From: "session_start, session_compact"},
	{Name: "UserPromptSubmit", From: "input", Note: "without a terminal the reason is on stderr alone"},
	{Name: "PreToolUse", From: "tool_call", Note: "context comes with the result"},
	{Name: "PostToolUse", From: "tool_result"},
	{Name: "PostToolUseFailure", From: "tool_result of a call that failed"},
	{Name: "Stop", From: "agent_before_settle"},
	{Name: "PreCompact", From: "session_before_compact (declarations)"},
	{Name: "PostCompact", From: "session_compact (declarations)"},
	{Name: "SessionEnd", From: "session_shutdown"},
}

// eventsOf returns Claude Code's events as the extension passes them on.
func eventsOf(origin *dialect.Profile) []schema.EventRow {
	rows := family.ModuleEvents(origin, raised, sent, able, schema.AtMost+"1.5.2", seen)
	for i := range rows {
		switch row := &rows[i]; row.Event {
		case schema.PreTool:
			row.EndDenies, row.Allow = true, schema.AllowPasses
			row.Honors |= schema.EffectEndTurn
		case schema.PostCompact, schema.SessionEnd:
			row.Honors &= notice
		}
	}
	return rows
}

var actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: seen, Events: []string{"PreToolUse", dialect.ToolRuns, "PostToolUse"}},
}

// sent are the fields of the payload; pi_mode has no counterpart elsewhere.
var sent = []schema.Field{
	schema.FieldSession, schema.FieldCwd, schema.FieldEvent, schema.FieldToolName, schema.FieldToolInput,
	schema.FieldToolUseID, schema.FieldToolOutput, schema.FieldSource, schema.FieldReason, schema.FieldTrigger,
	schema.FieldInstructions, schema.FieldStopActive, schema.FieldLastMessage, schema.FieldPrompt, schema.FieldError,
}

// editNames are the fields of one of several edits.
var editNames = schema.EditNames{Old: "oldText", New: "newText"}

// located is how tools read a path (program 1.5.2).
var located = schema.PathRules{Spaces: true, Prefix: "@", First: true, Home: true, FileURL: true}

// toRead is how a file to read is found.
func toRead() schema.PathRules {
	rules := located
	rules.Tries = [5]schema.Variant{schema.VaryTime, schema.VaryForm, schema.VaryQuote,
		schema.VaryForm | schema.VaryQuote}
	return rules
}

// tools returns the tools with counterparts in other agents. Only commands delete files.
func tools() []schema.ToolRow {
	path := schema.ArgRow{Name: "path", Role: schema.RolePath}
	rows := []schema.ToolRow{
		{Name: "bash", Kinds: []schema.Kind{schema.Shell}, Parts: []schema.Kind{schema.Delete},
			Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
				{Name: "timeout", Role: schema.RoleTimeout, Scale: 1000}}},
		{Name: "read", Kinds: []schema.Kind{schema.Read}, Input: []schema.ArgRow{path,
			{Name: "offset", Role: schema.RoleOffset}, {Name: "limit", Role: schema.RoleLimit}}},
		{Name: "write", Kinds: []schema.Kind{schema.Write, schema.Notebook},
			Input: []schema.ArgRow{path, {Name: "content", Role: schema.RoleContent}}},
		{Name: "edit", Kinds: []schema.Kind{schema.Edit, schema.MultiEdit, schema.Notebook},
			Input: []schema.ArgRow{path, {Name: "edits", Role: schema.RoleEdits}}},
		{Name: "grep", Kinds: []schema.Kind{schema.Grep}, Input: []schema.ArgRow{
			{Name: "pattern", Role: schema.RolePattern}, path, {Name: "glob", Role: schema.RoleGlob}}},
		{Name: "find", Kinds: []schema.Kind{schema.Glob},
			Input: []schema.ArgRow{{Name: "pattern", Role: schema.RoleGlob}, path}},
		{Name: "ls", Kinds: []schema.Kind{schema.List}, Input: []schema.ArgRow{path}},
		{Name: "codemode"}, // a script, whose calls are separate events
	}
	for i := range rows {
		rows[i].Replaces = family.AllRoles
		if rows[i].Path = located; rows[i].Name == "read" {
			rows[i].Path = toRead()
		}
	}
	return rows
}

// words are the closed vocabularies.
func words(origin *dialect.Profile) schema.Vocabularies {
	return schema.Vocabularies{
		{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
			{Native: "startup", Nearest: []string{"new"}}, {Native: "resume", Nearest: []string{"fork"}},
			{Native: "clear"}, {Native: "compact"}}},
		{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
			{Native: "clear"}, {Native: "resume"},
			{Native: "other", Nearest: []string{"prompt-exit", "completed", "window-close", "user-close", "aborted",
				"error", "bypass-disabled", "timeout", "logout"}}}},
		origin.Vocabularies.For(schema.PreCompact, schema.FieldTrigger),
	}
}

// Honors leaves out an allow, which has the same effect as no answer, as Pi never asks.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	return family.ReasonAlone(c, r, d.Agent.Honors(c, r)&^schema.EffectAllow)
}
