package simulate

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// word is the canonical value of the field that matchers on an event are compared with: of those that the host sends
// the one that most hooks match, so that a hook for one value isn't played with another. "": the example.
func (p *play) word(native string) string {
	row := p.profile.Row(native)
	if row == nil || row.Match != schema.MatchField || p.action.Input != nil {
		return ""
	}
	words := sample.Words(p.host.Dialect, row.Event, row.MatchField)
	if len(words) == 0 { // any value may be sent
		words = p.named(row)
	}
	best, most := "", 0
	for _, w := range words {
		n := p.matching(row, &w)
		if n > most {
			best, most = w.Meaning(), n
		}
	}
	return best
}

// named are the values that matchers of hooks on an event name one by one.
func (p *play) named(row *schema.EventRow) (words []schema.Word) {
	for i := range p.own.Hooks {
		if h := &p.own.Hooks[i]; h.Native == row.Native && h.Matcher != "" && !callsHookbridge(h) {
			m, err := matcher.Compile(p.profile.GrammarOf(row.Native), h.Matcher)
			if err != nil {
				continue
			}
			if names, plain := m.Plain(); plain {
				words = append(words, p.wordsOf(row, names)...)
			}
		}
	}
	for _, d := range adapter.Without(adapter.WithHooks(), p.host.Dialect) {
		for _, sel := range p.selections(d, row.Event) {
			for _, meaning := range sel.Words {
				words = append(words, schema.Word{Native: meaning})
			}
		}
	}
	return words
}

// wordsOf gives names of the host's own the meaning that they have there.
func (p *play) wordsOf(row *schema.EventRow, names []string) (words []schema.Word) {
	v := p.profile.Vocabularies.For(row.Event, row.MatchField)
	for _, name := range names {
		meaning, _ := ordjson.String(v.In(ordjson.AppendString(nil, name)))
		words = append(words, schema.Word{Native: name, Canonical: meaning})
	}
	return words
}

// matching counts the hooks that are for one value of an event: the host's own, and those of other agents.
func (p *play) matching(row *schema.EventRow, w *schema.Word) (n int) {
	for i := range p.own.Hooks {
		h := &p.own.Hooks[i]
		if h.Native != row.Native || h.Matcher == "" || callsHookbridge(h) {
			continue
		}
		if m, err := matcher.Compile(p.profile.GrammarOf(row.Native), h.Matcher); err == nil && m.Match(w.Native) {
			n++
		}
	}
	for _, d := range adapter.Without(adapter.WithHooks(), p.host.Dialect) {
		for _, sel := range p.selections(d, row.Event) {
			if sel.Exact && slices.Contains(sel.Words, w.Meaning()) {
				n++
			}
		}
	}
	return n
}

// selections are what the hooks of another agent on an event select.
func (p *play) selections(d dialect.Dialect, e schema.Event) (list []schema.Selection) {
	name := d.Profile().Name
	if p.others == nil {
		p.others = map[string][]schema.Hook{}
	}
	if _, read := p.others[name]; !read {
		res, _ := survey.ForEntry(d, p.host.Places, nil)
		p.others[name] = res.Hooks
	}
	for i := range p.others[name] {
		if h := &p.others[name][i]; h.Event == e && h.Matcher != "" {
			list = append(list, d.Select(h))
		}
	}
	return list
}

// callsHookbridge reports whether a hook is an entry of hookbridge, which is for the values that other agents' hooks
// are for.
func callsHookbridge(h *schema.Hook) bool {
	_, ours := cmdline.Parse(h.Command, h.Args)
	return ours
}
