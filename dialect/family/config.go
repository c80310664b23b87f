package family

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Consequence is what a mistake in a hook file does. The zero Consequence is
// Ignored.
type Consequence uint8

const (
	Ignored       Consequence = iota // the member counts as absent
	DropsHandler                     // the handler doesn't run
	DropsGroup                       // no handler of the group runs
	DropsEvent                       // no hook of the event in this file runs
	VoidsFile                        // no hook of the file runs
	SilencesEvent                    // no hook of the event runs, of this file or any other
)

// FileRules says what a hook file may hold, and what mistakes do.
type FileRules struct {
	Comments   bool // comments are blanks
	LastCounts bool // of members with one name the last counts; else the file can't be read
	NullAbsent bool // null counts as absent
	FalseNone  bool // a matcher that JavaScript takes for false counts as absent
	LoneGroup  bool // an event's only group needs no array

	Top        []string // members beside "hooks" and Settings; nil: any
	UnknownTop Consequence
	Settings   []SettingRow
	NotEvents  []string // members of "hooks" that aren't events and aren't reported as unknown
	// SkipsEvents is the first version that skips events it doesn't know; those before
	// load nothing of the file. "": all skip them.
	SkipsEvents string

	BadSetting Consequence    // a setting of the wrong type
	BadHooks   Consequence    // "hooks" is not an object
	WrongType  Consequence    // any other value of the wrong type; at least what it is part of is dropped
	Missing    Consequence    // a handler without what its type needs
	NoType     Consequence    // a handler without type, or of an unknown one
	Empty      Consequence    // an empty text where the type needs one; Ignored: it is accepted
	BadMatcher Consequence    // Ignored: it never matches
	NoText     Consequence    // a matcher that isn't a string; Ignored: DropsGroup
	Guards     []schema.Event // events under which every mistake voids the whole file
	// KeepsManaged: an administrator's file loses its hooks only, not its settings.
	KeepsManaged bool
	// StrictPlugins: a plugin's file has no hooks if an event's value is anything but a
	// list of groups.
	StrictPlugins bool
	// FlatText: in Markdown a group may be its only handler in one.
	FlatText bool

	Handlers []HandlerRow
	Entries  []EntryRow
	Groups   []EntryRow // members of a group beside matcher and hooks
}

// A SettingRow is a member of the file that says something of all hooks. Read returns
// why a value is refused, "" if it isn't; at is the pointer of the settings.
type SettingRow struct {
	Name string
	Read func(cfg *schema.Config, m ordjson.Member, at string) (bad string)
}

// A HandlerRow is one type of handler.
type HandlerRow struct {
	Type    string
	Handler schema.Handler
	Needs   []string // members that must be text
	// Unsupported: the agent reads such a handler and never runs it.
	Unsupported bool
}

// A Document is the text of a hook file as JSON.
type Document struct {
	JSON     []byte
	Position func(off int) (line, col int)
	Source   schema.Source
	AnyTop   bool // members beside "hooks" belong to other settings
}

// ParseConfig reads a hook file. It goes on after a finding, so that one run
// reports everything.
func (a *Agent) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p, o := a.Open(text, at)
	if o != nil {
		p.Settings(o, "")
	}
	return p.Result()
}

// Parse reads a hook file that has become JSON.
func (a *Agent) Parse(doc Document) (*schema.Config, schema.Diagnostics) {
	p := &Parser{agent: a, doc: doc, cfg: &schema.Config{Source: doc.Source}}
	o, err := ordjson.Parse(doc.JSON)
	if err != nil {
		schema.SyntaxDiagnostic(&p.ds, err).Place(doc.Source.File)
		return p.Result()
	}
	p.Settings(o, "")
	return p.Result()
}

// A Parser reads one hook file. Open makes it, Settings or Events reads, Result ends.
type Parser struct {
	agent *Agent
	doc   Document
	cfg   *schema.Config
	ds    schema.Diagnostics
	void  bool
}

