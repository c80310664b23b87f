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
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Conditions: d, Refusals: d, Servers: d}
}

const (
	known   = "2.117.0"
	project = "CODEBUDDY_PROJECT_DIR"
	service = "CODEBUDDY_SERVICE_PROXY_URL"
)

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent; CodeBuddy Code doesn't have features that aren't here (observed 2.117.0).
func makeAgent() *family.Agent {
	from := claude.New()
	rules := fileRules(from.File)
	return &family.Agent{
		Data: makeProfile(from.Data, &rules), File: &rules, Files: from.Agent.Files[:3], Payload: payload,
		CallID: "call_",
		Names: family.Names{Folder: ".codebuddy", Home: homeVariable, Project: project,
			Plugin:   "CODEBUDDY_PLUGIN_",
			HookOnly: []string{project, service, "CODEBUDDY_PLUGIN_ROOT", "CODEBUDDY_PLUGIN_DATA"}},
		Edits: from.Edits, OwnTools: true,
		Answer: &family.AnswerRules{Top: from.Answer.Top, Specific: from.Answer.Specific,
			Decides: from.Answer.Decides},
		Merging: from.Merging,
		Steps: family.Steps{Hook: from.Steps.Hook, More: more, Classify: classify, ReadResult: readResult,
			Result: result, Fit: fit},
	}
}

// makeProfile defines the agent's constants (observed 2.117.0, unless another source is named).
func makeProfile(from *dialect.Profile, rules *family.FileRules) *dialect.Profile {
	return &dialect.Profile{
		Name: "codebuddy", Title: "CodeBuddy Code", Known: []string{known}, Client: "codebuddy",
		Events: events, Actions: &actions, Modes: &modes, Ways: &ways, Tools: tools(from.Tools), PlainTools: plainTools,
		MCP:     dialect.MCPNames{Prefix: from.MCP.Prefix, Between: from.MCP.Between, NameRules: from.MCP.NameRules},
		Grammar: schema.Grammar{All: "*", Expression: schema.JavaScript}, Key: key,
		Vocabularies: vocabularies(from.Vocabularies),
		Files: dialect.Files{
			Markers:  []string{"CODEBUDDY.md"},
			Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Members: rules.Members(""),
			Plugins: dialect.Plugins{Manifests: []string{".codebuddy-plugin/plugin.json"},
				Own: ".codebuddy-plugin/plugin.json", Hooks: []string{"hooks/hooks.json"},
				Forms: dialect.PathForm | dialect.ListForm | dialect.BareForm | dialect.FileForm,
				Root:  "${CODEBUDDY_PLUGIN_ROOT}",
				Vars:  []string{"CODEBUDDY_PLUGIN_ROOT"},
				Texts: []string{"${CODEBUDDY_PLUGIN_ROOT}", "${CODEBUDDY_PLUGIN_DATA}"}},
			Ignored: []dialect.Ignored{ // without effect
				{Name: "async", Severity: schema.Note}, {Name: "asyncRewake", Severity: schema.Note},
				{Name: "method", Severity: schema.Loss}, {Name: "agentType", Severity: schema.Loss}},
			Unseen: dialect.Unseen{Managed: "the policy bundle that an organization distributes"},
		},
		Payloads: dialect.Payloads{
			Fields: &members,
			Sent:   recorded,
			Marks:  []dialect.Mark{{Sure: 9, Members: []string{"client", "version", "permission_mode"}}},
		},
		Answers: dialect.Answers{RefusalStatus: 2, // observed 2.117.0
			LoopLimit: -1, PatchesInput: true, Lone: lone},
		Timing: dialect.Timing{
			Timeouts: timeouts, LongestTimeout: dialect.LongestTimer, ReleaseLine: true,
		},
		Environment: dialect.Environment{
			Reads: []dialect.EnvRow{{Name: homeVariable, Moves: dialect.MovesHooks},
				{Name: dialect.ShellVariable, Moves: dialect.Starts}, {Name: project, Moves: dialect.Describes}},
			HTTP: from.HTTP, HostVariables: dialect.Variables{project, service},
		},
		Transcript: dialect.Transcript{EarlyTranscript: true},
	}
}

// timeouts are the time limits (docs 2.117.0).
var timeouts = []dialect.TimeoutRow{
	{Handler: schema.HandlerPrompt, Default: 30 * time.Second},
	{Handler: schema.HandlerAgent, Default: 30 * time.Second},
	{Default: 60 * time.Second},
}

