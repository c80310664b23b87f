package cursor

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Select tells what a hook's matcher selects. Cursor's matchers are searched for
// anywhere in the name; those of the shell gate look at the command, those of
// constant events at a word that always fits.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	row := rowOf(h.Native)
	m, _ := matcher.Compile(matcher.Regexp, h.Matcher)
	switch {
	case row == nil:
		return schema.Selection{All: true, Exact: true}
	case row.Native == "subagentStart": // refused elsewhere at the call of the tool that starts agents
		return schema.Selection{Event: schema.PreTool, Picks: []schema.Pick{{Kind: schema.Agent}}, Exact: m.All()}
	case row.Native == "afterAgentResponse": // told elsewhere when the agent stops
		return schema.Selection{Event: schema.Stop, All: true, Exact: m.All() || m.Match(row.MatchConst)}
	case row.Gate:
		return selectGate(row, m)
	case row.Match == schema.MatchField:
		words, plain := m.Plain()
		return schema.Selection{Words: words, All: !plain, Exact: m.All() || plain}
	case row.Match != schema.MatchTool:
		return schema.Selection{All: true, Exact: m.All() || row.Match == schema.MatchConst && m.Match(row.MatchConst)}
	case m.All():
		return schema.Selection{All: true, Exact: true}
	}
	_, exact := m.Plain()
	s := schema.Selection{Exact: exact}
	for i := range tools {
		if m.Match(tools[i].Name) {
			s.Picks = append(s.Picks, picksOf(&tools[i])...)
		}
	}
	if names, ok := m.Plain(); ok {
		for _, n := range names {
			switch tool, isMCP := strings.CutPrefix(n, mcpPrefix); {
			case isMCP:
				s.Picks = append(s.Picks, schema.Pick{Kind: schema.MCP, Name: tool})
			case toolNamed(n) == nil:
				s.Picks = append(s.Picks, schema.Pick{Name: n})
			}
		}
		return s
	}
	if m.Match(mcpPrefix+"x") || strings.Contains(h.Matcher, "MCP") {
		s.Picks = append(s.Picks, schema.Pick{Kind: schema.MCP})
	}
	if m.Match("Zz") || len(s.Picks) == 0 {
		return schema.Selection{All: true}
	}
	return s
}

func selectGate(row *schema.EventRow, m *matcher.Matcher) schema.Selection {
	s := schema.Selection{Exact: m.All() || row.Match == schema.MatchConst && m.Match(row.MatchConst)}
	for _, k := range row.Kinds {
		s.Picks = append(s.Picks, schema.Pick{Kind: k})
		if k == schema.Edit {
			s.Picks = append(s.Picks, schema.Pick{Kind: schema.MultiEdit})
		}
	}
	return s
}

// picksOf is what a tool's name stands for: a Write may be any edit.
func picksOf(row *schema.ToolRow) (picks []schema.Pick) {
	if len(row.Kinds) == 0 {
		return []schema.Pick{{Name: row.Name}}
	}
	for _, k := range row.Kinds {
		picks = append(picks, schema.Pick{Kind: k})
		if k == schema.Edit {
			picks = append(picks, schema.Pick{Kind: schema.MultiEdit})
		}
	}
	return picks
}

// notMCP is a matcher for every tool but those of MCP servers, which have an
// event of their own that names the server.
const notMCP = "^(?!MCP:)"

// Plan lists where a hook can stand in a hooks.json; none if Cursor has no such
// event. Before a tool runs, MCP tools go to their gate event.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	var row *schema.EventRow
	for i := range events {
		if events[i].Event == h.Event && !events[i].Gate {
			row = &events[i]
			break
		}
	}
	if row == nil {
		return nil
	}
	entry := func(native, m string, exact bool) schema.Entry {
		return schema.Entry{Native: native, Pointer: "/hooks/" + native, Matcher: m, Exact: exact}
	}
	if row.Match == schema.MatchField && !sel.All && len(sel.Words) > 0 {
		return []schema.Entry{entry(row.Native, wordMatcher(sel.Words), sel.Exact)}
	}
	if row.Match != schema.MatchTool {
		return []schema.Entry{entry(row.Native, "", sel.Exact && sel.All)}
	}
	gate := h.Event == schema.PreTool
	if sel.All {
		if !gate {
			return []schema.Entry{entry(row.Native, "", sel.Exact)}
		}
		return []schema.Entry{entry(row.Native, notMCP, sel.Exact), entry("beforeMCPExecution", "", sel.Exact)}
	}
	names, mcp, exact := toolNames(sel.Picks)
	var out []schema.Entry
	if !gate {
		if m := mcpMatcher(mcp); m != "" {
			names = append(names, m)
		}
	}
	if len(names) > 0 {
		out = append(out, entry(row.Native, anchored(names), sel.Exact && exact))
	}
	if gate && len(mcp) > 0 {
		out = append(out, entry("beforeMCPExecution", anchored([]string{mcpMatcher(mcp)}), false))
	}
	return out
}

