package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// A support lists what hooks can do in which agent, in the form of support.json.
type support struct {
	Agents  []agent `json:"agents"`
	Events  []word  `json:"events"`
	Effects []word  `json:"effects"`
	Rows    []row   `json:"rows"`
}

// A word is a choice of the form.
type word struct {
	Name string `json:"name"` // canonical: "prompt-submit"
	Says string `json:"says"`
}

// An agent is one that has hooks, or runs those of others.
type agent struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"` // the newest that the tables were checked with
	Date    string `json:"date"`    // of the last comparison with the real client
	Page    string `json:"page"`
	Live    string `json:"live"`   // the page of the comparison
	Facts   string `json:"facts"`  // the page with the evidence
	Tables  bool   `json:"tables"` // hookbridge translates its hooks; otherwise documents list its guards
	Note    string `json:"note"`
	Source  string `json:"source"` // of an agent without tables
	Guards  string `json:"guards"` // of such an agent: its names of the events at which hooks can deny
}

// A row is an event of an agent.
type row struct {
	Agent   string              `json:"agent"`
	Event   string              `json:"event"` // the canonical name
	Native  string              `json:"native"`
	Effects []string            `json:"effects"` // what answers can do
	Some    map[string][]string `json:"some"`    // effects for some tools only, with these
	Less    []less              `json:"less"`
	Since   string              `json:"since"` // the version of the agent that introduced the event
	Source  string              `json:"source"`
}

// A less lists restrictions of an agent when another of its programs runs, or when it is started in a certain way.
type less struct {
	When    string   `json:"when"`
	Effects []string `json:"effects"` // ignored then
	Never   bool     `json:"never"`   // it never raises the event
	Source  string   `json:"source"`
}

// newSupport reads the tables of all agents.
func newSupport(root string) (support, error) {
	s := support{Effects: []word{{anyHook, "run at all"}}}
	effects, events := words(effectLines), words(eventLines)
	for one := schema.Feature(1); one < schema.HookMatcher; one <<= 1 {
		if says := effects[one.Name()]; says != "" {
			s.Effects = append(s.Effects, word{one.Name(), says})
		}
	}
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		s.Events = append(s.Events, word{e.String(), events[e.String()]})
	}

	for _, name := range adapter.Names() {
		d, err := adapter.Find(name)
		if err != nil {
			return s, err
		}
		a, err := agentOf(root, d)
		if err != nil {
			return s, err
		}
		s.Agents = append(s.Agents, a)
		for i := range d.Profile().Events {
			event := &d.Profile().Events[i]
			if d.Profile().Has(event) && !event.Inline() {
				s.Rows = append(s.Rows, rowOf(d, event))
			}
		}
	}
	for _, b := range adapter.KnownByName() {
		s.Agents = append(s.Agents, agent{Name: b.Name, Title: b.Title, Page: "agents/" + b.Name + ".html",
			Note: cmp.Or(b.Never, "hookbridge doesn't translate its hooks; their files are "+
				strings.Join(slices.Concat(b.Files, b.Home, b.Folders), ", ")),
			Source: b.Source, Guards: b.Guards})
		s.Rows = append(s.Rows, guardsOf(&b)...)
	}
	return s, nil
}

// dated finds the day of a comparison.
var dated = regexp.MustCompile(`Date: (\d{4}-\d\d-\d\d)`)

func agentOf(root string, d dialect.Dialect) (agent, error) {
	p := d.Profile()
	a := agent{Name: p.Name, Title: p.Title, Page: "agents/" + p.Name + ".html", Tables: true, Note: p.HostOnly}
	if p.Program != nil && p.Program.Version != "" {
		a.Version = p.Program.Version
	} else if len(p.Known) > 0 {
		a.Version = p.Known[0]
	}
	if p.Program != nil && p.Program.FullName == p.Name && p.Name != p.Agent() && !strings.Contains(p.Title, " ") {
		a.Title += " (" + p.Program.Name + ")"
	}
	if facts := "conformance/facts/" + p.Agent() + ".md"; exists(root, facts) {
		a.Facts = pageOf(facts)
	}

	if p.Reported {
		a.Note = p.Proviso()
		return a, nil
	}
	live := "conformance/LIVE-" + strings.ToUpper(p.Agent()) + ".md"
	if !exists(root, live) {
		live = "conformance/LIVE.md" // of the two agents that all others are compared with
	}
	a.Live = pageOf(live)
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(live)))
	if days := dated.FindAllStringSubmatch(string(text), -1); days != nil {
		a.Date = days[len(days)-1][1]
	}
	return a, err
}

func exists(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}

func rowOf(d dialect.Dialect, event *schema.EventRow) row {
	r := row{Agent: d.Profile().Name, Event: event.Event.String(), Native: event.Native, Effects: []string{},
		Some: map[string][]string{}, Less: []less{}, Since: event.Since, Source: event.Source}
	kinds := []schema.Kind{schema.MCP}
	if event.Event.IsTool() && event.Gate == nil {
		kinds = kinds[:0]
		for k := range schema.NumKinds {
			if !event.Spares([]schema.Kind{k}) {
				kinds = append(kinds, k)
			}
		}
	}
	honored := map[schema.Feature][]string{}
	for _, k := range kinds {
		(plan.Channels(d, event, k) &^ schema.SilentEffects).Each(func(f schema.Feature) {
			honored[f] = append(honored[f], k.String())
		})
	}
	for one := schema.Feature(1); one < schema.HookMatcher; one <<= 1 {
		switch n := len(honored[one]); {
		case n == 0:
		case n < len(kinds):
			r.Some[one.Name()] = honored[one]
		case event.Gate != nil:
			for _, k := range event.Kinds() {
				r.Some[one.Name()] = append(r.Some[one.Name()], k.String())
			}
		default:
			r.Effects = append(r.Effects, one.Name())
		}
	}

	for _, l := range d.Profile().LessOn(event.Native) {
		when := l.Command
		if l.Modes != nil {
			when += " in the mode " + strings.Join(l.Modes, ", ")
		}
		r.Less = append(r.Less, less{when, (l.Effects &^ schema.SilentEffects).Names(), l.Never, l.Source})
	}
	if d.Profile().Version == "" {
		for _, g := range d.Profile().Programs {
			if l := g.On(event.Native); l.Effects != 0 || l.Never {
				r.Less = append(r.Less, less{d.Profile().Title + " " + g.Name,
					(l.Effects &^ schema.SilentEffects).Names(), l.Never, l.Source})
			}
		}
	}
	return r
}

// guardsOf returns the events at which hooks of an agent without tables can deny. It recognizes names that an agent
// with tables uses for the same event.
func guardsOf(b *adapter.ByName) (rows []row) {
	seen := map[string]bool{}
	for _, d := range adapter.Dialects() {
		for _, event := range d.Profile().Events {
			name := event.Event.String()
			if b.Never != "" || seen[name] || event.Gate != nil || !b.Guard(event.Native) ||
				!slices.Contains(strings.Fields(b.Guards), strings.ToLower(event.Native)) {
				continue
			}
			seen[name] = true
			rows = append(rows, row{Agent: b.Name, Event: name, Native: event.Native,
				Effects: []string{schema.EffectDeny.Name()}, Some: map[string][]string{}, Less: []less{},
				Source: b.Source})
		}
	}
	return rows
}
