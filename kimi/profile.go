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
type Dialect struct{ claude.Dialect }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{derived.Dialect()} }

var derived = claude.Lazy{Differences: differences}

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return derived.At(version, func(d claude.Dialect) dialect.Dialect { return Dialect{d} })
}

// Abilities returns what the agent has beside what every dialect has.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Servers: d, EntryFile: d, EntryText: d}
}

func differences(a *family.Agent, p *dialect.Profile) {
	profile(p)
	a.HonoredSince, a.Results, a.Renames, a.FullEdits, a.ShellErrors, a.ShowsAlso = nil, nil, nil, false, false, false
	a.Names = family.Names{Folder: ".kimi-code", Home: "KIMI_CODE_HOME"}
	a.Files, a.File, a.Payload, a.Answer, a.CallID = files, &file, payload, &answer, "call_"
	a.Merging = schema.MergeRules{Separator: "\n\n", FirstReason: true}
	a.Steps = family.Steps{Entry: entry, Result: appendResult, ReadResult: readResult, More: more}
}

// plugins is how plugins have hooks: in their manifest, as a list of entries (observed 2.1.0).
var plugins = dialect.Plugins{
	Manifests: []string{"kimi.plugin.json", ".kimi-plugin/plugin.json"},
	Own:       ".kimi-plugin/plugin.json",
	Inline:    true,
	Event:     eventField,
	Needed:    true,
	Required:  []string{"name"},
	Root:      "${KIMI_PLUGIN_ROOT}",
	Vars:      []string{"KIMI_PLUGIN_ROOT"}}

// profile states the agent's constants (observed 2.1.0).
func profile(p *dialect.Profile) {
	p.Name, p.Title, p.Known = "kimi", "Kimi Code", []string{"2.1.0"}
	p.Unseen = ""
	p.Events, p.Actions, p.Modes, p.Tools, p.PlainTools, p.Fields = events, &family.Actions, nil, tools, plainTools,
		&fields
	p.Marks = []dialect.Mark{{Sure: 9, Members: []string{client},
		Lacks: []string{"transcript_path", "permission_mode"}}}
	p.MCP.Runs, p.MCP.Longest, p.MCP.Sum = true, 64, sum
	p.Grammar, p.Key = schema.GrammarSearch, func(h *schema.Hook) string { return h.Command }
	p.Timeouts = []dialect.TimeoutRow{{Default: 30 * time.Second, Max: longest}}
	p.TimeoutUnit, p.LongestTimeout = time.Second, longest
	p.AnswerWords, p.StopBlocks, p.StopBlocksVariable = nil, 1, ""
	p.OutputGrace, p.EarlyTranscript, p.LateTranscript = -1, false, 0
	p.EnvFile, p.AgentFolder, p.Vocabularies = dialect.EnvFile{}, "", words
	p.ReleaseLine, p.LastCounts, p.CleansPaths, p.Lone = false, false, false, nil
	p.HTTP, p.Plugins, p.HostVariables = schema.HTTPRules{}, plugins, nil
	p.Members = []dialect.HookMember{{Feature: schema.HookMatcher, Name: "matcher"},
		{Feature: schema.HookTimeout, Name: "timeout"}}
}

// longest is the longest time that an entry can state.
const longest = 600 * time.Second

// Spec prepares a command hook as Kimi Code starts it: by sh, in the session's folder or the plugin's.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	dir, env := c.Cwd, p.Env.With(nil, h.Env...)
	if root := h.Source.Plugin; root != "" {
		dir, env = root, env.With(nil, schema.Vars("KIMI_PLUGIN_ROOT", root)...)
	}
	return process.Spec{Dir: dir, Argv: dialect.Argv(h, h.Command, "/bin/sh", "-c"), Env: env}, nil
}

// sum ends the names of tools that are too long: a sum as a signed number (observed 2.1.0).
func sum(name string) string {
	all := fnv.New32a()
	_, _ = all.Write([]byte(name))
	hex := strconv.FormatInt(int64(int32(all.Sum32())), 16)
	return strings.Repeat("0", max(8-len(hex), 0)) + hex
}
