package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// A Planner computes where hooks of one dialect need entries in the configuration of another, for install, convert,
// modules of callbacks and doctor. The zero Planner is not valid, and a Planner isn't safe for concurrent use.
type Planner struct {
	from, to dialect.Dialect
	reached  map[string]schema.Selection // by native event and matcher
	shown    map[string][]shownTool      // by native event
	absent   map[string]absence          // by native event and matcher
}

// An absence lists the tools that a matcher names and the target lacks; live: the matcher accepts other tools.
type absence struct {
	names   []string
	live    bool
	unknown []string // names that are in no table, if no name is absent
}

// New returns a planner for hooks of from under to.
func New(from, to dialect.Dialect) *Planner {
	return &Planner{from: adapter.AsWritten(from, to), to: to, reached: map[string]schema.Selection{},
		shown: map[string][]shownTool{}, absent: map[string]absence{}}
}

// A Route is one hook on its way from its agent to the planner's target. The zero Route is not valid.
type Route struct {
	*Planner
	h *schema.Hook
}

// Route returns the route of a hook.
func (p *Planner) Route(h *schema.Hook) *Route { return &Route{p, h} }

// A shownTool is a tool of the target with the calls that the hooks' agent would show for it.
type shownTool struct {
	name  string
	also  []string        // its names in the target's own matchers
	calls [][]schema.View // one for each kind of call that it may make; the last is for a call of any kind
}

func (t shownTool) takenBy(m *matcher.Matcher) bool {
	return slices.ContainsFunc(t.calls, func(views []schema.View) bool { return takes(m, views) })
}

func takes(m *matcher.Matcher, views []schema.View) bool {
	return slices.ContainsFunc(views, func(v schema.View) bool { return m.Match(v.Target...) })
}

// reach returns which of the target's tools a hook gets. For each known tool of the target it tries how hookbridge
// would show the call to the hook. It is never narrower than what hookbridge runs the hook for.
func (r *Route) reach() schema.Selection {
	sel := r.from.Select(r.h)
	row := r.from.Profile().Row(r.h.Native)
	if event := cmp.Or(sel.Event, r.h.Event); sel.All || row == nil || !event.IsTool() {
		return widened(r.from, r.to, r.h, sel)
	}
	key := r.h.Native + "\x00" + r.h.Matcher
	if known, ok := r.reached[key]; ok {
		return known
	}
	out := r.tried(row, sel)
	r.reached[key] = out
	return out
}

// familyOf returns the listed dialect with the same payloads as d.
func familyOf(d dialect.Dialect) dialect.Dialect {
	for _, listed := range adapter.Dialects() {
		if dialect.Related(listed, d) {
			return listed
		}
	}
	return d
}

func (r *Route) tried(row *schema.EventRow, sel schema.Selection) schema.Selection {
	m, _ := r.from.Profile().Matcher(r.h)
	if row.Match != schema.MatchTool { // the value to compare is known only at the call
		m, _ = matcher.Compile(r.from.Profile().GrammarOf(r.h.Native), "")
	}
	out := schema.Selection{Event: sel.Event, Exact: sel.Exact, Search: sel.Search, Words: sel.Words}
	tools := r.tools(cmp.Or(sel.Event, r.h.Event))
	if names, plain := m.Plain(); plain {
		r.pickNames(&out, tools, sel, names)
	} else {
		r.pickTools(&out, tools, m)
	}
	if row.Match != schema.MatchTool {
		r.pickKinds(&out, sel)
	}
	r.dropCovered(&out, tools)
	out.Exact = out.Exact && r.exact(tools, m, out.Picks)
	r.pickMCP(&out, sel)
	if len(out.Picks) == 0 && out.Search == "" {
		return schema.Selection{Event: sel.Event, All: true}
	}
	return out
}

// pickNames adds the tools that a list names. A name that the hooks' agent doesn't have stays, and so do all if the
// target has none of the tools: a new tool may have that name.
func (p *Planner) pickNames(out *schema.Selection, tools []shownTool, sel schema.Selection, names []string) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { // MCP tools are named by server and tool
		return slices.ContainsFunc(sel.Picks, func(p schema.Pick) bool {
			return p.Kind == schema.MCP && p.Name != "" && strings.HasSuffix(name, p.Name)
		})
	})
	for _, n := range names {
		one, _ := matcher.Compile(matcher.Anywhere, matcher.Union([]string{matcher.Escape(n)}, ""))
		p.pickTools(out, tools, one)
		if !p.hasKind(n) {
			addPick(out, schema.Pick{Name: n})
		}
	}
	if len(out.Picks) == 0 {
		for _, n := range names {
			addPick(out, schema.Pick{Name: n})
		}
	}
}

