package qwen

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Qwen Code dialect; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	origin := claude.Dialect{Agent: d.Agent}
	return dialect.Abilities{Conditions: origin, Refusals: origin, Servers: d, Transcripts: d, Trust: d}
}

const (
	name          = "qwen"
	folderVar     = "QWEN_PROJECT_DIR"
	seen          = "observed 0.24.4"
	fromSource    = "source 0.24.4"
	toModel       = "llmContent"
	toUser        = "returnDisplay"
	milliseconds  = 1000 // from this number on, a timeout is in milliseconds
	blocksInARow  = 8    // stopHookBlockingCap (observed 0.24.4)
	batchPatience = 15 * time.Second
)

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent; Qwen Code doesn't have features that aren't here (observed 0.24.4).
func makeAgent() *family.Agent {
	origin := claude.New()
	rules := fileRules(origin.File)
	return &family.Agent{
		Data: makeProfile(origin.Data, &rules), File: &rules, Files: files, Payload: payload, CallID: "toolu_",
		Names: family.Names{Folder: ".qwen", Home: homeVariable, Project: folderVar, HookOnly: []string{folderVar}},
		Edits: origin.Edits, FullEdits: true, ShowsAlso: true, OwnTools: true,
		Answer: &family.AnswerRules{Top: origin.Answer.Top, Specific: origin.Answer.Specific,
			Decides: origin.Answer.Decides},
		Merging: origin.Merging,
		Steps: family.Steps{Advise: advise, Read: read, Classify: classify, View: view, Fit: fit, Result: result,
			ReadResult: readResult, More: more},
	}
}

// makeProfile defines the agent's constants (observed 0.24.4, unless another source is named).
func makeProfile(origin *dialect.Profile, rules *family.FileRules) *dialect.Profile {
	return &dialect.Profile{
		Name: name, Title: "Qwen Code", Known: []string{"0.24.4"}, Client: "qwen",
		Events: events, Actions: &actions, Modes: &modes, Ways: &ways,
		Tools: toolsWith(origin.Vocabularies.For(0, schema.FieldAgentType)),
		MCP: dialect.MCPNames{Prefix: "mcp__", Between: "__", NameRules: origin.MCP.NameRules, Longest: 63, Sum: sum,
			SumsChanged: true},
		Grammar: aliases, Key: key, Vocabularies: vocabularies(origin.Vocabularies),
		Files: dialect.Files{
			Markers:  []string{"QWEN.md"},
			Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Members: rules.Members("matcher"), Plugins: extensions,
			Ignored: []dialect.Ignored{{Name: "name", Severity: schema.Note},
				{Name: "description", Severity: schema.Note}},
		},
		Payloads: dialect.Payloads{
			Fields: &members,
			Sent:   recorded,
			Marks: []dialect.Mark{{Sure: 8, Members: []string{"timestamp", "permission_mode"},
				Lacks: []string{"hookEventName"}}},
		},
		Answers: dialect.Answers{
			RefusalStatus: 2, // observed 0.24.4
			StopBlocks:    blocksInARow, LoopLimit: -1,
			Lone: []dialect.LoneRow{ // PermissionRequest as in Claude Code
				{On: schema.PreTool, Effects: schema.EffectDeny, Status: true},
				{On: schema.PermissionRequest, Effects: schema.EffectDeny | schema.EffectInput,
					Pick: dialect.PickEarly},
			},
		},
		Timing: dialect.Timing{Timeouts: timeouts, LongestTimeout: dialect.LongestTimer, OutputGrace: -1},
		Environment: dialect.Environment{
			Reads: []dialect.EnvRow{{Name: homeVariable, Moves: dialect.MovesHooks},
				{Name: settingsVariable, Moves: dialect.MovesHooks}, {Name: folderVar, Moves: dialect.Describes}},
			HostVariables: dialect.Variables{folderVar}, HTTP: origin.HTTP,
		},
		Transcript: dialect.Transcript{EarlyTranscript: true},
	}
}

// actions are the events of a call.
var actions = []dialect.Sequence{{Action: schema.PreTool, Source: seen + ": the dialog comes first",
	Events: []string{"PermissionRequest", "PreToolUse", dialect.ToolRuns, "PostToolUse", "PostToolBatch"}}}

