package commandcode

import (
	_ "embed"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is Command Code's; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Servers: d, Splits: d, Companion: d}
}

const (
	seen       = "observed 1.64.0"
	fromSource = "package 1.64.0"
	variables  = "COMMANDCODE_"
)

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent; Command Code doesn't have features that aren't here (observed 1.64.0).
func makeAgent() *family.Agent {
	from := claude.New()
	return &family.Agent{
		Data: makeProfile(from.Data), File: &file, CallID: "call_", GivenAlone: true, OwnTools: true,
		Files: []family.FileRow{{Scope: schema.ScopeLocal, Path: "settings.local.json"},
			{Scope: schema.ScopeProject, Path: "settings.json"}, {Scope: schema.ScopeUser, Path: "settings.json"}},
		Payload: payload, Names: family.Names{Folder: ".commandcode"},
		Answer: &family.AnswerRules{Top: top(), Specific: specific, Decides: []schema.Event{schema.PreTool}},
		Merging: schema.MergeRules{Separator: "\n", FirstReason: true, ContextFirst: true, // observed 1.64.0
			DenialGoesOn: true},
		Steps: family.Steps{Classify: classify, More: more, ReadResult: readResult, Result: appendResult,
			Fit: fit},
	}
}

// makeProfile defines the agent's constants (package 1.64.0, observed where a row says so).
func makeProfile(from *dialect.Profile) *dialect.Profile {
	return &dialect.Profile{
		Name: "commandcode", Title: "Command Code", Known: []string{"1.64.0"}, Client: "command-code",
		Events: events, Actions: &actions, Ways: &ways, Tools: tools(), PlainTools: plainTools,
		MCP:     dialect.MCPNames{Prefix: from.MCP.Prefix, Between: from.MCP.Between, NameRules: from.MCP.NameRules},
		Grammar: schema.Grammar{All: "* **", Expression: schema.JavaScript, Fold: true, Most: 200},
		Key:     func(h *schema.Hook) string { return h.Matcher + "\x00" + h.Command }, Vocabularies: words,
		Files: dialect.Files{Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Members: file.Members("matcher")},
		Payloads: dialect.Payloads{Fields: &family.Fields,
			Marks: []dialect.Mark{{Sure: 9, Members: []string{displayField}},
				{Sure: 1}, {Sure: 4, Env: []string{variables + "SESSION_ID"}}}},
		Answers: dialect.Answers{RefusalStatus: 2, // observed 1.64.0
			StopBlocks: 3, LoopLimit: -1, Line: dialect.OwnInput,
			ContextLimits: []dialect.ContextLimit{{Units: 4000}}, ReasonLimit: 4000},
		Timing: dialect.Timing{Timeouts: []dialect.TimeoutRow{{Default: 30 * time.Second, Max: longest}},
			LongestTimeout: longest},
		Environment: dialect.Environment{Starts: dialect.Start{Windows: dialect.Cmd}, // package 1.64.0
			HostVariables: dialect.Variables{variables + "PROJECT_DIR", variables + "CWD", variables + "SESSION_ID",
				variables + "PERMISSION_MODE", variables + "HOOK_EVENT"}},
		Transcript: dialect.Transcript{EarlyTranscript: true},
	}
}

// longest is the longest timeout of an entry: the client skips one with a longer timeout.
const longest = 600 * time.Second

// file is how a settings.json is read: each mistake drops the part that contains it (package 1.64.0).
var file = family.FileRules{NoMark: true, LastCounts: true, BadGroup: family.DropsGroup, BadMatcher: family.DropsGroup,
	BadEvent: family.DropsEvent, Missing: family.DropsHandler, NoType: family.DropsHandler, Empty: family.DropsHandler,
	Handlers: []family.HandlerRow{{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}}},
	Entries: []family.EntryRow{
		{Name: "command", Text: family.CommandOf, Write: family.WriteCommand},
		{Name: "timeout", Feature: schema.HookTimeout, Timeout: &family.TimeoutForm{Limit: 600}},
		{Name: "async", Feature: schema.HookAsync, Untyped: true, Read: func(h *schema.Hook, raw []byte) string {
			h.Async = string(raw) == "true"
			return ""
		}, Write: func(h *schema.Hook) []byte {
			if !h.Async {
				return nil
			}
			return []byte("true")
		}},
		{Name: "failClosed", Feature: schema.HookFailPolicy, Untyped: true, Read: family.ReadFail,
			Write: family.WriteFail},
	}}

