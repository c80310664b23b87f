package claude

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseConfig reads a settings file or a plugin's hooks.json. It goes on after
// a finding, so that one run reports everything. What voids the file and what
// only an entry is as observed with 2.1.328: a bad entry under PreToolUse or
// PermissionRequest voids the whole file, because it may guard what the rest of
// the file allows; elsewhere only the entry is skipped.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p := parser{dialect: d, cfg: &schema.Config{Source: at}, src: text, index: ordjson.NewIndex(text)}
	o, repeated, err := ordjson.ParseLast(text)
	schema.RepeatedDiagnostics(&p.ds, repeated, p.index, at.File)
	if err != nil {
		schema.SyntaxDiagnostic(&p.ds, err).Place(at.File)
		return p.cfg, p.ds
	}
	for _, m := range o {
		switch m.Name {
		case "hooks":
			p.hooksOf(m)
		case "disableAllHooks":
			b, ok := ordjson.Bool(m.Value)
			if !ok {
				p.voidFile(m, "/disableAllHooks", "disableAllHooks is no boolean")
			}
			p.cfg.DisableAll, p.cfg.Switch = &b, "/disableAllHooks"
		case "env":
			p.cfg.Extra = append(p.cfg.Extra, m)
			p.cfg.Env = environment(m.Value, at)
		case "allowedHttpHookUrls":
			p.cfg.Guards = append(p.cfg.Guards, m)
			if p.cfg.AllowURLs = ordjson.Strings(m.Value); p.cfg.AllowURLs == nil {
				p.voidFile(m, "/allowedHttpHookUrls", "allowedHttpHookUrls is no array of strings")
			}
		case "httpHookAllowedEnvVars":
			p.cfg.Guards = append(p.cfg.Guards, m)
			if p.cfg.AllowEnv = ordjson.Strings(m.Value); p.cfg.AllowEnv == nil {
				p.voidFile(m, "/httpHookAllowedEnvVars", "httpHookAllowedEnvVars is no array of strings")
			}
		default:
			p.cfg.Extra = append(p.cfg.Extra, m)
		}
	}
	switch {
	case p.void && at.Scope == schema.ScopeManaged: // the rest of such a file stays in effect (observed 2.1.328)
		p.cfg.Hooks = nil
	case p.void:
		p.cfg = &schema.Config{Source: at} // as if the file were not there
	}
	return p.cfg, p.ds
}

// environment reads the variables that settings give to all hooks. A number
// counts as its text (observed 2.1.328); a plugin's file has no such settings.
func environment(raw []byte, at schema.Source) (vars []schema.EnvVar) {
	if at.Scope == schema.ScopePlugin {
		return nil
	}
	o, _ := ordjson.Members(raw, 0)
	for _, m := range o {
		s, ok := ordjson.String(m.Value)
		if !ok && ordjson.KindOf(m.Value) == ordjson.Number {
			s, ok = string(m.Value), true
		}
		if ok && m.Name != "" && schema.Passable(m.Name) && schema.Passable(s) && !strings.Contains(m.Name, "=") {
			vars = append(vars, schema.EnvVar{Name: m.Name, Value: s})
		}
	}
	return vars
}

type parser struct {
	dialect Dialect
	cfg     *schema.Config
	src     []byte
	index   *ordjson.Index
	ds      schema.Diagnostics
	void    bool
}

func (p *parser) at(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.cfg.Source.File
	d.Line, d.Col = p.index.Position(m.Off)
	return d
}

