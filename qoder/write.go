package qoder

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// otherTools are the CLI's tools without a kind of their own (package 1.1.52),
// which an expression may reach too.
var otherTools = []string{"Skill", "AskUserQuestion", "TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "TaskStop", "TodoWrite",
	"EnterWorktree", "ExitWorktree", "EnterPlanMode", "ExitPlanMode", "Workflow"}

// Select tells what a hook's matcher selects. An expression is tried on every
// known tool; where it may reach tools that are not known it counts as a
// selection of all.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	row := d.row(h.Native)
	if row == nil || row.Match == schema.MatchNothing {
		return schema.Selection{All: true, Exact: true}
	}
	m, _ := matcher.Compile(d.Grammar(h.Native), h.Matcher)
	if m.All() {
		return schema.Selection{All: true, Exact: true}
	}
	names, plain := m.Plain()
	if row.Match != schema.MatchTool {
		return schema.Selection{Words: canonicalWords(row, names), Exact: plain, All: !plain}
	}
	if plain {
		s := schema.Selection{Exact: true}
		for _, n := range names {
			s.Picks = append(s.Picks, picksOf(n)...)
		}
		s.Picks = withoutAlso(row, s.Picks)
		return s
	}
	s := d.selectByTrial(m, h.Matcher)
	s.Picks = withoutAlso(row, s.Picks)
	return s
}

// withoutAlso leaves out the tools that come with a kind that is picked too.
func withoutAlso(row *schema.EventRow, picks []schema.Pick) []schema.Pick {
	if row.Event != schema.PreTool {
		return picks
	}
	return slices.DeleteFunc(slices.Clone(picks), func(p schema.Pick) bool {
		t := toolNamed(p.Name)
		return p.Kind == schema.Other && t != nil && slices.ContainsFunc(t.Also, func(k schema.Kind) bool {
			return slices.ContainsFunc(picks, func(o schema.Pick) bool { return o.Kind == k })
		})
	})
}

// picksOf is what a tool's name stands for. Several edits in one call are shown
// as an edit.
func picksOf(name string) []schema.Pick {
	if server, tool, ok := splitMCP(name); ok {
		return []schema.Pick{{Kind: schema.MCP, Server: server, Name: tool}}
	}
	row := toolNamed(name)
	switch {
	case row == nil || len(row.Kinds) == 0:
		return []schema.Pick{{Name: name}}
	case row.Kinds[0] == schema.Edit:
		return []schema.Pick{{Kind: schema.Edit}, {Kind: schema.MultiEdit}}
	}
	return []schema.Pick{{Kind: row.Kinds[0]}}
}

func (d Dialect) selectByTrial(m *matcher.Matcher, pattern string) schema.Selection {
	var s schema.Selection
	try := func(name string) {
		if !m.Match(spellings(name)...) {
			return
		}
		for _, p := range picksOf(name) {
			if !slices.Contains(s.Picks, p) {
				s.Picks = append(s.Picks, p)
			}
		}
	}
	for i := range tools {
		try(tools[i].Name)
	}
	for i := range ideTools {
		try(ideTools[i].Row.Name)
	}
	for _, name := range otherTools {
		try(name)
	}
	if strings.Contains(pattern, mcpPrefix) {
		s.Picks = append(s.Picks, schema.Pick{Kind: schema.MCP, Server: onlyServer(d, pattern)})
		return s
	}
	// An expression that fits a made-up name may fit any tool.
	if m.Match("mcp__x__y") || m.Match("Zz") || m.Match("mcp") || len(s.Picks) == 0 {
		return schema.Selection{All: true}
	}
	return s
}

// onlyServer is the server that a pattern names if it can reach no other.
func onlyServer(d Dialect, pattern string) string {
	if strings.Count(pattern, mcpPrefix) != 1 || strings.Contains(pattern, "|") {
		return ""
	}
	return d.ServerIn(pattern)
}

// canonicalWords turns values of an event's field into canonical ones.
func canonicalWords(row *schema.EventRow, words []string) (out []string) {
	for _, w := range words {
		w = strings.TrimSpace(w)
		if row.Event == schema.SessionEnd {
			w, _ = ordjson.String(reasons.In(ordjson.AppendString(nil, w)))
		}
		out = append(out, w)
	}
	return out
}

// Plan lists where a hook for its event can stand in a settings file; none if
// there is no such event. Matchers are anchored: Qoder searches by them.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	row := d.rowFor(h.Event)
	if row == nil || h.Inline {
		return nil
	}
	e := schema.Entry{Native: row.Native, Pointer: d.array(row.Native), Exact: sel.Exact}
	switch {
	case sel.All:
	case row.Match == schema.MatchTool:
		var exact bool
		e.Matcher, exact = d.toolMatcher(sel.Picks, h.Event)
		e.Exact = e.Exact && exact
	case row.Match == schema.MatchField && len(sel.Words) > 0:
		var exact bool
		e.Matcher, exact = wordMatcher(row, sel.Words)
		e.Exact = e.Exact && exact
	default:
		e.Exact = false
	}
	return []schema.Entry{e}
}

