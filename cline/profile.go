package cline

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Cline dialect; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{&newest} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Traces: d, EntryFile: d, Copies: d, Servers: d, Splits: d, Inputs: d, Denials: d}
}

const (
	name  = "cline"
	known = "3.0.65"
)

// newest defines the agent; Cline doesn't have features that aren't here (observed 3.0.65).
var newest = family.Agent{
	Data: &profile, File: &file, Payload: payload, CallID: "call_", GivenAlone: true, OwnTools: true,
	Merging: schema.MergeRules{Separator: "\n"},
	Steps: family.Steps{Entry: (*family.Parser).Flat, Hook: family.JoinArgs, Classify: classify, Input: input,
		ReadResult: readResult, Result: appendResult, Complete: complete},
}

// profile holds the agent's constants (observed 3.0.65, unless another source is named).
var profile = dialect.Profile{
	Name: name, Title: "Cline", Known: []string{known}, Client: name, Events: events, Actions: &actions, Ways: &ways,
	Tools:      tools,
	PlainTools: plainTools, Grammar: schema.Grammar{All: "*", Names: "_|", Expression: schema.JavaScript},
	MCP: dialect.MCPNames{Between: "__", NameRules: schema.NameRules{Else: '_', Kept: "-"}},
	Files: dialect.Files{
		Layers:   dialect.RootAlone, // observed 3.0.65
		Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Folders: []string{".cline", ".clinerules"},
		Members: []dialect.HookMember{{Feature: schema.HookFailPolicy, Name: "failClosed"}},
		// https://github.com/cline/cline/issues/13277, open
		Unseen: dialect.Unseen{OnlyIf: "its provider leaves the tools to it; Claude Code and OpenAI Codex as " +
			"providers run them themselves, without Cline's hooks"},
	},
	Payloads: dialect.Payloads{
		Fields: &members, Sent: recorded,
		Marks: []dialect.Mark{{Sure: 9, AnyEvent: true, Members: []string{"clineVersion", "hookName", "taskId"}}},
	},
	Answers: dialect.Answers{ContextLimits: []dialect.ContextLimit{{Units: 50_000}}, LoopLimit: -1,
		AnswerWords: []string{"cancel", "overrideInput", "contextModification"}},
	Timing: dialect.Timing{Timeouts: []dialect.TimeoutRow{{Default: limit, Min: limit, Max: limit}}},
	Environment: dialect.Environment{
		// where the command line was started (observed 3.0.65); on Windows the extension starts EVENT.ps1 (source)
		Starts:        dialect.Start{Below: true, Windows: dialect.NotThere},
		HostVariables: dialect.Variables{"CLINE_CONNECTOR_CLI_LAUNCH", "CLINE_BUILD_ENV"},
	},
}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{{Events: []string{"PreToolUse", "PostToolUse", "TaskStart", "TaskComplete",
	"UserPromptSubmit", "SessionShutdown"}, Fields: `{"timestamp":"2026-01-02T03:04:05.000Z"}`}}

// limit is how long Cline waits for a tool's hook; it can't be changed.
const limit = 120 * time.Second
