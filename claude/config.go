package claude

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// file is how a settings file or a plugin's hooks.json is read (observed 2.1.328). A mistake under PreToolUse or
// PermissionRequest voids the whole file, because it may guard something that the rest of the file allows; elsewhere
// only the enclosing value is skipped. Since of its rows is from the changelog, that of onFailure from probes of
// 2.1.294 to 2.1.296.
var file = family.FileRules{
	LastCounts:  true,
	Blank:       true,      // observed 2.1.328
	SkipsEvents: "2.1.101", // changelog, and 15 versions tried
	BadSetting:  family.VoidsFile, BadHooks: family.VoidsFile, Missing: family.DropsHandler,
	NoType: family.DropsHandler, Guards: []schema.Event{schema.PreTool, schema.PermissionRequest}, KeepsManaged: true,
	FlatText: true,
	InPlugin: func(rules *family.FileRules) { rules.NoMark, rules.Settings = true, nil },
	Settings: []family.SettingRow{
		{Name: "disableAllHooks", Off: true},
		{Name: "allowedHttpHookUrls", Limit: func(c *schema.Config) *[]string { return &c.AllowURLs }},
		{Name: "httpHookAllowedEnvVars", Limit: func(c *schema.Config) *[]string { return &c.AllowEnv }},
		{Name: "env", Read: environment},
	},
	Handlers: []family.HandlerRow{
		{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}},
		{Type: "http", Handler: schema.HandlerHTTP, Needs: []string{"url"}, Never: starts, Since: "2.1.63"},
		{Type: "prompt", Handler: schema.HandlerPrompt, Needs: []string{"prompt"}, Never: starts},
		{Type: "agent", Handler: schema.HandlerAgent, Needs: []string{"prompt"}, Never: starts},
		{Type: "mcp_tool", Handler: schema.HandlerMCPTool, Needs: []string{"server", "tool"}, Since: "2.1.118"},
	},
	Entries: []family.EntryRow{
		{Name: "command", Of: schema.HandlerCommand, Text: family.CommandOf, Write: family.WriteCommand},
		{Name: "url", Of: schema.HandlerHTTP, Feature: schema.HookHTTP, Text: family.URLOf, Read: readURL},
		{Name: "prompt", Of: schema.HandlerPrompt, Feature: schema.HookPrompt, Text: family.PromptOf},
		{Name: "prompt", Of: schema.HandlerAgent, Feature: schema.HookAgent, Text: family.PromptOf},
		{Name: "server", Of: schema.HandlerMCPTool, Feature: schema.HookMCPTool, Text: family.ServerOf},
		{Name: "tool", Of: schema.HandlerMCPTool, Feature: schema.HookMCPTool, Text: family.ToolRefOf},
		{Name: "args", Of: schema.HandlerCommand, Feature: schema.HookArgs, List: family.ArgsOf, Since: "2.1.139"},
		{Name: "shell", Of: schema.HandlerCommand, Feature: schema.HookShell, Text: family.ShellOf, Read: readShell},
		{Name: "model", Of: schema.HandlerPrompt, Feature: schema.HookModel, Text: family.ModelOf},
		{Name: "model", Of: schema.HandlerAgent, Feature: schema.HookModel, Text: family.ModelOf},
		{Name: "headers", Of: schema.HandlerHTTP, Pairs: family.HeadersOf},
		{Name: "allowedEnvVars", Of: schema.HandlerHTTP, List: family.EnvAllowOf},
		{Name: "input", Kind: ordjson.ObjectKind, Of: schema.HandlerMCPTool, Raw: family.InputOf},
		{Name: "if", Kind: ordjson.StringKind, Feature: schema.HookCondition, Read: family.ReadCondition,
			Write: family.WriteCondition, Since: "2.1.85"},
		{Name: "timeout", Feature: schema.HookTimeout, Timeout: &family.TimeoutForm{}},
		{Name: "async", Of: schema.HandlerCommand, Feature: schema.HookAsync, Flag: family.AsyncOf},
		{Name: "asyncRewake", Of: schema.HandlerCommand, Feature: schema.HookRewake, Flag: family.RewakeOf},
		{Name: "once", Feature: schema.HookOnce, Flag: family.OnceOf},
		{Name: "continueOnBlock", Of: schema.HandlerPrompt, Feature: schema.HookOnBlock, Flag: family.OnBlockOf},
		{Name: "statusMessage", Feature: schema.HookStatus, Text: family.StatusOf},
		{Name: "onFailure", Feature: schema.HookFailPolicy,
			Words: []family.WordOf{{Word: "block", Fail: schema.FailClosed},
				{Word: "continue", Fail: schema.FailOpen}}, Since: "2.1.296"},
	},
}

// starts are the events at which only commands and tools run (docs 2026-08; observed 2.1.328 for http).
var starts = []schema.Event{schema.SessionStart, schema.Setup}

func readURL(h *schema.Hook, raw []byte) string {
	if h.URL, _ = ordjson.String(raw); !isURL(h.URL) {
		return "url is not a URL"
	}
	return ""
}

func readShell(h *schema.Hook, raw []byte) string {
	if h.Shell, _ = ordjson.String(raw); h.Shell != "bash" && h.Shell != "powershell" {
		return "shell is neither bash nor powershell"
	}
	return ""
}

func isURL(s string) bool {
	scheme, rest, ok := strings.Cut(strings.ToLower(strings.TrimSpace(s)), ":")
	const letters = "abcdefghijklmnopqrstuvwxyz"
	ok = ok && strings.Trim(scheme, letters+"0123456789+-.") == "" && strings.IndexAny(scheme, letters) == 0
	return ok && strings.Trim(rest, "/") != ""
}

// environment reads the variables that settings set for all hooks. A number counts as its text (observed 2.1.328).
func environment(cfg *schema.Config, m ordjson.Member, _ string) string {
	cfg.Extra = append(cfg.Extra, m)
	o, _ := ordjson.Members(m.Value, 0)
	for _, m := range o {
		s, ok := ordjson.String(m.Value)
		if !ok && ordjson.KindOf(m.Value) == ordjson.Number {
			s, ok = string(m.Value), true
		}
		named := m.Name != "" && schema.FitsInEnv(m.Name) && !strings.Contains(m.Name, "=")
		if ok && named && schema.FitsInEnv(s) {
			cfg.Env = append(cfg.Env, schema.EnvVar{Name: m.Name, Value: s})
		}
	}
	return ""
}

func hook(p *family.Parser, _ *schema.EventRow, h *schema.Hook, _ ordjson.Member) {
	if h.Source.Scope != schema.ScopePlugin && !mentionsPlugin(h, p.Agent().Names.Plugin) {
		h.Source.Plugin = "" // a skill's folder: a path on this machine that the hook doesn't use
	}
}

// mentionsPlugin reports whether a hook contains a text that a shell reads as a plugin variable.
func mentionsPlugin(h *schema.Hook, variables string) bool {
	return slices.ContainsFunc(append([]string{h.Command}, h.Args...), func(s string) bool {
		return strings.Contains(s, variables)
	})
}
