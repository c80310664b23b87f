package auggie

import (
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Auggie dialect; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{&newest} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Servers: d, ServerNames: d, Splits: d}
}

const (
	known   = "0.36.0"
	folder  = ".augment"
	project = "AUGMENT_PROJECT_DIR"

	sessionVariable = "AUGMENT_CONVERSATION_ID"
	eventVariable   = "AUGMENT_HOOK_EVENT"
	toolVariable    = "AUGMENT_TOOL_NAME"
)

// newest defines the agent; Auggie doesn't have features that aren't here (observed 0.36.0).
var newest = family.Agent{
	Data: &profile, File: &file, Files: files, Payload: payload, CallID: "toolu_", GivenAlone: true, OwnTools: true,
	Names: family.Names{Folder: folder, Project: project,
		HookOnly: []string{project, sessionVariable, eventVariable, toolVariable}},
	Edits:   editNames,
	Answer:  &answer,
	Merging: schema.MergeRules{Separator: "\n", FirstReason: true},
	Steps: family.Steps{Read: readPlace, Classify: classify, Input: input, ReadResult: readResult,
		Result: appendResult, More: more, Complete: complete, Fit: fit},
}

// profile holds the agent's constants (observed 0.36.0, unless another source is named).
var profile = dialect.Profile{
	Name: "auggie", Title: "Auggie", Known: []string{known}, Client: "auggie",
	Events: events, Actions: &actions, Ways: &ways, Tools: tools,
	PlainTools: plainTools, Grammar: matchers, Key: key,
	MCP: dialect.MCPNames{Between: "_", ServerLast: true, Loose: true,
		NameRules: schema.NameRules{Else: '_', Kept: "-"}}, // program 0.36.0
	Files: dialect.Files{
		Layers:   dialect.RootAlone, // observed 0.36.0
		Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Folders: []string{folder},
		Members: []dialect.HookMember{{Feature: schema.HookMatcher, Name: "matcher"},
			{Feature: schema.HookTimeout, Name: "timeout"}, {Feature: schema.HookArgs, Name: "args"}},
		Ignored: []dialect.Ignored{{Name: "if", Severity: schema.Weaker}, {Name: "async", Severity: schema.Note},
			{Name: "once", Severity: schema.Loss}, {Name: "statusMessage", Severity: schema.Note}},
		OtherRules: []string{"/toolPermissions"}, // docs.augmentcode.com, page of the permissions, 2026-11
		Unseen: dialect.Unseen{
			OnlyIf: "the tenant's backend sends the flag enable_hooks; without it /hooks isn't among its commands"},
	},
	Payloads: dialect.Payloads{
		Fields: &members, Sent: recorded,
		Marks: []dialect.Mark{{Sure: 9, Members: []string{"conversation_id", "workspace_roots"},
			Lacks: []string{"cursor_version", "generation_id"}}},
	},
	Answers: dialect.Answers{RefusalStatus: 2, StatusHolds: true, LoopLimit: -1, Lone: []dialect.LoneRow{
		{On: schema.PreTool, Effects: schema.EffectInput}}},
	Timing: dialect.Timing{
		Timeouts: []dialect.TimeoutRow{{Default: 60 * time.Second}}, LongestTimeout: dialect.LongestTimer,
		TimeoutUnit: time.Millisecond,
	},
	Environment: dialect.Environment{
		Starts:    dialect.Start{Windows: dialect.OperatorCmd}, // source
		FillsText: "${",
		Reads: []dialect.EnvRow{{Name: project, Moves: dialect.Describes},
			{Name: sessionVariable, Moves: dialect.Describes}},
		HostVariables: dialect.Variables{project, sessionVariable, "AUGMENT_SESSION_AUTH"},
	},
}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{{Events: []string{"Stop"}, Fields: `{"agent_stop_cause":"end_turn",` +
	`"_exchange":{"exchange":{"request_message":"","response_text":""},"changedFiles":[]}}`}}

// editNames are the fields of one of several edits.
var editNames = schema.EditNames{Old: "old_str", New: "new_str"}

// matchers is for an expression that may match anywhere in the name. After "mcp:" it is for the tools of MCP servers,
// which no other matcher selects.
var matchers = schema.Grammar{All: ".*", Expression: schema.JavaScript, Servers: serverMark}

// serverMark begins a matcher for the tools of MCP servers.
const serverMark = "mcp:"

// key identifies a hook: of several equal commands with equal matchers, even in different files, the first runs.
func key(h *schema.Hook) string {
	return strings.Join(append([]string{h.Matcher, h.Command}, h.Args...), "\x00")
}
