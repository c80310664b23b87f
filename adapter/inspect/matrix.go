package inspect

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// A Coverage is how well hooks of one event are supported in another agent.
type Coverage struct {
	Event     schema.Event   `json:"event"`
	From      string         `json:"from"`      // native name of the event that the hooks are written for
	Inline    bool           `json:"-"`         // an event of the editor's inline completion, which no other agent has
	To        []string       `json:"to"`        // the host's equivalent events, the generic one first
	Support   Grade          `json:"support"`   // how well hooks of the event are supported
	Supported schema.Feature `json:"supported"` // effects that the host supports
	// Passed is an allow that becomes no opinion unless the user asks for approval.
	Passed schema.Feature `json:"no_opinion"`
	// HooksOnly are variables that the hooks set for commands, but that the host gives only to its hooks. They are
	// among Supported.
	HooksOnly schema.Feature `json:"hooks_only"`
	AsksLater bool           `json:"-"`                 // only by --ask relay; otherwise a question becomes a denial
	Lost      schema.Feature `json:"lost"`              // effects that are reported when a hook uses them
	Unsent    []string       `json:"unsent"`            // values of the event's matcher that the host never sends
	Code      schema.Code    `json:"finding,omitempty"` // the finding about every hook of the event, "" if none
	Severity  string         `json:"severity,omitempty"`
	Why       string         `json:"why,omitempty"`
	Prompts   schema.Code    `json:"prompts,omitempty"` // the finding about a prompt hook, "" if the host runs it
	Programs  []Difference   `json:"programs"`          // the host's programs that do less
	Moments   []Moment       `json:"moments,omitempty"` // when the host raises the event, according to its rows
	// Evidence lists the sources: the row of the hooks' event, then those of the host's events.
	Evidence []Evidence `json:"evidence"`
}

// A Difference describes what one program of a host does less than the rows state.
type Difference struct {
	Program string         `json:"program"` // or the way to start the host
	Way     bool           `json:"-"`       // Program is a way to start the host
	Lost    schema.Feature `json:"lost"`    // otherwise supported effects that this program ignores
	Never   []string       `json:"never"`   // events that it never raises
	Sources []string       `json:"sources"`
}

// A Moment describes how the host raises an event differently from the hooks' own agent, or that it doesn't wait for
// hooks.
type Moment struct {
	Native   string      `json:"event"` // of the host
	Code     schema.Code `json:"finding"`
	Severity string      `json:"severity"`
	Why      string      `json:"why"`
}

// Evidence is the source of a dialect's row about an event.
type Evidence struct {
	Agent  string         `json:"dialect"`
	Native string         `json:"native"`
	Honors schema.Feature `json:"honors"` // effects that the event supports
	Since  string         `json:"since"`  // version that introduced the event
	Source string         `json:"source"`
}

// A Grade summarizes how much of a hook is supported.
type Grade uint8

const (
	NotSupported    Grade = iota // the hook never runs
	PartlySupported              // it runs, and some effects are lost
	FullySupported
)

var gradeNames = [...]string{"none", "part", "all"}

// String returns the word for the grade.
func (g Grade) String() string { return gradeNames[g] }

// MarshalText returns the same word as String.
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

func (c *Coverage) grade() Grade {
	switch {
	case len(c.To) == 0:
		return NotSupported
	case c.Lost != 0 || c.Code != "":
		return PartlySupported
	}
	return FullySupported
}

// A Pair describes the support for hooks of one dialect under another.
type Pair struct {
	From     string     `json:"from"`
	To       string     `json:"to"`
	Rows     []Coverage `json:"events"`
	Settings Settings   `json:"settings"`
}

// Settings are the hook settings that both agents' files support, and those that only the files of the hooks' own agent
// support.
type Settings struct {
	Shared  schema.Feature `json:"shared"`
	Missing schema.Feature `json:"missing"`
}