// ways: headless no session starts, and hooks aren't called in plan mode or for the calls of a sub-agent. If two names
// are the same in snake_case, hooks see the value of the second, and the tool uses the first; see mod.
var ways = []dialect.Way{
	{Command: "command-code -p", Less: []dialect.Less{{Native: "SessionStart", Never: true, Source: seen}}},
	{Command: "command-code --plan", Less: []dialect.Less{
		{Native: "PreToolUse", Never: true, Source: seen}, {Native: "PostToolUse", Never: true, Source: fromSource},
		{Native: "Stop", Never: true, Source: fromSource}, {Native: "SessionStart", Never: true, Source: fromSource}}},
	{Command: "a sub-agent of Command Code", Less: []dialect.Less{{Native: "PreToolUse", Never: true, Source: seen},
		{Native: "PostToolUse", Never: true, Source: seen}}},
	{Command: "a file call with file_path and filePath, without mods", Less: []dialect.Less{
		{Native: "PreToolUse", Effects: schema.EffectDeny, Source: seen}}},
}

// secrets are parts of the names of variables that hooks don't get (package 1.64.0).
var secrets = []string{"API_KEY", "SECRET", "TOKEN", "PASSWORD", "ANTHROPIC_", "COMMANDCODE_API", "OAUTH", "CREDENTIAL",
	"PRIVATE_KEY", "AWS_ACCESS_KEY"}

// withheld reports whether hooks don't get a variable.
func withheld(name string) bool {
	name = strings.ToUpper(name)
	for _, word := range strings.Split(name, "_") {
		if word == "AUTH" || word == "AUTHORIZATION" || word == "BEARER" {
			return true
		}
	}
	for _, part := range secrets {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// Spec prepares a command hook as the client starts it: with bash, in the session's folder.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	shell := []string{"/bin/bash", "-c"}
	if p.OS == "windows" {
		shell = []string{"cmd.exe", "/d", "/s", "/c"}
	}
	return process.Spec{Dir: c.Cwd, Argv: dialect.Argv(h, h.Command, shell...),
		Env: p.Env.With(withheld, append(schema.Vars(variables+"PROJECT_DIR", c.Cwd, variables+"CWD", c.Cwd,
			variables+"HOOK_EVENT", h.Native), schema.GivenVars(variables+"SESSION_ID", c.Str(schema.FieldSession),
			variables+"PERMISSION_MODE", c.Str(schema.FieldMode))...)...)}, nil
}

// Resolve combines the hooks of all files. Those before a tool run one after the other (package 1.64.0).
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	hooks, ds := dialect.Unite(cfgs, nil)
	dialect.RunInOrder(hooks, schema.PreTool)
	return hooks, ds
}

// Servers reads the MCP servers of the project and of the user (package 1.64.0).
func (d Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(p.Project, ".mcp.json"),
		filepath.Join(d.Names.UserFolder(p), "mcp.json")}, read, "mcpServers")
}

// mod denies calls whose hooks see another value than the tool uses. It runs after the hooks, with the model's original
// input (observed 1.64.0).
//
//go:embed mod.js
var mod []byte

// Companion returns the mod. The client loads a project's mod once the folder is trusted; in print mode, only if --yolo
// is given too (observed 1.64.0).
func (Dialect) Companion() (path string, text []byte) { return "mods/hookbridge.js", mod }
