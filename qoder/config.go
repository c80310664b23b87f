package qoder

import (
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

// withHandlers returns the rules of a program that reads settings.json but runs only the first types of handlers: the
// IDE commands and requests, QoderWork commands (docs 2026-07).
func withHandlers(n int) *family.FileRules {
	rules := file
	rules.Handlers = file.Handlers[:n]
	return &rules
}

// file is how a settings file or a plugin's hooks.json is read (observed 1.1.52). A value of the wrong type voids its
// group, a handler without a required field only that handler. An event or a switch of the wrong type voids only
// itself. The types of some fields aren't checked: a prompt that isn't a string makes the client fail, and deny, every
// time.
var file = family.FileRules{
	Comments: true, LastCounts: true, Blank: true, NotEvents: []string{"enabled", "disabled", "notifications"},
	BadHooks: family.DropsEvent, WrongType: family.DropsGroup, Missing: family.DropsHandler,
	NoType: family.DropsHandler, Empty: family.DropsHandler, StrictPlugins: true,
	InPlugin: inPlugin,
	Settings: []family.SettingRow{
		{Name: "disableAllHooks", Off: true},
		{Name: "allowedHttpHookUrls", Limit: func(c *schema.Config) *[]string { return &c.AllowURLs }},
		{Name: "hooksConfig", Read: enabled},
	},
	Handlers: []family.HandlerRow{
		{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}},
		{Type: "http", Handler: schema.HandlerHTTP, Needs: []string{"url"}},
		{Type: "prompt", Handler: schema.HandlerPrompt, Needs: []string{"prompt"}},
		{Type: "agent", Handler: schema.HandlerAgent, Needs: []string{"prompt"}},
	},
	Groups: []family.EntryRow{
		{Name: "sequential", Feature: schema.HookSequential, Untyped: true, Flag: family.SequentialOf},
		{Name: "async", Untyped: true, Flag: family.AsyncOf, Write: writeNothing},
	},
	Entries: []family.EntryRow{
		{Name: "command", Text: family.CommandOf, Write: writeCommand},
		{Name: "url", Untyped: true, Feature: schema.HookHTTP, Text: family.URLOf},
		{Name: "prompt", Untyped: true, Feature: schema.HookPrompt | schema.HookAgent, Text: family.PromptOf},
		{Name: "shell", Feature: schema.HookShell, Text: family.ShellOf},
		{Name: "model", Untyped: true, Feature: schema.HookModel, Text: family.ModelOf},
		{Name: "if", Kind: ordjson.StringKind, Feature: schema.HookCondition, Read: family.ReadCondition,
			Write: family.WriteCondition},
		{Name: "statusMessage", Feature: schema.HookStatus, Text: family.StatusOf},
		{Name: "args", Feature: schema.HookArgs, List: family.ArgsOf},
		{Name: "allowedEnvVars", Untyped: true, List: family.EnvAllowOf, Write: writeVariables},
		{Name: "env", Feature: schema.HookEnv, Untyped: true, Pairs: family.EnvOf},
		{Name: "headers", Untyped: true, Pairs: family.HeadersOf},
		{Name: "timeout", Feature: schema.HookTimeout, Timeout: &family.TimeoutForm{}, Read: readTimeout},
		{Name: "async", Feature: schema.HookAsync, Flag: family.AsyncOf},
		{Name: "asyncRewake", Feature: schema.HookRewake, Flag: family.RewakeOf},
		{Name: "once", Feature: schema.HookOnce, Flag: family.OnceOf},
		{Name: "rewakeMessage", Kind: ordjson.StringKind},
		{Name: "rewakeSummary", Kind: ordjson.StringKind},
		{Name: "name", Kind: ordjson.StringKind},
	},
}

// inPlugin changes the rules for a plugin's file: most types aren't checked, and a matcher that isn't text makes its
// event fail every time (observed 1.1.52).
func inPlugin(rules *family.FileRules) {
	rules.Comments, rules.NoMark, rules.FalseNone = false, true, true
	rules.WrongType, rules.NoText = 0, family.SilencesEvent
	rules.Entries = slices.Clone(rules.Entries)
	for i, e := range rules.Entries {
		rules.Entries[i].Untyped = e.Name != "args" && e.Name != "if"
	}
}

