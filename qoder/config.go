package qoder

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// file is how a settings file or a plugin's hooks.json is read (observed 1.1.52). A
// value of the wrong type voids the group that holds it, a handler without what it
// needs that handler alone, an event or a switch of the wrong type only itself.
// Nobody looks at the types of some members: a prompt that isn't a string makes the
// client fail, and refuse, whenever it is asked.
var file = family.FileRules{
	Comments:      true,
	LastCounts:    true,
	NotEvents:     []string{"enabled", "disabled", "notifications"},
	BadHooks:      family.DropsEvent,
	WrongType:     family.DropsGroup,
	Missing:       family.DropsHandler,
	NoType:        family.DropsHandler,
	Empty:         family.DropsHandler,
	StrictPlugins: true,
	Settings: []family.SettingRow{
		family.OffSwitch("disableAllHooks"),
		family.Limit("allowedHttpHookUrls", func(c *schema.Config) *[]string { return &c.AllowURLs }),
		{Name: "hooksConfig", Read: enabled},
	},
	Handlers: []family.HandlerRow{
		{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}},
		{Type: "http", Handler: schema.HandlerHTTP, Needs: []string{"url"}},
		{Type: "prompt", Handler: schema.HandlerPrompt, Needs: []string{"prompt"}},
		{Type: "agent", Handler: schema.HandlerAgent, Needs: []string{"prompt"}},
	},
	Groups: []family.EntryRow{
		{Name: "sequential", Says: schema.HookSequential,
			Read: func(h *schema.Hook, raw []byte) string { h.Sequential = truthy(raw); return "" },
			Write: func(h *schema.Hook) []byte {
				if !h.Sequential {
					return nil
				}
				return []byte("true")
			}},
		{Name: "async", Read: func(h *schema.Hook, raw []byte) string { h.Async = truthy(raw); return "" },
			Write: func(*schema.Hook) []byte { return nil }},
	},
	Entries: []family.EntryRow{
		ofAny(family.CommandEntry("command"), ordjson.StringKind),
		untyped(family.TextEntry("url", 0, schema.HookHTTP, func(h *schema.Hook) *string { return &h.URL })),
		untyped(family.TextEntry("prompt", 0, schema.HookPrompt|schema.HookAgent, func(h *schema.Hook) *string { return &h.Prompt })),
		family.TextEntry("shell", 0, schema.HookShell, func(h *schema.Hook) *string { return &h.Shell }),
		untyped(family.TextEntry("model", 0, schema.HookModel, func(h *schema.Hook) *string { return &h.Model })),
		family.ConditionEntry("if"),
		family.TextEntry("statusMessage", 0, schema.HookStatus, func(h *schema.Hook) *string { return &h.Status }),
		family.ListEntry("args", 0, schema.HookArgs, func(h *schema.Hook) *[]string { return &h.Args }),
		allowedVariables(),
		family.PairsEntry("env", 0, schema.HookEnv, true, func(h *schema.Hook) *[]schema.EnvVar { return &h.Env }),
		family.PairsEntry("headers", 0, 0, true, func(h *schema.Hook) *[]schema.EnvVar { return &h.Headers }),
		family.Seconds("timeout", maxTimeout, true),
		family.FlagEntry("async", 0, schema.HookAsync, func(h *schema.Hook) *bool { return &h.Async }),
		family.FlagEntry("asyncRewake", 0, schema.HookRewake, func(h *schema.Hook) *bool { return &h.Rewake }),
		family.FlagEntry("once", 0, schema.HookOnce, func(h *schema.Hook) *bool { return &h.Once }),
		family.KeptEntry("rewakeMessage", ordjson.StringKind),
		family.KeptEntry("rewakeSummary", ordjson.StringKind),
		family.KeptEntry("name", ordjson.StringKind),
	},
}

const maxTimeout = 2147483 // seconds; a JavaScript timer takes no more

