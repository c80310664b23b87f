package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// vocabularies returns how the hooks' agent and the host spell the values of the field that an event's matcher tests.
// Either is nil if that agent may send anything.
func vocabularies(hooks, host dialect.Dialect, row *schema.EventRow) (own, theirs *schema.Vocabulary) {
	if row == nil || row.Match != schema.MatchField {
		return nil, nil
	}
	own = hooks.Profile().Vocabularies.For(row.Event, row.MatchField)
	theirs = host.Profile().Vocabularies.For(row.Event, row.MatchField)
	return own, theirs
}

// sent returns the canonical values that d sends in the field of v.
func sent(d dialect.Dialect, v *schema.Vocabulary) (values []string) {
	for _, w := range v.Words {
		if !w.WriteOnly && (w.Since == "" || d.Profile().Since(w.Since)) {
			values = append(append(values, w.Meaning()), w.Means...)
		}
	}
	return values
}

// SentValues lists the values that d sends in the field that an event's matcher tests, in d's spelling.
func SentValues(d dialect.Dialect, row *schema.EventRow) []string {
	own, _ := vocabularies(d, d, row)
	if own == nil {
		return nil
	}
	values := own.SpellAll(sent(d, own))
	for _, idle := range row.Idle { // the agent's own hooks also run then
		if idle != "" {
			values = lists.With(values, idle)
		}
	}
	return values
}

// UnsentValues lists the values of an event's matcher that the host never sends, in the spelling of the hooks' agent;
// some is false if it sends none of them. A field with user-defined values has no such values.
func UnsentValues(hooks, host dialect.Dialect, row *schema.EventRow) (dead []string, some bool) {
	own, theirs := vocabularies(hooks, host, row)
	if own == nil || theirs == nil || own.Open || theirs.Open {
		return nil, true
	}
	live := own.SpellAll(sent(host, theirs))
	for _, w := range own.SpellAll(sent(hooks, own)) {
		if slices.Contains(live, w) {
			some = true
		} else {
			dead = append(dead, w)
		}
	}
	return dead, some
}

// Unsent lists the values that a hook's matcher accepts and the host never sends; live is false if no other value is
// left, so that the hook never runs.
func Unsent(hooks, host dialect.Dialect, h *schema.Hook) (dead []string, live bool) {
	row := hooks.Profile().Row(h.Native)
	own, theirs := vocabularies(hooks, host, row)
	m, err := hooks.Profile().Matcher(h)
	if at := schema.RowFor(host.Profile().Events, h.Event); at != nil && m.All() &&
		hooks.Profile().Name != host.Profile().Name {
		return slices.DeleteFunc(slices.Clone(at.Idle), func(v string) bool { return v == "" }), true
	}
	closed := own != nil && theirs != nil && !own.Open && !theirs.Open
	if !closed || m.All() || err != nil {
		return nil, true
	}
	accepts := func(w string) bool { return m.Match(w) }
	live = slices.ContainsFunc(own.SpellAll(sent(host, theirs)), accepts) ||
		hooks.Profile().Name == host.Profile().Name && slices.ContainsFunc(row.Idle, accepts)
	all, _ := UnsentValues(hooks, host, row)
	for _, w := range all {
		if accepts(w) {
			dead = append(dead, w)
		}
	}
	return dead, live
}

// NeverSent reports that the host sends no matching value, for a hook that therefore never runs.
func NeverSent(host dialect.Dialect, h *schema.Hook, dead []string) string {
	known := host.Profile().TitleChecked()
	if len(dead) == 0 {
		return known + " never sends a value that the matcher " + QuoteOr(h.Matcher, "of none") + " of " + h.Native +
			" accepts"
	}
	return known + " never sends " + Listed(dead, "or") + " for " + h.Native
}

// GuardSeverity returns how severe it is that a hook can't run: a hook on an event that it can block may be a guard.
// Every command that reports such a hook uses it.
func GuardSeverity(d dialect.Dialect, h *schema.Hook) schema.Severity {
	if row := d.Profile().Row(h.Native); row != nil && row.Decides() != 0 {
		return schema.Weaker
	}
	return schema.Loss
}

