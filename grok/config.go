package grok

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/tomljson"
	"github.com/hookbridge/hookbridge/schema"
)

const folder = ".grok"

// Variables that hookbridge reads.
const (
	homeVariable    = "GROK_HOME"
	trustVariable   = "GROK_FOLDER_TRUST"
	projectVariable = "CLAUDE_PROJECT_DIR"
)

var _ interface {
	dialect.Importer
	dialect.TrustKeeper
} = Dialect{}

// managedFile is the administrator's first file (observed 1.0.41).
const managedFile = "/etc/grok/requirements.toml"

// files are the agent's own hook files (observed 1.0.41), the folder first: new entries go into a separate file there.
var files = []family.FileRow{
	{Scope: schema.ScopeManaged, Path: managedFile},
	{Scope: schema.ScopeManaged, Path: "/etc/grok/managed_config.toml"},
	{Scope: schema.ScopeUser, Path: "hooks", Folder: true},
	{Scope: schema.ScopeUser, Path: userConfig},
	{Scope: schema.ScopeProject, Path: "hooks", Folder: true},
	{Scope: schema.ScopeUser, Path: "requirements.toml"},
	{Scope: schema.ScopeUser, Path: "managed_config.toml"},
}

const userConfig = "config.toml"

// userPolicies are policy files in the user's folder. Their hooks run only if they are signed, which hookbridge assumes
// they aren't; their restrictions apply anyway (observed 1.0.41).
var userPolicies = []string{"requirements.toml", "managed_config.toml"}

// file is how a hook file is read: nearly every mistake silently voids all of it (observed 1.0.41).
var file = family.FileRules{
	NoMark: true, OnlyUTF8: true, WholePairs: true, LastCounts: true, NullAbsent: true, AnyType: true,
	BadHooks: family.VoidsFile, BadEvent: family.VoidsFile, WrongType: family.VoidsFile,
	Missing: family.DropsHandler, BadGroup: family.VoidsFile,
	NoType: family.VoidsFile, NoText: family.VoidsFile, BadMatcher: family.DropsGroup, Empty: family.DropsHandler,
	Handlers: []family.HandlerRow{
		{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}},
		{Type: "http", Handler: schema.HandlerHTTP, Needs: []string{"url"}},
		{Type: "prompt", Handler: schema.HandlerPrompt, Unsupported: true},
		{Type: "agent", Handler: schema.HandlerAgent, Unsupported: true},
		{Type: "mcp_tool", Handler: schema.HandlerMCPTool, Unsupported: true},
	},
	Entries: []family.EntryRow{
		{Name: "command", Of: schema.HandlerCommand, Text: family.CommandOf, Write: writeCommand},
		{Name: "url", Of: schema.HandlerHTTP, Feature: schema.HookHTTP, Text: family.URLOf},
		{Name: "url", Of: schema.HandlerCommand, Kind: ordjson.StringKind},
		{Name: "timeout", Feature: schema.HookTimeout, Timeout: &family.TimeoutForm{Whole: true}, Read: readTimeout},
		{Name: "env", Feature: schema.HookEnv, Pairs: family.EnvOf},
	},
}

// readTimeout reads whole seconds; 0 is the default.
func readTimeout(h *schema.Hook, raw []byte) string {
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil { // also for 5.0
		return "timeout is not a whole number of seconds"
	}
	h.Timeout = time.Duration(min(n, 1e9)) * time.Second
	return ""
}

// writeCommand writes a command of one word so that a shell starts it: otherwise the client treats it as a path next to
// the file.
func writeCommand(h *schema.Hook) []byte {
	if !usesShell(h.Command) {
		return ordjson.AppendString(nil, "exec "+h.Command)
	}
	return family.WriteCommand(h)
}

func usesShell(command string) bool {
	return strings.ContainsAny(command, " |&;<>$") || strings.HasPrefix(command, "~")
}

// ParseConfig reads a JSON file of hooks, or the hooks of config.toml.
func (d Dialect) ParseConfig(src []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	if filepath.Ext(at.File) == ".toml" {
		p, o := d.OpenTOML(src, at)
		p.Settings(o, "")
		return p.Result()
	}
	p, o := d.Open(src, at)
	p.AnyTop = true
	p.Settings(o, "")
	return p.Result()
}

