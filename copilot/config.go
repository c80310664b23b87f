package copilot

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A kind is how Copilot reads a file that may hold hooks (observed 1.0.102).
type kind uint8

const (
	hooksFile kind = iota // in a folder of hooks: a bad entry is left out
	settings              // a bad entry voids all hooks of the file
	imported              // another agent's settings: as settings, and its hooks are not Copilot's own
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

// ParseConfig reads a file of hooks, or the hooks of settings. It goes on after a
// finding, so that one run reports everything. Of another agent's settings it reads
// only the switch that turns off Copilot's hooks too.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p := d.parse(text, at)
	if kindOf(at) == imported {
		return &schema.Config{Source: at, DisableAll: p.cfg.DisableAll, Switch: p.cfg.Switch}, nil
	}
	return p.cfg, p.ds
}

// parser reads one file.
type parser struct {
	dialect Dialect
	kind    kind
	cfg     *schema.Config
	index   *ordjson.Index
	ds      schema.Diagnostics
	void    bool
}

func (d Dialect) parse(text []byte, at schema.Source) *parser {
	k := kindOf(at)
	if d.onCode() { // reads no file strictly
		k = hooksFile
	}
	p := &parser{dialect: d, kind: k, cfg: &schema.Config{Source: at}, index: ordjson.NewIndex(text)}
	o, repeated, err := ordjson.ParseLast(text)
	schema.RepeatedDiagnostics(&p.ds, repeated, p.index, at.File)
	if err != nil {
		schema.SyntaxDiagnostic(&p.ds, err).Place(at.File)
		p.void = true
		return p
	}
	p.top(o)
	if p.void {
		p.cfg = &schema.Config{Source: at, DisableAll: p.cfg.DisableAll, Switch: p.cfg.Switch}
	}
	return p
}

func (p *parser) at(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.cfg.Source.File
	d.Line, d.Col = p.index.Position(m.Off)
	return d
}

// bad reports an entry that Copilot leaves out, together with the whole file if it
// reads that strictly.
func (p *parser) bad(native string, m ordjson.Member, path, msg string) {
	if p.kind == hooksFile {
		p.at(schema.CodeVoidHook, m, path, msg+"; Copilot skips the hook").Event = native
		return
	}
	p.voids(m, path, msg+"; Copilot then runs no hook of this file, and says nothing").Event = native
}

func (p *parser) voids(m ordjson.Member, path, msg string) *schema.Diagnostic {
	p.void = true
	return p.at(schema.CodeVoidFile, m, path, msg)
}

const switchPath = "/disableAllHooks"

func (p *parser) top(o ordjson.Object) {
	found := false
	for _, m := range o {
		switch {
		case m.Name == "hooks":
			found = true
			p.hooks(m)
		case m.Name == "disableAllHooks":
			if off, ok := ordjson.Bool(m.Value); ok {
				p.cfg.DisableAll, p.cfg.Switch = &off, switchPath
			}
		case m.Name == "version" && p.kind == hooksFile:
			if string(m.Value) != "1" {
				p.voids(m, "/version", "the version is not 1; Copilot skips the file")
			}
		case p.kind == hooksFile && p.dialect.Row(m.Name) != nil:
			p.at(schema.CodeUnknownMember, m, ordjson.Pointer("", m.Name), "an event belongs into \"hooks\"; Copilot ignores it here").Event = m.Name
		default:
			p.cfg.Extra = append(p.cfg.Extra, m)
		}
	}
	if !found && p.kind == hooksFile {
		p.voids(ordjson.Member{}, "", "the file has no hooks; Copilot skips it")
	}
}

func (p *parser) hooks(m ordjson.Member) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.voids(m, "/hooks", "hooks is not an object; Copilot skips the file")
		return
	}
	for _, ev := range o {
		path := ordjson.Pointer("/hooks", ev.Name)
		row := p.dialect.event(ev.Name)
		list, err := ordjson.Elements(ev.Value, ev.Off)
		switch {
		case row == nil:
			d := p.at(schema.CodeSkippedEvent, ev, path, p.dialect.Data.Title+" has no event "+strconv.Quote(ev.Name)+" and skips its hooks")
			d.Event = ev.Name
			for i := range p.dialect.Data.Events {
				if strings.EqualFold(p.dialect.Data.Events[i].Native, ev.Name) {
					d.Fix = "did you mean " + p.dialect.Data.Events[i].Native + "?"
				}
			}
		case !p.dialect.Data.Has(row):
			p.at(schema.CodeSkippedEvent, ev, path, "Copilot "+p.dialect.Version+" has no event "+row.Native+" yet; it needs "+row.Since).Event = ev.Name
		case err != nil:
			p.voids(ev, path, "the event's value is not an array; Copilot skips the file").Event = ev.Name
		default:
			for i, e := range list {
				p.entry(row, e, ordjson.Pointer(path, strconv.Itoa(i)))
			}
		}
	}
}

// event is the event that a file names. VS Code takes the names of the command line
// for its own.
func (d Dialect) event(native string) *schema.EventRow {
	if pair := pairOf(native); pair != nil && d.onCode() && !isPascal(native) && pair.Event != schema.SubagentStart && pair.Event != schema.PreCompact {
		native = pair.pascal
	}
	return d.Row(native)
}

