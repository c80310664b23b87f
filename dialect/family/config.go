package family

import (
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Consequence is what a mistake in a hook file does. The zero Consequence is
// Ignored.
type Consequence uint8

const (
	Ignored      Consequence = iota // the member counts as absent
	DropsHandler                    // the handler doesn't run
	DropsGroup                      // no handler of the group runs
	DropsEvent                      // no hook of the event in this file runs
	VoidsFile                       // no hook of the file runs
)

// FileRules says what a hook file may hold, and what mistakes do.
type FileRules struct {
	Top        []string // members beside "hooks"; nil: any
	UnknownTop Consequence
	WrongType  Consequence // a value of the wrong type
	NoType     Consequence // a handler without type, or of an unknown one
	Handlers   []HandlerRow
	Entries    []EntryRow
	BadMatcher Consequence
	Empty      Consequence   // an empty command
	MinTimeout time.Duration // what a smaller timeout becomes
	// Whole: a timeout is a whole number of seconds.
	Whole bool
}

// A HandlerRow is one type of handler.
type HandlerRow struct {
	Type    string
	Handler schema.Handler
	Needs   []string // members that must be text
	// Unsupported: the agent reads such a handler and never runs it.
	Unsupported bool
}

// An EntryRow is one member of a handler, both ways. Read returns why a value is
// refused, "" if it isn't; Write returns nil if there is nothing to write.
type EntryRow struct {
	Name  string
	Kind  ordjson.Kind
	Of    schema.Handler // 0: every handler
	Says  schema.Feature // 0: part of the handler itself
	Read  func(h *schema.Hook, raw []byte) (bad string)
	Write func(h *schema.Hook) []byte
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
	return a.Parse(Document{JSON: text, Position: ordjson.NewIndex(text).Position, Source: at})
}

// Parse reads a hook file that has become JSON.
func (a *Agent) Parse(doc Document) (*schema.Config, schema.Diagnostics) {
	p := parser{agent: a, doc: doc, cfg: &schema.Config{Source: doc.Source}}
	o, err := ordjson.Parse(doc.JSON)
	if err != nil {
		schema.SyntaxDiagnostic(&p.ds, err).Place(doc.Source.File)
		return p.cfg, p.ds
	}
	for _, m := range o {
		switch {
		case m.Name == "hooks":
			p.hooks(m)
		case doc.AnyTop || a.File.Top == nil || contains(a.File.Top, m.Name):
			p.cfg.Extra = append(p.cfg.Extra, m)
		default:
			p.mistake(a.File.UnknownTop, nil, m, ordjson.Pointer("", m.Name), "unknown member "+strconv.Quote(m.Name))
		}
	}
	if p.void {
		p.cfg = &schema.Config{Source: doc.Source}
	}
	return p.cfg, p.ds
}

type parser struct {
	agent *Agent
	doc   Document
	cfg   *schema.Config
	ds    schema.Diagnostics
	void  bool
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func (p *parser) report(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.doc.Source.File
	d.Line, d.Col = p.doc.Position(m.Off)
	return d
}

// mistake reports a mistake and what it does; the result is the same consequence.
func (p *parser) mistake(c Consequence, row *schema.EventRow, m ordjson.Member, path, msg string) Consequence {
	title := p.agent.Data.Title
	code, effect := schema.CodeUnknownMember, title+" ignores it"
	switch c {
	case VoidsFile:
		p.void = true
		code, effect = schema.CodeVoidFile, title+" loads nothing of this file"
	case DropsHandler:
		code, effect = schema.CodeVoidHook, title+" doesn't run the handler"
	case DropsGroup:
		code, effect = schema.CodeVoidHook, title+" runs no handler of the group"
	case DropsEvent:
		code, effect = schema.CodeVoidHook, title+" runs no hook of the event from this file"
	}
	d := p.report(code, m, path, msg+"; "+effect)
	if row != nil {
		d.Event = row.Native
	}
	return c
}

func (p *parser) hooks(m ordjson.Member) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.mistake(p.agent.File.WrongType, nil, m, "/hooks", "hooks is not an object")
		return
	}
	for _, ev := range o {
		path := ordjson.Pointer("/hooks", ev.Name)
		row := p.agent.Row(ev.Name)
		if row == nil {
			if p.doc.AnyTop && ordjson.KindOf(ev.Value) == ordjson.ObjectKind { // settings beside the events
				continue
			}
			d := p.report(schema.CodeSkippedEvent, ev, path, p.agent.Data.Title+" has no event "+strconv.Quote(ev.Name)+" and ignores it")
			d.Event = ev.Name
			for i := range p.agent.Data.Events {
				if strings.EqualFold(p.agent.Data.Events[i].Native, ev.Name) {
					d.Fix = "did you mean " + p.agent.Data.Events[i].Native + "?"
				}
			}
			continue
		}
		groups, err := ordjson.Elements(ev.Value, ev.Off)
		if err != nil {
			p.mistake(p.agent.File.WrongType, row, ev, path, "the event's value is not an array")
			continue
		}
		for i, g := range groups {
			p.group(row, g, ordjson.Pointer(path, strconv.Itoa(i)))
		}
	}
}