// Open reads the outermost object of a file, nil if it has none.
func (a *Agent) Open(text []byte, at schema.Source) (*Parser, ordjson.Object) {
	if a.File.Comments {
		text = ordjson.BlankComments(text)
	}
	index := ordjson.NewIndex(text)
	p := &Parser{agent: a, cfg: &schema.Config{Source: at}, doc: Document{JSON: text, Position: index.Position, Source: at}}
	var o ordjson.Object
	var err error
	if a.File.LastCounts {
		var repeated []ordjson.Repeated
		o, repeated, err = ordjson.ParseLast(text)
		schema.RepeatedDiagnostics(&p.ds, repeated, index, at.File)
	} else {
		o, err = ordjson.Parse(text)
	}
	if err != nil {
		schema.SyntaxDiagnostic(&p.ds, err).Place(at.File)
		return p, nil
	}
	return p, o
}

// Text is the file as JSON.
func (p *Parser) Text() []byte { return p.doc.JSON }

// Config is what has been read so far.
func (p *Parser) Config() *schema.Config { return p.cfg }

// Result is what the file says.
func (p *Parser) Result() (*schema.Config, schema.Diagnostics) {
	switch {
	case p.void && p.agent.File.KeepsManaged && p.cfg.Source.Scope == schema.ScopeManaged:
		p.cfg.Hooks = nil
	case p.void:
		p.cfg = &schema.Config{Source: p.doc.Source} // as if the file were not there
	}
	return p.cfg, p.ds
}

// Settings reads the members of a settings object at a pointer.
func (p *Parser) Settings(o ordjson.Object, base string) {
	rules := &p.agent.File
	p.cfg.Base = base
	for _, m := range o {
		at := ordjson.Pointer(base, m.Name)
		setting := slices.IndexFunc(rules.Settings, func(s SettingRow) bool { return s.Name == m.Name })
		switch {
		case m.Name == "hooks":
			p.hooksOf(m, at)
		case setting >= 0:
			if bad := rules.Settings[setting].Read(p.cfg, m, base); bad != "" {
				p.mistake(rules.BadSetting, nil, m, at, bad)
			}
		case p.doc.AnyTop || rules.Top == nil || slices.Contains(rules.Top, m.Name):
			p.cfg.Extra = append(p.cfg.Extra, m)
		default:
			p.mistake(rules.UnknownTop, nil, m, at, "unknown member "+strconv.Quote(m.Name))
		}
	}
}

// hooksOf reads the member hooks. In a plugin's manifest it may be a list of paths
// and hooks, and hooks may be in an object as in a file of their own.
func (p *Parser) hooksOf(m ordjson.Member, at string) {
	if p.agent.Data.Plugins.RootOf(p.cfg.Source.File) == "" {
		p.Events(m, at)
		return
	}
	list, err := ordjson.Elements(m.Value, m.Off)
	if err != nil {
		p.inner(m, at)
	}
	for i, e := range list {
		p.inner(e, ordjson.Pointer(at, strconv.Itoa(i)))
	}
}

func (p *Parser) inner(m ordjson.Member, at string) {
	if ordjson.KindOf(m.Value) == ordjson.StringKind {
		return // a path
	}
	o, _ := ordjson.Members(m.Value, m.Off)
	for _, inner := range o {
		if inner.Name == "hooks" {
			p.Events(inner, ordjson.Pointer(at, inner.Name))
			return
		}
	}
	p.Events(m, at)
}

// Report adds a finding about a member.
func (p *Parser) Report(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.doc.Source.File
	d.Line, d.Col = p.doc.Position(m.Off)
	return d
}

// mistake reports a mistake and what it does; the result is the same consequence.
func (p *Parser) mistake(c Consequence, row *schema.EventRow, m ordjson.Member, path, msg string) Consequence {
	title := p.agent.Data.Title
	if c > Ignored && row != nil && slices.Contains(p.agent.File.Guards, row.Event) {
		c, msg = VoidsFile, msg+" under "+row.Native
	}
	code, effect := schema.CodeUnknownMember, title+" ignores it"
	switch c {
	case VoidsFile:
		p.void = true
		code, effect = schema.CodeVoidFile, title+" rejects the whole file"
	case DropsHandler:
		code, effect = schema.CodeVoidHook, title+" doesn't run the handler"
	case DropsGroup:
		code, effect = schema.CodeVoidHook, title+" runs no handler of the group"
	case DropsEvent:
		code, effect = schema.CodeVoidHook, title+" runs no hook of the event from this file"
	case SilencesEvent:
		p.cfg.Void = append(p.cfg.Void, row.Native)
		code, effect = schema.CodeVoidHook, title+" then runs no hook of the event, of this file or any other"
	}
	d := p.Report(code, m, path, msg+"; "+effect)
	if row != nil {
		d.Event = row.Native
	}
	return c
}

