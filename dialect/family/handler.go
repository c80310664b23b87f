package family

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Group reads the handlers that share a matcher.
func (p *Parser) Group(row *schema.EventRow, g ordjson.Member, path string) {
	rules := p.agent.File
	o, err := ordjson.Members(g.Value, g.Off)
	if err != nil {
		p.Odd(DropsGroup, max(DropsGroup, rules.BadGroup, rules.WrongType), row, g, path, "the group is not an object")
		return
	}

	base := p.Hook(row, g, path)
	base.Group.Path = path
	var list *ordjson.Member
	flat := p.agent.File.isFlat(o, p.cfg.Source.File)
	for i, m := range o {
		member := slices.IndexFunc(rules.Groups, func(e EntryRow) bool { return e.Name == m.Name })
		switch {
		case m.Name == "matcher":
			s, ok := ordjson.String(m.Value)
			absent := rules.NullAbsent && ordjson.KindOf(m.Value) == ordjson.Null || rules.FalseNone &&
				!ordjson.Truthy(m.Value)
			if !ok && !absent {
				c := p.Odd(DropsGroup, max(rules.NoText, rules.WrongType, DropsGroup), row, m, path+"/matcher",
					"matcher is "+schema.An(ordjson.KindOf(m.Value).String())+", not a string")
				if c != SilencesEvent {
					return
				}
			}
			base.Matcher, base.HasMatcher = s, ok
			base.Group.Members = append(base.Group.Members, m.Name)
		case m.Name == "hooks":
			list = &o[i]
		case member >= 0:
			if bad := p.agent.File.typed(&rules.Groups[member], m); bad != "" {
				p.Wrong(DropsGroup, row, m, ordjson.Pointer(path, m.Name), bad)
				return
			}
			rules.Groups[member].read(&base, m.Value)
			base.Group.Members = append(base.Group.Members, m.Name)
		case !flat:
			p.Mistake(Ignored, row, m, ordjson.Pointer(path, m.Name), strconv.Quote(m.Name)+" has no effect here")
			if p.agent.File.ofHandler(m.Name) {
				p.ds[len(p.ds)-1].Fix = "move it into an entry of hooks"
			}
		}
	}

	if list == nil && flat {
		p.Report(schema.CodeVoidHook, g, path, "the group has no hooks array; "+p.agent.Data.Title+
			" doesn't run it; hookbridge reads it as intended").Event = row.Native
		p.handler(row, base, g, path, true)
		return
	}
	if list == nil {
		p.Odd(DropsGroup, max(DropsGroup, rules.BadGroup), row, g, path, "the group has no hooks array")
		if slices.ContainsFunc(o, func(m ordjson.Member) bool { return rules.ofHandler(m.Name) }) {
			d := &p.ds[len(p.ds)-1]
			d.Fix = "put the fields of the handler into an array of the group: \"hooks\": [{...}]"
			d.Edit = schema.Change{Path: path, Value: string(rules.grouped(o))}
		}
		return
	}

	if rules.BadMatcher > Ignored && row.Match != schema.MatchNothing {
		if m, err := matcher.Compile(p.agent.Data.GrammarOf(row.Native), base.Matcher); err != nil && !m.Unread() {
			p.Odd(DropsGroup, rules.BadMatcher, row, *list, path+"/matcher", err.Error())
			return
		}
	}

	handlers, err := ordjson.Elements(list.Value, list.Off)
	if err != nil {
		p.Odd(DropsGroup, max(DropsGroup, rules.BadGroup, rules.WrongType), row, *list, path+"/hooks",
			"hooks is not an array")
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

// grouped returns the group for an entry that has the fields of its only handler.
func (r *FileRules) grouped(o ordjson.Object) []byte {
	var group, handler ordjson.Object
	for _, m := range o {
		ofGroup := func(e EntryRow) bool { return e.Name == m.Name }
		if m.Name == "matcher" || slices.ContainsFunc(r.Groups, ofGroup) {
			group = append(group, m)
		} else {
			handler = append(handler, m)
		}
	}
	list := ordjson.AppendArray(nil, []ordjson.Object{handler}, func(dst []byte, o ordjson.Object) []byte {
		return o.Append(dst)
	})
	return append(group, ordjson.Member{Name: "hooks", Value: list}).Append(nil)
}

// ofHandler reports whether handlers have a field of that name.
func (r *FileRules) ofHandler(name string) bool {
	return name == "type" || slices.ContainsFunc(r.Entries, func(e EntryRow) bool { return e.Name == name })
}

// isFlat reports whether a group is also its only handler, a form found in real front matter.
func (r *FileRules) isFlat(o ordjson.Object, file string) bool {
	raw, _ := o.Get("command")
	_, list := o.Get("hooks")
	_, isText := ordjson.String(raw)
	return r.FlatText && isText && !list && strings.HasSuffix(file, ".md")
}

// Flat reads an event's entry that is a handler without a group.
func (p *Parser) Flat(row *schema.EventRow, m ordjson.Member, path string) {
	p.handler(row, p.Hook(row, m, path), m, path, true)
}

// handler reads a handler, and returns the consequence of a mistake in it.
func (p *Parser) handler(row *schema.EventRow, h schema.Hook, m ordjson.Member, path string, flat bool) Consequence {
	rules := p.agent.File
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		return p.Wrong(DropsHandler, row, m, path, "the handler is not an object")
	}

	h.Path = path
	h.Line, h.Col = p.Position(m.Off)
	for _, m := range o { // types that are wrong in every handler come first
		e := rules.entry(m, 0)
		if e != nil && e.Of == 0 && !rules.InOrder && (e.Feature&guardsWithout == 0 || p.agent.Data.Pinned()) {
			if bad := rules.typed(e, m); bad != "" {
				return p.Wrong(DropsHandler, row, m, ordjson.Pointer(path, m.Name), bad)
			}
		}
	}
	if raw, ok := o.Get("type"); ok && ordjson.KindOf(raw) != ordjson.StringKind && !rules.FlatLists {
		return p.Wrong(DropsHandler, row, m, path+"/type", "type is "+schema.An(ordjson.KindOf(raw).String())+
			", not a string")
	}

	flat = flat || p.agent.File.isFlat(o, p.cfg.Source.File)
	kind, c := p.handlerType(row, o, m, path, flat)
	if kind == nil {
		return c
	}

	h.Handler = kind.Handler
	if !rules.InOrder && p.lacks(kind, row, o, m, path, &c) {
		return c
	}
	if kind.Unsupported {
		return p.Mistake(DropsHandler, row, m, path+"/type", "hooks of type "+o.Str("type")+" are not supported")
	}
	if slices.Contains(kind.Never, row.Event) {
		return p.Mistake(DropsHandler, row, m, path+"/type", "hooks of type "+kind.Type+" are not supported at "+
			row.Native)
	}

	for _, m := range o {
		isGroups := flat && m.Name == "matcher" && rules.entry(m, 0) == nil
		if m.Name == "type" || isGroups {
			continue
		}
		if c := p.member(row, &h, m, ordjson.Pointer(path, m.Name)); c > Ignored {
			return c
		}
	}

	if rules.InOrder && p.lacks(kind, row, o, m, path, &c) {
		return c
	}
	if p.agent.Steps.Hook != nil {
		p.agent.Steps.Hook(p, row, &h, m)
	}
	if !p.cfg.Source.Terse {
		p.advise(row, &h, m)
	}
	p.cfg.Hooks = append(p.cfg.Hooks, h)
	return Ignored
}

// lacks reports whether a handler is missing something that its type needs, and sets the consequence.
func (p *Parser) lacks(kind *HandlerRow, row *schema.EventRow, o ordjson.Object, m ordjson.Member, path string,
	c *Consequence) bool {
	rules := p.agent.File
	for _, need := range kind.Needs {
		at := path
		if o.Has(need) {
			at = ordjson.Pointer(path, need)
		}
		switch s, isText := o.Text(need); {
		case !isText && at != path && ordjson.KindOf(o.Value(need)) != ordjson.Null:
			*c = p.Odd(DropsHandler, max(rules.Missing, rules.WrongType), row, m, at, need+" is not a string")
		case !isText:
			*c = p.Odd(DropsHandler, rules.Missing, row, m, at, schema.An(kind.Type)+" handler needs the string "+need)
		case s == "" && rules.Empty > Ignored:
			*c = p.Odd(DropsHandler, rules.Empty, row, m, at, schema.An(kind.Type)+" handler has an empty "+need)
		default:
			continue
		}
		return true
	}
	return false
}

// advise reports parts of a hook that don't have their apparent effect.
func (p *Parser) advise(row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	if p.agent.Steps.Advise != nil {
		p.agent.Steps.Advise(p, row, h, m)
	}
	if refused := p.agent.Data.Refuses(h); refused != "" {
		p.Report(schema.CodePluginRoot, m, h.Path, refused).Event = row.Native
	}
	ofGroup := h.HasMatcher && h.Group.Path != ""
	if ofGroup && h.Matcher != "" && h.Matcher != "*" && row.Match == schema.MatchNothing {
		p.Report(schema.CodeIgnoredMatcher, m, h.Path, row.Native+" has nothing to match; the hook always runs").Event =
			row.Native
	}
}

// handlerType returns the type of a handler, nil if the agent doesn't support it.
func (p *Parser) handlerType(row *schema.EventRow, o ordjson.Object, m ordjson.Member, path string, flat bool) (
	*HandlerRow, Consequence) {
	raw, ok := o.Get("type")
	name, _ := ordjson.String(raw)
	handlers := p.agent.File.Handlers
	takenAsCommand := !ok && flat || p.agent.File.FlatLists
	for i := range handlers {
		if handlers[i].Type == name || takenAsCommand && handlers[i].Handler == schema.HandlerCommand {
			return &handlers[i], Ignored
		}
	}
	if !ok {
		return nil, p.Odd(DropsHandler, p.agent.File.NoType, row, m, path, "the handler has no type")
	}
	c, last := p.agent.File.NoType, (*HandlerRow)(nil)
	if (p.agent.File.AnyType || c == Ignored) && !p.agent.Data.Pinned() {
		p.keepUnknown(row, path+"/type")
	}
	if p.agent.File.AnyType {
		if c, last = Ignored, &handlers[len(handlers)-1]; last.Unsupported {
			return last, c
		}
	}
	return last, p.Unknown(c, row, m, path+"/type", "unknown handler type "+strconv.Quote(name))
}

// entry returns the row of a handler's field, nil if there is none.
func (r *FileRules) entry(m ordjson.Member, of schema.Handler) *EntryRow {
	return lists.Find(r.Entries, func(e *EntryRow) bool {
		return e.Name == m.Name && (e.Of == 0 || e.Of == of)
	})
}

// typed describes a wrong type of a field, "" if the type is right.
func (r *FileRules) typed(e *EntryRow, m ordjson.Member) string {
	want, each := e.Kinds()
	switch kind := ordjson.KindOf(m.Value); {
	case want == ordjson.Invalid || kind == ordjson.Null && r.NullAbsent:
		return ""
	case kind != want:
		return m.Name + " is " + schema.An(kind.String()) + ", not " + schema.An(want.String())
	}
	list, _ := ordjson.Elements(m.Value, m.Off)
	for _, x := range list {
		if kind := ordjson.KindOf(x.Value); each != ordjson.Invalid && kind != each {
			return m.Name + " holds " + schema.An(kind.String()) + ", not " + schema.An(each.String())
		}
	}
	return ""
}

func (p *Parser) member(row *schema.EventRow, h *schema.Hook, m ordjson.Member, path string) Consequence {
	e := p.agent.File.entry(m, h.Handler)
	if e == nil {
		h.Extra = append(h.Extra, m)
		if _, known := p.agent.Data.IgnoredMember(m.Name); known {
			return Ignored
		}
		return p.Mistake(Ignored, row, m, path, strconv.Quote(m.Name)+" has no effect here")
	}
	bad, lost := p.agent.File.typed(e, m), max(DropsHandler, p.agent.File.WrongType)
	if bad == "" && p.agent.File.NullAbsent && ordjson.KindOf(m.Value) == ordjson.Null {
		return Ignored
	}
	if bad == "" {
		bad = e.read(h, m.Value)
	}
	if bad != "" && p.Without(h, e.Feature, lost, row, m, path, bad) {
		return Ignored
	}
	if bad != "" {
		return p.Odd(DropsHandler, lost, row, m, path, bad)
	}
	if code, msg, fix := e.advise(m.Value); msg != "" && !p.cfg.Source.Terse {
		p.Report(code, m, path, msg).Fix = fix
	}
	return Ignored
}
