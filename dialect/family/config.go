package family

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/internal/tomljson"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseConfig reads a hook file. It continues after a finding, so that one run reports everything.
func (a *Agent) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p, o := a.Open(text, at)
	p.Settings(o, "")
	return p.Result()
}

// A Parser reads one hook file. Open creates it, Settings or Events reads, Result ends.
type Parser struct {
	// Position returns the place of an offset in the user's original text.
	Position func(off int) (line, col int)
	AnyTop   bool // fields next to "hooks" belong to other settings

	agent   *Agent
	json    []byte
	index   *ordjson.Index
	cfg     *schema.Config
	ds      schema.Diagnostics
	void    bool     // the file is broken
	dropped bool     // no hook of the current event runs
	newer   []effect // effects of parts that the known versions can't read
}

// Open reads the outermost object of a file, nil if there is none.
func (a *Agent) Open(text []byte, at schema.Source) (*Parser, ordjson.Object) {
	if a.File.InPlugin != nil && at.Scope == schema.ScopePlugin {
		own, rules := *a, *a.File
		rules.InPlugin(&rules)
		own.File, a = &rules, &own
	}
	json := text
	if a.File.Comments {
		json = ordjson.BlankComments(text)
	}
	if a.File.LastComma {
		json = ordjson.BlankLastCommas(json)
	}
	p := a.Parser(text, json, at)
	o, err := p.Object()
	if err != nil {
		p.Syntax(err)
		return p, nil
	}
	return p, o
}

// Parser returns a parser for a file. json is the JSON in text: the same text, with blanks for everything else.
func (a *Agent) Parser(text, json []byte, at schema.Source) *Parser {
	index := ordjson.NewIndex(text)
	return &Parser{Position: index.Position, agent: a, json: json, index: index, cfg: &schema.Config{Source: at}}
}

// Object reads the outermost object.
func (p *Parser) Object() (ordjson.Object, error) {
	const one = len("\ufeff") // every agent rejects a file with two
	if marks := len(p.json) - len(ordjson.TrimBOM(p.json)); marks > one || p.agent.File.NoMark && marks > 0 {
		return nil, errMark
	}
	if at := invalidUTF8(p.json); p.agent.File.OnlyUTF8 && at >= 0 {
		line, col := p.Position(at)
		return nil, &ordjson.SyntaxError{Msg: "invalid UTF-8, which this agent doesn't read", Line: line, Col: col}
	}
	if at := ordjson.LoneSurrogate(p.json); p.agent.File.WholePairs && at >= 0 {
		line, col := p.Position(at)
		return nil, &ordjson.SyntaxError{Msg: "half of a surrogate pair, which this agent doesn't read", Line: line,
			Col: col}
	}
	if p.agent.File.Blank && len(bytes.TrimSpace(ordjson.TrimBOM(p.json))) == 0 {
		return nil, nil
	}
	if !p.agent.File.LastCounts {
		return ordjson.Parse(p.json)
	}
	o, repeated, err := ordjson.ParseLast(p.json)
	schema.RepeatedDiagnostics(&p.ds, repeated, p.index, p.cfg.Source.File)
	return o, err
}

var errMark = &ordjson.SyntaxError{
	Msg: "the file starts with a byte order mark, which this agent takes for a mistake", Line: 1, Col: 1}

// invalidUTF8 returns the offset of the first byte that isn't UTF-8, -1 if there is none.
func invalidUTF8(text []byte) int {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return -1
}

// Syntax reports that a file has no object.
func (p *Parser) Syntax(err error) { schema.SyntaxDiagnostic(&p.ds, err).Place(p.cfg.Source.File) }

// Hook begins a hook of an event.
func (p *Parser) Hook(row *schema.EventRow, m ordjson.Member, path string) schema.Hook {
	h := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate != nil, Inline: row.Inline(),
		Source: p.cfg.Source, Path: path}
	h.Line, h.Col = p.Position(m.Off)
	return h
}

// Add adds a hook.
func (p *Parser) Add(h schema.Hook) { p.cfg.Hooks = append(p.cfg.Hooks, h) }

// Text returns the file as JSON.
func (p *Parser) Text() []byte { return p.json }

// Agent returns the agent whose file it is.
func (p *Parser) Agent() *Agent { return p.agent }

// Config returns the configuration read so far.
func (p *Parser) Config() *schema.Config { return p.cfg }

