package claude

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Select tells what a hook's matcher selects.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	row := rowOf(h.Native)
	if row == nil || row.Match == schema.MatchNothing {
		return schema.Selection{All: true, Exact: true}
	}
	m, err := matcher.Compile(d.Profile().GrammarOf(h.Native), h.Matcher)
	if m.All() {
		return schema.Selection{All: true, Exact: true}
	}
	names, plain := m.Plain()
	switch {
	case row.Match != schema.MatchTool:
		return schema.Selection{Words: words.For(row.Event, row.MatchField).Canonical(names), Exact: plain, All: !plain}
	case plain:
		s := schema.Selection{Exact: true}
		for _, n := range names {
			s.Picks = append(s.Picks, picksOf(n)...)
		}
		return s
	case err != nil:
		return schema.Selection{All: true}
	}
	s := schema.Selection{Search: h.Matcher, Exact: true}
	if m.MayTake(mcpPrefix) {
		s.Picks = []schema.Pick{{Kind: schema.MCP}}
	}
	return s
}

// picksOf is what a tool's name stands for. Where the name of an MCP server may
// end in more than one place, each of them is meant.
func picksOf(name string) (picks []schema.Pick) {
	for _, s := range splitsMCP(name) {
		picks = append(picks, schema.Pick{Kind: schema.MCP, Server: s[0], Name: s[1]})
	}
	if picks != nil {
		return picks
	}
	if row := toolNamed(name); row != nil && len(row.Kinds) > 0 {
		return []schema.Pick{{Kind: row.Kinds[0]}}
	}
	return []schema.Pick{{Name: name}}
}

// Plan lists where a hook for e can stand in a settings file; none if there is no
// such event.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	row := rowFor(h.Event)
	if row == nil || h.Inline {
		return nil
	}
	e := schema.Entry{Native: row.Native, Pointer: "/hooks/" + row.Native, Exact: sel.Exact}
	switch {
	case sel.All:
	case row.Match == schema.MatchTool:
		e.Matcher = toolMatcher(sel)
	case row.Match == schema.MatchField && len(sel.Words) > 0:
		e.Matcher = strings.Join(words.For(row.Event, row.MatchField).SpellAll(sel.Words), "|")
	default:
		e.Exact = false
	}
	return []schema.Entry{e}
}

// toolMatcher names the tools of a selection: as a list, or as an expression that
// Claude Code cannot take for one.
func toolMatcher(sel schema.Selection) string {
	var list, names []string
	plain := sel.Search == ""
	add := func(name, expression string) {
		if !slices.Contains(names, expression) {
			list, names = append(list, name), append(names, expression)
		}
		plain = plain && name != ""
	}
	for _, p := range sel.Picks {
		switch {
		case p.Kind == schema.MCP && (p.Server == "" || p.Name == ""):
			add("", wildMCP(p.Server, p.Name))
		case p.Kind == schema.MCP:
			add(mcpName(p.Server, p.Name), mcpName(p.Server, p.Name))
		default:
			if row := toolOfKind(p.Kind); row != nil && p.Name == "" {
				p.Name = row.Name
			}
			if p.Name != "" {
				add(p.Name, matcher.Escape(p.Name))
			}
		}
	}
	m := strings.Join(list, "|")
	if !plain || !listed(m, list) {
		m = matcher.Union(names, sel.Search)
	}
	if sel.Search != "" && listed(m, nil) {
		m = "(?:" + m + ")"
	}
	return m
}

// listed reports whether Claude Code reads a matcher as a list of names, and of
// these if any are given.
func listed(m string, names []string) bool {
	read, _ := matcher.Compile(schema.GrammarNames, m)
	got, plain := read.Plain()
	return plain && (names == nil && !strings.HasPrefix(m, "^") || slices.Equal(got, names))
}

// wildMCP is an expression for the tools of an MCP server, or for one tool of any.
func wildMCP(server, tool string) string {
	if server == "" {
		return mcpPrefix + ".*__" + wild(tool)
	}
	return mcpName(server, "") + wild(tool)
}

func wild(tool string) string {
	if tool == "" {
		return ".*"
	}
	return strings.TrimPrefix(mcpName("", tool), mcpName("", ""))
}

// written are the features that a handler can say.
const written = schema.HookMatcher | schema.HookCondition | schema.HookTimeout | schema.HookFailPolicy | schema.HookAsync | schema.HookRewake |
	schema.HookStatus | schema.HookShell | schema.HookArgs | schema.HookHTTP | schema.HookPrompt | schema.HookAgent | schema.HookMCPTool | schema.HookModel | schema.HookOnce | schema.HookOnBlock

// WriteHook writes a group with the one handler, and tells which features it
// says.
func (Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	w := ordjson.NewWriter(nil)
	if e.Matcher != "" {
		w.String("matcher", e.Matcher)
	}
	w.Raw("hooks", append(append([]byte{'['}, writeHandler(h)...), ']'))
	return w.Bytes(), written
}

func writeHandler(h *schema.Hook) []byte {
	w := ordjson.NewWriter(nil)
	for _, t := range handlerTypes {
		if t.Handler == h.Handler {
			w.String("type", t.Native)
		}
	}
	text := func(name, s string) {
		if s != "" {
			w.String(name, s)
		}
	}
	switch h.Handler {
	case schema.HandlerCommand:
		w.String("command", h.Command)
	case schema.HandlerHTTP:
		w.String("url", h.URL)
	case schema.HandlerPrompt, schema.HandlerAgent:
		w.String("prompt", h.Prompt)
	case schema.HandlerMCPTool:
		w.String("server", h.Server)
		w.String("tool", h.ToolRef)
	}
	if h.Args != nil {
		w.Strings("args", h.Args)
	}
	text("shell", h.Shell)
	text("model", h.Model)
	if len(h.Headers) > 0 {
		o := ordjson.NewWriter(nil)
		for _, v := range h.Headers {
			o.String(v.Name, v.Value)
		}
		w.Raw("headers", o.Bytes())
	}
	if h.EnvAllow != nil {
		w.Strings("allowedEnvVars", h.EnvAllow)
	}
	if h.Input != nil {
		w.Raw("input", h.Input)
	}
	if h.HasCondition || h.Condition != "" {
		w.String("if", h.Condition)
	}
	if h.Timeout > 0 {
		w.Raw("timeout", strconv.AppendFloat(nil, h.Timeout.Seconds(), 'f', -1, 64))
	}
	for _, b := range []struct {
		name string
		on   bool
	}{{"async", h.Async}, {"asyncRewake", h.Rewake}, {"once", h.Once}, {"continueOnBlock", h.OnBlock}} {
		if b.on {
			w.Bool(b.name, true)
		}
	}
	text("statusMessage", h.Status)
	switch h.Fail {
	case schema.FailClosed:
		w.String("onFailure", "block")
	case schema.FailOpen:
		w.String("onFailure", "continue")
	}
	return w.Bytes()
}
