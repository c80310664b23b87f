package codebuddy

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the CodeBuddy dialect; New returns it.
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
	return dialect.Abilities{Conditions: d, Refusals: d, Servers: d}
}

const (
	newest  = "2.117.0"
	project = "CODEBUDDY_PROJECT_DIR"
	service = "CODEBUDDY_SERVICE_PROXY_URL"
)

func differences(a *family.Agent, p *dialect.Profile) {
	p.Name, p.Title, p.Known = "codebuddy", "CodeBuddy Code", []string{newest}
	p.Unseen = "the policy bundle that an organization distributes"
	p.Marks = []dialect.Mark{{Sure: 9, Members: []string{"client", "version", "permission_mode"}}}
	p.Events, p.Actions, p.Tools, p.PlainTools, p.Fields = events, &actions, tools(p.Tools), plainTools, &members
	p.Grammar, p.Key = schema.GrammarRegexp, key
	p.Timeouts = []dialect.TimeoutRow{{Handler: schema.HandlerPrompt, Default: 30 * time.Second},
		{Handler: schema.HandlerAgent, Default: 30 * time.Second},
		{Default: 60 * time.Second}} // docs 2.117.0
	p.LongestTimeout, p.OutputGrace, p.PatchesInput = dialect.LongestTimer, 0, true
	p.AnswerWords, p.StopBlocks, p.StopBlocksVariable = nil, 0, ""
	p.LastCounts, p.CleansPaths, p.LateTranscript, p.EnvFile, p.AgentFolder = false, false, 0, dialect.EnvFile{}, ""
	p.Plugins = dialect.Plugins{Manifests: []string{".codebuddy-plugin/plugin.json"},
		Own: ".codebuddy-plugin/plugin.json", Hooks: []string{"hooks/hooks.json"}, Root: "${CODEBUDDY_PLUGIN_ROOT}",
		Vars:  []string{"CODEBUDDY_PLUGIN_ROOT"},
		Texts: []string{"${CODEBUDDY_PLUGIN_ROOT}", "${CODEBUDDY_PLUGIN_DATA}"}}
	p.HostVariables = dialect.Variables{project, service}
	p.Vocabularies = append(schema.Vocabularies{&sources}, slices.DeleteFunc(slices.Clone(p.Vocabularies),
		func(v *schema.Vocabulary) bool {
			return v.Field == schema.FieldSource
		})...)
	// without effect, observed 2.117.0
	p.Ignored = []dialect.Ignored{{Name: "async", Severity: schema.Note}, {Name: "asyncRewake",
		Severity: schema.Note},
		{Name: "method", Severity: schema.Loss}, {Name: "agentType", Severity: schema.Loss}}

	a.Names = family.Names{Folder: ".codebuddy", Home: "CODEBUDDY_CONFIG_DIR", Project: project,
		Plugin:   "CODEBUDDY_PLUGIN_",
		HookOnly: []string{project, service, "CODEBUDDY_PLUGIN_ROOT", "CODEBUDDY_PLUGIN_DATA"}}
	rules, answer := fileRules(a.File), *a.Answer
	p.Members = rules.Members("")
	answer.Silent, answer.Verdicts = nil, nil
	a.File, a.Files, a.Answer, a.Payload, a.Renames, a.Results, a.HonoredSince = &rules, a.Files[:3], &answer,
		payload, nil, nil, nil
	a.CallID, a.FullEdits, a.ShowsAlso, a.ShellErrors = "call_", false, false, false
	a.Steps = family.Steps{Hook: a.Steps.Hook, More: more, Classify: classify, ReadResult: readResult,
		Result: result, Fit: fit}
}

// docs 2.117.0
var sources = schema.Vocabulary{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart},
	Words: []schema.Word{
		{Native: "startup", Nearest: []string{"new"}}, {Native: "resume", Nearest: []string{"fork"}}, {Native: "clear"},
		{Native: "compact"},
	}}

// key identifies a hook: of those with equal commands and conditions the first runs, whatever
// their matchers (package 2.117.0).
func key(h *schema.Hook) string {
	return strings.Join([]string{h.Source.Plugin, h.Handler.String(), h.Shell, h.Command, h.Prompt, h.URL,
		h.Condition}, "\x00")
}

// entries are the fields of a handler that are Claude Code's.
var entries = []string{"command", "url", "prompt", "shell", "model", "headers", "allowedEnvVars", "if", "timeout",
	"once", "continueOnBlock", "statusMessage"}

// fileRules is how a settings.json is read (observed 2.117.0): nobody checks types, a handler
// without a type is a command, and no switch turns hooks off.
func fileRules(origin *family.FileRules) family.FileRules {
	rules := family.FileRules{Comments: true, LastCounts: true, Blank: true, FalseNone: true, AnyType: true,
		Missing: family.DropsHandler, BadEvent: family.SilencesEvent, BadGroup: family.SilencesEvent,
		Settings: origin.Settings[3:], // env
		Handlers: append(slices.Clone(origin.Handlers[:4]), family.HandlerRow{Handler: schema.HandlerCommand,
			Needs: []string{"command"}}),
		Entries: slices.Clone(origin.Entries)}
	for i := range rules.Handlers {
		rules.Handlers[i].Never = nil
	}
	rules.Entries = slices.DeleteFunc(rules.Entries, func(e family.EntryRow) bool {
		return !slices.Contains(entries,
			e.Name)
	})
	for i := range rules.Entries {
		e := &rules.Entries[i]
		if e.Untyped = true; e.Name == "timeout" {
			e.Read = readTimeout
		} else if e.Name == "shell" || e.Name == "url" {
			e.Read = nil
		}
	}
	return rules
}

// readTimeout takes numbers, in a text too; anything else is the default.
func readTimeout(h *schema.Hook, raw []byte) string {
	s, isText := ordjson.String(raw)
	if !isText {
		s = string(raw)
	}
	if n, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && n > 0 {
		h.Timeout = max(1, time.Duration(min(n, 1e9)*float64(time.Second)))
	}
	return ""
}