// Handles reports whether d runs hooks of h's kind at an entry and honors their answers.
func Handles(d dialect.Dialect, e schema.Entry, h *schema.Hook) bool {
	_, said := d.WriteHook(e, h)
	need := h.Uses() & (schema.HookHTTP | schema.HookPrompt | schema.HookAgent | schema.HookMCPTool |
		schema.HookCallback)
	return need&^said == 0
}

// Skipped reports that d runs no hooks of h's kind at an event, or ignores their answers.
func Skipped(d dialect.Dialect, native string, h *schema.Hook) Finding {
	return Finding{Code: schema.CodeVoidHook, Message: d.Profile().Title + " does nothing with the answer of " +
		schema.An(h.Handler.String()) + " hook at " + native, Fix: "write the hook as a command"}
}

// CutShort reports that a host stops a hook before its timeout under its own agent; the severity is 0 if it doesn't.
func CutShort(hooks, host dialect.Dialect, h *schema.Hook) (severity schema.Severity, message string) {
	limit := hooks.Profile().Timeout(h)
	there := *h
	there.Timeout = limit
	most := host.Profile().Timeout(&there)
	if most <= 0 || most >= limit {
		return 0, ""
	}
	if severity = schema.Note; h.Timeout > 0 {
		severity = GuardSeverity(hooks, h)
	}
	return severity, host.Profile().Title + " stops hooks on this event after " + most.String() +
		", so the timeout of " + limit.String() + " becomes that"
}

// NoPlace returns why the host's files have no place for a hook.
func NoPlace(hooks, host dialect.Dialect, h *schema.Hook) string {
	if dead, live := Unsent(hooks, host, h); !live {
		return NeverSent(host, h, dead) + ", so this hook never runs there"
	}
	return host.Profile().TitleChecked() + " has no event for " + h.Native + ", so this hook never runs there"
}

// Listed joins words into a list for a sentence.
func Listed(words []string, last string) string {
	n := len(words)
	if n < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
}

// KindNames joins kinds of tools into a list for a sentence.
func KindNames(kinds []schema.Kind, last string) string {
	return Listed(lists.Map(kinds, schema.Kind.String), last)
}

// widened adds the host's other names for the values of a selection, so that a written matcher isn't narrower.
func widened(from, to dialect.Dialect, h *schema.Hook, sel schema.Selection) schema.Selection {
	own, theirs := vocabularies(from, to, from.Profile().Row(h.Native))
	if own == nil || theirs == nil || sel.All || len(sel.Words) == 0 {
		return sel
	}
	meant := own.SpellAll(sel.Words)
	sel.Words = slices.Clone(sel.Words)
	for _, value := range sent(to, theirs) {
		if slices.Contains(meant, own.Spell(value)) && !slices.Contains(sel.Words, value) {
			sel.Words = append(sel.Words, value)
		}
	}
	return sel
}

// AllowPasses reports whether an allow from a hook becomes no opinion at the host's event.
func AllowPasses(host, hooks *schema.EventRow) bool {
	honored := host != nil && host.Honors&schema.EffectAllow != 0
	return honored && host.Allow != schema.AllowPasses && (hooks == nil || hooks.Allow != schema.AllowApproves)
}

// QuoteOr quotes s, or returns the other text if s is empty.
func QuoteOr(s, none string) string {
	if s == "" {
		return none
	}
	return `"` + s + `"`
}

