package claude

import (
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseConfig reads a settings file or a plugin's hooks.json. It goes on after
// a finding, so that one run reports everything. What voids the file and what
// only an entry is as observed with 2.1.328: a bad entry under PreToolUse or
// PermissionRequest voids the whole file, because it may guard what the rest of
// the file allows; elsewhere only the entry is skipped.
func (Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p := parser{cfg: &schema.Config{Source: at}, src: text}
	o, err := ordjson.Parse(text)
	if err != nil {
		schema.SyntaxDiagnostic(&p.ds, err).Place(at.File)
		return p.cfg, p.ds
	}
	for _, m := range o {
		switch m.Name {
		case "hooks":
			p.hooks(m)
		case "disableAllHooks":
			if b, ok := ordjson.Bool(m.Value); ok {
				p.cfg.DisableAll = &b
			}
		case "allowedHttpHookUrls":
			p.cfg.AllowURLs = strs(m.Value)
		default:
			p.cfg.Extra = append(p.cfg.Extra, m)
		}
	}
	if p.void {
		p.cfg.Hooks, p.cfg.DisableAll = nil, nil
	}
	return p.cfg, p.ds
}

type parser struct {
	cfg  *schema.Config
	src  []byte
	ds   schema.Diagnostics
	void bool
}

func (p *parser) at(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.cfg.Source.File
	d.Line, d.Col = ordjson.Position(p.src, m.Off)
	return d
}

// bad reports an entry that Claude Code refuses.
func (p *parser) bad(row *schema.EventRow, m ordjson.Member, path, msg string) {
	if row.Native == "PreToolUse" || row.Native == "PermissionRequest" {
		p.void = true
		p.at(schema.CodeVoidFile, m, path, msg+"; under "+row.Native+" Claude Code loads nothing of this file, permission rules included").Event = row.Native
		return
	}
	p.at(schema.CodeVoidHook, m, path, msg+"; Claude Code skips the entry").Event = row.Native
}

func (p *parser) hooks(m ordjson.Member) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.void = true
		p.at(schema.CodeVoidFile, m, "/hooks", "hooks is no object")
		return
	}
	for _, ev := range o {
		path := ordjson.Pointer("/hooks", ev.Name)
		row := rowOf(ev.Name)
		if row == nil {
			d := p.at(schema.CodeSkippedEvent, ev, path, "Claude Code has no event "+strconv.Quote(ev.Name)+" and skips it")
			d.Event = ev.Name
			if near := nearest(ev.Name); near != "" {
				d.Fix = "did you mean " + near + "?"
			}
			continue
		}
		groups, err := ordjson.Elements(ev.Value, ev.Off)
		if err != nil {
			p.bad(row, ev, path, "the event's value is no array")
			continue
		}
		for i, g := range groups {
			p.group(row, g, ordjson.Pointer(path, strconv.Itoa(i)))
		}
	}
}

// nearest is the event whose name differs in case only.
func nearest(name string) string {
	for i := range events {
		if strings.EqualFold(events[i].Native, name) {
			return events[i].Native
		}
	}
	return ""
}

func (p *parser) group(row *schema.EventRow, g ordjson.Member, path string) {
	o, err := ordjson.Members(g.Value, g.Off)
	if err != nil {
		p.bad(row, g, path, "the entry is no object")
		return
	}
	base := schema.Hook{Event: row.Event, Native: row.Native, Source: p.cfg.Source}
	var handlers *ordjson.Member
	for i, m := range o {
		switch m.Name {
		case "matcher":
			s, ok := ordjson.String(m.Value)
			if !ok {
				p.bad(row, m, path+"/matcher", "matcher is a "+ordjson.KindOf(m.Value).String()+", not a string")
				return
			}
			base.Matcher, base.HasMatcher = s, true
		case "hooks":
			handlers = &o[i]
		default:
			p.at(schema.CodeUnknownMember, m, ordjson.Pointer(path, m.Name), "Claude Code ignores "+strconv.Quote(m.Name)+" here")
		}
	}
	if handlers == nil {
		p.bad(row, g, path, "the entry has no hooks array")
		return
	}
	list, err := ordjson.Elements(handlers.Value, handlers.Off)
	if err != nil {
		p.bad(row, *handlers, path+"/hooks", "hooks is no array")
		return
	}
	for i, m := range list {
		p.handler(row, base, m, path+"/hooks/"+strconv.Itoa(i))
	}
}

// handlerTypes are the values of type.
var handlerTypes = []struct {
	Native  string
	Handler schema.Handler
	Needs   []string // members that must be strings
}{
	{"command", schema.HandlerCommand, []string{"command"}},
	{"http", schema.HandlerHTTP, []string{"url"}},
	{"prompt", schema.HandlerPrompt, []string{"prompt"}},
	{"agent", schema.HandlerAgent, []string{"prompt"}},
	{"mcp_tool", schema.HandlerMCPTool, []string{"server", "tool"}},
}

