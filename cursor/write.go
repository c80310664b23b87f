package cursor

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Select returns the selection of a hook's matcher. Cursor searches for a match anywhere in the name. At the shell gate
// it compares the command, at constant events a word that always matches.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	row := rowOf(h.Native)
	m, err := matcher.Compile(matcher.Anywhere, h.Matcher)
	switch {
	case row == nil:
		return schema.Selection{All: true, Exact: true}
	case row.Native == "subagentStart": // other agents deny at the call of the tool that starts agents
		return schema.Selection{Event: schema.PreTool, Picks: []schema.Pick{{Kind: schema.Agent}}, Exact: m.All()}
	case row.Native == "afterAgentResponse": // other agents send it when the agent stops
		return schema.Selection{Event: schema.Stop, All: true, Exact: m.All() || m.Match(row.MatchConst)}
	case row.Gate != nil && row.Match != schema.MatchTool || row.Gate != nil && m.All():
		exact := m.All() || row.Match == schema.MatchConst && m.Match(row.MatchConst)
		return schema.Selection{Picks: appendKinds(nil, row.Kinds()), Exact: exact}
	case row.Match == schema.MatchField:
		names, plain := m.Plain()
		return schema.Selection{Words: words.For(row.Event, row.MatchField).Canonical(names), All: !plain,
			Exact: m.All() || plain}
	case row.Match != schema.MatchTool:
		return schema.Selection{All: true, Exact: m.All() || row.Match == schema.MatchConst && m.Match(row.MatchConst)}
	case m.All():
		return schema.Selection{All: true, Exact: true}
	}

	names, plain := m.Plain()
	s := schema.Selection{Exact: true}
	for _, n := range names {
		tool, isMCP := strings.CutPrefix(n, mcpPrefix)
		switch row := profile.Tool(n); {
		case isMCP:
			s.Picks = append(s.Picks, schema.Pick{Kind: schema.MCP, Name: tool})
		case row != nil && len(row.Kinds) > 0: // a Write may be any edit
			s.Picks = appendKinds(s.Picks, row.Kinds)
		default:
			s.Picks = append(s.Picks, schema.Pick{Name: n})
		}
	}

	switch {
	case plain:
		return s
	case err != nil:
		return schema.Selection{All: true}
	case m.MayTake(mcpPrefix):
		s.Picks = []schema.Pick{{Kind: schema.MCP}}
	}
	if s.Search = h.Matcher; row.Gate != nil { // never about other tools
		s.Search = ""
	}

	return s
}

func appendKinds(picks []schema.Pick, kinds []schema.Kind) []schema.Pick {
	for _, k := range kinds {
		picks = append(picks, schema.Pick{Kind: k})
		if k == schema.Edit {
			picks = append(picks, schema.Pick{Kind: schema.MultiEdit})
		}
	}
	return picks
}

// notMCP matches every tool except those of MCP servers, which have a separate event that names the server.
const notMCP = "^(?!MCP:)"

// Plan lists the entries for a hook in a hooks.json; none if Cursor has no such
// event. Before a tool runs, MCP tools go to their gate event.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	row := rowOf(profile.Generic(h.Event))
	if row == nil {
		return nil
	}

	entry := func(native, m string, exact bool) schema.Entry {
		return schema.Entry{Native: native, Pointer: "/hooks/" + native, Matcher: m, Exact: exact}
	}
	if row.Match == schema.MatchField && !sel.All && len(sel.Words) > 0 {
		return []schema.Entry{entry(row.Native, wordMatcher(words.For(row.Event, row.MatchField).SpellAll(sel.Words)),
			sel.Exact)}
	}
	if row.Match != schema.MatchTool {
		return []schema.Entry{entry(row.Native, "", sel.Exact && sel.All)}
	}

	gate := h.Event == schema.PreTool
	switch {
	case sel.All && gate:
		return []schema.Entry{entry(row.Native, notMCP, sel.Exact), entry("beforeMCPExecution", "", sel.Exact)}
	case sel.All:
		return []schema.Entry{entry(row.Native, "", sel.Exact)}
	}

	names, mcp := toolNames(sel.Picks)
	if !gate && len(mcp) > 0 {
		names = append(names, mcpMatcher(mcp))
	}
	search, exact := sel.Search, sel.Exact
	if m, _ := matcher.Compile(matcher.Anywhere, search); gate && search != "" && m.MayTake(mcpPrefix) {
		search = notMCP + ".*(?:" + search + ")"
	}
	for _, p := range mcp { // the matcher doesn't see the server
		exact = exact && p.Server == ""
	}
	var out []schema.Entry
	if m := toolUnion(names, search); m != "" {
		out = append(out, entry(row.Native, m, exact))
	}
	if gate && len(mcp) > 0 {
		out = append(out, entry("beforeMCPExecution", toolUnion([]string{mcpMatcher(mcp)}, ""), false))
	}
	return out
}

func toolUnion(names []string, search string) string {
	if len(names) == 1 && search == "" {
		return "^" + names[0] + "$"
	}
	return matcher.Union(names, search)
}

func toolNames(picks []schema.Pick) (names []string, mcp []schema.Pick) {
	for _, p := range picks {
		if p.Kind == schema.MCP {
			mcp = append(mcp, p)
			continue
		}
		name := p.Name
		if row := profile.ToolOfKind(p.Kind); name == "" && row != nil && row.Kinds[0] == p.Kind {
			name = row.Name
		}
		if name = matcher.Escape(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, mcp
}

// mcpMatcher matches the tools of the picks on any server, because the matcher doesn't see it. Other agents write "_"
// for characters that their tool names can't contain.
func mcpMatcher(mcp []schema.Pick) string {
	var names []string
	for _, p := range mcp {
		if p.Name == "" {
			return mcpPrefix + ".*"
		}
		if n := strings.ReplaceAll(matcher.Escape(p.Name), "_", "."); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 1 {
		return mcpPrefix + names[0]
	}
	return mcpPrefix + "(?:" + strings.Join(names, "|") + ")"
}

// wordMatcher matches exactly the words. A word that isn't a valid regular expression would void the whole file.
func wordMatcher(words []string) string {
	return "^(?:" + strings.Join(lists.Map(words, matcher.Escape), "|") + ")$"
}

// heedsPrompt reports whether an event uses the answer of a prompt hook. It does if hooks can block there, but not in
// the SDK, which skips prompt hooks (observed SDK 1.0.32).
func (d Dialect) heedsPrompt(native string) bool {
	program, _ := programOf(d.Version)
	row := d.Profile().Row(native)
	return program != sdk && row != nil && row.Blocks != 0
}

// WriteHook writes an entry, and returns the features that it can express.
func (d Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	own := *h
	own.Matcher = e.Matcher
	a := family.Agent{Data: d.Profile(), File: &file}
	value, said = a.WriteFlat(&own)
	fields, _ := ordjson.Members(value, 0)
	for i := range fields {
		fields[i].Value = noComment(fields[i].Value)
	}
	if said |= schema.HookMatcher; !d.heedsPrompt(e.Native) {
		said &^= schema.HookPrompt
	}
	return fields.Append(nil), said
}

// noComment writes a JSON string without //, /* and */: Cursor removes comments without looking at strings, even across
// entries (observed SDK 1.0.32).
func noComment(raw []byte) []byte {
	s := string(raw)
	if !strings.Contains(s, "//") && !strings.Contains(s, "/*") && !strings.Contains(s, "*/") {
		return raw
	}
	return []byte(strings.ReplaceAll(strings.ReplaceAll(s, "/", `\/`), "/*", `/\u002a`))
}
