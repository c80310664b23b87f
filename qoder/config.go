package qoder

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseConfig reads a settings file or a plugin's hooks.json. Comments are
// allowed. It goes on after a finding, so that one run reports everything. What
// voids what is as observed with 1.1.52: a value of the wrong type the whole
// group that holds it, a handler without what it needs that handler alone, an
// event or a switch of the wrong type only itself.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	src := ordjson.BlankComments(text)
	p := parser{dialect: d, cfg: &schema.Config{Source: at}, src: src, index: ordjson.NewIndex(src)}
	o, repeated, err := ordjson.ParseLast(p.src)
	schema.RepeatedDiagnostics(&p.ds, repeated, p.index, at.File)
	if err != nil {
		schema.SyntaxDiagnostic(&p.ds, err).Place(at.File)
		return p.cfg, p.ds
	}
	switch _, wrapped := o.Get("hooks"); {
	case d.surface() == sdk && isOptions(o):
		p.options(o)
	case at.Scope == schema.ScopePlugin && !wrapped && filepath.Base(at.File) != manifestName && !isConvention(at):
		p.hooks(ordjson.Member{Value: p.src}, "") // a file that a manifest names may be the events alone
	default:
		p.settings(o)
	}
	return p.cfg, p.ds
}

// isConvention reports whether a plugin's file is the one that no manifest has to
// name.
func isConvention(at schema.Source) bool {
	return at.File == filepath.Join(at.Plugin, "hooks", "hooks.json")
}

// settings reads the members of a settings object.
func (p *parser) settings(o ordjson.Object) {
	p.cfg.Base = p.base
	for _, m := range o {
		switch m.Name {
		case "hooks":
			p.hooksOf(m)
		case "disableAllHooks":
			if off, ok := ordjson.Bool(m.Value); ok {
				p.cfg.DisableAll, p.cfg.Switch = &off, p.base+disableSwitch
			} else {
				p.ignored(m, p.base+"/disableAllHooks", "disableAllHooks is no boolean")
			}
		case "allowedHttpHookUrls":
			p.cfg.Guards = append(p.cfg.Guards, m)
			if p.cfg.AllowURLs = ordjson.Strings(m.Value); p.cfg.AllowURLs == nil {
				p.ignored(m, p.base+"/allowedHttpHookUrls", "allowedHttpHookUrls is no array of strings")
			}
		default:
			p.cfg.Extra = append(p.cfg.Extra, m)
		}
	}
	p.switchOf(o)
}

// switchOf lets hooksConfig.enabled, the other switch, speak for a file that does
// not have the first.
func (p *parser) switchOf(o ordjson.Object) {
	if off := notEnabled(o); off != nil && p.cfg.DisableAll == nil {
		p.cfg.DisableAll, p.cfg.Switch = off, p.base+enabledSwitch
	}
}

type parser struct {
	dialect Dialect
	cfg     *schema.Config
	base    string // JSON Pointer of the settings in the file
	src     []byte
	index   *ordjson.Index
	ds      schema.Diagnostics
}

func (p *parser) at(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.cfg.Source.File
	d.Line, d.Col = p.index.Position(m.Off)
	return d
}

// ignored reports a setting that Qoder passes over.
func (p *parser) ignored(m ordjson.Member, path, msg string) {
	p.at(schema.CodeUnknownMember, m, path, msg+"; Qoder ignores it")
}

// void reports a group or a handler that Qoder skips.
func (p *parser) void(row *schema.EventRow, m ordjson.Member, path, msg string) {
	p.at(schema.CodeVoidHook, m, path, msg).Event = row.Native
}

// notEvents are keys beside the events that Qoder passes over without a word.
var notEvents = []string{"enabled", "disabled", "notifications"}

// hooksOf reads the hooks of a file. In a plugin's manifest they may be a list,
// of paths and hooks; the paths are sources of their own.
func (p *parser) hooksOf(m ordjson.Member) {
	path := p.base + "/hooks"
	list, err := ordjson.Elements(m.Value, m.Off)
	if err != nil || filepath.Base(p.cfg.Source.File) != manifestName {
		p.hooks(m, path)
		return
	}
	for i, e := range list {
		if ordjson.KindOf(e.Value) != ordjson.StringKind {
			p.hooks(e, ordjson.Pointer(path, strconv.Itoa(i)))
		}
	}
}

