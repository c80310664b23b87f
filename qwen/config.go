package qwen

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// files are the hook files in the order in which their hooks run (observed 0.24.4; an
// administrator's from the docs).
var files = []family.FileRow{
	{Scope: schema.ScopeProject, Path: "settings.json"},
	{Scope: schema.ScopeUser, Path: "settings.json"},
	{Scope: schema.ScopeManaged, OS: "linux", Variable: settingsVariable, Path: "/etc/qwen-code/settings.json"},
	{Scope: schema.ScopeManaged, OS: "darwin", Variable: settingsVariable,
		Path: "/Library/Application Support/QwenCode/settings.json"},
	{Scope: schema.ScopeManaged, OS: "windows", Variable: settingsVariable,
		Path: `C:\ProgramData\qwen-code\settings.json`},
}

// Variables that hookbridge reads.
const (
	homeVariable     = "QWEN_HOME"
	settingsVariable = "QWEN_CODE_SYSTEM_SETTINGS_PATH"
)

// extensions: an extension has hooks in its manifest, or in a file (observed 0.24.4). One that is installed from a
// plugin of Claude Code or an extension of Gemini CLI gets a manifest.
var extensions = dialect.Plugins{
	Manifests: []string{"qwen-extension.json", "gemini-extension.json", ".claude-plugin/plugin.json"},
	Own:       "qwen-extension.json",
	Inline:    true,
	Hooks:     []string{"hooks/hooks.json"},
	Forms:     dialect.PathForm | dialect.BareForm,
	Absent:    dialect.NoFile,
	Required:  []string{"name"},
	Root:      "${CLAUDE_PLUGIN_ROOT}",
	Replaced:  []string{"${CLAUDE_PLUGIN_ROOT}"}}

// Plugins lists the hook files of the installed extensions that are enabled.
func (d Dialect) Plugins(p schema.Places, _ []*schema.Config, read dialect.ReadFile) (out []schema.Source) {
	root := filepath.Join(d.Names.UserFolder(p), "extensions")
	for _, dir := range family.Extensions(root, extensions.Manifests[0], p.Project, read) {
		out = append(out, extensions.Sources(dir, read)...)
	}
	return out
}

// ParseConfig reads a file of hooks. A manifest has the events without a wrapper, the file of
// an extension with or without one.
func (d Dialect) ParseConfig(src []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p, o := d.Open(src, at)
	manifest := extensions.RootOf(at.File) != ""
	hooks, path := ordjson.Member{Value: bytes.TrimSpace(p.Text())}, ""
	for _, m := range o {
		kind := ordjson.KindOf(m.Value)
		if m.Name == "hooks" && (manifest || kind == ordjson.ObjectKind || kind == ordjson.Array) {
			hooks, path = m, "/hooks"
		}
	}
	switch {
	case at.Scope != schema.ScopePlugin && !manifest:
		p.Settings(o, "")
	case o != nil:
		p.Events(hooks, path)
	}
	return p.Result()
}

// precedence is the order of single-valued settings, the strongest first.
var precedence = []schema.Scope{schema.ScopeManaged, schema.ScopeGiven, schema.ScopeProject, schema.ScopeUser}

// Resolve combines the hooks of all sources that aren't turned off.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	off, by := dialect.Decided(cfgs, precedence, dialect.DisablesAll)
	return dialect.Unite(cfgs, func(c *schema.Config) (pointer, msg string) {
		if !off {
			return "", ""
		}
		return "/disableAllHooks", "disableAllHooks in " + by.File + " switches off " + c.Source.File
	})
}

// taken are the fields of a handler that Claude Code has too.
var taken = []string{"command", "url", "prompt", "headers", "allowedEnvVars", "shell", "model", "async",
	"statusMessage"}

// fileRules is how a settings.json is read (observed 0.24.4). The client skips only the mistake itself, except that a
// matcher that isn't a string makes its event fail every time. Unknown fields have no effect: a hook with a condition
// always runs.
func fileRules(origin *family.FileRules) family.FileRules {
	rules := family.FileRules{Comments: true, LastCounts: true, NullAbsent: true, FalseNone: true,
		InPlugin: func(rules *family.FileRules) {
			rules.Comments, rules.NoMark = false, true
		},
		BadHooks: family.DropsEvent, Missing: family.DropsHandler,
		NoType: family.DropsHandler, Empty: family.DropsHandler, NoText: family.SilencesEvent,
		NotEvents: []string{"enabled", "disabled", "notifications"},
		Settings:  []family.SettingRow{{Name: "disableAllHooks", Off: true}},
		Handlers:  origin.Handlers[:3],
		Groups: []family.EntryRow{{Name: "sequential", Feature: schema.HookSequential, Untyped: true,
			Flag: family.SequentialOf}},
		Entries: []family.EntryRow{
			{Name: "timeout", Feature: schema.HookTimeout, Untyped: true, Read: readTimeout, Write: writeTimeout},
			{Name: "env", Of: schema.HandlerCommand, Feature: schema.HookEnv, Untyped: true, Pairs: family.EnvOf},
		},
	}
	rules.Handlers = slices.Clone(rules.Handlers)
	for i := range rules.Handlers {
		rules.Handlers[i].Never, rules.Handlers[i].Since = nil, ""
	}

	rules.Entries = append(slices.DeleteFunc(slices.Clone(origin.Entries), func(e family.EntryRow) bool {
		return !slices.Contains(taken, e.Name) || e.Of == schema.HandlerAgent || e.Of == schema.HandlerMCPTool
	}), rules.Entries...)
	for i := range rules.Entries { // with a wrong type they have no effect (observed 0.24.4)
		e := &rules.Entries[i]
		e.Since = ""
		if e.Untyped = e.Name != "async"; e.Name == "shell" {
			e.Read = func(h *schema.Hook, raw []byte) string {
				if s, _ := ordjson.String(raw); s == "bash" || s == "powershell" {
					h.Shell = s
				}
				return ""
			}
		}
	}

	return rules
}