func addPick(sel *schema.Selection, p schema.Pick) {
	if !slices.Contains(sel.Picks, p) {
		sel.Picks = append(sel.Picks, p)
	}
}

// tools lists the target's tools, and tools without a kind for which the hooks' agent has several names.
func (r *Route) tools(e schema.Event) []shownTool {
	key := r.h.Native
	if known, ok := r.shown[key]; ok {
		return known
	}

	var out []shownTool
	native := r.to.Profile().Generic(e)
	call := func(name string, kinds ...schema.Kind) *schema.Call {
		var aliases []string
		if row := r.to.Profile().Tool(name); row != nil && len(row.Kinds) == 0 {
			aliases = row.Aliases
		}
		return &schema.Call{Dialect: familyOf(r.to).Profile().Name, Version: r.to.Profile().Version, Event: e,
			Native: native, Inline: r.h.Inline, Tool: schema.Tool{Name: name, Kinds: kinds, Aliases: aliases}}
	}

	add := func(t shownTool, kinds, also, parts []schema.Kind) {
		var each []*schema.Call
		for _, k := range parts {
			isPatch := slices.ContainsFunc(kinds, schema.Kind.ChangesFile)
			if k == schema.Delete && !isPatch && r.from.Profile().ToolOfKind(k) == nil { // it gets the command
				continue
			}
			each = append(each, call(t.name, k))
		}
		if len(kinds) == 0 {
			if kinds = []schema.Kind{schema.Other}; e == schema.PreTool {
				kinds = append(kinds, also...)
			}
		} else {
			for _, k := range kinds {
				each = append(each, call(t.name, k))
			}
		}
		for _, c := range append(each, call(t.name, kinds...)) {
			views := slices.DeleteFunc(r.from.Views(c), func(v schema.View) bool { return v.Event != r.h.Native })
			t.calls = append(t.calls, views)
		}
		for _, v := range r.to.Views(call(t.name, kinds...)) {
			if v.Event == native {
				t.also = append(t.also, v.Target...)
			}
		}
		out = append(out, t)
	}
	for _, row := range r.to.Profile().Tools {
		add(shownTool{name: row.NameAt(r.to.Profile().AsOf)}, row.Kinds, row.Also, row.Parts)
	}

	for _, row := range r.from.Profile().Tools {
		for _, name := range append([]string{row.Name}, row.Aliases...) {
			known := slices.ContainsFunc(out, func(t shownTool) bool { return t.name == name })
			if len(row.Kinds) == 0 && !known {
				add(shownTool{name: name}, nil, nil, nil)
			}
		}
	}
	r.shown[key] = out
	return out
}

// pickTools adds the tools with calls that a matcher of the hooks' agent accepts.
func (p *Planner) pickTools(sel *schema.Selection, tools []shownTool, m *matcher.Matcher) {
	for _, t := range tools {
		for _, v := range slices.Concat(t.calls...) {
			if m.Match(v.Target...) {
				addPick(sel, schema.Pick{Kind: v.Kind, Name: t.name})
			}
		}
	}
}

// pickKinds adds the target's tools of an event's kinds.
func (p *Planner) pickKinds(sel *schema.Selection, by schema.Selection) {
	for _, row := range p.to.Profile().Tools {
		for _, pick := range by.Picks {
			if pick.Kind != schema.MCP && slices.Contains(row.Kinds, pick.Kind) {
				addPick(sel, schema.Pick{Kind: pick.Kind, Name: row.Name})
			}
		}
	}
}

// hasKind reports whether the hooks' agent has a tool of that name whose calls have other names elsewhere.
func (p *Planner) hasKind(name string) bool {
	return slices.ContainsFunc(p.from.Profile().Tools, func(row schema.ToolRow) bool {
		return len(row.Kinds) > 0 && (row.Name == name || slices.Contains(row.Aliases, name))
	})
}

// dropCovered removes tools that the target's matchers also match under the name of another selected tool, and tools
// that the search finds by their own name.
func (p *Planner) dropCovered(sel *schema.Selection, tools []shownTool) {
	search, _ := matcher.Compile(matcher.Anywhere, sel.Search)
	var kept []schema.Pick
	for _, pick := range sel.Picks {
		if sel.Search != "" && search.Match(pick.Name) {
			continue
		}
		covered := false
		for _, t := range tools {
			covered = covered || t.name == pick.Name && slices.ContainsFunc(kept, func(k schema.Pick) bool {
				return k.Name != pick.Name && slices.Contains(t.also, k.Name)
			})
		}
		if !covered {
			kept = append(kept, pick)
		}
	}
	sel.Picks = kept
}

// exact reports whether m accepts every call of the selected tools.
func (p *Planner) exact(tools []shownTool, m *matcher.Matcher, picks []schema.Pick) bool {
	for _, t := range tools {
		picked := slices.ContainsFunc(picks, func(p schema.Pick) bool { return p.Name == t.name })
		if picked && slices.ContainsFunc(t.calls, func(views []schema.View) bool { return !takes(m, views) }) {
			return false
		}
	}
	return true
}