// entry reads a hook, or a group of hooks under one matcher.
func (p *parser) entry(row *schema.EventRow, e ordjson.Member, path string) {
	o, err := ordjson.Members(e.Value, e.Off)
	if err != nil {
		p.bad(row.Native, e, path, "the entry is not an object")
		return
	}
	base := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate, Source: p.cfg.Source}
	raw, grouped := o.Get("hooks")
	if !grouped {
		p.handler(row, base, o, e, path)
		return
	}
	base.Group = schema.Group{Path: path}
	for _, m := range o {
		switch m.Name {
		case "matcher":
			base.Matcher, base.HasMatcher = matcherOf(m.Value)
			base.Group.Members = append(base.Group.Members, m.Name)
		case "hooks":
		default:
			p.ignored(m, ordjson.Pointer(path, m.Name))
		}
	}
	list, err := ordjson.Elements(raw, e.Off)
	if err != nil {
		p.bad(row.Native, e, path+"/hooks", "hooks is not an array")
		return
	}
	for i, m := range list {
		at := ordjson.Pointer(path+"/hooks", strconv.Itoa(i))
		inner, err := ordjson.Members(m.Value, m.Off)
		if err != nil {
			p.bad(row.Native, m, at, "the hook is not an object")
			continue
		}
		p.handler(row, base, inner, m, at)
	}
}

func matcherOf(raw []byte) (s string, ok bool) {
	s, ok = ordjson.String(raw)
	return s, ok
}

func (p *parser) ignored(m ordjson.Member, path string) {
	p.at(schema.CodeUnknownMember, m, path, "Copilot ignores "+strconv.Quote(m.Name))
}

// handler reads one hook.
func (p *parser) handler(row *schema.EventRow, h schema.Hook, o ordjson.Object, e ordjson.Member, path string) {
	h.Path = path
	h.Line, h.Col = p.index.Position(e.Off)
	if raw, ok := o.Get("matcher"); ok {
		h.Matcher, h.HasMatcher = matcherOf(raw)
		h.Group.Members = slices.DeleteFunc(slices.Clone(h.Group.Members), func(s string) bool { return s == "matcher" })
	}
	if why := p.run(&h, o); why != "" {
		p.bad(row.Native, e, path, why)
		return
	}
	for _, m := range o {
		if why := p.member(&h, m, ordjson.Pointer(path, m.Name)); why != "" {
			p.bad(row.Native, m, ordjson.Pointer(path, m.Name), why)
			return
		}
	}
	if h.HasMatcher && h.Matcher == "" {
		p.bad(row.Native, e, h.MemberPath("matcher"), "the matcher is empty")
		return
	}
	if _, err := matcher.Compile(p.dialect.Data.GrammarOf(row.Native), h.Matcher); err != nil {
		p.bad(row.Native, e, h.MemberPath("matcher"), err.Error())
		return
	}
	if h.Matcher != "" && (row.Match == schema.MatchNothing || p.dialect.onCode()) {
		p.at(schema.CodeIgnoredMatcher, e, h.MemberPath("matcher"), p.dialect.Data.Title+" ignores matchers on "+row.Native+"; the hook always runs").Event = row.Native
	}
	if h.Handler == schema.HandlerPrompt {
		p.at(schema.CodeNoHandler, e, path, "Copilot sends this prompt at the start of a session; no other agent does that, so it is left out").Event = row.Native
		return
	}
	p.cfg.Hooks = append(p.cfg.Hooks, h)
}

// run reads what a hook runs; why says what makes it a bad entry.
func (p *parser) run(h *schema.Hook, o ordjson.Object) (why string) {
	text := func(name string) string {
		s, _ := o.Text(name)
		return s
	}
	raw, typed := o.Get("type")
	word, isText := ordjson.String(raw)
	program, args := text("exec"), []string(nil)
	if raw, ok := o.Get("args"); ok && program != "" {
		args = ordjson.Strings(raw)
	}
	switch {
	case !typed || word == "command":
		h.Handler = schema.HandlerCommand
	case word == "http":
		h.Handler, h.URL = schema.HandlerHTTP, text("url")
		if h.URL == "" {
			return "the hook has no url"
		}
		return ""
	case word == "prompt" && p.kind == hooksFile && h.Event == schema.SessionStart:
		h.Handler, h.Prompt = schema.HandlerPrompt, text("prompt")
		return ""
	case !isText:
		return "the type is not a string"
	default:
		return "hooks of type " + strconv.Quote(word) + " are not supported"
	}
	shells := []string{"bash", "command", "powershell"}
	if p.dialect.onCode() {
		shells = []string{"linux", "bash", "command", "osx", "windows", "powershell"}
	}
	for _, name := range shells {
		if h.Command == "" && text(name) != "" {
			h.Command = text(name)
			if name == "powershell" || name == "windows" {
				h.Shell = "powershell"
			}
		}
	}
	switch {
	case program != "" && h.Command != "":
		return "the hook has both exec and a shell command"
	case program != "":
		h.Command, h.Args = program, append([]string{}, args...)
	case h.Command == "":
		return "the hook has no command"
	}
	return ""
}

// member reads a member beside what the hook runs.
func (p *parser) member(h *schema.Hook, m ordjson.Member, path string) (why string) {
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
			p.at(schema.CodeUnknownMember, m, path, `"cwd": "." changes nothing: the hook runs in the project's root anyway`)
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

const maxSeconds = 1e9

// timeout reads seconds; of the two members the command line prefers timeoutSec, VS
// Code the other.
func (p *parser) timeout(h *schema.Hook, m ordjson.Member) (why string) {
	f, ok := ordjson.Float(m.Value)
	if !ok || f <= 0 {
		return m.Name + " is not a number above 0"
	}
	if preferred := cmp.Or(map[bool]string{true: "timeout"}[p.dialect.onCode()], "timeoutSec"); h.Timeout == 0 || m.Name == preferred {
		h.Timeout = max(1, time.Duration(min(f, maxSeconds)*float64(time.Second)))
	}
	return ""
}