// absentTools lists the tools that a hook's matcher names and the host never calls; live is false if it accepts no
// others.
func (r *Route) absentTools() (names []string, live bool) {
	hooks, host := r.from, r.to
	row := hooks.Profile().Row(r.h.Native)
	m, err := hooks.Profile().Matcher(r.h)
	if row == nil || row.Match != schema.MatchTool || err != nil || m.All() {
		return nil, true
	}
	if dialect.Related(hooks, host) || dialect.Related(host, hooks) {
		return nil, true
	}

	tools := r.tools(r.event())
	for _, tool := range hooks.Profile().Tools {
		if len(tool.Kinds) == 0 || row.Spares(tool.Kinds) {
			continue
		}
		for _, name := range append([]string{tool.Name}, tool.Aliases...) {
			lost := !r.made(tools, name) && !r.selects(tools, m, tool.Kinds)
			if lost && m.Match(name) && r.knows(&tool, name) {
				names = append(names, name)
			}
		}
	}

	own := slices.DeleteFunc(slices.Clone(tools), func(t shownTool) bool { return host.Profile().Tool(t.name) == nil })
	matched := slices.DeleteFunc(r.plainTools(), func(name string) bool { return !m.Match(name) })
	plainTools := slices.DeleteFunc(slices.Clone(matched), func(name string) bool {
		return slices.Contains(host.Profile().PlainTools, name) || r.made(own, name)
	})
	if plain, only := m.Plain(); only {
		names = append(names, plainTools...)
		known := slices.Concat(matched, host.Profile().PlainTools)
		return names, len(names) == 0 || slices.ContainsFunc(plain, func(name string) bool {
			if slices.Contains(names, name) {
				return false
			}
			return slices.Contains(known, name) || r.hasKind(name) || r.made(own, name) || ofMCP(hooks, name)
		})
	}
	prefix := prefixOfMCP(hooks)
	mcp := TakesMCP(hooks, m, r.h.Matcher) || prefix != "" && strings.Contains(r.h.Matcher, prefix)
	live = len(names)+len(plainTools) == 0 || len(matched) > len(plainTools) || mcp ||
		slices.ContainsFunc(own, func(t shownTool) bool { return t.takenBy(m) })
	if !live { // else an expression may only happen to match them
		names = append(names, plainTools...)
	}
	return names, live
}

// unknownTools lists the names in a hook's matcher that are in no table: they are neither a tool of its agent or of the
// host nor, as far as MCP tool names show it, a server's tool.
func (r *Route) unknownTools() (names []string) {
	row := r.from.Profile().Row(r.h.Native)
	m, err := r.from.Profile().Matcher(r.h)
	related := dialect.Related(r.from, r.to) || dialect.Related(r.to, r.from)
	byTool := row != nil && row.Match == schema.MatchTool && row.Gate == nil
	serversShow := prefixOfMCP(r.from)+r.from.Profile().MCP.Between != ""
	if !byTool || err != nil || related || !serversShow {
		return nil
	}

	plain, only := m.Plain()
	if !only {
		plain = strings.Split(r.h.Matcher, "|")
	}
	if slices.ContainsFunc(plain, func(s string) bool { return !isWord(s) }) {
		return nil
	}

	for _, name := range plain {
		misspelled := slices.ContainsFunc(r.from.Profile().Tools, func(t schema.ToolRow) bool {
			return strings.EqualFold(t.Name, name) // check reports it
		})
		own := misspelled || r.hasKind(name) || slices.Contains(r.plainTools(), name)
		if own || slices.Contains(r.to.Profile().PlainTools, name) || ofMCP(r.from, name) {
			continue
		}

		part := *r.h
		part.Matcher = name
		shown := r.made(r.tools(r.event()), name)
		if !shown && len(r.Planner.Route(&part).ToolsFor()) == 0 { // an expression may find it in another name
			names = append(names, name)
		}
	}

	return names
}

// isWord reports whether a text is a name, not an expression.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	})
}

// event returns the event of calls at which a hook runs: one agent's permission hooks run before each tool of another.
func (r *Route) event() schema.Event { return cmp.Or(r.from.Select(r.h).Event, r.h.Event) }

// Runs lists the target's tools for which a hook runs although its matcher fits none of its own agent's. meant is false
// if the matcher only finds a part of their names, and so is meant for another tool.
func (r *Route) Runs() (names []string, meant bool) {
	m, err := r.from.Profile().Matcher(r.h)
	if err != nil {
		return nil, false
	}
	whole, _ := matcher.Compile(matcher.Anywhere, "^(?:"+r.h.Matcher+")$")
	isWhole := func(name string) bool { return whole != nil && whole.Match(name) }
	words, _ := m.Plain()
	for _, t := range r.tools(r.event()) {
		if r.to.Profile().Tool(t.name) == nil || !t.takenBy(m) {
			continue
		}
		names = append(names, t.name)
		for _, v := range slices.Concat(t.calls...) {
			meant = meant || slices.ContainsFunc(v.Target, func(name string) bool {
				return isWhole(name) || slices.Contains(words, name)
			})
		}
	}
	for _, name := range r.to.Profile().PlainTools {
		if m.Match(name) {
			names, meant = append(names, name), meant || isWhole(name) || slices.Contains(words, name)
		}
	}
	return names, meant
}

