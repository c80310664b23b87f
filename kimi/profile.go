package kimi

import (
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is Kimi Code's; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Servers: d, EntryFile: d, EntryText: d}
}

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent; Kimi Code doesn't have features that aren't here (observed 2.1.0).
func makeAgent() *family.Agent {
	return &family.Agent{
		Data: makeProfile(), File: &file, Files: files, Payload: payload, CallID: "call_", GivenAlone: true,
		Names: family.Names{Folder: ".kimi-code", Home: homeVariable},
		Edits: claude.New().Edits, OwnTools: true, Answer: &answer,
		Merging: schema.MergeRules{Separator: "\n\n", FirstReason: true},
		Steps: family.Steps{Entry: entry, Classify: classify, Result: appendResult, ReadResult: readResult,
			More: more},
	}
}

const homeVariable = "KIMI_CODE_HOME"

// plugins: a plugin has hooks in its manifest, as a list of entries (observed 2.1.0).
var plugins = dialect.Plugins{
	Manifests: []string{"kimi.plugin.json", ".kimi-plugin/plugin.json"},
	Own:       ".kimi-plugin/plugin.json",
	Inline:    true,
	Event:     eventField,
	Forms:     dialect.RowForm,
	Absent:    dialect.OtherType,
	Use:       dialect.ManifestNeeded,
	Required:  []string{"name"},
	Root:      "${KIMI_PLUGIN_ROOT}",
	Vars:      []string{"KIMI_PLUGIN_ROOT"}}

// makeProfile defines the agent's constants (observed 2.1.0).
func makeProfile() *dialect.Profile {
	return &dialect.Profile{
		Name: "kimi", Title: "Kimi Code", Known: []string{"2.1.0"}, Client: "kimi",
		Events: events, Actions: &family.Actions, Ways: &ways, Tools: tools, PlainTools: plainTools,
		MCP: dialect.MCPNames{Prefix: "mcp__", Between: "__", Longest: 64, Sum: sum,
			NameRules: schema.NameRules{Else: '_', Kept: "-", Runs: true}},
		Grammar: schema.Grammar{Expression: schema.JavaScript},
		Key:     func(h *schema.Hook) string { return h.Command }, Vocabularies: words,
		Files: dialect.Files{
			Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Plugins: plugins,
			Members: []dialect.HookMember{{Feature: schema.HookMatcher, Name: "matcher"},
				{Feature: schema.HookTimeout, Name: "timeout"}},
			// https://github.com/MoonshotAI/kimi-code/issues/2779, open
			Unseen: dialect.Unseen{OnlyIf: "its terminal client isn't that of 0.34.0, which is reported to run none " +
				"(`kimi -p` does)"},
		},
		Payloads: dialect.Payloads{
			Fields: &fields,
			Sent:   recorded, ResultLimit: dialect.Length{Units: maxOutput},
			Marks: []dialect.Mark{{Sure: 9, Members: []string{client},
				Lacks: []string{"transcript_path", "permission_mode"}}},
		},
		Answers: dialect.Answers{RefusalStatus: 2, StopBlocks: 1, LoopLimit: -1}, // observed 2.1.0
		Timing: dialect.Timing{
			Timeouts:    []dialect.TimeoutRow{{Default: 30 * time.Second, Max: longest}},
			TimeoutUnit: time.Second, LongestTimeout: longest, OutputGrace: -1,
		},
		Environment: dialect.Environment{Reads: []dialect.EnvRow{{Name: homeVariable, Moves: dialect.MovesHooks}}},
	}
}

// longest is the longest timeout of an entry.
const longest = 600 * time.Second

// Spec prepares a command hook as Kimi Code starts it: with sh, in the session's folder or the plugin's.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	dir, env := c.Cwd, p.Env.With(nil, h.Env...)
	if root := h.Source.Plugin; root != "" {
		dir, env = root, env.With(nil, schema.Vars("KIMI_PLUGIN_ROOT", root)...)
	}
	return process.Spec{Dir: dir, Argv: dialect.Argv(h, h.Command, "/bin/sh", "-c"), Env: env}, nil
}

// sum is the end of tool names that are too long: a checksum as a signed number (observed 2.1.0).
func sum(name string) string {
	all := fnv.New32a()
	_, _ = all.Write([]byte(name))
	hex := strconv.FormatInt(int64(int32(all.Sum32())), 16)
	return strings.Repeat("0", max(8-len(hex), 0)) + hex
}

var ways = []dialect.Way{{Command: "kimi -p", Less: []dialect.Less{
	{Native: "SessionEnd", Never: true, Source: "observed 2.1.0"}}}}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"TurnStarted"}, Fields: `{"turn_id":0}`},
	{Events: []string{"SessionStart"}, Fields: `{"profile":"agent"}`},
}
