package qoder

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// hookFiles are in the order in which Qoder plans their hooks (Claude Code begins
// with the user's). Of answers that cannot both hold the last counts. There are no others,
// none of an administrator among them (observed 1.1.52).
var hookFiles = []family.FileRow{
	{Scope: schema.ScopeProject, Path: "settings.json"},
	{Scope: schema.ScopeLocal, Path: "settings.local.json"},
	{Scope: schema.ScopeUser, Path: "settings.json"},
}

// Locate lists the files that may configure hooks. A project that is the home folder has
// none of its own (package 1.1.52).
func (d Dialect) Locate(p schema.Places) []schema.Source {
	project := ""
	if p.Project != "" && p.Project != p.Home && d.on != work {
		project = filepath.Join(p.Project, folderName(p))
	}
	return family.Locate(hookFiles, d.configDir(p), project, p)
}

// Variables that hookbridge reads.
const (
	dirVariable     = "QODER_CONFIG_DIR"
	nameVariable    = "QODER_CONFIG_DIR_NAME"
	pluginsVariable = "QODER_PLUGIN_CACHE_DIR"
	siteVariable    = "QODER_SITE"
	sourceVariable  = "QODER_HOOK_SOURCE"
	versionVariable = "QODER_HOOK_VERSION"
	projectVariable = "QODER_PROJECT_DIR"
)

func folderName(p schema.Places) string {
	if name := p.Env.Get(nameVariable); name != "" && filepath.Base(name) == name && name != ".." {
		return name
	}
	return ".qoder"
}

func (d Dialect) configDir(p schema.Places) string {
	if d.on == work {
		return dialect.Home(p, dirVariable, ".qoderwork")
	}
	return dialect.Home(p, dirVariable, folderName(p))
}

// order is that of the sources (package 1.1.52).
var order = []schema.Scope{schema.ScopeGiven, schema.ScopeProject, schema.ScopeLocal, schema.ScopeUser,
	schema.ScopePlugin}

// precedence is the order in which the switches are decided: the settings are
// merged before they are looked at, the nearest level last.
var precedence = []schema.Scope{schema.ScopeGiven, schema.ScopeLocal, schema.ScopeProject, schema.ScopeUser}

// Resolve unites the hooks of all sources in Qoder's order and applies what
// switches them off, which spares none.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	cfgs, ds := selected(cfgs)
	path, by := switchedOff(cfgs)
	sorted := slices.Clone(cfgs)
	slices.SortStableFunc(sorted, func(a, b *schema.Config) int {
		return slices.Index(order, a.Source.Scope) - slices.Index(order, b.Source.Scope)
	})
	hooks, off := dialect.Unite(sorted, func(c *schema.Config) (pointer, msg string) {
		if path == "" {
			return "", ""
		}
		return path, "a switch in " + by.File + " turns off " + c.Source.File
	})
	return hooks, append(ds, off...)
}

// The members that turn all hooks off.
const (
	disableSwitch = "/disableAllHooks"
	enabledSwitch = "/hooksConfig/enabled"
)

// switchedOff names the member that turns all hooks off, "" if none, and its source.
// There are two such switches, and each is decided separately (observed 1.1.52).
func switchedOff(cfgs []*schema.Config) (path string, by schema.Source) {
	cfgs = slices.Clone(cfgs)
	slices.Reverse(cfgs) // of several of one level the first counts
	for _, s := range []struct {
		path string
		off  func(*schema.Config) *bool
	}{
		{disableSwitch, disabled},
		{enabledSwitch, func(c *schema.Config) *bool { return notEnabled(c.Extra) }},
	} {
		if off, by := dialect.Decided(cfgs, precedence, s.off); off {
			return s.path, by
		}
	}
	return "", by
}

func disabled(c *schema.Config) *bool {
	if strings.HasSuffix(c.Switch, enabledSwitch) {
		return nil
	}
	return c.DisableAll
}

// notEnabled reads hooksConfig.enabled the other way round, nil if it is not
// there.
func notEnabled(o ordjson.Object) *bool {
	inner, _ := o.Members("hooksConfig")
	on, ok := inner.Bool("enabled")
	if !ok {
		return nil
	}
	on = !on
	return &on
}

// Servers reads the MCP servers of the project (docs 1.1.52) and of the user (observed 1.1.52).
func (d Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(p.Project, ".mcp.json"),
		filepath.Join(d.configDir(p), "settings.json")}, read, "mcpServers")
}