// array is where the groups of an event stand in the file.
func (d Dialect) array(native string) string {
	if d.surface() == sdk {
		return "/" + settingsMember + "/hooks/" + native
	}
	return "/hooks/" + native
}

// toolMatcher names the tools of the picks; "" selects all.
func (d Dialect) toolMatcher(picks []schema.Pick, at schema.Event) (m string, exact bool) {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	exact = true
	for _, p := range picks {
		name := ""
		switch {
		case p.Kind == schema.MCP && (p.Server == "" || p.Name == ""):
			name = mcpPrefix + wild(p.Server) + "__" + wild(p.Name)
		case p.Kind == schema.MCP:
			name = mcpName(p.Server, p.Name)
		case p.Kind == schema.Other:
			name = escape(p.Name)
		case p.Kind == schema.MultiEdit:
			p.Kind = schema.Edit
			fallthrough
		default:
			row := d.toolOfKind(p.Kind)
			if row == nil && p.Kind == schema.Delete {
				row, exact = d.toolOfKind(schema.Shell), false
			}
			if row == nil {
				return "", false
			}
			name = row.Name
		}
		add(name)
		for _, row := range tools { // here the tool is known by its own name alone
			if at == schema.PreTool && slices.Contains(row.Also, p.Kind) {
				add(row.Name)
			}
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return "^(?:" + strings.Join(names, "|") + ")$", exact
}

func wild(s string) string {
	if s == "" {
		return ".*"
	}
	_, s, _ = strings.Cut(mcpName("", s), "____") // in the characters of a tool's name
	return s
}

// wordMatcher names values of an event's field. A file's name is left as it is:
// the parts of the matcher are also what Qoder watches.
func wordMatcher(row *schema.EventRow, words []string) (m string, exact bool) {
	exact = true
	var out []string
	for _, w := range words {
		switch row.Event {
		case schema.SessionEnd:
			w, _ = ordjson.String(reasons.Out(ordjson.AppendString(nil, w)))
		case schema.SessionStart:
			w, _ = ordjson.String(sources.Out(ordjson.AppendString(nil, w)))
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	switch {
	case row.Event == schema.FileChanged:
		return strings.Join(out, "|"), false
	case asTool(row) || strings.ContainsAny(strings.Join(out, ""), meta):
		for i := range out {
			out[i] = escape(out[i])
		}
		return "^(?:" + strings.Join(out, "|") + ")$", exact
	}
	return strings.Join(out, "|"), exact
}

const meta = `\^$.*+?()[]{}|`

func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(meta, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// AppendEnv is never asked.
func (Dialect) AppendEnv(dst []byte, _ []schema.EnvVar) []byte { return dst }

// WriteHook writes a group with the one handler, and tells which features it
// says.
func (Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, says schema.Feature) {
	for _, m := range profile.Members {
		says |= m.Feature
	}
	w := ordjson.NewWriter(nil)
	if e.Matcher != "" {
		w.String("matcher", e.Matcher)
	}
	if h.Sequential {
		w.Bool("sequential", true)
	}
	w.Raw("hooks", append(append([]byte{'['}, writeHandler(h)...), ']'))
	return w.Bytes(), says
}

func writeHandler(h *schema.Hook) []byte {
	w := ordjson.NewWriter(nil)
	for _, t := range handlerTypes {
		if t.Handler == h.Handler {
			w.String("type", t.Native)
		}
	}
	if h.Handler == schema.HandlerCommand { // an empty one too: without the member the file would say something else
		w.String("command", h.Command)
	}
	for _, t := range []struct{ name, text string }{{"url", h.URL}, {"prompt", h.Prompt},
		{"shell", h.Shell}, {"model", h.Model}, {"if", h.Condition}, {"statusMessage", h.Status}} {
		if t.text != "" {
			w.String(t.name, t.text)
		}
	}
	allow := h.EnvAllow
	if allow == nil && sent(h.Headers) != nil { // without a list Qoder sends them all
		allow = []string{}
	}
	for _, l := range []struct {
		name string
		list []string
	}{{"args", h.Args}, {"allowedEnvVars", allow}} {
		if l.list != nil {
			w.Strings(l.name, l.list)
		}
	}
	for _, o := range []struct {
		name string
		vars []schema.EnvVar
	}{{"env", h.Env}, {"headers", h.Headers}} {
		if len(o.vars) > 0 {
			inner := ordjson.NewWriter(nil)
			for _, v := range o.vars {
				inner.String(v.Name, v.Value)
			}
			w.Raw(o.name, inner.Bytes())
		}
	}
	if h.Timeout > 0 {
		w.Raw("timeout", strconv.AppendFloat(nil, h.Timeout.Seconds(), 'f', -1, 64))
	}
	for _, b := range []struct {
		name string
		on   bool
	}{{"async", h.Async}, {"asyncRewake", h.Rewake}, {"once", h.Once}} {
		if b.on {
			w.Bool(b.name, true)
		}
	}
	return w.Bytes()
}

// Imports is never asked: no file of another agent is loaded.
func (Dialect) Imports(*schema.Hook) bool { return false }
