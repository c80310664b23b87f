package copilot

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A kind is how Copilot reads a file that may contain hooks (observed 1.0.102).
type kind uint8

const (
	hooksFile kind = iota // in a folder of hooks: a bad entry is skipped
	settings              // a bad entry voids all hooks of the file
	imported              // another agent's settings: like settings, and its hooks aren't Copilot's own
)

func kindOf(at schema.Source) kind {
	base := filepath.Base(at.File)
	isSettings := base == "settings.json" || base == "settings.local.json"
	switch {
	case isSettings && filepath.Base(filepath.Dir(at.File)) == foreignFolder:
		return imported
	case isSettings, at.Scope == schema.ScopePlugin:
		return settings
	}
	return hooksFile
}

// fileRules are for a file in a folder of hooks, settingsRules for settings.
var (
	fileRules = family.FileRules{
		LastCounts: true, WholePairs: true, KeepsTop: true, Rejects: "skips the file",
		BadSetting: family.VoidsFile, BadHooks: family.VoidsFile, BadEventOf: badEvent,
		Settings: []family.SettingRow{{Name: "disableAllHooks", Read: readSwitch},
			{Name: "version", Read: readVersion, Newer: isNewer}},
	}
	settingsRules = family.FileRules{
		LastCounts: true, Rejects: "silently runs no hook of this file",
		BadSetting: family.VoidsFile, BadHooks: family.VoidsFile, BadEvent: family.DropsEvent,
		WrongType: family.VoidsFile,
		Settings:  []family.SettingRow{{Name: "disableAllHooks", Read: readSwitch}},
	}
)

// badEvent returns the consequence of an event whose value isn't an array. Only the client's own names are checked
// (observed 1.0.102).
func badEvent(native string) family.Consequence {
	if isPascal(native) {
		return family.DropsEvent
	}
	return family.VoidsFile
}

// ParseConfig reads a file of hooks, or the hooks of settings. It continues after a finding, so that one run reports
// everything. From another agent's settings, it reads only the switch that also turns off Copilot's hooks.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	cfg, ds := d.parse(text, at)
	if kindOf(at) == imported {
		return &schema.Config{Source: at, DisableAll: cfg.DisableAll, Switch: cfg.Switch}, nil
	}
	return cfg, ds
}

type parser struct {
	*family.Parser
	dialect Dialect
	kind    kind
}

func (d Dialect) parse(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	a, k, rules := *d.Agent, kindOf(at), settingsRules
	if k == hooksFile || d.onCode() { // VS Code reads no file strictly
		rules, k = fileRules, hooksFile
	}
	if at.Scope == schema.ScopePlugin && a.Data.Plugins.RootOf(at.File) == "" {
		rules.Settings = fileRules.Settings // observed 1.0.102
	}
	a.File = &rules
	rules.NoMark = !d.onCode() && (k == hooksFile || at.Scope != schema.ScopeUser) // observed 1.0.102
	a.Steps.Event = d.event
	a.Steps.Entry = func(p *family.Parser, row *schema.EventRow, m ordjson.Member, path string) {
		parser{p, d, k}.entry(row, m, path)
	}
	p := a.Parser(text, text, at)
	o, err := p.Object()
	if err != nil {
		p.Syntax(err)
		return p.Result()
	}
	p.Settings(o, "")

	if !o.Has("hooks") && k == hooksFile {
		c := family.Ignored
		if d.meansHooks(o) {
			c = family.VoidsFile
		}
		p.Mistake(c, nil, ordjson.Member{}, "", "the file has no hooks")
	}
	return p.Result()
}

// meansHooks reports whether a file without hooks is empty or has part of the form of a hook file. Any JSON file below
// the folder of hooks is read as one, and some are data for scripts.
func (d Dialect) meansHooks(o ordjson.Object) bool {
	return len(o) == 0 || o.Has("version") || slices.ContainsFunc(o, func(m ordjson.Member) bool {
		return d.event(m.Name) != nil || pairOf(m.Name) != nil
	})
}

const switchPath = "/disableAllHooks"

func readSwitch(cfg *schema.Config, m ordjson.Member, _ string) (bad string) {
	off, ok := ordjson.Bool(m.Value)
	if !ok {
		return "disableAllHooks is not a boolean"
	}
	cfg.DisableAll, cfg.Switch = &off, switchPath
	return ""
}

// isNewer reports whether a newer client may write that version.
func isNewer(raw []byte) bool {
	n, ok := ordjson.Int(raw)
	return ok && n > 1
}

func readVersion(_ *schema.Config, m ordjson.Member, _ string) (bad string) {
	if string(m.Value) != "1" {
		return "the version is not 1"
	}
	return ""
}