// wrong reports a value of the wrong type, which drops at least what it is part of.
func (p *Parser) wrong(part Consequence, row *schema.EventRow, m ordjson.Member, path, msg string) Consequence {
	return p.mistake(max(part, p.agent.File.WrongType), row, m, path, msg)
}

// Events reads an object of events at a pointer.
func (p *Parser) Events(m ordjson.Member, at string) {
	rules := &p.agent.File
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.mistake(rules.BadHooks, nil, m, at, "hooks is not an object")
		return
	}
	if bad := misshapen(o); bad != nil && rules.StrictPlugins && p.cfg.Source.Scope == schema.ScopePlugin {
		p.Report(schema.CodeVoidFile, *bad, ordjson.Pointer(at, bad.Name),
			"not a list of groups; "+p.agent.Data.Title+" loads no hook from this plugin file")
		return
	}
	for _, ev := range o {
		path := ordjson.Pointer(at, ev.Name)
		row := p.agent.Row(ev.Name)
		if row == nil || !p.agent.Data.Has(row) {
			p.unknown(ev, path, row)
			continue
		}
		groups, err := ordjson.Elements(ev.Value, ev.Off)
		switch {
		case err != nil && rules.LoneGroup && ordjson.KindOf(ev.Value) == ordjson.ObjectKind:
			p.group(row, ev, path)
			continue
		case err != nil:
			p.wrong(DropsEvent, row, ev, path, "the event's value is not an array")
			continue
		}
		for i, g := range groups {
			p.group(row, g, ordjson.Pointer(path, strconv.Itoa(i)))
		}
	}
}

// misshapen is the first event whose value is not an array of objects, nil if there
// is none.
func misshapen(o ordjson.Object) *ordjson.Member {
	for i := range o {
		list, err := ordjson.Elements(o[i].Value, 0)
		if err != nil || slices.ContainsFunc(list, func(g ordjson.Member) bool { return ordjson.KindOf(g.Value) != ordjson.ObjectKind }) {
			return &o[i]
		}
	}
	return nil
}

// unknown reports an event that the agent doesn't know, or, with a row, not yet.
func (p *Parser) unknown(ev ordjson.Member, path string, row *schema.EventRow) {
	rules, data := &p.agent.File, p.agent.Data
	switch {
	case slices.Contains(rules.NotEvents, ev.Name):
		p.mistake(Ignored, nil, ev, path, strconv.Quote(ev.Name)+" is not an event")
		return
	case p.doc.AnyTop && ordjson.KindOf(ev.Value) == ordjson.ObjectKind: // settings beside the events
		return
	}
	msg := data.Title + " has no event " + strconv.Quote(ev.Name)
	switch {
	case row != nil:
		msg = data.Title + " " + data.Version + " has no event " + row.Native + " yet; it needs " + row.Since
	case data.Program != nil:
		msg = data.Title + " (" + data.Program.Name + ") has no event " + strconv.Quote(ev.Name)
	}
	if rules.SkipsEvents != "" && !data.Since(rules.SkipsEvents) {
		p.mistake(VoidsFile, nil, ev, path, msg)
		return
	}
	d := p.Report(schema.CodeSkippedEvent, ev, path, msg+", so it ignores this")
	d.Event = ev.Name
	for i := range data.Events {
		if native := data.Events[i].Native; row == nil && strings.EqualFold(native, ev.Name) && native != ev.Name {
			d.Fix = "did you mean " + native + "?"
		}
	}
}