func anchored(names []string) string {
	if len(names) == 1 {
		return "^" + names[0] + "$"
	}
	return "^(?:" + strings.Join(names, "|") + ")$"
}

// toolNames names the tools of the picks, MCP tools apart.
func toolNames(picks []schema.Pick) (names []string, mcp []schema.Pick, exact bool) {
	exact = true
	for _, p := range picks {
		name := p.Name
		switch {
		case p.Kind == schema.MCP:
			mcp = append(mcp, p)
			exact = exact && p.Server == ""
			continue
		case p.Kind == schema.Edit || p.Kind == schema.MultiEdit || p.Kind == schema.Notebook:
			name, exact = "Write", false
		case p.Kind != schema.Other:
			name = p.Kind.String()
			if row := toolOfKind(p.Kind); row != nil {
				name = row.Name
			}
		}
		all := []string{name}
		if p.Kind != schema.Other {
			all = namesOfKind(p.Kind, all)
		}
		for _, name := range all {
			if name = quoteMeta(name); !has2(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, mcp, exact
}

func has2(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// mcpMatcher matches the tools of the picks whatever their server is: the
// matcher does not see it.
func mcpMatcher(mcp []schema.Pick) string {
	var names []string
	for _, p := range mcp {
		n := ".*"
		if p.Name != "" {
			n = quoteMeta(p.Name)
		}
		if !has2(names, n) {
			names = append(names, n)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return mcpPrefix + names[0]
	}
	return mcpPrefix + "(?:" + strings.Join(names, "|") + ")"
}

// wordMatcher matches any of the words and nothing else. One that is no regular
// expression as it stands would void the whole file.
func wordMatcher(words []string) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, quoteMeta(w))
	}
	return "^(?:" + strings.Join(quoted, "|") + ")$"
}

// quoteMeta escapes what a regular expression would take for more than text.
func quoteMeta(s string) string {
	var b strings.Builder
	for _, c := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$/`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// written are the features that an entry can say.
const written = schema.HookMatcher | schema.HookTimeout | schema.HookFailPolicy | schema.HookLoopLimit | schema.HookPrompt | schema.HookModel

// WriteHook writes an entry, and tells which features it says.
func (Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	w := ordjson.NewWriter(nil)
	if h.Handler == schema.HandlerPrompt {
		w.String("type", "prompt")
		w.Raw("prompt", noComment(ordjson.AppendString(nil, h.Prompt)))
		if h.Model != "" {
			w.String("model", h.Model)
		}
	} else {
		w.Raw("command", noComment(ordjson.AppendString(nil, h.Command)))
	}
	if e.Matcher != "" {
		w.Raw("matcher", noComment(ordjson.AppendString(nil, e.Matcher)))
	}
	if h.Timeout > 0 {
		w.Raw("timeout", strconv.AppendFloat(nil, h.Timeout.Seconds(), 'f', -1, 64))
	}
	if h.Fail == schema.FailClosed {
		w.Bool("failClosed", true)
	}
	switch {
	case h.LoopLimit == nil:
	case *h.LoopLimit < 0:
		w.Raw("loop_limit", []byte("null"))
	default:
		w.Int("loop_limit", int64(*h.LoopLimit))
	}
	said = written
	if h.Handler == schema.HandlerPrompt {
		said |= schema.HookPrompt
	}
	return w.Bytes(), said
}

// noComment writes a JSON string so that it holds no // and no /*: Cursor cuts
// comments without looking at strings.
func noComment(raw []byte) []byte {
	s := string(raw)
	if !strings.Contains(s, "//") && !strings.Contains(s, "/*") {
		return raw
	}
	return []byte(strings.ReplaceAll(s, "/", `\/`))
}

// Imported lists the files of other agents that Cursor loads by itself: a
// settings file counts only if a group of it has a matcher (observed SDK 1.0.32).
func (Dialect) Imported(p schema.Places, read func(string) ([]byte, error)) (files []string) {
	for _, f := range []string{".claude/settings.local.json", ".claude/settings.json"} {
		for _, root := range []string{p.Project, p.Home} {
			if root == "" || root == p.Home && f != ".claude/settings.json" {
				continue
			}
			file := filepath.Join(root, filepath.FromSlash(f))
			text, err := read(file)
			if err == nil && strings.Contains(string(text), `"matcher"`) {
				files = append(files, file)
			}
		}
	}
	return files
}

// Imports reports whether Cursor runs a hook of a file that it imports: commands
// and prompts on eight events (observed SDK 1.0.32).
func (Dialect) Imports(h *schema.Hook) bool {
	if h.Handler != schema.HandlerCommand && h.Handler != schema.HandlerPrompt {
		return false
	}
	switch h.Event {
	case schema.PreTool, schema.PostTool, schema.PromptSubmit, schema.Stop, schema.SubagentStop, schema.SessionStart, schema.SessionEnd, schema.PreCompact:
		return true
	}
	return false
}