// event returns the event for a name in a file. VS Code also accepts the command line's names.
func (d Dialect) event(native string) *schema.EventRow {
	pair := pairOf(native)
	if pair == nil || !d.onCode() || isPascal(native) {
		return d.Row(native)
	}
	if pair.Event != schema.SubagentStart && pair.Event != schema.PreCompact {
		native = pair.pascal
	}
	return d.Row(native)
}

func (p parser) entry(row *schema.EventRow, e ordjson.Member, path string) {
	o, err := ordjson.Members(e.Value, e.Off)
	if err != nil {
		p.Wrong(family.DropsHandler, row, e, path, "the entry is not an object")
		return
	}

	base := p.Hook(row, e, path)
	raw, grouped := o.Get("hooks")
	if !grouped {
		p.handler(row, base, o, e, path)
		return
	}

	base.Group = schema.Group{Path: path}
	for _, m := range o {
		switch m.Name {
		case "matcher":
			base.Matcher, base.HasMatcher = ordjson.String(m.Value)
			base.Group.Members = append(base.Group.Members, m.Name)
		case "hooks":
		default:
			p.ignored(m, ordjson.Pointer(path, m.Name))
		}
	}
	list, err := ordjson.Elements(raw, e.Off)
	if err != nil {
		p.Wrong(family.DropsHandler, row, e, path+"/hooks", "hooks is not an array")
		return
	}

	for i, m := range list {
		at := ordjson.Pointer(path+"/hooks", strconv.Itoa(i))
		inner, err := ordjson.Members(m.Value, m.Off)
		if err != nil {
			p.Wrong(family.DropsHandler, row, m, at, "the hook is not an object")
			continue
		}
		p.handler(row, base, inner, m, at)
	}
}

func (p parser) ignored(m ordjson.Member, path string) {
	p.Report(schema.CodeUnknownMember, m, path, "Copilot ignores "+strconv.Quote(m.Name))
}

// types are the types of handlers (observed 1.0.102).
var types = []string{"command", "http", "prompt"}

func (p parser) handler(row *schema.EventRow, h schema.Hook, o ordjson.Object, e ordjson.Member, path string) {
	own := p.Hook(row, e, path)
	h.Path, h.Line, h.Col = path, own.Line, own.Col
	if raw, ok := o.Get("matcher"); ok {
		h.Matcher, h.HasMatcher = ordjson.String(raw)
		h.Group.Members = slices.DeleteFunc(slices.Clone(h.Group.Members), func(s string) bool {
			return s == "matcher"
		})
	}
	if word := o.Str("type"); word != "" && !slices.Contains(types, word) {
		p.Unknown(max(family.DropsHandler, p.Agent().File.WrongType), row, e, path,
			"unknown handler type "+strconv.Quote(word))
		return
	}

	why, alone := p.run(&h, o)
	for _, m := range o {
		if why != "" {
			break
		}

		at := ordjson.Pointer(path, m.Name)
		why = p.member(&h, m, at)
		isTime := m.Name == "timeout" || m.Name == "timeoutSec"
		lost := max(family.DropsHandler, p.Agent().File.WrongType)
		if why != "" && isTime && p.Without(&h, schema.HookTimeout, lost, row, m, at, why) {
			why = ""
		}
		if h.Handler == schema.HandlerCommand && !p.dialect.onCode() && mistyped(m) {
			why = m.Name + " is of a wrong type"
		}
		if why != "" {
			e, path = m, at
		}
	}

	m, err := matcher.Compile(p.dialect.Data.GrammarOf(row.Native), h.Matcher)
	read := row.Match != schema.MatchNothing && p.dialect.readsMatcher(row)
	given, has := o.Get("matcher")
	switch at := h.MemberPath("matcher"); {
	case why != "" || !read: // if none is read, none is wrong (observed 1.0.102)
	case has && !h.HasMatcher && !p.dialect.onCode(): // observed 1.0.102; a group's is ignored
		why, path = "matcher is "+schema.An(ordjson.KindOf(given).String())+", not a string", at
	case h.HasMatcher && h.Matcher == "":
		why, path = "the matcher is empty", at
	case err != nil && !m.Unread():
		why, path, alone = err.Error(), at, true
	}

	if why != "" {
		c := family.DropsHandler
		if !alone {
			c = max(c, p.Agent().File.WrongType)
		}
		p.Odd(family.DropsHandler, c, row, e, path, why)
		return
	}

	if !read && h.Matcher != "" && h.Matcher != "*" {
		p.Report(schema.CodeIgnoredMatcher, e, h.MemberPath("matcher"), p.dialect.Data.Title+" ignores matchers on "+
			row.Native+"; the hook always runs").Event = row.Native
	}
	if h.Handler == schema.HandlerPrompt {
		p.Report(schema.CodeNoHandler, e, path, "Copilot sends this prompt at the start of a session; no other "+
			"agent does that, so it is left out").Event = row.Native
		return
	}
	p.Add(h)
}