// NewPair compares the tables of two dialects.
func NewPair(hooks, host dialect.Dialect) Pair {
	own, theirs := settings(hooks), settings(host)
	from, to := hooks.Profile().Name, host.Profile().Name
	if adapter.OtherVersion(hooks, host) {
		from, to = adapter.NameOf(hooks), adapter.NameOf(host)
	}
	return Pair{from, to, withWays(host, withPrograms(hooks, host)), Settings{own & theirs, own &^ theirs}}
}

// withWays adds what the host does less when started in some ways.
func withWays(host dialect.Dialect, rows []Coverage) []Coverage {
	for i := range rows {
		for _, native := range rows[i].To {
			for _, l := range host.Profile().LessOn(native) {
				d := Difference{Program: l.Command, Way: true, Lost: l.Effects & (rows[i].Supported | rows[i].Passed),
					Never: []string{}, Sources: []string{l.Source}}
				if l.Never {
					d.Never = append(d.Never, native)
				}
				if l.Modes != nil {
					d.Program += " in the mode " + strings.Join(l.Modes, ", ")
				}
				if d.Lost != 0 || l.Never {
					rows[i].Programs = append(rows[i].Programs, d)
				}
			}
		}
	}
	return rows
}

// WayText describes what the host does less when started in a way.
func (c *Coverage) WayText(d *Difference) string {
	if len(d.Never) > 0 {
		return "never raises " + strings.Join(d.Never, ", ") + " (" + string(schema.CodeWayLacks) + ")"
	}
	code := schema.CodeWayLacks
	if d.Lost&schema.EffectAsk != 0 {
		code = schema.CodeWayAnswers
	}
	at := ""
	if len(c.To) > 0 {
		at = " at " + c.To[0]
	}
	return "ignores " + strings.Join(d.Lost.Names(), ", ") + at + " (" + string(code) + ")"
}

// withPrograms returns the Matrix with the differences of the host's programs; a host that is a single program has
// none.
func withPrograms(hooks, host dialect.Dialect) []Coverage {
	rows := Matrix(hooks, host)
	if host.Profile().Version != "" {
		return rows
	}
	for _, p := range host.Profile().Programs {
		if p.Less == nil {
			continue
		}
		at, err := host.At(p.Name)
		if err != nil {
			continue
		}
		for i, c := range Matrix(hooks, at) {
			if d := rows[i].less(&c); d.Lost != 0 || len(d.Never) > 0 {
				d.Program = p.Name
				for _, native := range rows[i].To {
					if less := p.On(native); less.Source != "" && !slices.Contains(d.Sources, less.Source) {
						d.Sources = append(d.Sources, less.Source)
					}
				}
				rows[i].Programs = append(rows[i].Programs, d)
			}
		}
	}
	return rows
}

// less returns what another Coverage of the same event supports less.
func (c *Coverage) less(other *Coverage) Difference {
	d := Difference{Lost: (c.Supported | c.Passed) &^ (other.Supported | other.Passed), Never: []string{},
		Sources: []string{}}
	for _, native := range c.To {
		if !slices.Contains(other.To, native) {
			d.Never = append(d.Never, native)
		}
	}
	return d
}

// Programs lists the host's programs that differ on some event, in the order of its profile.
func (p *Pair) Programs() (names []string) {
	host, err := adapter.Find(p.To)
	if err != nil {
		return nil
	}
	for _, program := range host.Profile().Programs {
		for i := range p.Rows {
			if p.Rows[i].On(program.Name) != nil && !slices.Contains(names, program.Name) {
				names = append(names, program.Name)
			}
		}
	}
	return names
}

// On returns what a program does less, nil if it does the same.
func (c *Coverage) On(program string) *Difference {
	return lists.Find(c.Programs, func(d *Difference) bool { return d.Program == program })
}

// settings returns the features of hooks that a dialect's configuration has names for.
func settings(d dialect.Dialect) (f schema.Feature) {
	for one := schema.HookMatcher; one.Name() != "feature(invalid)"; one <<= 1 {
		if d.Profile().MemberName(one) != "" {
			f |= one
		}
	}
	return f &^ schema.HookMatcher // every event's row shows the subject of matchers
}