// Result returns the configuration of the file, and the findings.
func (p *Parser) Result() (*schema.Config, schema.Diagnostics) {
	if p.void {
		p.cfg = p.agent.File.rejected(p.cfg)
	} else if p.cfg.Known = p.agent.File.known(p.cfg, p.newer); p.cfg.Known != nil {
		p.cfg.DisableAll, p.cfg.Switch = p.cfg.Known.DisableAll, p.cfg.Known.Switch // a rejected file has no switch
	}
	return p.cfg, p.ds
}

// rejected returns what is left of the configuration of a rejected file.
func (r *FileRules) rejected(cfg *schema.Config) *schema.Config {
	if r.KeepsTop || r.KeepsManaged && cfg.Source.Scope == schema.ScopeManaged {
		out := *cfg
		out.Hooks = nil
		return &out
	}
	return &schema.Config{Source: cfg.Source} // as if the file were not there
}

// Settings reads the fields of a settings object at a pointer.
func (p *Parser) Settings(o ordjson.Object, base string) {
	rules := p.agent.File
	p.cfg.Base = base
	for _, m := range o {
		at := ordjson.Pointer(base, m.Name)
		setting := slices.IndexFunc(rules.Settings, func(s SettingRow) bool { return s.Name == m.Name })
		switch {
		case m.Name == "hooks":
			p.hooksOf(m, at)
		case setting >= 0:
			row := &rules.Settings[setting]
			switch bad := row.read(p.cfg, m, base); {
			case bad != "" && row.Newer != nil && row.Newer(m.Value):
				p.Unknown(rules.BadSetting, nil, m, at, bad)
			case bad != "":
				p.Mistake(rules.BadSetting, nil, m, at, bad)
			}

		case p.AnyTop, rules.UnknownTop == Ignored, slices.Contains(rules.Top, m.Name):
			if base == "" {
				p.misplaced(o, m, at)
			}
			p.cfg.Extra = append(p.cfg.Extra, m)

		default:
			p.Unknown(rules.UnknownTop, nil, m, at, "unknown field "+strconv.Quote(m.Name))
			p.cfg.Extra = append(p.cfg.Extra, m)
		}
	}
}

// misplaced reports hooks that the agent doesn't find: an event outside "hooks", or a misspelled "hooks".
func (p *Parser) misplaced(o ordjson.Object, m ordjson.Member, at string) {
	title, row := p.agent.Data.Title, p.row(m.Name)
	events, _ := ordjson.Members(m.Value, m.Off)
	groups, err := ordjson.Elements(m.Value, 0)
	switch {
	case row != nil && len(groups) > 0 && !p.AnyTop && slices.Contains(p.agent.File.Guards, row.Event):
		p.Mistake(VoidsFile, nil, m, at, m.Name+` is outside "hooks"`)
		p.ds[len(p.ds)-1].Fix = `move it into "hooks"`
	case row != nil && err == nil:
		d := p.Report(schema.CodeVoidHook, m, at, title+" reads events inside \"hooks\" only, so these hooks never run")
		d.Event, d.Fix = m.Name, `move it into "hooks"`
	case slices.ContainsFunc(events, func(e ordjson.Member) bool { return p.row(e.Name) != nil }) &&
		suggest.Nearest(m.Name, []string{"hooks"}) != "" && !o.Has("hooks"):
		d := p.Report(schema.CodeVoidHook, m, at, title+" doesn't read "+strconv.Quote(m.Name)+
			", so these hooks never run")
		d.Fix, d.Edit = "did you mean hooks?", schema.Change{Path: at, Name: "hooks"}
	}
}

// hooksOf reads the field hooks. In a plugin's manifest it may be a list of paths and hooks, and the hooks may be in an
// object as in a separate file.
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

// OpenTOML reads a TOML file as the equivalent object, nil if it can't be read. It leaves other settings to another
// reader.
func (a *Agent) OpenTOML(text []byte, at schema.Source) (*Parser, ordjson.Object) {
	if a.File.NoTOMLMark && len(ordjson.TrimBOM(text)) < len(text) {
		p := a.Parser(text, text, at)
		p.Syntax(errMark)
		return p, nil
	}
	json, places, err := tomljson.Document(text)
	if err != nil {
		p := a.Parser(text, text, at)
		d := p.ds.Add(schema.CodeSyntax, "", err.Error())
		d.File = at.File
		if te, ok := err.(*tomljson.Error); ok {
			d.Message, d.Line, d.Col = te.Msg, te.Line, te.Col
		}
		return p, nil
	}
	p, o := a.Open(json, at)
	p.Position, p.AnyTop = places.Position, true
	return p, o
}

// Report adds a finding about a field.
func (p *Parser) Report(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.cfg.Source.File
	d.Line, d.Col = p.Position(m.Off)
	return d
}

