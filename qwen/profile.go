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
type Dialect struct{ claude.Dialect }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{derived.Dialect()} }

var derived = claude.Lazy{Differences: differences}

// At returns the dialect at a version.
func (d Dialect) At(version string) (dialect.Dialect, error) {
	return derived.At(version, func(d claude.Dialect) dialect.Dialect { return Dialect{d} })
}

// Abilities returns what the agent has beside what every dialect has.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Conditions: d, Refusals: d, Servers: d, Transcripts: d, Trust: d}
}

const (
	name          = "qwen"
	folderVar     = "QWEN_PROJECT_DIR"
	seen          = "observed 0.24.4"
	fromSource    = "source 0.24.4"
	toModel       = "llmContent"
	toUser        = "returnDisplay"
	milliseconds  = 1000 // from this number on a timeout counts them
	blocksInARow  = 8    // stopHookBlockingCap (observed 0.24.4)
	batchPatience = 15 * time.Second
)

func differences(a *family.Agent, p *dialect.Profile) {
	p.Name, p.Title, p.Known = name, "Qwen Code", []string{"0.24.4"}
	p.Marks = []dialect.Mark{{Sure: 8, Members: []string{"timestamp", "permission_mode"},
		Lacks: []string{"hookEventName"}}}
	p.Events, p.Tools, p.PlainTools, p.Fields = events, toolsWith(p.Vocabularies.For(0, schema.FieldAgentType)),
		nil, &members
	p.Actions = &[]dialect.Sequence{{Action: schema.PreTool, Source: seen + ": the dialog comes first",
		Events: []string{"PermissionRequest", "PreToolUse", dialect.ToolRuns, "PostToolUse", "PostToolBatch"}}}
	p.Grammar, p.Key = schema.GrammarAliases, key
	p.MCP.Longest, p.MCP.Sum, p.MCP.SumsChanged = 63, sum, true
	p.Timeouts = []dialect.TimeoutRow{
		// source 0.24.4
		{Event: schema.PostToolBatch, Default: batchPatience, Max: batchPatience},
		// source 0.24.4
		{Handler: schema.HandlerHTTP, Default: 600 * time.Second},
		{Handler: schema.HandlerPrompt, Default: 30 * time.Second},
		{Default: 60 * time.Second}, // observed 0.24.4
	}
	p.LongestTimeout = dialect.LongestTimer
	p.Lone = []dialect.LoneRow{ // observed 0.24.4; PermissionRequest as in Claude Code
		{On: schema.PreTool, Effects: schema.EffectDeny},
		{On: schema.PermissionRequest, Effects: schema.EffectDeny | schema.EffectInput, Pick: dialect.PickEarly},
	}
	p.AnswerWords = nil // they are Claude Code's
	p.StopBlocks, p.StopBlocksVariable, p.OutputGrace = blocksInARow, "", -1
	p.LastCounts, p.ReleaseLine, p.CleansPaths, p.LateTranscript = false, false, false, 0
	p.EnvFile, p.Plugins, p.AgentFolder = dialect.EnvFile{}, extensions, ""
	p.HostVariables = dialect.Variables{folderVar}
	p.Vocabularies = vocabularies(p.Vocabularies)
	p.Ignored = []dialect.Ignored{{Name: "name", Severity: schema.Note}, {Name: "description", Severity: schema.Note}}

	answer := *a.Answer
	answer.Silent, answer.Verdicts = nil, nil
	rules := fileRules(a.File)
	p.Members = rules.Members("matcher")
	a.File, a.Files, a.Answer, a.Payload, a.Renames, a.HonoredSince = &rules, files, &answer, payload, nil, nil
	a.Names = family.Names{Folder: ".qwen", Home: "QWEN_HOME", Project: folderVar, HookOnly: []string{folderVar}}
	a.CallID, a.Results, a.ShellErrors = "toolu_", nil, false
	a.Steps = family.Steps{Advise: advise, Read: read, Classify: classify, View: view, Fit: fit, Result: result,
		ReadResult: readResult, More: more}
}

// toolsWith are the tools with the words for sub-agents.
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

// key identifies a hook: of those with one name and one command the first runs,
// whatever their layer or matcher (observed 0.24.4).
func key(h *schema.Hook) string {
	s, _ := h.Extra.Text("name")
	return s + "\x00" + cmp.Or(h.Command, h.URL, h.Prompt)
}

// vocabularies are Claude Code's but for those of modes and sources.
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

// sum ends the names of tools that are too long or had other characters (observed 0.24.4).
func sum(name string) string {
	all := fnv.New32a()
	_, _ = all.Write([]byte(name))
	text := strconv.FormatUint(uint64(all.Sum32()), 36)
	return strings.Repeat("0", max(7-len(text), 0)) + text
}
