package codex

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// profile holds Codex's constants (observed 0.169.0).
var profile = dialect.Profile{
	Name: "codex", Title: "Codex", Events: events, Actions: &family.Actions, Modes: &modes, Ways: &ways,
	Known: []string{"0.171.0"}, Client: "codex", Tools: tools,
	// observed 0.169.0
	MCP:     dialect.MCPNames{Prefix: "mcp__", Between: "__", NameRules: schema.NameRules{Else: '_'}},
	Grammar: matchers, Vocabularies: words,
	Files: dialect.Files{
		Unseen: dialect.Unseen{Managed: "requirements from the cloud, and macOS preferences"}, Skeleton: `{"hooks":{}}`,
		EventsAt: "/hooks", Layers: dialect.LayersToRepository, Primary: dialect.PrimaryOnly,
		Plugins: dialect.Plugins{Manifests: []string{".codex-plugin/plugin.json", ".claude-plugin/plugin.json"},
			Own: ".codex-plugin/plugin.json", Hooks: []string{"hooks/hooks.json"},
			Forms:  dialect.DottedForm | dialect.ListForm | dialect.FileForm,
			Absent: dialect.BadPath | dialect.OtherObject | dialect.OtherType, // observed 0.169.0
			Root:   "${CLAUDE_PLUGIN_ROOT}",
			Vars:   []string{"PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"}, Data: "CLAUDE_PLUGIN_DATA",
			Void: "plugin.json#/$schema"},
		Members: []dialect.HookMember{
			{Feature: schema.HookMatcher, Name: "matcher"}, {Feature: schema.HookTimeout, Name: "timeout"},
			{Feature: schema.HookAsync, Name: "async"}, {Feature: schema.HookStatus, Name: "statusMessage"},
			{Feature: schema.HookMCPTool, Name: "type"},
		},
		Ignored: []dialect.Ignored{{Name: onWindows, Severity: schema.Note},
			{Name: "additionalContextLimit", Severity: schema.Note}},
	},
	Payloads: dialect.Payloads{
		Fields: &members,
		// Its names are Claude Code's; the names of its session records and the fields of a turn are its own.
		Marks:       []dialect.Mark{{Sure: 7, Record: "rollout-"}, {Sure: 6, Members: []string{"turn_id", "model"}}},
		CleansPaths: true,
	},
	Answers: dialect.Answers{
		AnswerWords:   nil, // the same as Claude Code's
		RefusalStatus: 2,   // observed 0.169.0
		LoopLimit:     -1,
		Lone:          []dialect.LoneRow{{On: schema.PreTool, Effects: schema.EffectInput, Pick: dialect.PickLate}},
	},
	Timing: dialect.Timing{
		Timeouts: timeouts, OutputGrace: -1, TimeoutUnit: time.Second,
	},
	Environment: dialect.Environment{
		// in the session's folder (observed 0.171.0)
		Starts: dialect.Start{Below: true, Windows: dialect.PowerShellField},
		HostVariables: dialect.Variables{"CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID", "CODEX_VERSION",
			"PLUGIN_ROOT", "PLUGIN_DATA"},
		Reads: []dialect.EnvRow{{Name: homeVar, Moves: dialect.MovesHooks}, {Name: "PWD", Moves: dialect.Describes}},
	},
}

// modes are the approval policies. Those about commands and patches don't ask about MCP tools, which have a policy of
// their server.
var modes = []dialect.Mode{
	{Name: "untrusted", Asks: &[]schema.Kind{schema.Shell, schema.Write, schema.Edit, schema.Delete},
		Source: "observed 0.169.0"},
	{Name: "on-request", Source: "observed 0.169.0: asks where the sandbox refuses"},
	{Name: "never", Source: "observed 0.169.0"},
}

// Dialect is the Codex dialect; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{&newest} }

var newest = family.Agent{
	Data: &profile, File: &file, Files: files, Payload: payload, CallID: "call_",
	Names: family.Names{Folder: folder, Home: homeVar,
		// hooks start in the folder of the session; a payload names that of the command (observed 0.169.0)
		Project: "PWD"},
	// Of several denials the first one in the file gives the reason; blocks after a
	// tool are joined (observed 0.169.0).
	Merging: schema.MergeRules{Separator: "\n\n", FirstReason: true, JoinOutputs: true},
	Steps:   family.Steps{Classify: classify, Views: views, Input: input, Result: result, ReadResult: readResult},
}

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Servers: d, Inputs: d, EntryText: d, Splits: d, Transcripts: d, Trust: d,
		Approves: d}
}

// DecodeCall reads the payload that a hook gets from Codex on stdin. Codex runs no hooks for a patch that it can't
// parse (observed 0.169.0). So a patch that hookbridge can't parse is an error: guards see the files that it names, and
// a call whose patch names none is malformed.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	c, ds := d.Agent.DecodeCall(src, env)
	if c == nil || c.Tool.Name != patchTool {
		return c, ds
	}
	text := c.Tool.Input.Text(schema.RoleCommand)
	switch files, err := grammar.Read(text); {
	case err == nil || c.Malformed:
	case len(files) == 0 && strings.Contains(text,
		"File: \n"): // hookbridge's form of another agent's call without a path
	default:
		ds.Add(schema.CodeShape, "/tool_input/command", err.Error()).Event = c.Native
		c.Malformed = c.Malformed || len(files) == 0
	}
	return c, ds
}

// Spec prepares a command hook as Codex starts it (observed 0.169.0): bash -c in the session's folder, without Codex's
// variables, except a plugin's.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if h.Handler != schema.HandlerCommand {
		return process.Spec{}, errors.New("only command hooks can run outside Codex")
	}
	var set []schema.EnvVar
	s := process.Spec{Dir: c.Project}
	command := h.Command
	if own, ok := h.Extra.Text(onWindows); ok && p.OS == "windows" {
		command = own
	}
	if root := h.Source.Plugin; root != "" {
		data := filepath.Join(homeOf(p), "plugins", "data", pluginOf(root))
		s.Folders = []string{data}
		set = schema.Vars("PLUGIN_ROOT", root, "CLAUDE_PLUGIN_ROOT", root, "PLUGIN_DATA", data, "CLAUDE_PLUGIN_DATA",
			data)
		for _, v := range set {
			command = strings.ReplaceAll(command, "${"+v.Name+"}", v.Value)
		}
	}
	s.Env, s.Argv = p.Env.With(nil, set...), dialect.Argv(h, command, dialect.Bash(), "-c")
	if p.OS == "windows" {
		s.Argv = dialect.PowerShell(h, command, "powershell", "-NoProfile", "-Command")
	}
	return s, nil
}

// pluginOf names a plugin's folder of data. For an installed plugin, whose root is plugins/cache/MARKET/NAME/VERSION,
// the name is made of name and marketplace (observed 0.169.0).
func pluginOf(root string) string {
	parts := strings.Split(filepath.ToSlash(root), "/")
	if n := len(parts); n > 4 && parts[n-5] == "plugins" && parts[n-4] == "cache" {
		return parts[n-2] + "-" + parts[n-3]
	}
	return filepath.Base(root)
}

// matchers reads a text of letters, digits, "_" and "|" as a list of exact names. It reads any other as an expression
// that may match anywhere in the name (observed 0.169.0).
var matchers = schema.Grammar{All: "*", Names: "_|", Expression: schema.Linear}

var ways = []dialect.Way{{Command: "codex exec", Less: []dialect.Less{
	{Native: "PermissionRequest", Never: true, Source: "observed 0.169.0"}}}}