func (p *parser) handler(row *schema.EventRow, h schema.Hook, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.bad(row, m, path, "the handler is no object")
		return
	}
	h.Path = path
	h.Line, h.Col = ordjson.Position(p.src, m.Off)
	raw, ok := o.Get("type")
	kind, _ := ordjson.String(raw)
	if !ok {
		p.bad(row, m, path, "the handler has no type")
		return
	}
	for _, t := range handlerTypes {
		if t.Native != kind {
			continue
		}
		h.Handler = t.Handler
		for _, need := range t.Needs {
			raw, ok := o.Get(need)
			if _, isText := ordjson.String(raw); !ok || !isText {
				p.bad(row, m, ordjson.Pointer(path, need), "a "+kind+" handler needs the string "+need)
				return
			}
		}
	}
	if h.Handler == 0 {
		p.bad(row, m, path+"/type", "unknown handler type "+strconv.Quote(kind))
		return
	}
	for _, m := range o {
		if msg := p.member(&h, m, ordjson.Pointer(path, m.Name)); msg != "" {
			p.bad(row, m, ordjson.Pointer(path, m.Name), msg)
			return
		}
	}
	p.advise(row, &h, m)
	p.cfg.Hooks = append(p.cfg.Hooks, h)
}

// member reads one member of a handler; the result says why it is refused.
func (p *parser) member(h *schema.Hook, m ordjson.Member, path string) (bad string) {
	text, isText := ordjson.String(m.Value)
	flag, _ := ordjson.Bool(m.Value)
	switch m.Name {
	case "type":
	case "command":
		h.Command = text
	case "url":
		h.URL = text
	case "prompt":
		h.Prompt = text
	case "server":
		h.Server = text
	case "tool":
		h.ToolRef = text
	case "input":
		h.Input = m.Value
	case "args":
		if h.Args = strs(m.Value); h.Args == nil {
			return "args is no array of strings"
		}
	case "shell":
		h.Shell = text
	case "model":
		h.Model = text
	case "headers":
		h.Headers = pairs(m.Value)
	case "allowedEnvVars":
		h.EnvAllow = strs(m.Value)
	case "continueOnBlock":
		h.OnBlock = flag
	case "async":
		h.Async = flag
	case "asyncRewake":
		h.Rewake = flag
	case "once":
		h.Once = flag
	case "statusMessage":
		h.Status = text
	case "if":
		if !isText {
			return "if is no string"
		}
		h.Condition, h.HasCondition = text, true
	case "timeout":
		f, ok := ordjson.Float(m.Value)
		if !ok || f <= 0 {
			return "timeout must be a number of seconds above 0"
		}
		h.Timeout = time.Duration(min(f, maxTimeout) * float64(time.Second))
		if f >= 1000 {
			p.at(schema.CodeMilliseconds, m, path, "timeout "+string(m.Value)+" is seconds").Fix = "divide by 1000 if milliseconds were meant"
		}
	case "onFailure":
		switch text {
		case "block":
			h.Fail = schema.FailClosed
		case "continue":
			h.Fail = schema.FailOpen
		default:
			return "onFailure is neither block nor continue"
		}
	default:
		h.Extra = append(h.Extra, m)
		p.at(schema.CodeUnknownMember, m, path, "Claude Code ignores "+strconv.Quote(m.Name)+" here")
	}
	return ""
}

const maxTimeout = 1e9 // seconds; keeps the conversion to nanoseconds in range

// advise reports what is accepted and has no or another effect than it seems.
func (p *parser) advise(row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	if h.HasMatcher && h.Matcher != "" && h.Matcher != "*" && row.Match == schema.MatchNothing {
		p.at(schema.CodeIgnoredMatcher, m, h.Path, row.Native+" has nothing to match; the hook always runs").Event = row.Native
	}
	if h.Condition != "" && !row.Event.IsTool() {
		p.at(schema.CodeDeadCondition, m, h.Path+"/if", "a handler with `if` on "+row.Native+" never runs").Event = row.Native
	} else if h.Condition == "*" {
		p.at(schema.CodeDeadCondition, m, h.Path+"/if", "the condition * never holds").Event = row.Native
	}
	if h.Once {
		p.at(schema.CodeIgnoredOnce, m, h.Path+"/once", "Claude Code honours once in skill frontmatter only")
	}
	if h.Source.Scope != schema.ScopePlugin && mentionsPluginRoot(h) {
		p.at(schema.CodePluginRoot, m, h.Path, pluginRootMessage).Event = row.Native
	}
}

const pluginRootMessage = "${CLAUDE_PLUGIN_ROOT} is for plugin hooks only; Claude Code does not run this hook"

func mentionsPluginRoot(h *schema.Hook) bool {
	for _, s := range append([]string{h.Command}, h.Args...) {
		if strings.Contains(s, "${CLAUDE_PLUGIN_ROOT}") {
			return true
		}
	}
	return false
}

// strs reads an array of strings; nil if it is none.
func strs(raw []byte) []string {
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return nil
	}
	out := make([]string, 0, len(list))
	for _, m := range list {
		s, ok := ordjson.String(m.Value)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// pairs reads an object of strings; other values are left out.
func pairs(raw []byte) (out []schema.EnvVar) {
	o, _ := ordjson.Members(raw, 0)
	for _, m := range o {
		if s, ok := ordjson.String(m.Value); ok {
			out = append(out, schema.EnvVar{Name: m.Name, Value: s})
		}
	}
	return out
}