// Grade rates the support for hooks of a canonical event; ok is false if the hooks' dialect has no such event. Inline
// events are left out. With several native events, all of them must be fully supported.
func (p *Pair) Grade(e schema.Event) (g Grade, ok bool) {
	all, none := true, true
	for i := range p.Rows {
		if p.Rows[i].Event != e || p.Rows[i].Inline {
			continue
		}
		ok = true
		one := p.Rows[i].Support
		all, none = all && one == FullySupported, none && one == NotSupported
	}
	switch {
	case all:
		return FullySupported, ok
	case none:
		return NotSupported, ok
	}
	return PartlySupported, ok
}

// Matrix lists, from the dialects' tables, the support for hooks of one dialect under another, in the order of the
// hooks' dialect.
func Matrix(hooks, host dialect.Dialect) []Coverage {
	out := []Coverage{}
	hooks = adapter.AsWritten(hooks, host)
	p := plan.New(hooks, host)
	for _, row := range hooks.Profile().Events {
		if !hooks.Profile().Has(&row) {
			continue
		}
		c := Coverage{Event: row.Event, From: row.Native, Inline: row.Inline(), To: []string{}, Unsent: []string{},
			Programs: []Difference{}}
		c.Evidence = append(c.Evidence, Evidence{hooks.Profile().Name, row.Native, row.Honors, row.Since, row.Source})
		at, honored := plan.Raised(hooks, host, &row)
		for _, h := range at {
			c.To = append(c.To, h.Native)
			c.Evidence = append(c.Evidence, Evidence{host.Profile().Name, h.Native, plan.Channels(host, h, schema.MCP),
				h.Since, h.Source})
			if plan.AllowPasses(h, &row) {
				c.Passed = row.Honors & schema.EffectAllow
			}
			if adapter.SameAgent(hooks, host) {
				continue
			}
			for _, f := range append(plan.Moments(host.Profile(), h, &row), plan.Shown(host.Profile(), h)...) {
				c.Moments = append(c.Moments, Moment{h.Native, f.Code, f.Severity.String(), f.Message})
			}
		}
		if len(c.To) > 0 {
			unsent, _ := plan.UnsentValues(hooks, host, &row)
			c.Unsent = append(c.Unsent, unsent...)
			c.Passed |= row.Honors & schema.EffectAllow &^ honored // without approval the host's own rules decide
		}
		c.Supported = row.Honors & honored &^ schema.SilentEffects &^ c.Passed
		c.AsksLater = c.Supported&schema.EffectAsk != 0 && !AsksAt(host, c.To[0])
		if dialect.EnvForHooksOnly(hooks.Profile(), host.Profile()) {
			c.HooksOnly = c.Supported & schema.EffectEnv
		}
		c.Lost = row.Honors &^ honored &^ schema.SilentEffects &^ c.Passed
		h := schema.Hook{Event: row.Event, Native: row.Native, Inline: row.Inline(), Gate: row.Gate != nil,
			Handler: schema.HandlerCommand}
		for _, f := range p.Outcome(&h, true).Found {
			if f.Severity >= schema.Loss && c.Code == "" {
				c.Code, c.Severity, c.Why = f.Code, f.Severity.String(), f.Message
			}
		}
		c.Prompts = promptCode(hooks, host, h, p)
		c.Support = c.grade()
		out = append(out, c)
	}

	return out
}

// promptCode returns the finding for a prompt hook that its own agent runs at the event of h but the host doesn't.
func promptCode(hooks, host dialect.Dialect, h schema.Hook, p *plan.Planner) schema.Code {
	h.Handler, h.Prompt = schema.HandlerPrompt, "?"
	entries := p.Outcome(&h, false).Own
	skips := func(e schema.Entry) bool { return !plan.Handles(host, e, &h) }
	switch {
	case !plan.Handles(hooks, schema.Entry{Native: h.Native}, &h) || !slices.ContainsFunc(entries, skips):
		return ""
	case adapter.OtherVersion(hooks, host):
		return schema.CodeVoidHook
	}
	return schema.CodeNoEvaluator
}