// group reads the handlers that share a matcher.
func (p *Parser) group(row *schema.EventRow, g ordjson.Member, path string) {
	rules := &p.agent.File
	o, err := ordjson.Members(g.Value, g.Off)
	if err != nil {
		p.wrong(DropsGroup, row, g, path, "the group is not an object")
		return
	}
	base := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate, Source: p.doc.Source, Group: schema.Group{Path: path}}
	var list *ordjson.Member
	flat := p.isFlat(o)
	for i, m := range o {
		member := slices.IndexFunc(rules.Groups, func(e EntryRow) bool { return e.Name == m.Name })
		switch {
		case m.Name == "matcher":
			s, ok := ordjson.String(m.Value)
			absent := rules.NullAbsent && ordjson.KindOf(m.Value) == ordjson.Null || rules.FalseNone && !ordjson.Truthy(m.Value)
			if !ok && !absent {
				p.wrong(max(rules.NoText, DropsGroup), row, m, path+"/matcher", "matcher is "+schema.An(ordjson.KindOf(m.Value).String())+", not a string")
				if rules.NoText != SilencesEvent {
					return
				}
			}
			base.Matcher, base.HasMatcher = s, ok
			base.Group.Members = append(base.Group.Members, m.Name)
		case m.Name == "hooks":
			list = &o[i]
		case member >= 0:
			rules.Groups[member].Read(&base, m.Value)
			base.Group.Members = append(base.Group.Members, m.Name)
		case !flat:
			p.mistake(Ignored, row, m, ordjson.Pointer(path, m.Name), strconv.Quote(m.Name)+" has no effect here")
		}
	}
	if list == nil && flat {
		p.Report(schema.CodeVoidHook, g, path, "the group has no hooks array; "+p.agent.Data.Title+
			" doesn't run it; hookbridge reads it as intended").Event = row.Native
		p.handler(row, base, g, path, true)
		return
	}
	if list == nil {
		p.mistake(DropsGroup, row, g, path, "the group has no hooks array")
		return
	}
	if rules.BadMatcher > Ignored && row.Match != schema.MatchNothing {
		if _, err := matcher.Compile(p.agent.Data.GrammarOf(row.Native), base.Matcher); err != nil {
			p.mistake(rules.BadMatcher, row, *list, path+"/matcher", err.Error())
			return
		}
	}
	handlers, err := ordjson.Elements(list.Value, list.Off)
	if err != nil {
		p.wrong(DropsGroup, row, *list, path+"/hooks", "hooks is not an array")
		return
	}
	hooks, findings := len(p.cfg.Hooks), len(p.ds)
	for i, m := range handlers {
		if p.handler(row, base, m, ordjson.Pointer(path+"/hooks", strconv.Itoa(i)), false) == DropsGroup {
			p.cfg.Hooks = p.cfg.Hooks[:hooks]
			p.ds = append(p.ds[:findings], p.ds[len(p.ds)-1])
			return
		}
	}
}

// isFlat reports whether a group is its only handler in one, as front matter in the
// wild has it.
func (p *Parser) isFlat(o ordjson.Object) bool {
	raw, _ := o.Get("command")
	_, list := o.Get("hooks")
	_, isText := ordjson.String(raw)
	return p.agent.File.FlatText && isText && !list && strings.HasSuffix(p.cfg.Source.File, ".md")
}

// handler reads a handler, and returns what a mistake in it does.
func (p *Parser) handler(row *schema.EventRow, h schema.Hook, m ordjson.Member, path string, flat bool) Consequence {
	rules := &p.agent.File
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		return p.wrong(DropsHandler, row, m, path, "the handler is not an object")
	}
	h.Path = path
	h.Line, h.Col = p.doc.Position(m.Off)
	for _, m := range o { // a type that is wrong in every handler counts before all else
		if e := p.entry(m, 0); e != nil && e.Of == 0 {
			if bad := p.typed(e, m); bad != "" {
				return p.wrong(DropsHandler, row, m, ordjson.Pointer(path, m.Name), bad)
			}
		}
	}
	if raw, ok := o.Get("type"); ok && ordjson.KindOf(raw) != ordjson.StringKind {
		return p.wrong(DropsHandler, row, m, path+"/type", "type is "+schema.An(ordjson.KindOf(raw).String())+", not a string")
	}
	flat = flat || p.isFlat(o)
	kind, c := p.handlerType(row, o, m, path, flat)
	if kind == nil {
		return c
	}
	h.Handler = kind.Handler
	for _, need := range kind.Needs {
		raw, _ := o.Get(need)
		switch s, isText := ordjson.String(raw); {
		case !isText:
			return p.mistake(rules.Missing, row, m, ordjson.Pointer(path, need), schema.An(kind.Type)+" handler needs the string "+need)
		case s == "" && rules.Empty > Ignored:
			return p.mistake(rules.Empty, row, m, ordjson.Pointer(path, need), schema.An(kind.Type)+" handler has an empty "+need)
		}
	}
	if kind.Unsupported {
		return p.mistake(DropsHandler, row, m, path+"/type", "hooks of type "+kind.Type+" are not supported")
	}
	for _, m := range o {
		if m.Name == "type" || flat && m.Name == "matcher" { // its group's
			continue
		}
		if c := p.member(row, &h, m, ordjson.Pointer(path, m.Name)); c > Ignored {
			return c
		}
	}
	if p.agent.Steps.Hook != nil {
		p.agent.Steps.Hook(p, row, &h, m)
	}
	if h.HasMatcher && h.Matcher != "" && h.Matcher != "*" && row.Match == schema.MatchNothing {
		p.Report(schema.CodeIgnoredMatcher, m, path, row.Native+" has nothing to match; the hook always runs").Event = row.Native
	}
	p.cfg.Hooks = append(p.cfg.Hooks, h)
	return Ignored
}