// modes ask the user (default and yolo observed 0.24.4, the others source 0.24.4).
var modes = []dialect.Mode{
	{Name: "default", Asks: &family.Changing, Source: seen},
	{Name: "plan", Source: fromSource + ": tools that change something are refused"},
	{Name: "auto_edit", Asks: &[]schema.Kind{schema.Shell, schema.MCP}, Source: fromSource},
	{Name: "auto", Source: fromSource + ": a classifier decides"},
	{Name: "yolo", Source: seen},
}

// timeouts are the time limits.
var timeouts = []dialect.TimeoutRow{
	{Event: schema.PostToolBatch, Default: batchPatience, Max: batchPatience}, // source 0.24.4
	{Handler: schema.HandlerHTTP, Default: 600 * time.Second},                 // source 0.24.4
	{Handler: schema.HandlerPrompt, Default: 30 * time.Second},
	{Default: 60 * time.Second}, // observed 0.24.4
}

// Given returns the source for a file that the user named.
func (d Dialect) Given(file string) schema.Source { return claude.Dialect{Agent: d.Agent}.Given(file) }

// toolsWith returns the tools with the words for sub-agents.
func toolsWith(agents *schema.Vocabulary) []schema.ToolRow {
	out := slices.Clone(tools)
	for i := range out {
		if out[i].Kinds != nil && out[i].Kinds[0] == schema.Agent {
			out[i].Input = append(slices.Clone(out[i].Input),
				schema.ArgRow{Name: "subagent_type", Role: schema.RoleAgentType, Words: agents})
		}
	}
	return out
}

// key identifies a hook: of several with one name and one command the first runs, whatever their layer or matcher
// (observed 0.24.4).
func key(h *schema.Hook) string {
	s, _ := h.Extra.Text("name")
	return s + "\x00" + cmp.Or(h.Command, h.URL, h.Prompt)
}

// vocabularies are Claude Code's, except those for modes and sources.
func vocabularies(of schema.Vocabularies) schema.Vocabularies {
	own := schema.Vocabularies{
		{Field: schema.FieldMode, Words: []schema.Word{
			{Native: "default", Nearest: []string{"dont-ask"}}, {Native: "plan"},
			{Native: "auto_edit", Canonical: "accept-edits"},
			{Native: "auto"}, {Native: "yolo", Canonical: "bypass"},
		}},
		// docs, observed for startup
		{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
			{Native: "startup", Nearest: []string{"new"}}, {Native: "resume", Nearest: []string{"fork"}},
			{Native: "clear"}, {Native: "compact"}}},
	}
	return append(own, slices.DeleteFunc(slices.Clone(of), func(v *schema.Vocabulary) bool {
		return v.Field == schema.FieldMode || v.Field == schema.FieldSource
	})...)
}

// sum is the end of tool names that are too long or had other characters (observed 0.24.4).
func sum(name string) string {
	all := fnv.New32a()
	_, _ = all.Write([]byte(name))
	text := strconv.FormatUint(uint64(all.Sum32()), 36)
	return strings.Repeat("0", max(7-len(text), 0)) + text
}

// aliases reads a text, or each part between "|" unless the text begins with "^" or "(", as any name of the tool. It
// reads any other text as an expression that may match anywhere in the first one (observed 0.24.4).
var aliases = schema.Grammar{Trim: true, All: "* .*", Entries: true, Expression: schema.JavaScript, First: true}

var ways = []dialect.Way{{Command: "qwen -p", Less: []dialect.Less{
	{Native: "SessionEnd", Never: true, Source: "observed 0.24.4"},
	{Native: "PermissionRequest", Never: true, Source: "observed 0.24.4"},
	{Native: "PreToolUse", Effects: schema.EffectAsk, Refuses: true, Source: "observed 0.24.4"}}}}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"SubagentStart", "SubagentStop"}, Fields: `{"agent_id":"agent-1"}`},
	{Events: []string{"Stop"}, Fields: `{"context_usage":0.01}`},
}
