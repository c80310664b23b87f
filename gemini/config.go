package gemini

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseConfig reads a settings.json, in which comments are allowed, or the
// hooks.json of an extension. It goes on after a finding, so that one run reports
// everything. What the client skips is skipped alone, with one exception: a matcher
// that isn't a string makes every firing of its event fail, without any hook of any
// file (observed 0.61.0).
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	src := text
	if at.Scope != schema.ScopePlugin { // hooks.json is plain JSON
		src = ordjson.BlankComments(text)
	}
	p := parser{dialect: d, cfg: &schema.Config{Source: at}, index: ordjson.NewIndex(src)}
	o, repeated, err := ordjson.ParseLast(src)
	schema.RepeatedDiagnostics(&p.ds, repeated, p.index, at.File)
	if err != nil {
		schema.SyntaxDiagnostic(&p.ds, err).Place(at.File)
		return p.cfg, p.ds
	}
	for _, m := range o {
		switch {
		case m.Name == "hooks":
			p.hooks(m)
		case at.Scope == schema.ScopePlugin && rowOf(m.Name) != nil:
			p.at(schema.CodeVoidHook, m, ordjson.Pointer("", m.Name), "an extension's hooks.json needs a \"hooks\" member around its events; Gemini CLI ignores this event")
		case m.Name == "hooksConfig" && at.Scope != schema.ScopePlugin:
			p.switches(m)
		default:
			p.cfg.Extra = append(p.cfg.Extra, m)
		}
	}
	return p.cfg, p.ds
}

type parser struct {
	dialect Dialect
	cfg     *schema.Config
	index   *ordjson.Index
	ds      schema.Diagnostics
}

func (p *parser) at(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.cfg.Source.File
	d.Line, d.Col = p.index.Position(m.Off)
	return d
}

// void reports an entry that Gemini CLI discards.
func (p *parser) void(row *schema.EventRow, m ordjson.Member, path, msg string) {
	p.at(schema.CodeVoidHook, m, path, msg).Event = row.Native
}

func (p *parser) ignored(m ordjson.Member, path, msg string) *schema.Diagnostic {
	return p.at(schema.CodeUnknownMember, m, path, msg)
}

const (
	switchPath   = "/hooksConfig/enabled"
	disabledPath = "/hooksConfig/disabled"
)

// switches reads hooksConfig.
func (p *parser) switches(m ordjson.Member) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.ignored(m, "/hooksConfig", "hooksConfig is not an object; Gemini CLI ignores it")
	}
	for _, m := range o {
		switch m.Name {
		case "enabled":
			if on, ok := ordjson.Bool(m.Value); ok {
				on = !on
				p.cfg.DisableAll, p.cfg.Switch = &on, switchPath
			}
		case "disabled":
			p.cfg.Disabled = append(p.cfg.Disabled, ordjson.Strings(m.Value)...)
		case "notifications": // whether the client shows that hooks run
		default:
			p.ignored(m, ordjson.Pointer("/hooksConfig", m.Name), "Gemini CLI doesn't know this setting")
		}
	}
}

// oldSwitches stood among the events in versions before 0.28.0.
var oldSwitches = []string{"enabled", "disabled", "notifications"}

func (p *parser) hooks(m ordjson.Member) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.at(schema.CodeVoidHook, m, "/hooks", "hooks is not an object; Gemini CLI ignores it")
		return
	}
	for _, ev := range o {
		path := ordjson.Pointer("/hooks", ev.Name)
		row := rowOf(ev.Name)
		switch {
		case row != nil && !p.dialect.Profile().Has(row):
			p.at(schema.CodeSkippedEvent, ev, path, "Gemini CLI "+p.dialect.Version+" has no event "+row.Native+" yet; it needs "+row.Since).Event = ev.Name
		case row != nil:
			p.event(row, ev, path)
		case slices.Contains(oldSwitches, ev.Name):
			p.ignored(ev, path, "Gemini CLI ignores this setting; it doesn't switch hooks on or off").Fix = "use hooksConfig." + ev.Name
		default:
			d := p.at(schema.CodeSkippedEvent, ev, path, "Gemini CLI has no event "+strconv.Quote(ev.Name)+" and skips its hooks")
			d.Event = ev.Name
			for i := range events {
				if strings.EqualFold(events[i].Native, ev.Name) {
					d.Fix = "did you mean " + events[i].Native + "?"
				}
			}
		}
	}
}

// event reads the groups of an event; a single group needs no array.
func (p *parser) event(row *schema.EventRow, ev ordjson.Member, path string) {
	groups, err := ordjson.Elements(ev.Value, ev.Off)
	if err != nil {
		if ordjson.KindOf(ev.Value) != ordjson.ObjectKind {
			p.void(row, ev, path, "the value is neither an array nor an object; Gemini CLI discards it")
			return
		}
		p.group(row, ev, path)
		return
	}
	for i, g := range groups {
		p.group(row, g, ordjson.Pointer(path, strconv.Itoa(i)))
	}
}

