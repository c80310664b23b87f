package qoder

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
	row := d.row(h.Native)
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
		return schema.Selection{Words: canonicalWords(row, names), Exact: plain, All: !plain}
	case plain:
		s := schema.Selection{Exact: true}
		for _, n := range names {
			s.Picks = append(s.Picks, picksOf(n)...)
		}
		return s
	case err != nil:
		return schema.Selection{All: true}
	}
	s := schema.Selection{Search: strings.TrimSpace(h.Matcher), Exact: true}
	if m.MayTake(mcpPrefix) {
		s.Picks = []schema.Pick{{Kind: schema.MCP}}
	}
	return s
}

// picksOf is what a tool's name stands for. Several edits in one call are shown
// as an edit; where the name of an MCP server may end in more than one place,
// each of them is meant.
func picksOf(name string) (picks []schema.Pick) {
	for _, s := range splitsMCP(name) {
		picks = append(picks, schema.Pick{Kind: schema.MCP, Server: s[0], Name: s[1]})
	}
	if picks != nil {
		return picks
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

// canonicalWords turns values of an event's field into canonical ones.
func canonicalWords(row *schema.EventRow, names []string) (out []string) {
	for _, n := range names {
		out = append(out, strings.TrimSpace(n))
	}
	return words.For(row.Event, row.MatchField).Canonical(out)
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
		e.Matcher = d.toolMatcher(sel)
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

// toolMatcher names the tools of a selection; "" selects all.
func (d Dialect) toolMatcher(sel schema.Selection) string {
	var names []string
	for _, p := range sel.Picks {
		name := matcher.Escape(p.Name)
		switch {
		case p.Kind == schema.MCP && p.Server == "":
			name = mcpPrefix + ".*__" + wild(p.Name)
		case p.Kind == schema.MCP:
			name = mcpName(p.Server, "") + wild(p.Name)
		case p.Name == "":
			row := d.toolOfKind(p.Kind)
			if row == nil {
				return ""
			}
			name = row.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	m := matcher.Union(names, sel.Search)
	if strings.TrimSpace(m) != m { // Qoder takes the blanks away
		m = "(?:" + m + ")"
	}
	return m
}

func wild(tool string) string {
	if tool == "" {
		return ".*"
	}
	return strings.TrimPrefix(mcpName("", tool), mcpName("", "")) // in the characters of a tool's name
}

// wordMatcher names values of an event's field. A file's name is left as it is:
// the parts of the matcher are also what Qoder watches.
func wordMatcher(row *schema.EventRow, canonical []string) (m string, exact bool) {
	exact = true
	out := words.For(row.Event, row.MatchField).SpellAll(slices.Clone(canonical))
	switch {
	case row.Event == schema.FileChanged:
		return strings.Join(out, "|"), false
	case asTool(row) || strings.ContainsAny(strings.Join(out, ""), meta):
		for i := range out {
			out[i] = matcher.Escape(out[i])
		}
		return "^(?:" + strings.Join(out, "|") + ")$", exact
	}
	return strings.Join(out, "|"), exact
}

const meta = `\^$.*+?()[]{}|`

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