// TakesMCP reports whether a matcher of d accepts the tools of any MCP server, or of one that it names.
func TakesMCP(d dialect.Dialect, m *matcher.Matcher, text string) bool {
	return m.Match(NameOfMCP(d, "server", "tool")) || d.Profile().ServerIn(text) != ""
}

// ofMCP reports whether a name may be that of an MCP tool.
func ofMCP(d dialect.Dialect, name string) bool {
	prefix := prefixOfMCP(d)
	return len(d.Profile().MCP.Splits(name)) > 0 || prefix != "" && strings.HasPrefix(name, prefix)
}

// knows reports whether a matcher at the hook's event can match one of its agent's tools by the name.
func (r *Route) knows(t *schema.ToolRow, name string) bool {
	c := &schema.Call{Dialect: r.from.Profile().Name, Event: r.h.Event, Native: r.h.Native,
		Tool: schema.Tool{Name: t.Name, Kinds: t.Kinds}}
	return slices.ContainsFunc(r.from.Views(c), func(v schema.View) bool {
		return v.Event == r.h.Native && slices.Contains(v.Target, name)
	})
}

// plainTools returns the hooks' agent's names for tools whose work no other agent has a kind for.
func (p *Planner) plainTools() []string {
	names := slices.Clone(p.from.Profile().PlainTools)
	for _, row := range p.from.Profile().Tools {
		if len(row.Kinds) == 0 { // names in Also are its own name for it, which no other agent has
			names = append(append(names, row.Name), row.Aliases...)
		}
	}
	return names
}

// made reports whether the hooks' agent shows a call of the host under the name.
func (p *Planner) made(tools []shownTool, name string) bool {
	m, _ := matcher.Compile(matcher.Anywhere, matcher.Union([]string{matcher.Escape(name)}, ""))
	return slices.ContainsFunc(tools, func(t shownTool) bool { return t.takenBy(m) })
}

// selects reports whether a matcher accepts a call of the host's own tool of one of the kinds, under any name for the
// hooks' agent.
func (p *Planner) selects(tools []shownTool, m *matcher.Matcher, kinds []schema.Kind) bool {
	for _, row := range p.to.Profile().Tools {
		if !slices.ContainsFunc(kinds, func(k schema.Kind) bool { return slices.Contains(row.Kinds, k) }) {
			continue
		}
		if slices.ContainsFunc(tools, func(t shownTool) bool { return t.name == row.Name && t.takenBy(m) }) {
			return true
		}
	}
	return false
}

// absence returns what the host's missing tools mean for a hook. severity is 0 if none is missing.
func (r *Route) absence() (code schema.Code, severity schema.Severity, message string) {
	key := r.h.Native + "\x00" + r.h.Matcher
	a, known := r.absent[key]
	if !known {
		if a.names, a.live = r.absentTools(); len(a.names) == 0 {
			a.unknown = r.unknownTools()
		}
		r.absent[key] = a
	}
	if len(a.unknown) > 0 {
		return schema.CodeDeadValue, schema.Note, "hookbridge doesn't know the tool " + Listed(a.unknown, "or") +
			" of " + r.from.Profile().TitleChecked() + "; in " + r.to.Profile().Title +
			" the hook runs for a tool of that name"
	}
	if len(a.names) == 0 {
		return "", 0, ""
	}
	message = r.to.Profile().TitleChecked() + " has no tool for " + Listed(a.names, "or")
	if !a.live {
		return schema.CodeNoEvent, GuardSeverity(r.from, r.h), message + ", so this hook never runs there"
	}
	return schema.CodeDeadValue, schema.Note, message + "; the hook runs for the matcher's other tools"
}