// handlerType returns the type of a handler, nil if it has none that the agent
// knows.
func (p *Parser) handlerType(row *schema.EventRow, o ordjson.Object, m ordjson.Member, path string, flat bool) (*HandlerRow, Consequence) {
	raw, ok := o.Get("type")
	name, _ := ordjson.String(raw)
	handlers := p.agent.File.Handlers
	for i := range handlers {
		if handlers[i].Type == name || !ok && flat && handlers[i].Handler == schema.HandlerCommand {
			return &handlers[i], Ignored
		}
	}
	if !ok {
		return nil, p.mistake(p.agent.File.NoType, row, m, path+"/type", "the handler has no type")
	}
	return nil, p.mistake(p.agent.File.NoType, row, m, path+"/type", "unknown handler type "+strconv.Quote(name))
}

// entry returns the row of a member of a handler, nil if it has none.
func (p *Parser) entry(m ordjson.Member, of schema.Handler) *EntryRow {
	for i := range p.agent.File.Entries {
		e := &p.agent.File.Entries[i]
		if e.Name == m.Name && (e.Of == 0 || e.Of == of) {
			return e
		}
	}
	return nil
}

// typed says what is wrong with the type of a member, "" if nothing is.
func (p *Parser) typed(e *EntryRow, m ordjson.Member) string {
	switch kind := ordjson.KindOf(m.Value); {
	case e.Kind == ordjson.Invalid || kind == ordjson.Null && p.agent.File.NullAbsent:
		return ""
	case kind != e.Kind:
		return m.Name + " is " + schema.An(kind.String()) + ", not " + schema.An(e.Kind.String())
	}
	list, _ := ordjson.Elements(m.Value, m.Off)
	for _, x := range list {
		if kind := ordjson.KindOf(x.Value); e.Each != ordjson.Invalid && kind != e.Each {
			return m.Name + " holds " + schema.An(kind.String()) + ", not " + schema.An(e.Each.String())
		}
	}
	return ""
}

func (p *Parser) member(row *schema.EventRow, h *schema.Hook, m ordjson.Member, path string) Consequence {
	e := p.entry(m, h.Handler)
	if e == nil {
		h.Extra = append(h.Extra, m)
		if _, known := p.agent.Data.IgnoredMember(m.Name); known {
			return Ignored
		}
		return p.mistake(Ignored, row, m, path, strconv.Quote(m.Name)+" has no effect here")
	}
	if bad := p.typed(e, m); bad != "" {
		return p.wrong(DropsHandler, row, m, path, bad)
	}
	if p.agent.File.NullAbsent && ordjson.KindOf(m.Value) == ordjson.Null {
		return Ignored
	}
	if bad := e.Read(h, m.Value); bad != "" {
		return p.wrong(DropsHandler, row, m, path, bad)
	}
	if e.Advise != nil {
		if code, msg, fix := e.Advise(h, m.Value); msg != "" {
			d := p.Report(code, m, path, msg)
			d.Fix = fix
		}
	}
	return Ignored
}
