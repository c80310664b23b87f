package grok

import (
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the Grok dialect; New returns it.
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
	return dialect.Abilities{Servers: d, Imports: d, EntryText: d, Trust: d}
}

func differences(a *family.Agent, p *dialect.Profile) {
	profile(p)
	a.HonoredSince, a.Results, a.ShellErrors, a.FullEdits, a.ShowsAlso = nil, nil, false, false, false
	a.Names = family.Names{Folder: folder, Home: "GROK_HOME", Project: "CLAUDE_PROJECT_DIR",
		HookOnly: []string{"GROK_HOOK_EVENT", "GROK_HOOK_NAME", "GROK_SESSION_ID", "GROK_WORKSPACE_ROOT"}}
	a.Files, a.File, a.Payload, a.Renames = files, &file, payload, nil
	a.Answer = &family.AnswerRules{Top: a.Answer.Top, Specific: a.Answer.Specific, Silent: silent,
		Decides: []schema.Event{schema.PreTool}, Verdicts: verdicts}
	a.Merging = schema.MergeRules{Separator: "\n", FirstReason: true, JoinOutputs: true,
		BareDenial: true} // observed 1.0.41
	a.Steps = family.Steps{Event: eventNamed, View: ownName, Unwrap: unwrap, Wrap: wrap, Result: appendResult,
		ReadResult: readResult, Output: newOutput}
}

// profile states the agent's constants (observed 1.0.41).
func profile(p *dialect.Profile) {
	p.Name, p.Title, p.Known = "grok", "Grok Build", []string{"1.0.41"}
	p.Events, p.Actions, p.Tools, p.PlainTools, p.Fields = events, &actions, tools, plainTools, &members
	p.MCP = dialect.MCPNames{Between: "__", NameRules: schema.NameRules{Else: '_', Kept: "-"}}
	p.Marks = []dialect.Mark{{Sure: 9, Members: []string{"hookEventName", "workspaceRoot"}}}
	p.Grammar, p.Key = schema.GrammarNamesOrLinear, key
	p.Timeouts, p.TimeoutUnit = timeouts, time.Second
	p.AnswerWords, p.ContextLimit = nil, 10000
	p.StopBlocks, p.StopBlocksVariable = 8, ""
	p.OutputGrace, p.LateTranscript = -1, 0
	p.FillsText = true
	p.EnvFile, p.AgentFolder, p.Vocabularies = dialect.EnvFile{}, "", words
	p.ReleaseLine, p.LastCounts, p.CleansPaths, p.Line = false, false, false, dialect.OwnInput
	p.Lone = []dialect.LoneRow{{On: schema.PreTool, Effects: schema.EffectInput}}
	// observed 1.0.41; Copilot and Cursor ignore the field
	p.VoidMember = dialect.VoidMember{Name: "url", Value: "0", Without: "says nothing"}
	p.HTTP, p.Plugins = schema.HTTPRules{}, dialect.Plugins{
		Never: "Grok Build lists the hooks of plugins and runs none (observed 1.0.41)"}
	p.HostVariables = dialect.Variables{"GROK_HOOK_EVENT", "GROK_HOOK_NAME", "GROK_SESSION_ID", "GROK_WORKSPACE_ROOT"}
	p.Members = file.Members("matcher")
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

// key identifies a hook: equal commands under equal matchers run once, the first of them.
func key(h *schema.Hook) string { return h.Command + "\x00" + h.URL + "\x00" + h.Matcher }
