package simulate

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// word returns the canonical value of the field that an event's matchers test: of those that the host sends, the one
// that most hooks match, so that a hook for one value isn't played with another. "": the example.
func (p *play) word(native string) string {
	row := p.profile.Row(native)
	if row == nil || row.Match != schema.MatchField || p.action.Input != nil {
		return ""
	}
	choices := p.choices(row)
	words := sample.Words(p.host.Dialect, row.Event, row.MatchField)
	if len(words) == 0 { // any value may be sent
		for _, c := range choices {
			words = append(words, c.named...)
		}
	}
	best, most := "", 0
	for _, w := range words {
		n := 0
		for _, c := range choices {
			if c.takes(&w) {
				n++
			}
		}
		if n > most {
			best, most = w.Meaning(), n
		}
	}
	return best
}

// A choice is what the matcher of one hook on an event accepts.
type choice struct {
	named []schema.Word // the values that it names individually
	takes func(*schema.Word) bool
}

// choices returns the choices of the host's own hooks on an event, and of other agents'.
func (p *play) choices(row *schema.EventRow) (list []choice) {
	for i := range p.own.Hooks {
		h := &p.own.Hooks[i]
		if h.Native != row.Native || h.Matcher == "" || callsHookbridge(h) {
			continue
		}
		m, err := matcher.Compile(p.profile.GrammarOf(row.Native), h.Matcher)
		if err != nil {
			continue
		}
		one := choice{takes: func(w *schema.Word) bool { return m.Match(w.Native) }}
		if names, plain := m.Plain(); plain {
			one.named = p.wordsOf(row, names)
		}
		list = append(list, one)
	}

	for _, d := range adapter.Without(adapter.WithHooks(), p.host.Dialect) {
		for _, sel := range p.selections(d, row.Event) {
			list = append(list, choice{
				named: lists.Map(sel.Words, func(word string) schema.Word { return schema.Word{Native: word} }),
				takes: func(w *schema.Word) bool { return sel.Exact && slices.Contains(sel.Words, w.Meaning()) }})
		}
	}
	return list
}

// wordsOf returns the canonical values of the host's own names.
func (p *play) wordsOf(row *schema.EventRow, names []string) (words []schema.Word) {
	v := p.profile.Vocabularies.For(row.Event, row.MatchField)
	for _, name := range names {
		meaning, _ := ordjson.String(v.In(ordjson.AppendString(nil, name)))
		words = append(words, schema.Word{Native: name, Canonical: meaning})
	}
	return words
}

// selections returns what the hooks of another agent on an event select.
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

// callsHookbridge reports whether a hook is an entry of hookbridge, which is for the values of other agents' hooks.
func callsHookbridge(h *schema.Hook) bool {
	_, ours := cmdline.Parse(h.Command, h.Args)
	return ours
}
