package droid

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is Droid's; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Conditions: d, EnvFile: claude.Dialect{Agent: d.Agent}, Servers: d, Files: d, Splits: d}
}

const folder = ".factory"

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent; Droid doesn't have features that aren't here (observed 0.225.2).
func makeAgent() *family.Agent {
	origin := claude.New().Answer
	return &family.Agent{
		Data: makeProfile(), File: &file, Files: files, Payload: payload, CallID: "call_", GivenAlone: true,
		Names: family.Names{Folder: folder, Project: projectVariable},
		Edits: schema.EditNames{Old: "old_str", New: "new_str", All: "change_all"}, FullEdits: true, OwnTools: true,
		Answer: &family.AnswerRules{Top: origin.Top, Specific: origin.Specific, Decides: origin.Decides},
		Merging: schema.MergeRules{Separator: "\n", FirstReason: true, FirstFeedback: true,
			FirstInput: true},
		Steps: family.Steps{Classify: classify, Fit: fit, Result: appendResult, ReadResult: readResult},
	}
}

// plugins: a plugin's hooks are in one file, whatever its manifest contains (observed 0.225.2).
var plugins = dialect.Plugins{
	Manifests: []string{".factory-plugin/plugin.json", ".claude-plugin/plugin.json"},
	Own:       ".factory-plugin/plugin.json",
	Enabled:   "enabledPlugins",
	Hooks:     []string{"hooks/hooks.json"}, Root: "${CLAUDE_PLUGIN_ROOT}",
	Replaced: []string{"${DROID_PLUGIN_ROOT}", "$DROID_PLUGIN_ROOT", "${CLAUDE_PLUGIN_ROOT}", "$CLAUDE_PLUGIN_ROOT"}}

// sum is the end of tool names that are too long, or would equal another one (observed 0.225.2).
func sum(name string) string {
	all := sha256.Sum256([]byte(name))
	return hex.EncodeToString(all[:4])
}

// serverNames is how the names of MCP servers are written (observed 0.225.2).
var serverNames = schema.NameRules{Else: '-', Kept: "-", Runs: true, Only: " \t\n\r/\\@#$%^&*()+=[]{}|;:'\"<>,.?-",
	Most: 32}

// makeProfile defines the agent's constants (observed 0.225.2, unless another source is named).
func makeProfile() *dialect.Profile {
	return &dialect.Profile{
		Name: "droid", Title: "Droid", Known: []string{"0.225.2"}, Client: "droid",
		Events: events, Actions: &actions, Ways: &ways, Tools: tools, PlainTools: plainTools,
		MCP: dialect.MCPNames{Between: "___", Longest: 64, Sum: sum, SumsChanged: true,
			NameRules: schema.NameRules{Else: '_', Kept: "-", Server: &serverNames}},
		Grammar: schema.Grammar{All: "*", Expression: schema.JavaScript}, Vocabularies: words,
		Files: dialect.Files{
			// docs.factory.ai, page of the settings, 2026-11
			OtherRules: []string{"/commandDenylist", "/commandBlocklist"},
			Skeleton:   `{}`, Members: file.Members("matcher"), Plugins: plugins, Folders: []string{folder},
			Ignored: []dialect.Ignored{{Name: "preserveRiskLevel", Severity: schema.Note}},
			Unseen:  dialect.Unseen{Managed: "settings of the organization"},
			Layers:  dialect.LayersToRepository,
		},
		Payloads: dialect.Payloads{
			Fields: &fields,
			Sent:   recorded,
			Marks: []dialect.Mark{{Sure: 4, Env: []string{"FACTORY_PROJECT_DIR"}},
				{Sure: 2, Lacks: []string{"tool_use_id"}}},
		},
		Answers: dialect.Answers{
			RefusalStatus: 2, // observed 0.225.2
			LoopLimit:     -1, PatchesInput: true,
			Lone: []dialect.LoneRow{
				{On: schema.PreTool, Effects: schema.EffectDeny | schema.EffectInput, Pick: dialect.PickFirst,
					Status: true}},
		},
		Timing: dialect.Timing{
			Timeouts:       []dialect.TimeoutRow{{Default: 60 * time.Second}}, // docs.factory.ai
			LongestTimeout: dialect.LongestTimer, OutputGrace: -1,
		},
		Environment: dialect.Environment{
			EnvFile: dialect.EnvFile{Variable: "CLAUDE_ENV_FILE", Events: []schema.Event{schema.SessionStart},
				Usable: true},
			Reads:  []dialect.EnvRow{{Name: projectVariable, Moves: dialect.Describes}},
			Starts: dialect.Start{Below: true},
			HostVariables: dialect.Variables{"FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "DROID_PLUGIN_ROOT",
				"CLAUDE_PLUGIN_ROOT"},
		},
	}
}