// readTimeout treats a value as the client does. A number that isn't above 0, or that is too large for a timer, ends
// the hook at once, as does a value that isn't a number (observed 1.1.52).
func readTimeout(h *schema.Hook, raw []byte) string {
	seconds, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	switch {
	case string(raw) == "null":
	case err != nil || seconds <= 0 || seconds >= 2147480:
		h.Timeout = time.Nanosecond
	default:
		h.Timeout = max(1, time.Duration(seconds*float64(time.Second)))
	}
	return ""
}

// longestTimeout is lower, because a second timer that also ends hooks waits some seconds longer. If it overflows, all
// hooks of the event end at once (observed 1.1.52: 2147480 and more).
const longestTimeout = dialect.LongestTimer - 20*time.Second

// writeCommand writes the command of a handler that runs one; its type counts in every handler.
func writeCommand(h *schema.Hook) []byte {
	if h.Handler != schema.HandlerCommand {
		return nil
	}
	return family.WriteCommand(h)
}

// writeNothing leaves a field to the handlers, which have one of that name too.
func writeNothing(*schema.Hook) []byte { return nil }

// writeVariables writes the list of variables that headers may use. Without it, Qoder sends all of them.
func writeVariables(h *schema.Hook) []byte {
	if h.EnvAllow == nil && sent(h.Headers) == nil {
		return nil
	}
	return ordjson.AppendArray(nil, h.EnvAllow, ordjson.AppendString)
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
		p.Events(ordjson.Member{Value: p.Text()}, "") // a file from a manifest may contain just the events
	default:
		p.Settings(o, "")
	}
	return p.Result()
}

// isConvention reports whether a plugin's file is the one that needs no manifest.
func isConvention(at schema.Source) bool {
	return at.File == filepath.Join(at.Plugin, "hooks", "hooks.json")
}

// enabled reads the other switch, which counts if a file doesn't have the first.
func enabled(cfg *schema.Config, m ordjson.Member, at string) string {
	cfg.Extra = append(cfg.Extra, m)
	if off := notEnabled(ordjson.Object{m}); off != nil && cfg.DisableAll == nil {
		cfg.DisableAll, cfg.Switch = off, at+enabledSwitch
	}
	return ""
}

// hook completes a hook. On an event without matchers, Qoder ignores a condition, and the hook always runs (observed
// 1.1.52 for Stop and UserPromptSubmit).
func hook(p *family.Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	if h.EnvAllow == nil {
		h.EnvAllow = sent(h.Headers)
	}
	if at := ordjson.Pointer(h.Path, "if"); h.HasCondition && row.Match == schema.MatchNothing {
		h.Extra = append(h.Extra, ordjson.Member{Name: "if", Value: ordjson.AppendString(nil, h.Condition), Off: m.Off})
		h.Condition, h.HasCondition = "", false
		p.Report(schema.CodeUnknownMember, m, at, "a condition has no effect on "+row.Native+"; Qoder ignores it")
	}
}

// advise reports fields that are accepted but don't have their apparent effect.
func advise(p *family.Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	switch at := ordjson.Pointer(h.Path, "if"); {
	case h.Condition != "" && !asTool(row):
		p.Report(schema.CodeDeadCondition, m, at, "a hook with `if` never runs at "+row.Native).Event = row.Native
	case strings.TrimSpace(h.Condition) == "*":
		p.Report(schema.CodeDeadCondition, m, at, "the condition * is never true").Event = row.Native
	}
	if h.Once && filepath.Ext(h.Source.File) != ".md" {
		p.Report(schema.CodeIgnoredOnce, m, ordjson.Pointer(h.Path, "once"),
			"Qoder honors once in skills and agents only")
	}
}

// sent are the variables in headers, as $NAME or ${NAME} in capitals. Without its own list, a hook sends them all
// (observed 1.1.52).
func sent(headers []schema.EnvVar) (names []string) {
	for _, h := range headers {
		for _, part := range strings.Split(h.Value, "$")[1:] {
			inner, braced := strings.CutPrefix(part, "{")
			name := inner[:len(inner)-len(strings.TrimLeft(inner, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))]
			open := braced && !strings.HasPrefix(inner[len(name):], "}")
			if name == "" || name[0] <= '9' || open || slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
		}
	}
	return names
}
