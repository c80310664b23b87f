package claude

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// file is how a settings file or a plugin's hooks.json is read (observed 2.1.328): a
// mistake under PreToolUse or PermissionRequest voids the whole file, because it may
// guard what the rest of the file allows; elsewhere only the enclosing value is skipped.
var file = family.FileRules{
	LastCounts:   true,
	SkipsEvents:  "2.1.101", // changelog, and 15 versions tried
	BadSetting:   family.VoidsFile,
	BadHooks:     family.VoidsFile,
	Missing:      family.DropsHandler,
	NoType:       family.DropsHandler,
	Guards:       []schema.Event{schema.PreTool, schema.PermissionRequest},
	KeepsManaged: true,
	FlatText:     true,
	Settings: []family.SettingRow{
		family.OffSwitch("disableAllHooks"),
		family.Limit("allowedHttpHookUrls", func(c *schema.Config) *[]string { return &c.AllowURLs }),
		family.Limit("httpHookAllowedEnvVars", func(c *schema.Config) *[]string { return &c.AllowEnv }),
		{Name: "env", Read: environment},
	},
	Handlers: []family.HandlerRow{
		{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}},
		{Type: "http", Handler: schema.HandlerHTTP, Needs: []string{"url"}},
		{Type: "prompt", Handler: schema.HandlerPrompt, Needs: []string{"prompt"}},
		{Type: "agent", Handler: schema.HandlerAgent, Needs: []string{"prompt"}},
		{Type: "mcp_tool", Handler: schema.HandlerMCPTool, Needs: []string{"server", "tool"}},
	},
	Entries: []family.EntryRow{
		family.CommandEntry("command"),
		urlEntry,
		family.TextEntry("prompt", schema.HandlerPrompt, schema.HookPrompt, func(h *schema.Hook) *string { return &h.Prompt }),
		family.TextEntry("prompt", schema.HandlerAgent, schema.HookAgent, func(h *schema.Hook) *string { return &h.Prompt }),
		family.TextEntry("server", schema.HandlerMCPTool, schema.HookMCPTool, func(h *schema.Hook) *string { return &h.Server }),
		family.TextEntry("tool", schema.HandlerMCPTool, schema.HookMCPTool, func(h *schema.Hook) *string { return &h.ToolRef }),
		family.ListEntry("args", schema.HandlerCommand, schema.HookArgs, func(h *schema.Hook) *[]string { return &h.Args }),
		shellEntry,
		family.TextEntry("model", schema.HandlerPrompt, schema.HookModel, func(h *schema.Hook) *string { return &h.Model }),
		family.TextEntry("model", schema.HandlerAgent, schema.HookModel, func(h *schema.Hook) *string { return &h.Model }),
		family.PairsEntry("headers", schema.HandlerHTTP, 0, false, func(h *schema.Hook) *[]schema.EnvVar { return &h.Headers }),
		family.ListEntry("allowedEnvVars", schema.HandlerHTTP, 0, func(h *schema.Hook) *[]string { return &h.EnvAllow }),
		family.RawEntry("input", ordjson.ObjectKind, schema.HandlerMCPTool, 0, func(h *schema.Hook) *[]byte { return &h.Input }),
		family.ConditionEntry("if"),
		family.Seconds("timeout", 1e9, false),
		family.FlagEntry("async", schema.HandlerCommand, schema.HookAsync, func(h *schema.Hook) *bool { return &h.Async }),
		family.FlagEntry("asyncRewake", schema.HandlerCommand, schema.HookRewake, func(h *schema.Hook) *bool { return &h.Rewake }),
		family.FlagEntry("once", 0, schema.HookOnce, func(h *schema.Hook) *bool { return &h.Once }),
		family.FlagEntry("continueOnBlock", schema.HandlerPrompt, schema.HookOnBlock, func(h *schema.Hook) *bool { return &h.OnBlock }),
		family.TextEntry("statusMessage", 0, schema.HookStatus, func(h *schema.Hook) *string { return &h.Status }),
		family.FailEntry("onFailure", family.WordOf{Word: "block", Fail: schema.FailClosed}, family.WordOf{Word: "continue", Fail: schema.FailOpen}),
	},
}

