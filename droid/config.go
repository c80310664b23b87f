package droid

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	settingsFile   = "settings.json"
	conditionField = "commandRegex"
	disabled       = "hooksDisabled"
)

// files are the hook files (observed 0.225.2).
var files = []family.FileRow{
	{Scope: schema.ScopeUser, Path: hooksFile}, {Scope: schema.ScopeUser, Path: "hooks/hooks.json"},
	{Scope: schema.ScopeUser, Path: settingsFile},
	{Scope: schema.ScopeProject, Path: hooksFile}, {Scope: schema.ScopeProject, Path: "hooks/hooks.json"},
	{Scope: schema.ScopeProject, Path: settingsFile},
}

// everyEvent: a mistake under any event drops the whole file (observed 0.225.2).
var everyEvent = []schema.Event{schema.PreTool, schema.PostTool, schema.Notification, schema.PromptSubmit, schema.Stop,
	schema.SubagentStop, schema.PreCompact, schema.SessionStart, schema.SessionEnd}

// file is how a hook file is read: nearly every mistake silently drops all of it.
var file = family.FileRules{
	BadHooks: family.VoidsFile, BadEvent: family.VoidsFile, WrongType: family.VoidsFile, Missing: family.VoidsFile,
	NoType: family.VoidsFile,
	NoText: family.VoidsFile, Empty: family.VoidsFile, Guards: everyEvent, Rejects: "drops the whole file",
	KeepsTop: true, LastCounts: true, NoMark: true, Comments: true, InPlugin: inPlugin,
	Handlers: []family.HandlerRow{{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}}},
	Entries: []family.EntryRow{
		{Name: "command", Of: schema.HandlerCommand, Text: family.CommandOf, Write: family.WriteCommand},
		{Name: "timeout", Feature: schema.HookTimeout, Kind: ordjson.Number, Read: readTimeout, Write: writeTimeout},
		{Name: "preserveRiskLevel", Kind: ordjson.BoolKind},
	},
	Groups: []family.EntryRow{{Name: conditionField, Feature: schema.HookCondition, Kind: ordjson.StringKind,
		Read: readCondition, Write: writeCondition}},
}

// readTimeout reads seconds: 0 means no timeout, and a negative number, or one too large for the client's timer, ends
// the hook at once (observed 0.225.2).
func readTimeout(h *schema.Hook, raw []byte) string {
	seconds, ok := ordjson.Float(raw)
	switch {
	case !ok:
		return "timeout is not a number"
	case seconds == 0:
		h.Timeout = dialect.LongestTimer
	case seconds < 0 || seconds > dialect.LongestTimer.Seconds():
		h.Timeout = time.Nanosecond
	default:
		h.Timeout = time.Duration(seconds * float64(time.Second))
	}
	return ""
}

func writeTimeout(h *schema.Hook) []byte {
	switch {
	case h.Timeout <= 0:
		return nil
	case h.Timeout >= dialect.LongestTimer:
		return []byte("0")
	}
	return strconv.AppendFloat(nil, h.Timeout.Seconds(), 'f', -1, 64)
}

func readCondition(h *schema.Hook, raw []byte) string {
	h.Condition, _ = ordjson.String(raw)
	h.HasCondition = h.Condition != ""
	return ""
}

// writeCondition writes nothing: other agents' conditions have another form.
func writeCondition(*schema.Hook) []byte { return nil }

// WriteHook leaves out a condition, which only its own agent can evaluate.
func (a Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	value, said = a.Agent.WriteHook(e, h)
	return value, said &^ schema.HookCondition
}

// hooksFile is the name of the files that have their events at the top level.
const hooksFile = "hooks.json"

// ParseConfig reads settings.json, a plugin's file, or a hooks.json, whose events are at its
// top level.
func (a Dialect) ParseConfig(src []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	if at.Scope == schema.ScopePlugin {
		return a.pluginConfig(src, at)
	}
	p, o := a.Open(src, at)
	p.AnyTop = true
	// the content of a text without a name shows which file it is
	if base := filepath.Base(at.File); base == settingsFile || base == "-" && o.Has("hooks") {
		p.Settings(o, "")
		events, _ := o.Members("hooks")
		disable(p, events, "/hooks")
		return p.Result()
	}
	if wrapped, ok := o.Take("hooks"); ok {
		d := p.Report(schema.CodeVoidHook, wrapped, "/hooks",
			"Droid reads events at the top level of hooks.json only, so these hooks never run")
		d.Fix = "move the events out of hooks, or the object into " + settingsFile
	}
	disable(p, o, "")
	p.EventsOf(o, "")
	return p.Result()
}