// run reads a hook's action. why is the reason for a bad entry, alone is whether only that entry is skipped.
func (p parser) run(h *schema.Hook, o ordjson.Object) (why string, alone bool) {
	raw, typed := o.Get("type")
	word, isText := ordjson.String(raw)
	program := o.Str("exec")

	switch {
	case !typed || word == "command":
		h.Handler = schema.HandlerCommand
	case word == "http" && !p.dialect.onCode():
		h.Handler, h.URL = schema.HandlerHTTP, o.Str("url")
		// observed 1.0.102
		if scheme, _, _ := strings.Cut(strings.ToLower(h.URL), ":"); scheme != "http" && scheme != "https" {
			return "url is not an http or https address", false
		}
		return "", false
	case word == "prompt" && p.kind == hooksFile && h.Event == schema.SessionStart:
		h.Handler, h.Prompt = schema.HandlerPrompt, o.Str("prompt")
		return "", false
	case !isText:
		return "the type is not a string", false
	default:
		return "hooks of type " + strconv.Quote(word) + " are not supported", false
	}

	shells := []string{"bash", "command", "powershell"}
	if p.dialect.onCode() {
		shells = []string{"linux", "bash", "command", "osx", "windows", "powershell"}
	}
	if i := slices.IndexFunc(shells, func(name string) bool { return o.Str(name) != "" }); i >= 0 {
		if h.Command = o.Str(shells[i]); shells[i] == "powershell" || shells[i] == "windows" {
			h.Shell = "powershell"
		}
	}

	switch {
	case program != "" && h.Command != "":
		return "the hook has both exec and a shell command", false
	case program != "":
		h.Command, h.Args = program, append([]string{}, o.Strings("args")...)
	case h.Command == "":
		for _, name := range shells {
			_, isText := o.Text(name)
			alone = alone || isText
		}
		return "the hook has no command", alone
	}

	return "", false
}

// mistyped reports a field of a command whose type makes the entry bad (observed 1.0.102).
func mistyped(m ordjson.Member) bool {
	switch kind := ordjson.KindOf(m.Value); m.Name {
	case "exec", "command", "bash", "powershell", "cwd":
		return kind != ordjson.StringKind
	case "args":
		return ordjson.Strings(m.Value) == nil
	case "env":
		return kind != ordjson.ObjectKind
	}
	return false
}

func (p parser) member(h *schema.Hook, m ordjson.Member, path string) (why string) {
	switch m.Name {
	case "type", "matcher", "exec", "command", "bash", "url", "prompt":
	case "powershell", "windows", "osx", "linux":
		if h.Shell == "" && m.Name != "linux" { // another system's command
			h.Extra = append(h.Extra, m)
		}
	case "args":
		if h.Args == nil {
			h.Extra = append(h.Extra, m)
			p.ignored(m, path)
		}
	case "timeoutSec", "timeout":
		return p.timeout(h, m)
	case "env":
		h.Env = vars(m)
	case "headers":
		h.Headers = vars(m)
	case "allowedEnvVars":
		h.EnvAllow = ordjson.Strings(m.Value)
	case "cwd":
		if string(m.Value) == `"."` {
			p.Report(schema.CodeUnknownMember, m, path, `"cwd": "." changes nothing: the hook runs in the project's `+
				`root anyway`)
			break
		}
		h.Extra = append(h.Extra, m)
	default:
		h.Extra = append(h.Extra, m)
		p.ignored(m, path)
	}

	return ""
}

func vars(m ordjson.Member) (out []schema.EnvVar) {
	list, _ := ordjson.Members(m.Value, m.Off)
	for _, v := range list {
		s, _ := ordjson.String(v.Value)
		out = append(out, schema.EnvVar{Name: v.Name, Value: s})
	}
	return out
}

// timeout reads seconds; of the two fields, the command line prefers timeoutSec, VS Code the other.
func (p parser) timeout(h *schema.Hook, m ordjson.Member) (why string) {
	f, ok := ordjson.Float(m.Value)
	if !ok || f <= 0 {
		return m.Name + " is not a number above 0"
	}
	if h.Timeout == 0 || p.dialect.onCode() == (m.Name == "timeout") {
		h.Timeout = max(1, time.Duration(min(f, 1e9)*float64(time.Second)))
	}
	return ""
}