// Plugins lists the files and folders in the user's hooks-paths, one per line. Headless and as an ACP agent, the hooks
// of plugins didn't run (observed 1.0.41).
func (d Dialect) Plugins(p schema.Places, _ []*schema.Config, read dialect.ReadFile) (out []schema.Source) {
	list, _ := read(filepath.Join(d.Names.UserFolder(p), "hooks-paths"))
	for _, line := range strings.Split(string(list), "\n") {
		if file := filepath.Clean(strings.TrimSpace(line)); dialect.IsPlace(file) {
			info, err := os.Stat(file)
			out = append(out, schema.Source{File: file, Scope: schema.ScopeUser, Folder: err == nil && info.IsDir()})
		}
	}
	return out
}

// EntryTextName returns the name of the administrator's file, which is TOML.
func (Dialect) EntryTextName() string { return filepath.Base(managedFile) }

// WriteEntryText writes hookbridge's part of the administrator's file.
func (Dialect) WriteEntryText(text []byte, entries []dialect.EventEntry) []byte {
	return family.WriteEntryTables(text, entries)
}

// ReadEntryText reads hookbridge's part of the administrator's file.
func (Dialect) ReadEntryText(text []byte) (entries []dialect.EventEntry, ok bool) {
	return family.ReadEntryTables(text)
}

// Resolve combines the hooks of all sources, which run one after the other. The administrator may allow no others
// (observed 1.0.41).
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	isPolicy := func(c *schema.Config) bool {
		return c.Source.Scope == schema.ScopeManaged || slices.Contains(userPolicies, filepath.Base(c.Source.File))
	}
	cfgs = slices.Clone(cfgs)
	slices.SortStableFunc(cfgs, func(a, b *schema.Config) int { return cmp.Compare(rank(a.Source), rank(b.Source)) })
	only := slices.ContainsFunc(cfgs, func(c *schema.Config) bool {
		on, _ := c.Extra.Bool("allow_managed_hooks_only")
		return on && isPolicy(c)
	})
	hooks, ds := dialect.Unite(cfgs, func(c *schema.Config) (pointer, msg string) {
		switch managed := c.Source.Scope == schema.ScopeManaged; {
		case only && !managed:
			return "/allow_managed_hooks_only", "a policy file allows managed hooks only"
		case isPolicy(c) && !managed:
			return "/hooks", "the hooks of " + c.Source.File + " run only if it is signed"
		}
		return "", ""
	})
	dialect.RunInOrder(hooks)
	return hooks, ds
}

// rank orders sources: the administrator's, config.toml, the user's other files, the project's (observed 1.0.41).
func rank(s schema.Source) int {
	if s.Scope == schema.ScopeUser && filepath.Base(s.File) != userConfig {
		return 2
	}
	return map[schema.Scope]int{schema.ScopeUser: 1, schema.ScopeProject: 3}[s.Scope]
}

// Imported lists the Claude Code settings that Grok loads: the user's and the project's, unless a mistake voids the
// file or the user turned this off. Cursor's own form of hooks.json counts as a mistake.
func (d Dialect) Imported(p schema.Places, read dialect.ReadFile) (list []string) {
	if d.importsNothing(p, read) {
		return nil
	}
	for _, root := range []string{p.Home, p.Project} {
		for _, base := range []string{"settings.json", "settings.local.json"} {
			file := filepath.Join(root, ".claude", base)
			text, err := read(file)
			if root == "" || err != nil || slices.Contains(list, file) {
				continue
			}
			if cfg, _ := d.ParseConfig(text, schema.Source{File: file, Scope: schema.ScopeProject, Terse: true}); len(
				cfg.AsKnown().Hooks) > 0 {
				list = append(list, file)
			}
		}
	}
	return list
}

// importVariable turns the import off before the setting is read (observed 1.0.41).
const importVariable = "GROK_CLAUDE_HOOKS_ENABLED"

// importsNothing reports whether the user turned the import off (observed 1.0.41).
func (d Dialect) importsNothing(p schema.Places, read dialect.ReadFile) bool {
	if p.Env.Get(importVariable) == "false" {
		return true
	}
	text, err := read(filepath.Join(d.Names.UserFolder(p), userConfig))
	if err != nil {
		return false
	}
	json, _, err := tomljson.Document(text)
	on, stated := ordjson.Bool(ordjson.At(json, "/compat/claude/hooks"))
	return err == nil && stated && !on
}

// Import returns such a hook as Grok runs it: commands, without arguments, conditions and background runs.
func (d Dialect) Import(h schema.Hook) (own schema.Hook, ok bool) {
	runs := d.Row(h.Native) != nil && h.Handler == schema.HandlerCommand && h.Args == nil
	h.Async, h.Rewake, h.Once, h.Condition, h.HasCondition = false, false, false, "", false
	return h, runs
}

// AlwaysImports is true: Imported reads the setting that turns it off.
func (Dialect) AlwaysImports() bool { return true }