// inPlugin changes the rules for a plugin's file: a mistake drops only the part that contains it, and most types aren't
// checked (observed 0.225.2).
func inPlugin(rules *family.FileRules) {
	rules.BadEvent, rules.WrongType, rules.Missing, rules.NoText = 0, 0, family.DropsHandler, 0
	rules.NoType, rules.Empty, rules.Guards, rules.FlatLists = family.DropsHandler, family.DropsHandler, nil, true
	rules.Comments, rules.FalseNone = false, true
	rules.Entries = slices.Clone(rules.Entries)
	rules.Entries[1].Kind, rules.Entries[1].Read = 0, func(h *schema.Hook, raw []byte) string {
		readTimeout(h, raw)
		return ""
	}
}

// pluginConfig reads a plugin's file. The events are in "hooks", or at the top level without it (observed 0.225.2).
func (a Dialect) pluginConfig(src []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p, o := a.Open(src, at)
	p.AnyTop = true
	events, _ := o.Members("hooks")
	if o.Has("hooks") {
		p.Settings(o, "")
	} else if start := bytes.IndexByte(src, '{'); o != nil && start >= 0 {
		events = o
		p.Events(ordjson.Member{Value: bytes.TrimSpace(src[start:]), Off: start}, "")
	}
	cfg, ds := p.Result()
	if off, _ := events.Bool(disabled); off && cfg != nil {
		ds.Add(schema.CodeDisabled, "", "the plugin's file switches its hooks off").File = at.File
		cfg.Hooks = nil
	}
	return cfg, ds
}

// disable reads the switch next to the events.
func disable(p *family.Parser, o ordjson.Object, at string) {
	for _, m := range o {
		off, ok := ordjson.Bool(m.Value)
		switch isSwitch := m.Name == disabled || m.Name == "showHookOutput"; {
		case isSwitch && !ok:
			p.Mistake(family.VoidsFile, nil, m, ordjson.Pointer(at, m.Name), m.Name+" is not a boolean")
		case m.Name == disabled:
			p.Config().DisableAll, p.Config().Switch = &off, ordjson.Pointer(at, disabled)
		}
	}
}

// Plugins lists the files of installed plugins that the settings turn on (observed 0.225.2): the registry has a file
// for each.
func (a Dialect) Plugins(p schema.Places, cfgs []*schema.Config, read dialect.ReadFile) (out []schema.Source) {
	on := dialect.PluginsOn(cfgs, plugins.Enabled)
	register := filepath.Join(a.Names.UserFolder(p), "plugins", "installed_plugins")
	files, _ := os.ReadDir(register)
	for _, f := range files {
		text, _ := read(filepath.Join(register, f.Name()))
		o, _ := ordjson.Parse(text)
		entry, _ := o.Members("entry")
		if root := entry.Str("installPath"); on[o.Str("pluginId")] && dialect.IsPlace(root) {
			out = append(out, plugins.Sources(root, read)...)
		}
	}
	return out
}

// Resolve combines the files. Of one scope the first hook file counts, and the settings only for events that this file
// doesn't have. The nearest file with the switch decides whether any hook runs (observed 0.225.2).
func (Dialect) Resolve(cfgs []*schema.Config) (hooks []schema.Hook, ds schema.Diagnostics) {
	nearest := slices.Clone(cfgs)
	slices.Reverse(nearest)
	scopes := []schema.Scope{schema.ScopeGiven, schema.ScopeProject, schema.ScopeUser}
	off, by := dialect.Decided(nearest, scopes, dialect.DisablesAll)
	if off {
		return dialect.Unite(cfgs, func(*schema.Config) (pointer, msg string) {
			return "/" + disabled, by.File + " switches off all hooks"
		})
	}

	type place struct {
		scope schema.Scope
		event string
	}
	first := map[place]string{}
	for _, c := range cfgs {
		file, at := c.Source.File, place{scope: c.Source.Scope}
		single := at.scope == schema.ScopeUser || at.scope == schema.ScopeProject
		first[at] = cmp.Or(first[at], file)
		for _, h := range c.Hooks {
			own := place{at.scope, h.Native}
			if filepath.Base(file) == settingsFile {
				at = own
			}
			first[own] = cmp.Or(first[own], file)
			if other := first[at]; single && other != file {
				ds.Add(schema.CodeDisabled, h.Path, "Droid doesn't read it where there is "+other).File = file
				continue
			}
			hooks = append(hooks, h)
		}
	}

	return hooks, ds
}

// Recognizes reports whether a text can only be a hooks.json: it has events at the top level, and tool names.
func (Dialect) Recognizes(text []byte) bool {
	o, err := ordjson.Parse(text)
	return err == nil && !o.Has("hooks") && slices.ContainsFunc(o, func(m ordjson.Member) bool {
		return schema.RowNamed(events, m.Name) != nil && strings.Contains(string(m.Value), `"Execute`)
	})
}

// Within returns the whole text.
func (Dialect) Within([]byte) string { return "" }

// Servers reads the MCP servers of the project and of the user (observed 0.225.2).
func (a Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(p.Project, folder, "mcp.json"),
		filepath.Join(a.Names.UserFolder(p), "mcp.json")}, read, "mcpServers")
}
