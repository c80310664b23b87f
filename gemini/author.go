package gemini

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Select returns what a hook's matcher selects. A tool's matcher may match anywhere
// in the name.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	row := rowOf(h.Native)
	m, err := matcher.Compile(d.Profile().GrammarOf(h.Native), h.Matcher)
	if row == nil || row.Match == schema.MatchNothing || m.All() {
		return schema.Selection{All: true, Exact: true}
	}
	names, plain := m.Plain()
	s := schema.Selection{Exact: true}
	switch {
	case row.Match == schema.MatchField:
		s.Words = words.For(row.Event, row.MatchField).Canonical(names)
		return s
	case err != nil:
		return schema.Selection{All: true}
	case plain:
		for _, n := range names {
			s.Picks = append(s.Picks, picksOf(n)...)
		}
		return s
	}
	s.Search = strings.TrimSpace(h.Matcher)
	if m.MayTake(mcpPrefix) {
		s.Picks = []schema.Pick{{Kind: schema.MCP}}
	}
	return s
}

// picksOf is what a tool's name stands for. Where the name of an MCP tool parts is
// not certain, so it stands for all of them.
func picksOf(name string) []schema.Pick {
	row := toolNamed(name)
	switch {
	case strings.HasPrefix(name, mcpPrefix):
		return []schema.Pick{{Kind: schema.MCP}}
	case row == nil || len(row.Kinds) == 0:
		return []schema.Pick{{Name: name}}
	case row.Kinds[0] == schema.Edit:
		return []schema.Pick{{Kind: schema.Edit}, {Kind: schema.MultiEdit}}
	case row.Kinds[0] == schema.Write:
		return []schema.Pick{{Kind: schema.Write}, {Kind: schema.Notebook}}
	}
	return []schema.Pick{{Kind: row.Kinds[0]}}
}

// Plan lists where a hook for its event can stand; none if Gemini CLI has no such
// event. Matchers of tools are anchored, each value of another event gets a group of
// its own, and values with which an event is idle are left out.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) (out []schema.Entry) {
	row := rowFor(h.Event)
	if row == nil || h.Inline {
		return nil
	}
	entry := func(m string, exact bool) schema.Entry {
		return schema.Entry{Native: row.Native, Pointer: "/hooks/" + row.Native, Matcher: m, Exact: exact}
	}
	if row.Match == schema.MatchTool {
		if sel.All {
			return []schema.Entry{entry("", sel.Exact)}
		}
		return []schema.Entry{entry(toolMatcher(sel), sel.Exact)}
	}
	chosen := sel.Words
	if len(row.Idle) > 0 && len(chosen) == 0 {
		chosen = []string{"manual"} // what is left of both triggers
	}
	if row.Match == schema.MatchNothing || len(chosen) == 0 {
		return []schema.Entry{entry("", sel.Exact && sel.All)}
	}
	for _, word := range words.For(row.Event, row.MatchField).SpellAll(chosen) {
		if !slices.Contains(row.Idle, word) {
			out = append(out, entry(word, sel.Exact))
		}
	}
	return out
}

// toolMatcher names the tools of a selection; "" selects all.
func toolMatcher(sel schema.Selection) string {
	var names []string
	add := func(list ...string) {
		for _, n := range list {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	wild := func(s string) string {
		if s == "" {
			return ".*"
		}
		return matcher.Escape(mcpText(s))
	}
	for _, p := range sel.Picks {
		row := toolOfKind(p.Kind)
		switch named := toolNamed(p.Name); {
		case p.Kind == schema.MCP && p.Server != "" && p.Name != "":
			add(matcher.Escape(mcpName(p.Server, p.Name)))
		case p.Kind == schema.MCP:
			add(mcpPrefix + wild(p.Server) + "_" + wild(p.Name))
		case named != nil:
			add(append([]string{named.Name}, named.Aliases...)...)
		case p.Name != "":
			add(matcher.Escape(p.Name))
		case row == nil:
			return ""
		default:
			add(append([]string{row.Name}, row.Aliases...)...)
		}
	}
	return matcher.Union(names, sel.Search)
}

const written = schema.HookMatcher | schema.HookTimeout | schema.HookEnv | schema.HookSequential

// WriteHook writes a group with the one hook, and returns the features that it can
// express. The timeout stays within the limit of the client's timer.
func (Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	w := ordjson.NewWriter(nil)
	w.String("type", "command")
	w.String("command", guarded(h.Command))
	if h.Timeout > 0 {
		ms := min(float64(h.Timeout)/float64(time.Millisecond), maxTimeout)
		w.Raw("timeout", strconv.AppendFloat(nil, ms, 'f', -1, 64))
	}
	if len(h.Env) > 0 {
		vars := ordjson.NewWriter(nil)
		for _, v := range h.Env {
			vars.String(v.Name, v.Value)
		}
		w.Raw("env", vars.Bytes())
	}
	group := ordjson.NewWriter(nil)
	if e.Matcher != "" {
		group.String("matcher", e.Matcher)
	}
	if h.Sequential {
		group.Bool("sequential", true)
	}
	group.Raw("hooks", append(append([]byte{'['}, w.Bytes()...), ']'))
	return group.Bytes(), written
}

// guarded keeps the client from replacing its variables inside of quotes, where the
// quoted value of a folder with blanks would break the command: between double
// quotes the name gets braces, between single ones the dollar is parted from it.
func guarded(command string) string {
	var b strings.Builder
	quoted := byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\\' && quoted != '\'' && i+1 < len(command):
			b.WriteByte(c)
			i++
			c = command[i]
		case quoted == 0 && (c == '"' || c == '\''):
			quoted = c
		case c == quoted:
			quoted = 0
		case c == '$' && quoted != 0:
			if n := replacedName(command[i+1:]); n != "" && quoted == '"' {
				b.WriteString("${" + n + "}")
				i += len(n)
				continue
			} else if n != "" {
				b.WriteString("$''")
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// replacedName is the variable at the start of s that the client replaces, "" if
// none. A longer name is another variable to the shell.
func replacedName(s string) string {
	for _, n := range append([]string{claudeFolder}, hookVariables.Names...) {
		if rest, ok := strings.CutPrefix(s, n); ok && (rest == "" || !isNameByte(rest[0])) {
			return n
		}
	}
	return ""
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