// ImportSwitch names the setting (observed 1.0.41).
func (Dialect) ImportSwitch() string {
	return "`hooks = false` under [compat.claude] in ~/.grok/" + userConfig + ", or " + importVariable + "=false"
}

// Spec prepares a command hook as Grok starts it (observed 1.0.41): sh -c in the project. A command without blanks and
// shell operators is a file next to its hook file.
func (d Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if h.Command == "" {
		return process.Spec{}, errors.New("the command is empty")
	}
	s := process.Spec{Dir: c.Project, Argv: dialect.Argv(h, h.Command, "sh", "-c")}
	if h.Args == nil && !usesShell(h.Command) {
		s.Argv = []string{h.Command}
		if !filepath.IsAbs(h.Command) {
			s.Argv[0] = filepath.Join(filepath.Dir(h.Source.File), h.Command)
		}
	}
	root := strings.TrimSuffix(c.Project, "/") + "/"
	s.Env = p.Env.With(d.Names.Leaks, h.Env...).With(nil, schema.Vars("GROK_HOOK_EVENT", snake(h.Native),
		"GROK_HOOK_NAME", hookName(h),
		"GROK_SESSION_ID", c.Str(schema.FieldSession), "GROK_WORKSPACE_ROOT", root, d.Names.Project, root)...)
	if name := unset(h.Command, s.Env); name != "" && len(p.Env) > 0 { // otherwise the environment isn't known
		return s, errors.New("Grok Build doesn't start the hook, because $" + name + " is set nowhere")
	}
	return s, nil
}

// snake returns an event's name in the form of hookEventName: pre_tool_use.
func snake(native string) string {
	var b strings.Builder
	for i, r := range native {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// Review describes what a project's hooks need to run.
func (Dialect) Review() string {
	return "Trust the folder, which must be a Git checkout: start Grok in it with --trust, or use /hooks-trust. " +
		"Until then no hook of the project runs."
}

// Trust returns whether a project's hook is in a trusted folder, the root of a Git checkout, and whether the user
// turned the hook off (observed 1.0.41).
func (d Dialect) Trust(h *schema.Hook, p schema.Places, read dialect.ReadFile) dialect.TrustState {
	if h.Source.Scope == schema.ScopeManaged {
		return dialect.TrustNotNeeded
	}
	if off, _ := read(filepath.Join(d.Names.UserFolder(p), "disabled-hooks")); slices.Contains(
		strings.Fields(string(off)), hookName(h)) {
		return dialect.TrustOff
	}
	if h.Source.Scope != schema.ScopeProject {
		return dialect.TrustNotNeeded
	}
	if _, err := os.Stat(filepath.Join(p.Project, ".git")); err != nil {
		return dialect.NoCheckout
	}
	if p.Env.Get(trustVariable) == "0" {
		return dialect.TrustNotNeeded
	}

	text, err := read(filepath.Join(d.Names.UserFolder(p), "trusted_folders.toml"))
	if err != nil {
		return dialect.FolderUnlisted
	}
	json, _, err := tomljson.Document(text)
	if err != nil {
		return dialect.TrustUnknown
	}

	switch on, ok := ordjson.Bool(ordjson.At(json, ordjson.Pointer("", "folders", p.Project, "trusted"))); {
	case !ok:
		return dialect.FolderUnlisted
	case on:
		return dialect.Trusted
	}

	return dialect.FolderUntrusted
}

// hookName returns the client's name for a hook: global/FILE:pre_tool_use[0].hooks[0] (observed 1.0.41).
func hookName(h *schema.Hook) string {
	parts := strings.Split(h.Path, "/") // /hooks/EVENT/GROUP/hooks/HANDLER
	if len(parts) != 6 {
		return "hookbridge"
	}
	file := filepath.Base(h.Source.File)
	switch file = strings.TrimSuffix(file, filepath.Ext(file)); {
	case file+".toml" == userConfig:
		file = "user"
	case h.Source.Scope == schema.ScopeUser:
		file = "global/" + file
	default:
		file = "project/" + file
	}
	return file + ":" + snake(h.Native) + "[" + parts[3] + "].hooks[" + parts[5] + "]"
}

// Servers reads the MCP servers of the project and of the user, other agents' too (observed 1.0.41).
func (d Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(p.Project, d.Names.Folder, userConfig),
		filepath.Join(d.Names.UserFolder(p), userConfig), filepath.Join(p.Project, ".mcp.json"),
		filepath.Join(p.Home, ".claude.json"), filepath.Join(p.Project, ".cursor", "mcp.json"),
		filepath.Join(p.Home, ".cursor", "mcp.json")}, tomljson.Reader(read), "mcp_servers", "mcpServers")
}
