package codex

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/tomljson"
	"github.com/hookbridge/hookbridge/schema"
)

// Names of files and folders.
const (
	folder      = ".codex"
	hooksFile   = "hooks.json"
	configFile  = "config.toml"
	homeVar     = "CODEX_HOME"
	managedFile = "/etc/codex/requirements.toml"
	systemFile  = "/etc/codex/config.toml"
)

// file is how hooks.json is read (observed 0.169.0): strictly where it could be misunderstood, while everything else is
// skipped silently.
var file = family.FileRules{
	NoMark: true, Top: []string{"description"}, UnknownTop: family.VoidsFile, BadHooks: family.VoidsFile,
	WrongType: family.VoidsFile, Missing: family.VoidsFile, NullAbsent: true, NoType: family.VoidsFile,
	BadMatcher: family.DropsGroup, Empty: family.DropsHandler,
	Handlers: []family.HandlerRow{
		{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}},
		{Type: "mcp_tool", Handler: schema.HandlerMCPTool, Needs: []string{"server", "tool"}},
		{Type: "prompt", Handler: schema.HandlerPrompt, Unsupported: true},
		{Type: "agent", Handler: schema.HandlerAgent, Unsupported: true},
	},
	Entries: []family.EntryRow{
		{Name: "command", Of: schema.HandlerCommand, Text: family.CommandOf},
		{Name: onWindows, Of: schema.HandlerCommand, Kind: ordjson.StringKind, Write: func(h *schema.Hook) []byte {
			if h.Windows == "" {
				return nil
			}
			return ordjson.AppendString(nil, h.Windows)
		}},
		{Name: "server", Of: schema.HandlerMCPTool, Feature: schema.HookMCPTool, Text: family.ServerOf},
		{Name: "tool", Of: schema.HandlerMCPTool, Feature: schema.HookMCPTool, Text: family.ToolRefOf},
		{Name: "input", Kind: ordjson.ObjectKind, Of: schema.HandlerMCPTool, Feature: schema.HookMCPTool,
			Raw: family.InputOf},
		{Name: "timeout", Feature: schema.HookTimeout, Timeout: &family.TimeoutForm{Whole: true, Least: 1}},
		{Name: "async", Of: schema.HandlerCommand, Feature: schema.HookAsync, Flag: family.AsyncOf},
		{Name: "statusMessage", Feature: schema.HookStatus, Text: family.StatusOf},
	},
}

// onWindows is the field of an entry with the command for Windows.
const onWindows = "commandWindows"

// timeouts are the time limits (observed 0.169.0).
var timeouts = []dialect.TimeoutRow{
	{Event: schema.SessionEnd, Default: time.Second, Max: 3 * time.Second},
	{Event: schema.Interrupt, Default: time.Second, Max: 3 * time.Second},
	{Default: 600 * time.Second},
}

// ParseConfig reads hooks.json, a plugin's manifest, or the hooks of config.toml or
// requirements.toml.
func (d Dialect) ParseConfig(src []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	if ext := filepath.Ext(at.File); ext == ".toml" || ext == "" && isTOML(src) {
		return d.parseTOML(src, at)
	}
	p, o := d.Open(src, at)
	p.AnyTop = isManifest(at.File)
	p.Settings(o, "")
	return p.Result()
}

// isTOML reports whether a text without a file name, from standard input or the page, is TOML and can't be JSON.
func isTOML(src []byte) bool {
	begin := ordjson.TrimSpace(ordjson.TrimBOM(src))
	if len(begin) == 0 || begin[0] == '{' {
		return false
	}
	_, _, err := tomljson.Document(src)
	return err == nil
}

func (d Dialect) parseTOML(src []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p, o := d.OpenTOML(src, at)
	p.Settings(o, "")
	cfg, ds := p.Result()
	features, _ := o.Members("features")
	for _, name := range []string{"hooks", "codex_hooks"} {
		if on, ok := features.Bool(name); ok {
			off := !on
			cfg.DisableAll, cfg.Switch = &off, "/features/"+name
			break
		}
	}
	return cfg, ds
}

