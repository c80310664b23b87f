package codex

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// agent is Codex as one of its family.
var agent = family.Agent{
	ID: "codex", Title: "Codex", Data: &profile,
	Events: events, Tools: tools, Members: members, Payload: payload,
	Grammar: matcher.NamesOrLinear,
	MCP:     family.MCPNames{Prefix: "mcp__", Between: "__"},
	File:    file, Limits: limits,
	Merging: schema.MergeRules{Separator: "\n\n"},
}

// profile holds Codex's constants (observed 0.169.0).
var profile = dialect.Profile{
	Skeleton:     `{"hooks":{}}`,
	AnswerWords:  nil, // they are Claude Code's
	LoopLimit:    -1,
	TimeoutUnit:  time.Second,
	CleansPaths:  true,
	Vocabularies: words,
	HostVariables: dialect.Variables{Names: []string{"CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID", "CODEX_VERSION",
		"PLUGIN_ROOT", "PLUGIN_DATA"}},
	Members: []dialect.HookMember{
		{Feature: schema.HookMatcher, Name: "matcher"}, {Feature: schema.HookTimeout, Name: "timeout"},
		{Feature: schema.HookAsync, Name: "async"}, {Feature: schema.HookStatus, Name: "statusMessage"},
		{Feature: schema.HookMCPTool, Name: "type"},
	},
	Ignored: []dialect.Ignored{{Name: "commandWindows", Severity: schema.Note}, {Name: "additionalContextLimit", Severity: schema.Note}},
}

// Dialect is the Codex dialect. Version ("0.150") selects an older client; New
// follows the newest one.
type Dialect struct {
	*family.Agent
	Version string
}

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{Agent: steps()} }

// At returns the dialect at a version.
func (d Dialect) At(version string) any { return Dialect{d.Agent, version} }

// steps is the agent with the steps that refer to it.
func steps() *family.Agent {
	a := agent
	a.Steps = family.Steps{Classify: classify, Views: views, Input: input, Result: result, ReadResult: readResult, NewInput: nil}
	return &a
}

// Follows is the version, "" for the newest.
func (d Dialect) Follows() string { return d.Version }

// Has reports whether the version has an event.
func (d Dialect) Has(row *schema.EventRow) bool {
	return d.Version == "" || !older(d.Version, row.Since)
}

// older compares dotted versions by their numbers.
func older(a, b string) bool {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if len(x) != len(y) {
			return len(x) < len(y)
		}
		if x != y {
			return x < y
		}
	}
	return false
}

// Grammar returns how Codex reads a matcher.
func (Dialect) Grammar(string) matcher.Grammar { return agent.Grammar }

// Key tells hooks apart: Codex runs every entry, equal ones too.
func (Dialect) Key(h *schema.Hook) string {
	return strings.Join([]string{h.Source.File, h.Path, h.Command}, "\x00")
}

// Spec prepares a command hook as Codex starts it (observed 0.169.0): bash -c in
// the session's folder, with no variable of Codex's but a plugin's.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if h.Handler != schema.HandlerCommand {
		return process.Spec{}, errors.New("only command hooks can run outside Codex")
	}
	var set []schema.EnvVar
	command := h.Command
	if root := h.Source.Plugin; root != "" {
		data := filepath.Join(homeOf(p), "plugins", "data", filepath.Base(root))
		for _, v := range []schema.EnvVar{{Name: "PLUGIN_ROOT", Value: root}, {Name: "CLAUDE_PLUGIN_ROOT", Value: root},
			{Name: "PLUGIN_DATA", Value: data}, {Name: "CLAUDE_PLUGIN_DATA", Value: data}} {
			set = append(set, v)
			command = strings.ReplaceAll(command, "${"+v.Name+"}", v.Value)
		}
	}
	s := process.Spec{Dir: c.Project, Env: p.Env.With(nil, set...)}
	switch {
	case h.Args != nil: // given on the command line: a file has no such form
		s.Argv = append([]string{h.Command}, h.Args...)
	case p.OS == "windows":
		s.Argv = []string{"powershell", "-NoProfile", "-Command", command}
	default:
		shell := "/bin/bash"
		if _, err := os.Stat(shell); err != nil {
			shell = "bash"
		}
		s.Argv = []string{shell, "-c", command}
	}
	return s, nil
}

// ParseEnvFile is never asked: hooks can't set variables.
func (Dialect) ParseEnvFile(string, schema.Environ) ([]schema.EnvVar, schema.Diagnostics) {
	return nil, nil
}

// AppendEnv is never asked.
func (Dialect) AppendEnv(dst []byte, _ []schema.EnvVar) []byte { return dst }

// Holds reports that a hook runs: Codex's hooks have no conditions.
func (Dialect) Holds(*schema.Hook, *schema.Call, schema.View, string) (bool, error) { return true, nil }

// Servers reports none: payloads name the server.
func (Dialect) Servers(schema.Places, func(string) ([]byte, error)) []schema.Server { return nil }

// NameServer has nothing to complete.
func (Dialect) NameServer(*schema.Call, []schema.Server) {}

// Detect reports how surely src is a payload of Codex. Its names are Claude Code's;
// the name of its session records and the members of a turn are its own.
func (d Dialect) Detect(src []byte, _ schema.Environ) int {
	o, err := ordjson.Parse(src)
	if err != nil {
		return 0
	}
	str := func(name string) string {
		raw, _ := o.Get(name)
		s, _ := ordjson.String(raw)
		return s
	}
	_, turn := o.Get("turn_id")
	_, model := o.Get("model")
	switch {
	case d.Row(str("hook_event_name")) == nil:
		return 0
	case strings.HasPrefix(filepath.Base(str("transcript_path")), "rollout-"):
		return 7
	case turn && model:
		return 6
	}
	return 0
}