// modes ask the user like Claude Code's of the same names (docs 2.117.0; bypassPermissions observed). The program also
// has dontAsk, which denies instead of asking, and auto, in which a classifier decides (package 2.117.0).
var modes = []dialect.Mode{
	{Name: "default", Asks: &family.Changing, Source: "docs 2.117.0"},
	{Name: "plan", Asks: &[]schema.Kind{schema.MCP, schema.Write, schema.Edit, schema.Notebook},
		Source: "docs 2.117.0"},
	{Name: "acceptEdits", Asks: &[]schema.Kind{schema.MCP, schema.Fetch}, Source: "docs 2.117.0"},
	{Name: "bypassPermissions", Approves: true, Source: "observed 2.117.0"},
	{Name: "dontAsk", Source: "package 2.117.0"},
	{Name: "auto", Source: "package 2.117.0"},
}

// vocabularies are Claude Code's, except the one for sources.
func vocabularies(of schema.Vocabularies) schema.Vocabularies {
	return append(schema.Vocabularies{&sources}, slices.DeleteFunc(slices.Clone(of), func(v *schema.Vocabulary) bool {
		return v.Field == schema.FieldSource
	})...)
}

const homeVariable = "CODEBUDDY_CONFIG_DIR"

// docs 2.117.0
var sources = schema.Vocabulary{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart},
	Words: []schema.Word{
		{Native: "startup", Nearest: []string{"new"}}, {Native: "resume", Nearest: []string{"fork"}}, {Native: "clear"},
		{Native: "compact"},
	}}

// key identifies a hook: of several with equal commands and conditions the first runs, whatever their matchers (package
// 2.117.0).
func key(h *schema.Hook) string {
	return strings.Join([]string{h.Source.Plugin, h.Handler.String(), h.Shell, h.Command, h.Prompt, h.URL,
		h.Condition}, "\x00")
}

// entries are the fields of a handler that Claude Code has too.
var entries = []string{"command", "url", "prompt", "shell", "model", "headers", "allowedEnvVars", "if", "timeout",
	"once", "continueOnBlock", "statusMessage"}

// fileRules is how a settings.json is read (observed 2.117.0): types aren't checked, a handler without a type is a
// command, and no switch turns hooks off.
func fileRules(origin *family.FileRules) family.FileRules {
	rules := family.FileRules{Comments: true, LastComma: true, NoMark: true, LastCounts: true, Blank: true,
		FalseNone: true, AnyType: true,
		Missing: family.DropsHandler, BadEvent: family.SilencesEvent, BadGroup: family.SilencesEvent,
		Settings: origin.Settings[3:], // env
		Handlers: append(slices.Clone(origin.Handlers[:4]), family.HandlerRow{Handler: schema.HandlerCommand,
			Needs: []string{"command"}}),
		Entries: slices.Clone(origin.Entries)}
	for i := range rules.Handlers {
		rules.Handlers[i].Never, rules.Handlers[i].Since = nil, ""
	}
	rules.Entries = slices.DeleteFunc(rules.Entries, func(e family.EntryRow) bool {
		return !slices.Contains(entries, e.Name)
	})
	for i := range rules.Entries {
		e := &rules.Entries[i]
		e.Since = ""
		if e.Untyped = true; e.Name == "timeout" {
			e.Read = readTimeout
		} else if e.Name == "shell" || e.Name == "url" {
			e.Read = nil
		}
	}
	return rules
}

// readTimeout accepts numbers, even in a text; anything else is the default.
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

var ways = []dialect.Way{{Command: "codebuddy -p", Less: []dialect.Less{
	{Native: "SessionEnd", Never: true, Source: "observed 2.117.0"},
	{Native: "Stop", Effects: schema.EffectKeepGoing, Source: "observed 2.117.0"},
	{Native: "PreToolUse", Effects: schema.EffectAsk, Modes: []string{"bypassPermissions"}, Source: "observed 2.117.0"},
	{Native: "PreToolUse", Effects: schema.EffectAsk, Refuses: true,
		Source: "observed 2.117.0: it waits for an answer that never comes"}}}}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"PermissionDenied", "PostToolUse", "PreToolUse", "Stop", "TaskCreated"},
		Fields: `{"agent_type":"cli","generation_id":"generation-1"}`},
	{Events: []string{"Notification", "PermissionDenied", "PostToolUse", "PreToolUse", "SessionStart",
		"Setup", "Stop", "TaskCreated", "UserPromptSubmit"}, Fields: `{"model":"some-model"}`},
}

// lone are the events at which the last of several answers counts (observed 2.117.0; PermissionRequest as in Claude
// Code).
var lone = []dialect.LoneRow{
	{On: schema.PermissionRequest, Effects: schema.EffectDeny | schema.EffectInput, Pick: dialect.PickEarly},
	{On: schema.PreTool, Effects: schema.EffectDeny | schema.EffectInput},
	{On: schema.PostTool, Effects: schema.EffectContext},
	{On: schema.PostToolFailure, Effects: schema.EffectContext},
	{On: schema.PromptSubmit, Effects: schema.EffectContext},
	{On: schema.SessionStart, Effects: schema.EffectContext},
}