// isRequirements reports whether a file is the administrator's, whose hooks run without a review (observed 0.169.0).
func isRequirements(s schema.Source) bool {
	return s.File == managedFile || s.Scope == schema.ScopeManaged &&
		filepath.Base(s.File) == filepath.Base(managedFile)
}

// EntryTextName returns the name of the requirements, which are TOML.
func (Dialect) EntryTextName() string { return filepath.Base(managedFile) }

// WriteEntryText writes hookbridge's part of the requirements.
func (Dialect) WriteEntryText(text []byte, entries []dialect.EventEntry) []byte {
	return family.WriteEntryTables(text, entries)
}

// ReadEntryText reads hookbridge's part of the requirements.
func (Dialect) ReadEntryText(text []byte) (entries []dialect.EventEntry, ok bool) {
	return family.ReadEntryTables(text)
}

func isManifest(file string) bool { return filepath.Base(file) == "plugin.json" }

// files are the hook files, in the order in which their hooks are listed.
var files = []family.FileRow{
	{Scope: schema.ScopeManaged, Path: managedFile},
	{Scope: schema.ScopeManaged, Path: systemFile},
	{Scope: schema.ScopeUser, Path: hooksFile},
	{Scope: schema.ScopeUser, Path: configFile},
	{Scope: schema.ScopeProject, Path: hooksFile},
	{Scope: schema.ScopeProject, Path: configFile},
}

func homeOf(p schema.Places) string { return dialect.Home(p, homeVar, folder) }

// Given returns the source for a file that the user named. A hooks.json in a folder named hooks belongs to the plugin
// around it, and a manifest to the plugin of its folder.
func (Dialect) Given(file string) schema.Source {
	s := schema.Source{File: file}
	dir := filepath.Dir(file)
	name := filepath.Base(dir)
	if name == "hooks" || isManifest(file) && strings.HasPrefix(name, ".") {
		s.Scope, s.Plugin = schema.ScopePlugin, filepath.Dir(dir)
	}
	return s
}

// Plugins lists the hook files of the plugins that the user turned on: copies in a folder for each version (observed
// 0.169.0).
func (Dialect) Plugins(p schema.Places, cfgs []*schema.Config, read func(string) ([]byte, error)) (
	out []schema.Source) {
	for _, c := range cfgs {
		list, _ := c.Extra.Members("plugins")
		for _, m := range list {
			name, market, named := strings.Cut(m.Name, "@")
			on, _ := ordjson.Bool(ordjson.At(m.Value, "/enabled"))
			safe := filepath.IsLocal(name) && filepath.IsLocal(market)
			if !on || !named || !safe || c.Source.Scope != schema.ScopeUser {
				continue
			}
			versions, _ := os.ReadDir(filepath.Join(homeOf(p), "plugins", "cache", market, name))
			if len(versions) == 0 {
				continue
			}
			newest := slices.MaxFunc(versions, func(a, b os.DirEntry) int {
				return schema.CompareVersions(a.Name(), b.Name())
			}).Name()
			root := filepath.Join(homeOf(p), "plugins", "cache", market, name, newest)
			out = append(out, profile.Plugins.Sources(root, read)...)
		}
	}
	return out
}

// Resolve combines the hooks of all sources. Managed requirements may allow no others. A feature switch turns all off:
// the one in the requirements, or else the last one.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	var off *schema.Config
	only, pinned := false, false
	for _, c := range cfgs { // the requirements come first
		if c.DisableAll != nil && !pinned {
			pinned, off = isRequirements(c.Source), nil
			if *c.DisableAll {
				off = c
			}
		}
		on, _ := c.Extra.Bool("allow_managed_hooks_only")
		only = only || on && isRequirements(c.Source)
	}
	return dialect.Unite(cfgs, func(c *schema.Config) (pointer, msg string) {
		switch {
		case off != nil:
			return off.Switch, off.Source.File + " switches off the hooks of " + c.Source.File
		case only && !isRequirements(c.Source):
			return "/allow_managed_hooks_only", managedFile + " allows managed hooks only"
		}
		return "", ""
	})
}

// Servers reads the MCP servers of the project and of the user (observed 0.169.0).
func (Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(p.Project, folder, configFile),
		filepath.Join(homeOf(p), configFile)}, tomljson.Reader(read), "mcp_servers")
}