// pickMCP adds the tools of MCP servers, except those that the search already covers. A search for such tools alone is
// useless if they have other names.
func (p *Planner) pickMCP(out *schema.Selection, sel schema.Selection) {
	covered, alike := true, true
	if sel.Search != "" {
		var prefix string
		if covered, alike, prefix = p.searchFindsMCP(sel.Search); !alike && prefix != "" &&
			matcher.Begins(sel.Search, prefix) {
			out.Search = ""
		}
	}
	for _, pick := range sel.Picks {
		if pick.Kind != schema.MCP || pick.Name == "" && sel.Search != "" && covered {
			continue
		}
		from, to := &p.from.Profile().MCP, &p.to.Profile().MCP
		pick.AnyForm = pick.Server != "" && len(from.Forms) == 0 && len(to.Forms) > 0
		addPick(out, pick)
		for _, plain := range from.PlainPick(pick, to) {
			addPick(out, plain)
		}
	}
	out.Exact = out.Exact && alike
}

// searchFindsMCP reports whether an expression that finds text in the MCP tool names of the hooks' agent finds it in
// the target's too. It also returns whether the names are alike, and their common prefix.
func (p *Planner) searchFindsMCP(search string) (covered, alike bool, prefix string) {
	const server, other, tool = "ahbs", "zhbs", "hbt"
	own := NameOfMCP(p.from, server, tool)
	if own == NameOfMCP(p.to, server, tool) && !p.spelledOtherwise(search) && !p.shortened(search) {
		return true, true, ""
	}
	if prefix, _, named := strings.Cut(own, server); named {
		return false, false, prefix
	}
	prefix, last := strings.CutSuffix(own, tool)
	m, _ := matcher.Compile(matcher.Anywhere, search)
	texts, plain := m.Contains()
	covered = last && plain && own == NameOfMCP(p.from, other, tool) && strings.HasSuffix(NameOfMCP(p.to, server, tool),
		tool)
	for _, text := range texts {
		covered = covered && findsInTool(prefix, text)
	}
	return covered, false, prefix
}

// shortened reports whether an expression searches for the ends of names that the target shortens.
func (p *Planner) shortened(search string) bool {
	from, to := p.from.Profile().MCP, p.to.Profile().MCP
	if !strings.Contains(search, from.Prefix) || to.Sure() >= from.Sure() {
		return false
	}
	m, _ := matcher.Compile(matcher.Anywhere, search)
	texts, plain := m.Contains()
	return !plain || slices.ContainsFunc(texts, func(text string) bool {
		return strings.HasPrefix(text, from.Prefix) && len(text) > to.Sure()
	})
}

// spelledOtherwise reports whether the target may write a character of a name in an expression differently.
func (p *Planner) spelledOtherwise(search string) bool {
	from, to := p.from.Profile().MCP, p.to.Profile().MCP
	if from.NameRules == to.NameRules {
		return false
	}
	if to.Runs && !from.Runs && strings.Contains(search, from.Between) {
		return true // a separator that is part of a name becomes shorter
	}
	names := strings.NewReplacer(from.Prefix, "", from.Between, "").Replace(search)
	return slices.ContainsFunc([]string{"_", "-", "."}, func(mark string) bool {
		images := to.Images(from.NameRules, rune(mark[0]))
		written := mark
		if mark == "." {
			written = `\.`
		}
		return strings.Contains(names, written) && (len(images) > 1 || images[0] != mark)
	})
}

// prefixOfMCP returns the common prefix of all names of such tools, or "".
func prefixOfMCP(d dialect.Dialect) string {
	before, _, _ := strings.Cut(strings.TrimSuffix(NameOfMCP(d, "ahbs", "hbt"), "hbt"), "ahbs")
	return before
}

// NameOfMCP returns the name of an MCP tool in an agent's matchers.
func NameOfMCP(d dialect.Dialect, server, tool string) string {
	c := &schema.Call{Event: schema.PostTool, Tool: schema.Tool{Name: tool, Server: server,
		Kinds: []schema.Kind{schema.MCP}}}
	for _, v := range d.Views(c) {
		if len(v.Target) > 0 && strings.Contains(v.Target[0], tool) {
			return v.Target[0]
		}
	}
	return ""
}

// findsInTool reports whether a text that is part of prefix+tool is always part of the tool's own name, whose letters
// all agents write alike.
func findsInTool(prefix, text string) bool {
	if strings.Contains(prefix, text) ||
		strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return false
	}
	for i := range prefix {
		if strings.HasPrefix(text, prefix[i:]) {
			return false
		}
	}
	return true
}