// ofAny is the entry as a member of every handler, whose type counts whatever the
// handler; it is written for its own.
func ofAny(e family.EntryRow, kind ordjson.Kind) family.EntryRow {
	own, write := e.Of, e.Write
	e.Of, e.Kind = 0, kind
	e.Write = func(h *schema.Hook) []byte {
		if h.Handler != own {
			return nil
		}
		return write(h)
	}
	return e
}

func untyped(e family.EntryRow) family.EntryRow {
	e.Kind = ordjson.Invalid
	return e
}

// allowedVariables is the list of variables that headers may name. Without it Qoder
// sends them all.
func allowedVariables() family.EntryRow {
	e := family.ListEntry("allowedEnvVars", 0, 0, func(h *schema.Hook) *[]string { return &h.EnvAllow })
	e.Kind, e.Each = ordjson.Invalid, ordjson.Invalid
	write := e.Write
	e.Write = func(h *schema.Hook) []byte {
		if h.EnvAllow == nil && sent(h.Headers) != nil {
			return []byte("[]")
		}
		return write(h)
	}
	return e
}

// ParseConfig reads a settings file, a plugin's hooks.json, or options of the Agent
// SDK.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p, o := d.Open(text, at)
	if o == nil {
		return p.Result()
	}
	switch _, wrapped := o.Get("hooks"); {
	case d.on == sdk && isOptions(o):
		options(p, o)
	case at.Scope == schema.ScopePlugin && !wrapped && d.Data.Plugins.RootOf(at.File) == "" && !isConvention(at):
		p.Events(ordjson.Member{Value: p.Text()}, "") // a file that a manifest names may be the events alone
	default:
		p.Settings(o, "")
	}
	return p.Result()
}

// isConvention reports whether a plugin's file is the one that no manifest has to
// name.
func isConvention(at schema.Source) bool {
	return at.File == filepath.Join(at.Plugin, "hooks", "hooks.json")
}

// enabled reads the other switch, which speaks for a file that does not have the
// first.
func enabled(cfg *schema.Config, m ordjson.Member, at string) string {
	cfg.Extra = append(cfg.Extra, m)
	if off := notEnabled(ordjson.Object{m}); off != nil && cfg.DisableAll == nil {
		cfg.DisableAll, cfg.Switch = off, at+enabledSwitch
	}
	return ""
}

// truthy is JavaScript's idea of yes, as far as JSON has it.
func truthy(raw []byte) bool {
	switch string(raw) {
	case "false", "null", "0", "-0", `""`:
		return false
	}
	return len(raw) > 0
}

// hook completes a hook, and reports what is accepted and has no or another effect
// than it seems. Where nothing is matched Qoder does not look at a condition, and the
// hook always runs (observed 1.1.52 for Stop and UserPromptSubmit).
func hook(p *family.Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	if h.EnvAllow == nil {
		h.EnvAllow = sent(h.Headers)
	}
	at := ordjson.Pointer(h.Path, "if")
	switch {
	case h.HasCondition && row.Match == schema.MatchNothing:
		h.Extra = append(h.Extra, ordjson.Member{Name: "if", Value: ordjson.AppendString(nil, h.Condition), Off: m.Off})
		h.Condition, h.HasCondition = "", false
		p.Report(schema.CodeUnknownMember, m, at, "a condition has no effect on "+row.Native+"; Qoder ignores it")
	case h.Condition != "" && !asTool(row):
		p.Report(schema.CodeDeadCondition, m, at, "a handler with `if` on "+row.Native+" never runs").Event = row.Native
	case strings.TrimSpace(h.Condition) == "*":
		p.Report(schema.CodeDeadCondition, m, at, "the condition * is never true").Event = row.Native
	}
	if h.Once && filepath.Ext(h.Source.File) != ".md" {
		p.Report(schema.CodeIgnoredOnce, m, ordjson.Pointer(h.Path, "once"), "Qoder honors once in skills and agents only")
	}
}