// Mistake reports a mistake and its consequence, which it returns.
func (p *Parser) Mistake(c Consequence, row *schema.EventRow, m ordjson.Member, path, msg string) Consequence {
	if p.agent.File.guarded(c, row) {
		c, msg = VoidsFile, msg+" under "+row.Native
	}
	switch c {
	case VoidsFile:
		p.void = true
	case DropsEvent:
		p.dropped = true
	case SilencesEvent:
		p.cfg.Void = append(p.cfg.Void, row.Native)
	}
	code, does := p.agent.File.effectOf(c)
	d := p.Report(code, m, path, msg+"; "+p.agent.Data.Title+" "+does)
	if row != nil {
		d.Event = row.Native
	}
	return c
}

// effectOf returns the code for a mistake, and describes the agent's reaction.
func (r *FileRules) effectOf(c Consequence) (code schema.Code, does string) {
	switch c {
	case VoidsFile:
		return schema.CodeVoidFile, cmp.Or(r.Rejects, "rejects the whole file")
	case DropsHandler:
		return schema.CodeVoidHook, "doesn't run the handler"
	case DropsGroup:
		return schema.CodeVoidHook, "runs no handler of the group"
	case DropsEvent:
		return schema.CodeVoidHook, "runs no hook of the event from this file"
	case SilencesEvent:
		return schema.CodeVoidHook, "then runs no hook of the event, of this file or any other"
	}
	return schema.CodeUnknownMember, "ignores it"
}

// Wrong reports a value of the wrong type, which drops at least the part that contains it.
func (p *Parser) Wrong(part Consequence, row *schema.EventRow, m ordjson.Member, path, msg string) Consequence {
	return p.Odd(part, max(part, p.agent.File.WrongType), row, m, path, msg)
}

// Events reads an object of events at a pointer.
func (p *Parser) Events(m ordjson.Member, at string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.Mistake(p.agent.File.BadHooks, nil, m, at, "hooks is not an object")
		return
	}
	p.EventsOf(o, at)
}

// EventsOf reads the events in an object at a pointer.
func (p *Parser) EventsOf(o ordjson.Object, at string) {
	rules := p.agent.File
	if bad := misshapen(o); bad != nil && rules.StrictPlugins && p.cfg.Source.Scope == schema.ScopePlugin {
		p.Odd(DropsHandler, VoidsFile, nil, *bad, ordjson.Pointer(at, bad.Name), "not a list of groups")
	}

	for _, ev := range o {
		path := ordjson.Pointer(at, ev.Name)
		row := p.row(ev.Name)
		if row == nil || !p.agent.Data.Has(row) {
			p.unknown(ev, path, row)
			continue
		}

		groups, err := ordjson.Elements(ev.Value, ev.Off)
		switch {
		case err != nil && rules.LoneGroup && ordjson.KindOf(ev.Value) == ordjson.ObjectKind:
			p.Group(row, ev, path)
			continue
		case err != nil:
			c := cmp.Or(rules.BadEvent, max(DropsEvent, rules.WrongType))
			if rules.BadEventOf != nil {
				c = rules.BadEventOf(ev.Name)
			}
			p.Odd(DropsEvent, c, row, ev, path, ev.Name+" must be an array")
			continue
		}
		read := p.Group
		if p.agent.Steps.Entry != nil {
			read = func(row *schema.EventRow, g ordjson.Member, at string) { p.agent.Steps.Entry(p, row, g, at) }
		} else if rules.FlatLists && len(groups) > 0 {
			if first, _ := ordjson.Members(groups[0].Value, 0); first.Has("command") && first.Has("type") {
				read = p.Flat
			}
		}
		before := len(p.cfg.Hooks)
		p.dropped = false
		for i, g := range groups {
			read(row, g, ordjson.Pointer(path, strconv.Itoa(i)))
		}
		if p.dropped {
			p.cfg.Hooks = p.cfg.Hooks[:before]
		}
	}
}

func (p *Parser) row(native string) *schema.EventRow {
	if p.agent.Steps.Event != nil {
		return p.agent.Steps.Event(native)
	}
	return p.agent.Row(native)
}

// misshapen returns the first event whose value isn't an array of objects, nil if there is none.
func misshapen(o ordjson.Object) *ordjson.Member {
	return lists.Find(o, func(m *ordjson.Member) bool {
		list, err := ordjson.Elements(m.Value, 0)
		return err != nil || slices.ContainsFunc(list, func(g ordjson.Member) bool {
			return ordjson.KindOf(g.Value) != ordjson.ObjectKind
		})
	})
}