// number reads a timeout; a number in a text counts too.
func number(raw []byte) (n float64, ok bool) {
	s := string(raw)
	if text, isText := ordjson.String(raw); isText {
		s = strings.TrimSpace(text)
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && n > 0
}

// readTimeout reads seconds; numbers from 1000 on are milliseconds, and anything else is the default (observed 0.24.4).
func readTimeout(h *schema.Hook, raw []byte) string {
	if n, ok := number(raw); ok {
		if n < milliseconds {
			n *= milliseconds
		}
		h.Timeout = max(1, time.Duration(min(n, 1e12)*float64(time.Millisecond)))
	}
	return ""
}

func writeTimeout(h *schema.Hook) []byte {
	n := h.Timeout.Seconds()
	if n <= 0 {
		return nil
	}
	if n >= milliseconds {
		n *= milliseconds
	}
	return strconv.AppendFloat(nil, n, 'f', -1, 64)
}

// advise reports a timeout or a matcher that doesn't have its apparent effect.
func advise(p *family.Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	handler, _ := ordjson.Members(m.Value, m.Off)
	raw, given := handler.Get("timeout")
	switch n, ok := number(raw); {
	case given && !ok:
		p.Report(schema.CodeUnknownMember, m, h.Path+"/timeout", "timeout isn't a number above 0; the default applies")
	case n >= milliseconds && n < milliseconds*milliseconds: // longer ones can't be written in any other way
		p.Report(schema.CodeMilliseconds, m, h.Path+"/timeout", "timeout "+string(raw)+
			" is milliseconds, as every number from 1000 on").Fix =
			"write seconds below 1000, or multiply by 1000 if seconds were meant"
	}
	all, _ := matcher.Compile(aliases, h.Matcher)
	takes := func(t schema.ToolRow) bool { return all.Match(append([]string{t.Name}, t.Aliases...)...) }
	if row.Match == schema.MatchTool && !slices.ContainsFunc(tools, takes) && !all.MayTake("mcp__") {
		d := p.Report(schema.CodeDeadMatcher, m, h.MatcherPath(), "the matcher "+strconv.Quote(h.Matcher)+
			" matches no tool: an expression is compared with the tool's id alone")
		d.Event, d.Fix = row.Native, "name tools by id, such as run_shell_command, or list aliases, such as Bash|Write"
	}
}

// Select returns the selection of a hook's matcher: of values, those in which it finds a match.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	s, row := d.Agent.Select(h), d.Row(h.Native)
	if row == nil || row.Match != schema.MatchField || s.Exact {
		return s
	}
	words := d.Data.Vocabularies.For(row.Event, row.MatchField)
	if words == nil || words.Open {
		return s
	}
	m, _ := matcher.Compile(d.Data.GrammarOf(h.Native), h.Matcher)
	for _, w := range words.Words {
		if m.Match(w.Native) {
			s.Words = append(s.Words, w.Meaning())
		}
	}
	s.Exact = s.Words != nil
	s.All = !s.Exact
	return s
}

// Spec prepares a command hook as the client starts it (observed 0.24.4): bash from the PATH, in the project.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	set := schema.Vars(folderVar, c.Project, "CLAUDE_PROJECT_DIR", c.Project, "GEMINI_PROJECT_DIR", c.Project)
	s := process.Spec{Dir: c.Project, Env: p.Env.With(nil, set...).With(nil, h.Env...)}
	command := h.Command
	if h.Source.Plugin != "" { // the only known variable, replaced as text
		command = strings.ReplaceAll(command, "${CLAUDE_PLUGIN_ROOT}", h.Source.Plugin)
	}
	switch {
	case h.Shell == "powershell" && p.OS == "windows":
		s.Argv = dialect.PowerShell(h, command, "powershell", "-NoProfile", "-Command")
	case h.Shell == "powershell":
		s.Argv = dialect.PowerShell(h, command, "pwsh", "-NoProfile", "-Command")
	default:
		s.Argv = dialect.Argv(h, command, "bash", "-c")
	}
	return s, nil
}

// Review describes how a folder is trusted.
func (Dialect) Review() string {
	return "Start Qwen Code in the project and trust the folder with /trust: until then it runs none of the " +
		"project's hooks, only the user's."
}

// Trust looks the project's folder up among the user's trusted ones, if the user's settings require that (observed
// 0.24.4). The longest path counts.
func (d Dialect) Trust(h *schema.Hook, p schema.Places, read func(string) ([]byte, error)) dialect.TrustState {
	dir := d.Names.UserFolder(p)
	settings, _ := read(filepath.Join(dir, "settings.json"))
	on, _ := ordjson.Bool(ordjson.At(ordjson.BlankComments(settings), "/security/folderTrust/enabled"))
	if !on || h.Source.Scope != schema.ScopeProject {
		return dialect.TrustNotNeeded
	}
	text, err := read(filepath.Join(dir, "trustedFolders.json"))
	return family.FolderTrust(text, err, p.Project)
}

// Servers reads the MCP servers of the settings and of the project's file for them (observed 0.24.4).
func (d Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(p.Project, d.Names.Folder, "settings.json"),
		filepath.Join(p.Project, ".mcp.json"), filepath.Join(d.Names.UserFolder(p), "settings.json")}, read,
		"mcpServers")
}