// hooks reads an object of events that stands at base.
func (p *parser) hooks(m ordjson.Member, base string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.at(schema.CodeVoidHook, m, base, "hooks is no object; Qoder ignores it")
		return
	}
	if bad := misshapen(o); bad != nil && p.cfg.Source.Scope == schema.ScopePlugin {
		p.at(schema.CodeVoidFile, *bad, ordjson.Pointer(base, bad.Name), "no list of groups; Qoder takes no hook from this file of a plugin")
		return
	}
	for _, ev := range o {
		path := ordjson.Pointer(base, ev.Name)
		row := Dialect{}.row(ev.Name)
		switch {
		case row != nil && !p.dialect.has(ev.Name):
			p.at(schema.CodeSkippedEvent, ev, path, "Qoder has the event "+ev.Name+", its program "+p.dialect.Version+" has not").Event = ev.Name
		case row != nil:
			p.event(row, ev, path)
		case slices.Contains(notEvents, ev.Name):
			p.ignored(ev, path, strconv.Quote(ev.Name)+" is no event")
		default:
			d := p.at(schema.CodeSkippedEvent, ev, path, "Qoder has no event "+strconv.Quote(ev.Name)+" and skips it")
			d.Event = ev.Name
			for i := range events {
				if strings.EqualFold(events[i].Native, ev.Name) {
					d.Fix = "did you mean " + events[i].Native + "?"
				}
			}
		}
	}
}

// misshapen is the first event whose value is no array of objects, nil if there is
// none: what Qoder insists on for a plugin (observed 1.1.52).
func misshapen(o ordjson.Object) *ordjson.Member {
	for i := range o {
		list, err := ordjson.Elements(o[i].Value, 0)
		if err != nil || slices.ContainsFunc(list, func(g ordjson.Member) bool { return ordjson.KindOf(g.Value) != ordjson.ObjectKind }) {
			return &o[i]
		}
	}
	return nil
}

func (p *parser) event(row *schema.EventRow, ev ordjson.Member, path string) {
	groups, err := ordjson.Elements(ev.Value, ev.Off)
	if err != nil {
		p.void(row, ev, path, "the event's value is no array; Qoder ignores it")
		return
	}
	for i, g := range groups {
		p.group(row, g, ordjson.Pointer(path, strconv.Itoa(i)))
	}
}

// group reads one group. Its hooks count only if every value in it has the
// right type.
func (p *parser) group(row *schema.EventRow, g ordjson.Member, path string) {
	o, err := ordjson.Members(g.Value, g.Off)
	if err != nil {
		p.void(row, g, path, "the group is no object; Qoder skips it")
		return
	}
	base := schema.Hook{Event: row.Event, Native: row.Native, Source: p.cfg.Source, Group: schema.Group{Path: path}}
	var handlers *ordjson.Member
	for i, m := range o {
		switch m.Name {
		case "matcher":
			s, ok := ordjson.String(m.Value)
			if !ok {
				p.void(row, m, path+"/matcher", "matcher is "+schema.An(ordjson.KindOf(m.Value).String())+"; Qoder skips the group")
				return
			}
			base.Matcher, base.HasMatcher = s, true
			base.Group.Members = append(base.Group.Members, m.Name)
		case "hooks":
			handlers = &o[i]
		case "sequential": // nobody looks at the types of these two
			base.Sequential = truthy(m.Value)
			base.Group.Members = append(base.Group.Members, m.Name)
		case "async":
			base.Async = truthy(m.Value)
			base.Group.Members = append(base.Group.Members, m.Name)
		default:
			p.ignored(m, ordjson.Pointer(path, m.Name), strconv.Quote(m.Name)+" is not known here")
		}
	}
	if handlers == nil {
		p.void(row, g, path, "the group has no hooks array; Qoder skips it")
		return
	}
	list, err := ordjson.Elements(handlers.Value, handlers.Off)
	if err != nil {
		p.void(row, *handlers, path+"/hooks", "hooks is no array; Qoder skips the group")
		return
	}
	p.handlers(row, base, list, path+"/hooks")
}

func (p *parser) handlers(row *schema.EventRow, base schema.Hook, list []ordjson.Member, path string) {
	for i, m := range list {
		if bad, msg, at := p.wrongType(m, ordjson.Pointer(path, strconv.Itoa(i))); bad != nil {
			p.void(row, *bad, at, msg+"; Qoder skips the whole group")
			return
		}
	}
	for i, m := range list {
		p.handler(row, base, m, ordjson.Pointer(path, strconv.Itoa(i)))
	}
}

// truthy is JavaScript's idea of yes, as far as JSON has it.
func truthy(raw []byte) bool {
	switch string(raw) {
	case "false", "null", "0", "-0", `""`:
		return false
	}
	return len(raw) > 0
}
