package claude

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Select tells what a hook's matcher selects. A regular expression is tried on
// every known tool; it may reach tools that are not known, so it counts as a
// selection of all where it may.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	row := rowOf(h.Native)
	if row == nil || row.Match == schema.MatchNothing {
		return schema.Selection{All: true, Exact: true}
	}
	m, _ := matcher.Compile(d.Grammar(h.Native), h.Matcher)
	if m.All() {
		return schema.Selection{All: true, Exact: true}
	}
	names, plain := m.Plain()
	if row.Match != schema.MatchTool {
		return schema.Selection{Words: names, Exact: plain, All: !plain}
	}
	if plain {
		s := schema.Selection{Exact: true}
		for _, n := range names {
			s.Picks = append(s.Picks, pickOf(n))
		}
		return s
	}
	return selectByTrial(m, h.Matcher)
}

// pickOf is what a tool's name stands for.
func pickOf(name string) schema.Pick {
	if server, tool, ok := splitMCP(name); ok {
		return schema.Pick{Kind: schema.MCP, Server: server, Name: tool}
	}
	if row := toolNamed(name); row != nil && len(row.Kinds) > 0 {
		return schema.Pick{Kind: row.Kinds[0]}
	}
	return schema.Pick{Name: name}
}

func selectByTrial(m *matcher.Matcher, pattern string) schema.Selection {
	s := schema.Selection{}
	for i := range tools {
		row := &tools[i]
		if len(row.Kinds) > 0 && m.Match(append([]string{row.Name}, row.Aliases...)...) {
			s.Picks = append(s.Picks, schema.Pick{Kind: row.Kinds[0]})
		}
	}
	if strings.Contains(pattern, mcpPrefix) {
		server := Dialect{}.ServerIn(pattern)
		s.Picks = append(s.Picks, schema.Pick{Kind: schema.MCP, Server: server})
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(pattern, "^"), mcpPrefix+server+"__"); ok && server != "" && (rest == ".*" || rest == ".*$" || rest == "") {
			s.Exact = len(s.Picks) == 1
		}
		return s
	}
	// A pattern that fits a made-up name may fit any tool.
	if m.Match("mcp__x__y") || m.Match("Zz") || len(s.Picks) == 0 {
		return schema.Selection{All: true}
	}
	return s
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
		var exact bool
		e.Matcher, exact = toolMatcher(sel.Picks)
		e.Exact = e.Exact && exact
	case row.Match == schema.MatchField && len(sel.Words) > 0:
		e.Matcher = strings.Join(nativeWords(row, sel.Words), "|")
	default:
		e.Exact = false
	}
	return []schema.Entry{e}
}

// toolMatcher names the tools of the picks. Whoever may write may edit.
func toolMatcher(picks []schema.Pick) (m string, exact bool) {
	var names []string
	exact = true
	add := func(n string) {
		for _, have := range names {
			if have == n {
				return
			}
		}
		names = append(names, n)
	}
	pattern := false
	for _, p := range picks {
		switch {
		case p.Kind == schema.MCP && (p.Server == "" || p.Name == ""):
			pattern = true
			add(mcpPrefix + wild(p.Server) + "__" + wild(p.Name))
		case p.Kind == schema.MCP:
			add(mcpName(p.Server, p.Name))
		case p.Kind == schema.Other:
			add(p.Name)
		case p.Kind == schema.Delete:
			exact = false
			add("Bash")
		default:
			if row := toolOfKind(p.Kind); row != nil {
				add(row.Name)
			}
		}
	}
	if pattern {
		return "^(?:" + strings.Join(names, "|") + ")$", exact
	}
	return strings.Join(names, "|"), exact
}

func wild(s string) string {
	if s == "" {
		return ".*"
	}
	return s
}

// nativeWords turns canonical values into those of the event's field.
func nativeWords(row *schema.EventRow, words []string) (out []string) {
	for _, w := range words {
		if row.MatchField == schema.FieldReason && row.Event == schema.SessionEnd {
			w, _ = ordjson.String(reasons.Out(ordjson.AppendString(nil, w)))
		}
		out = append(out, w)
	}
	return out
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

// Imported lists no file: Claude Code loads its own only.
func (Dialect) Imported(schema.Places, func(string) ([]byte, error)) []string { return nil }

// Imports is never asked: no file of another agent is loaded.
func (Dialect) Imports(*schema.Hook) bool { return false }