// voidFile reports a setting for which Claude Code refuses the whole file.
func (p *parser) voidFile(m ordjson.Member, path, msg string) {
	p.void = true
	p.at(schema.CodeVoidFile, m, path, msg+"; Claude Code loads nothing of this file")
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

// hooksOf reads the member hooks. In a plugin's manifest it may be a list of
// paths and hooks, and hooks may be in an object as in a file of their own.
func (p *parser) hooksOf(m ordjson.Member) {
	if profile.Plugins.RootOf(p.cfg.Source.File) == "" {
		p.hooks(m, "/hooks")
		return
	}
	list, err := ordjson.Elements(m.Value, m.Off)
	if err != nil {
		p.inner(m, "/hooks")
	}
	for i, e := range list {
		p.inner(e, ordjson.Pointer("/hooks", strconv.Itoa(i)))
	}
}

func (p *parser) inner(m ordjson.Member, base string) {
	if ordjson.KindOf(m.Value) == ordjson.StringKind {
		return // a path
	}
	o, _ := ordjson.Members(m.Value, m.Off)
	for _, inner := range o {
		if inner.Name == "hooks" {
			p.hooks(inner, base+"/hooks")
			return
		}
	}
	p.hooks(m, base)
}

// hooks reads an object of events at the pointer base.
func (p *parser) hooks(m ordjson.Member, base string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.voidFile(m, base, "hooks is no object")
		return
	}
	for _, ev := range o {
		path := ordjson.Pointer(base, ev.Name)
		row := rowOf(ev.Name)
		if row == nil || !p.dialect.Profile().Has(row) {
			p.unknown(ev, path, row)
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

// skipsEvents is the first version that skips an event that it does not know;
// those before load nothing of the file (changelog, and 15 versions tried).
const skipsEvents = "2.1.101"

// unknown reports an event that the client does not know, or, with a row, not yet.
func (p *parser) unknown(ev ordjson.Member, path string, row *schema.EventRow) {
	version := p.dialect.Version
	msg := "Claude Code has no event " + strconv.Quote(ev.Name)
	if row != nil {
		msg = "Claude Code " + version + " has no event " + row.Native + " yet, " + row.Since + " has"
	}
	if !dialect.Since(version, skipsEvents) {
		p.voidFile(ev, path, msg)
		return
	}
	d := p.at(schema.CodeSkippedEvent, ev, path, msg+" and skips it")
	if row != nil {
		d.Message = msg + "; it is skipped"
	}
	d.Event = ev.Name
	if near := nearest(ev.Name); near != "" && row == nil {
		d.Fix = "did you mean " + near + "?"
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
	base := schema.Hook{Event: row.Event, Native: row.Native, Source: p.cfg.Source, Group: schema.Group{Path: path}}
	var handlers *ordjson.Member
	_, whole := o.Get("hooks")
	for i, m := range o {
		switch m.Name {
		case "matcher":
			s, ok := ordjson.String(m.Value)
			if !ok {
				p.bad(row, m, path+"/matcher", "matcher is "+schema.An(ordjson.KindOf(m.Value).String())+", not a string")
				return
			}
			base.Matcher, base.HasMatcher = s, true
			base.Group.Members = append(base.Group.Members, m.Name)
		case "hooks":
			handlers = &o[i]
		default:
			if whole || !p.flat(o) {
				p.at(schema.CodeUnknownMember, m, ordjson.Pointer(path, m.Name), "Claude Code ignores "+strconv.Quote(m.Name)+" here")
			}
		}
	}
	if handlers == nil && p.flat(o) {
		p.at(schema.CodeVoidHook, g, path, "the entry has no hooks array; Claude Code does not run it, it is read as it is meant").Event = row.Native
		p.handler(row, base, g, path)
		return
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

// flat reports whether an entry is a handler and its group in one, as front
// matter in the wild has it.
func (p *parser) flat(o ordjson.Object) bool {
	raw, ok := o.Get("command")
	_, isText := ordjson.String(raw)
	return ok && isText && strings.HasSuffix(p.cfg.Source.File, ".md")
}

// advise reports what is accepted and has no or another effect than it seems.
func (p *parser) advise(row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	p.adviseMatcher(row, h, m)
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
	if h.Source.Plugin == "" && mentionsPluginRoot(h) {
		p.at(schema.CodePluginRoot, m, h.Path, pluginRootMessage).Event = row.Native
	}
}

const pluginRootMessage = "${CLAUDE_PLUGIN_ROOT} is for plugin hooks only; Claude Code does not run this hook"

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