// group reads the handlers that share a matcher.
func (p *parser) group(row *schema.EventRow, g ordjson.Member, path string) {
	rules := &p.agent.File
	o, err := ordjson.Members(g.Value, g.Off)
	if err != nil {
		p.mistake(rules.WrongType, row, g, path, "the group is not an object")
		return
	}
	base := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate, Source: p.doc.Source, Group: schema.Group{Path: path}}
	var list *ordjson.Member
	for i, m := range o {
		switch m.Name {
		case "matcher":
			s, ok := ordjson.String(m.Value)
			if !ok && ordjson.KindOf(m.Value) != ordjson.Null {
				p.mistake(rules.WrongType, row, m, path+"/matcher", "matcher is "+schema.An(ordjson.KindOf(m.Value).String())+", not a string")
				return
			}
			base.Matcher, base.HasMatcher = s, ok
			base.Group.Members = append(base.Group.Members, m.Name)
		case "hooks":
			list = &o[i]
		default:
			p.mistake(Ignored, row, m, ordjson.Pointer(path, m.Name), strconv.Quote(m.Name)+" means nothing here")
		}
	}
	if list == nil {
		p.mistake(DropsGroup, row, g, path, "the group has no hooks array")
		return
	}
	if _, err := matcher.Compile(p.agent.Data.Grammar, base.Matcher); err != nil && row.Match != schema.MatchNothing {
		if p.mistake(rules.BadMatcher, row, *list, path+"/matcher", err.Error()) >= DropsGroup {
			return
		}
	}
	handlers, err := ordjson.Elements(list.Value, list.Off)
	if err != nil {
		p.mistake(rules.WrongType, row, *list, path+"/hooks", "hooks is not an array")
		return
	}
	for i, m := range handlers {
		p.handler(row, base, m, ordjson.Pointer(path+"/hooks", strconv.Itoa(i)))
	}
}

func (p *parser) handler(row *schema.EventRow, h schema.Hook, m ordjson.Member, path string) {
	rules := &p.agent.File
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.mistake(rules.WrongType, row, m, path, "the handler is not an object")
		return
	}
	h.Path = path
	h.Line, h.Col = p.doc.Position(m.Off)
	kind := p.handlerType(row, o, m, path)
	if kind == nil {
		return
	}
	h.Handler = kind.Handler
	for _, need := range kind.Needs {
		raw, _ := o.Get(need)
		s, isText := ordjson.String(raw)
		if !isText || s == "" {
			what, c := "needs the string "+need, rules.WrongType
			if isText {
				what, c = "has an empty "+need, rules.Empty
			}
			p.mistake(c, row, m, ordjson.Pointer(path, need), schema.An(kind.Type)+" handler "+what)
			return
		}
	}
	if kind.Unsupported {
		p.mistake(DropsHandler, row, m, path+"/type", "hooks of type "+kind.Type+" are not supported")
		return
	}
	for _, m := range o {
		if m.Name != "type" && p.member(row, &h, m, ordjson.Pointer(path, m.Name)) > Ignored {
			return
		}
	}
	if h.HasMatcher && h.Matcher != "" && h.Matcher != "*" && row.Match == schema.MatchNothing {
		p.report(schema.CodeIgnoredMatcher, m, path, row.Native+" has nothing to match; the hook always runs").Event = row.Native
	}
	p.cfg.Hooks = append(p.cfg.Hooks, h)
}

// handlerType returns the type of a handler, nil if it has none that the agent
// knows.
func (p *parser) handlerType(row *schema.EventRow, o ordjson.Object, m ordjson.Member, path string) *HandlerRow {
	raw, ok := o.Get("type")
	name, _ := ordjson.String(raw)
	for i := range p.agent.File.Handlers {
		if p.agent.File.Handlers[i].Type == name {
			return &p.agent.File.Handlers[i]
		}
	}
	msg := "the handler has no type"
	if ok {
		msg = "unknown handler type " + strconv.Quote(name)
	}
	p.mistake(p.agent.File.NoType, row, m, path+"/type", msg)
	return nil
}

func (p *parser) member(row *schema.EventRow, h *schema.Hook, m ordjson.Member, path string) Consequence {
	for _, e := range p.agent.File.Entries {
		if e.Name != m.Name || e.Of != 0 && e.Of != h.Handler {
			continue
		}
		kind := ordjson.KindOf(m.Value)
		if kind == ordjson.Null {
			return Ignored
		}
		if kind != e.Kind {
			return p.mistake(p.agent.File.WrongType, row, m, path, m.Name+" is "+schema.An(kind.String())+", not "+schema.An(e.Kind.String()))
		}
		if bad := e.Read(h, m.Value); bad != "" {
			return p.mistake(p.agent.File.WrongType, row, m, path, bad)
		}
		return Ignored
	}
	h.Extra = append(h.Extra, m)
	return p.mistake(Ignored, row, m, path, strconv.Quote(m.Name)+" means nothing here")
}