func (p *parser) group(row *schema.EventRow, g ordjson.Member, path string) {
	o, err := ordjson.Members(g.Value, g.Off)
	if err != nil {
		p.void(row, g, path, "the group is not an object; Gemini CLI discards it")
		return
	}
	base := schema.Hook{Event: row.Event, Native: row.Native, Source: p.cfg.Source, Handler: schema.HandlerCommand, Group: schema.Group{Path: path}}
	var list []ordjson.Member
	isList := false
	for _, m := range o {
		switch m.Name {
		case "hooks":
			list, err = ordjson.Elements(m.Value, m.Off)
			isList = err == nil
		case "matcher":
			p.matcher(row, &base, m, path+"/matcher")
		case "sequential":
			base.Sequential = truthy(m.Value)
			base.Group.Members = append(base.Group.Members, m.Name)
		default:
			p.ignored(m, ordjson.Pointer(path, m.Name), "Gemini CLI ignores "+strconv.Quote(m.Name)+" in a group")
		}
	}
	if !isList {
		p.void(row, g, path, "the group has no array of hooks; Gemini CLI discards it")
		return
	}
	for i, m := range list {
		p.handler(row, base, m, ordjson.Pointer(path+"/hooks", strconv.Itoa(i)))
	}
}

// matcher reads a group's matcher. A false value is none, any other that is no text
// throws whenever the event fires.
func (p *parser) matcher(row *schema.EventRow, h *schema.Hook, m ordjson.Member, path string) {
	text, ok := ordjson.String(m.Value)
	switch {
	case !ok && truthy(m.Value):
		p.cfg.Void = append(p.cfg.Void, row.Native)
		p.void(row, m, path, "the matcher is "+schema.An(ordjson.KindOf(m.Value).String())+": Gemini CLI then runs no hook of "+row.Native+", of this file or any other")
		return
	case !ok:
		return
	}
	h.Matcher, h.HasMatcher = text, true
	h.Group.Members = append(h.Group.Members, m.Name)
	p.advise(row, m, path, strings.TrimSpace(text))
}

// advise reports a matcher that does not do what it seems to.
func (p *parser) advise(row *schema.EventRow, m ordjson.Member, path, text string) {
	if text == "" || text == "*" {
		return
	}
	switch row.Match {
	case schema.MatchNothing:
		p.at(schema.CodeIgnoredMatcher, m, path, row.Native+" has nothing to match; the hook always runs").Event = row.Native
	case schema.MatchField:
		if strings.ContainsAny(text, `|,.*+?()[]^$\`) {
			d := p.at(schema.CodeDeadMatcher, m, path, "on "+row.Native+" the matcher is compared as a whole, so "+strconv.Quote(text)+" never matches")
			d.Event, d.Fix = row.Native, "write one group for each value"
		}
	case schema.MatchTool:
		if _, err := matcher.Compile(schema.GrammarRegexpOrEqual, text); err != nil {
			p.at(schema.CodeDeadMatcher, m, path, err.Error()).Event = row.Native
		}
	}
}

func (p *parser) handler(row *schema.EventRow, h schema.Hook, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.void(row, m, path, "the hook is not an object; Gemini CLI discards it")
		return
	}
	kind, _ := o.Get("type")
	command, _ := o.Get("command")
	word, _ := ordjson.String(kind)
	h.Command, _ = ordjson.String(command)
	switch {
	case word != "command":
		p.void(row, m, path, "Gemini CLI runs hooks of type command only, and discards this one")
		return
	case h.Command == "":
		p.void(row, m, path, "the hook has no command; Gemini CLI discards it")
		return
	}
	h.Path = path
	h.Line, h.Col = p.index.Position(m.Off)
	for _, m := range o {
		at := ordjson.Pointer(path, m.Name)
		switch m.Name {
		case "type", "command":
		case "timeout":
			p.timeout(&h, m, at)
		case "env":
			vars, _ := ordjson.Members(m.Value, m.Off)
			for _, v := range vars {
				s, _ := ordjson.String(v.Value)
				h.Env = append(h.Env, schema.EnvVar{Name: v.Name, Value: s})
			}
		case "name", "description":
			h.Extra = append(h.Extra, m)
		default:
			h.Extra = append(h.Extra, m)
			p.ignored(m, at, "Gemini CLI ignores "+strconv.Quote(m.Name)+" in a hook")
		}
	}
	p.cfg.Hooks = append(p.cfg.Hooks, h)
}

// maxTimeout is the longest timer of the client's runtime, in milliseconds.
const maxTimeout = math.MaxInt32

// timeout reads milliseconds; a number in a text is one too. The client's timer
// fires at once for what is not above 0 or too large for it (observed 0.61.0).
func (p *parser) timeout(h *schema.Hook, m ordjson.Member, path string) {
	f, ok := ordjson.Float(m.Value)
	if text, isText := ordjson.String(m.Value); isText {
		n, err := strconv.ParseFloat(text, 64)
		f, ok = n, err == nil
	}
	if !ok {
		p.ignored(m, path, "timeout isn't a number; the default applies")
		return
	}
	switch {
	case f <= 0 || f > maxTimeout:
		h.Timeout = 1
		d := p.at(schema.CodeVoidHook, m, path, "timeout "+string(m.Value)+": the hook is killed before it can answer, and the action proceeds")
		d.Event, d.Fix = h.Native, "write milliseconds, at most 2147483647"
	default:
		h.Timeout = max(1, time.Duration(f*float64(time.Millisecond)))
	}
	if f > 0 && f < 1000 {
		d := p.ds.AddSeverity(schema.CodeMilliseconds, schema.Weaker, path, "timeout "+string(m.Value)+" is milliseconds; a hook that takes longer is killed and decides nothing")
		d.File, d.Event, d.Fix = p.cfg.Source.File, h.Native, "multiply by 1000 if seconds were meant"
		d.Line, d.Col = p.index.Position(m.Off)
	}
}

// truthy is JavaScript's idea of yes, as far as JSON has it.
func truthy(raw []byte) bool {
	return len(raw) > 0 && !bytes.ContainsAny(raw[:1], "fn") && string(raw) != "0" && string(raw) != `""`
}
