package letta

import (
	"slices"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is Letta Code's; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (Dialect) Abilities() dialect.Abilities { return dialect.Abilities{} }

const (
	seen       = "observed 0.32.18"
	fromSource = "package 0.32.18"
	variables  = "LETTA_"
	disabled   = "disabled" // turns all hooks off, among the events of a file
)

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent; Letta Code doesn't have features that aren't here (observed 0.32.18).
func makeAgent() *family.Agent {
	from := claude.New()
	return &family.Agent{
		Data: makeProfile(from.Data), File: &file, CallID: "call_", GivenAlone: true, OwnTools: true, Edits: from.Edits,
		Files: []family.FileRow{{Scope: schema.ScopeLocal, Path: "settings.local.json"},
			{Scope: schema.ScopeProject, Path: "settings.json"}, {Scope: schema.ScopeUser, Path: "settings.json"}},
		Payload: payload, Names: family.Names{Folder: ".letta"}, Answer: &answer,
		Merging: schema.MergeRules{Separator: "\n", FirstReason: true, FirstInput: true},
		Steps: family.Steps{Read: read, Classify: classify, ReadResult: readResult, Result: appendResult, More: more,
			Fit: fit},
	}
}

// makeProfile defines the agent's constants (package 0.32.18, observed where a row says so).
func makeProfile(from *dialect.Profile) *dialect.Profile {
	return &dialect.Profile{
		Name: "letta", Title: "Letta Code", Known: []string{"0.32.18"}, Client: "letta",
		Events: events, Actions: &actions, Ways: &ways, Tools: tools(from), PlainTools: plainTools,
		MCP: dialect.MCPNames{Prefix: from.MCP.Prefix, Between: from.MCP.Between,
			NameRules: from.MCP.NameRules},
		Grammar:      schema.Grammar{All: "*", Expression: schema.JavaScript, Whole: true, Equal: true},
		Vocabularies: schema.Vocabularies{from.Vocabularies.For(0, schema.FieldAgentType)},
		Files: dialect.Files{Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Members: file.Members("matcher"),
			Ignored: []dialect.Ignored{{Name: "quiet", Severity: schema.Note}}},
		Payloads: dialect.Payloads{Fields: &fields, Marks: []dialect.Mark{{Sure: 9, Members: []string{eventField}}}},
		Answers: dialect.Answers{RefusalStatus: 2, StatusHolds: true, // observed 0.32.18
			LoopLimit: -1, PatchesInput: true, Line: dialect.OwnInput,
			ContextLimits: []dialect.ContextLimit{{Units: 10000}}, ReasonLimit: 10000,
			Lone: []dialect.LoneRow{{On: schema.PreTool, Effects: schema.EffectInput,
				Pick: dialect.PickFirst}}},
		Timing: dialect.Timing{Timeouts: []dialect.TimeoutRow{{Default: 60 * time.Second}},
			LongestTimeout: dialect.LongestTimer, TimeoutUnit: time.Millisecond},
		Environment: dialect.Environment{Starts: dialect.Start{Windows: dialect.PowerShell5}, // source
			HostVariables: dialect.Variables{variables + "HOOK_EVENT", variables + "WORKING_DIR",
				variables + "AGENT_ID", "AGENT_ID", "USER_CWD"}},
	}
}

// file is how a settings.json is read (package 0.32.18).
var file = family.FileRules{LastCounts: true, NotEvents: []string{disabled}, Missing: family.DropsHandler,
	NoType: family.DropsHandler, BadEvent: family.DropsEvent, BadGroup: family.DropsGroup,
	Handlers: []family.HandlerRow{{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}},
		{Type: "prompt", Handler: schema.HandlerPrompt, Needs: []string{"prompt"}}},
	Entries: []family.EntryRow{
		{Name: "command", Of: schema.HandlerCommand, Text: family.CommandOf, Write: family.WriteCommand},
		{Name: "prompt", Of: schema.HandlerPrompt, Feature: schema.HookPrompt, Text: family.PromptOf},
		{Name: "model", Of: schema.HandlerPrompt, Feature: schema.HookModel, Text: family.ModelOf},
		{Name: "timeout", Feature: schema.HookTimeout, Kind: ordjson.Number, Read: readTimeout, Write: writeTimeout},
	}}

func readTimeout(h *schema.Hook, raw []byte) string {
	if ms, _ := ordjson.Float(raw); ms > 0 {
		h.Timeout = max(1, time.Duration(min(ms, 1e12)*float64(time.Millisecond)))
	}
	return ""
}

func writeTimeout(h *schema.Hook) []byte {
	if h.Timeout <= 0 {
		return nil
	}
	return strconv.AppendInt(nil, int64((h.Timeout+time.Millisecond-1)/time.Millisecond), 10)
}

// ParseConfig reads a file, and the switch among its events.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	cfg, ds := d.Agent.ParseConfig(text, at)
	if off, ok := ordjson.Bool(ordjson.At(text, "/hooks/"+disabled)); ok {
		cfg.DisableAll, cfg.Switch = &off, "/hooks/"+disabled
		ds = slices.DeleteFunc(ds, func(d schema.Diagnostic) bool { return d.Path == cfg.Switch }) // it isn't ignored
	}
	return cfg, ds
}

// Resolve combines the hooks of all files. The switch in the user's file counts. If it isn't there, any file turns all
// hooks off, even the user's (package 0.32.18, observed for the project's).
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	off, by := dialect.Decided(cfgs, []schema.Scope{schema.ScopeUser}, dialect.DisablesAll)
	for _, c := range cfgs {
		if says := c.DisableAll; by.File == "" && says != nil && *says {
			off, by = true, c.Source
		}
	}
	hooks, ds := dialect.Unite(cfgs, func(c *schema.Config) (pointer, msg string) {
		if !off {
			return "", ""
		}
		return "/hooks/" + disabled, "hooks." + disabled + " in " + by.File + " switches off " + c.Source.File
	})
	dialect.RunInOrder(hooks, schema.PreTool, schema.PermissionRequest)
	return hooks, ds
}

// ways: headless only tools and sub-agents have hooks.
var ways = []dialect.Way{{Command: "letta -p", Less: []dialect.Less{
	{Native: "UserPromptSubmit", Never: true, Source: seen}, {Native: "SessionStart", Never: true, Source: seen},
	{Native: "Stop", Never: true, Source: seen}, {Native: "SessionEnd", Never: true, Source: seen},
	{Native: "Notification", Never: true, Source: seen}, {Native: "PreCompact", Never: true, Source: fromSource}}}}

// Spec prepares a command hook as the client starts it: with bash, in the session's folder.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	shell := []string{dialect.Bash(), "-c"}
	if p.OS == "windows" {
		shell = []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command"}
	}
	agent := c.Str(schema.FieldSession)
	return process.Spec{Dir: c.Cwd, Argv: dialect.Argv(h, h.Command, shell...),
		Env: p.Env.With(nil, append(schema.Vars(variables+"HOOK_EVENT", h.Native, variables+"WORKING_DIR", c.Cwd,
			"USER_CWD", c.Cwd), schema.GivenVars(variables+"AGENT_ID", agent, "AGENT_ID", agent)...)...)}, nil
}