const projectVariable = "CLAUDE_PROJECT_DIR"

// noPlugin is the value of plugin variables outside of a plugin.
const noPlugin = "/PLUGIN_ROOT_NOT_EXPANDED_ERROR"

// Spec prepares a command hook as Droid starts it: with sh, in the project, with each plain field of the payload as a
// variable of that name.
func (a Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	vars := schema.Vars("FACTORY_PROJECT_DIR", c.Project, "DROID_PROJECT_DIR", c.Project, projectVariable, c.Project,
		"DROID_PLUGIN_ROOT", noPlugin, "CLAUDE_PLUGIN_ROOT", noPlugin)
	if views := a.Views(c); len(views) > 0 {
		o, _ := ordjson.Parse(a.AppendCall(nil, c, views[0]))
		for _, m := range o {
			switch ordjson.KindOf(m.Value) {
			case ordjson.StringKind:
				text, _ := ordjson.String(m.Value)
				vars = append(vars, schema.EnvVar{Name: m.Name, Value: text})
			case ordjson.Number, ordjson.BoolKind:
				vars = append(vars, schema.EnvVar{Name: m.Name, Value: string(m.Value)})
			}
		}
	}

	dir := c.Project
	if !filepath.IsAbs(dir) {
		dir = c.Cwd
	}
	command := h.Command
	if root := h.Source.Plugin; root != "" { // replaced as text: the variables don't have it
		for _, name := range plugins.Replaced {
			command = strings.ReplaceAll(command, name, root)
		}
	}
	return process.Spec{Dir: dir, Argv: dialect.Argv(h, command, "sh", "-c"),
		Env: p.Env.With(a.Names.Leaks, h.Env...).With(nil, vars...)}, nil
}

// Holds evaluates commandRegex, which only applies to Execute. An invalid expression is never true.
func (Dialect) Holds(h *schema.Hook, c *schema.Call, v schema.View, _ string) (bool, error) {
	if v.Tool != shellTool {
		return false, nil
	}
	m, err := matcher.Compile(conditions, h.Condition)
	return err == nil && m.Match(c.Tool.Input.Text(schema.RoleCommand)), err
}

// MayHold reports whether a view is for Execute.
func (Dialect) MayHold(h *schema.Hook, v schema.View) (bool, error) {
	_, err := matcher.Compile(conditions, h.Condition)
	return err == nil && v.Tool == shellTool, err
}

// conditions are expressions; "*" isn't one (observed 0.225.2).
var conditions = schema.Grammar{Expression: schema.JavaScript}

var ways = []dialect.Way{{Command: "droid exec", Less: []dialect.Less{
	{Native: "UserPromptSubmit", Never: true, Source: "observed 0.225.2"},
	{Native: "Notification", Never: true, Source: "observed 0.225.2"}}}}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"SessionEnd"}, Fields: `{"message_id":"message-1","session_duration_ms":925.5}`},
	{Events: []string{"Stop"}, Fields: `{"tool_execution_count":0,"elapsed_time":129}`},
}