var urlEntry, shellEntry = entries()

func entries() (url, shell family.EntryRow) {
	url = family.TextEntry("url", schema.HandlerHTTP, schema.HookHTTP, func(h *schema.Hook) *string { return &h.URL })
	shell = family.TextEntry("shell", schema.HandlerCommand, schema.HookShell, func(h *schema.Hook) *string { return &h.Shell })
	url.Read = func(h *schema.Hook, raw []byte) string {
		if h.URL, _ = ordjson.String(raw); !isURL(h.URL) {
			return "url is not a URL"
		}
		return ""
	}
	shell.Read = func(h *schema.Hook, raw []byte) string {
		if h.Shell, _ = ordjson.String(raw); h.Shell != "bash" && h.Shell != "powershell" {
			return "shell is neither bash nor powershell"
		}
		return ""
	}
	return url, shell
}

// isURL reports whether s is an absolute URL: a scheme and something behind it.
func isURL(s string) bool {
	scheme, rest, ok := strings.Cut(strings.ToLower(strings.TrimSpace(s)), ":")
	const letters = "abcdefghijklmnopqrstuvwxyz"
	ok = ok && strings.Trim(scheme, letters+"0123456789+-.") == "" && strings.IndexAny(scheme, letters) == 0
	return ok && strings.Trim(rest, "/") != ""
}

// environment reads the variables that settings give to all hooks. A number
// counts as its text (observed 2.1.328); a plugin's file has no such settings.
func environment(cfg *schema.Config, m ordjson.Member, _ string) string {
	cfg.Extra = append(cfg.Extra, m)
	if cfg.Source.Scope == schema.ScopePlugin {
		return ""
	}
	o, _ := ordjson.Members(m.Value, 0)
	for _, m := range o {
		s, ok := ordjson.String(m.Value)
		if !ok && ordjson.KindOf(m.Value) == ordjson.Number {
			s, ok = string(m.Value), true
		}
		if ok && m.Name != "" && schema.FitsInEnv(m.Name) && schema.FitsInEnv(s) && !strings.Contains(m.Name, "=") {
			cfg.Env = append(cfg.Env, schema.EnvVar{Name: m.Name, Value: s})
		}
	}
	return ""
}

// hook completes a hook, and reports what is accepted and has no or another effect
// than it seems.
func hook(p *family.Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	if h.Source.Scope != schema.ScopePlugin && !speaksOfPluginRoot(h) {
		h.Source.Plugin = "" // a skill's folder, a path of this machine that the hook does without
	}
	adviseMatcher(p, row, h, m)
	if h.Condition != "" && !row.Event.IsTool() {
		p.Report(schema.CodeDeadCondition, m, h.Path+"/if", "a handler with `if` on "+row.Native+" never runs").Event = row.Native
	} else if h.Condition == "*" {
		p.Report(schema.CodeDeadCondition, m, h.Path+"/if", "the condition * is never true").Event = row.Native
	}
	if h.Once && filepath.Ext(h.Source.File) != ".md" {
		p.Report(schema.CodeIgnoredOnce, m, h.Path+"/once", "Claude Code honors once in skill front matter only")
	}
	if h.Source.Plugin == "" && mentionsPluginRoot(h) {
		p.Report(schema.CodePluginRoot, m, h.Path, pluginRootMessage).Event = row.Native
	}
}

const pluginRootMessage = "only plugin hooks have ${CLAUDE_PLUGIN_ROOT}; Claude Code doesn't run this hook"

func mentionsPluginRoot(h *schema.Hook) bool { return mentions(h, "${CLAUDE_PLUGIN_ROOT}") }

// speaksOfPluginRoot accepts all that a shell takes for the variable, too.
func speaksOfPluginRoot(h *schema.Hook) bool { return mentions(h, "CLAUDE_PLUGIN_ROOT") }

func mentions(h *schema.Hook, text string) bool {
	for _, s := range append([]string{h.Command}, h.Args...) {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}
