// Package web computes the content of the static page: conversions with their findings, and the support table. It reads
// no file, environment or clock and starts no program, so that it runs in a browser as it does here. Package web/wasm
// exports these functions to the page's script, and scripts/page.go writes the page as one file.
package web

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/schema"
)

// An Agent is one choice of the page's lists.
type Agent struct {
	Name  string `json:"name"`  // for the command line: "claude"
	Title string `json:"title"` // for prose: "Claude Code"
	Hooks bool   `json:"hooks"` // it has its own command hooks, which can be converted
}

// Agents lists every agent in the order of the command line's list.
func Agents() []Agent {
	var list []Agent
	for _, d := range adapter.Dialects() {
		list = append(list, Agent{d.Profile().Name, d.Profile().Title, d.Profile().HostOnly == ""})
	}
	return list
}

// A Finding is one diagnostic with its place in the text of the source.
type Finding struct {
	Severity string `json:"severity"` // note, loss, weaker or error
	Code     string `json:"code"`
	Line     int    `json:"line"` // from 1; 0: unknown
	Col      int    `json:"col"`  // from 1, in bytes; 0: unknown
	Path     string `json:"path"` // JSON Pointer in the source; "": the whole file
	Message  string `json:"message"`
	Fix      string `json:"fix"`
}

// A Converted is the outcome of Convert.
type Converted struct {
	Text     string    `json:"text"` // the target's file; "" if the source can't be read
	Hooks    int       `json:"hooks"`
	Entries  int       `json:"entries"`
	Findings []Finding `json:"findings"` // the worst first
	Found    int       `json:"found"`    // the number of findings; Findings may have only the first
	Error    string    `json:"error"`    // a wrong choice of agents; "": none
	File     string    `json:"file"`     // the target's file for it, in the project or "~/.."
	Calls    bool      `json:"calls"`    // the text calls hookbridge, which must be installed where the agent runs
}

// Convert converts the text of one agent's hook file to another's, as the command convert does for a file on standard
// input. From and to are names of dialects, which may have a version or program: "cursor@2.4". If they are the same,
// the text is returned with the findings about it.
func Convert(from, to, text string) Converted {
	out := Converted{Findings: []Finding{}}
	source, err := cmdline.FindOwner("--from", from)
	if err != nil {
		out.Error = err.Error()
		return out
	}

	target, err := adapter.Find(to)
	if err != nil {
		out.Error = err.Error()
		return out
	}

	out.File = fileOf(target)
	name := fileName([]byte(text))
	cfg, ds := hookfile.ParseFile(source, []byte(text), schema.Source{Scope: schema.ScopeGiven, File: name})
	same := adapter.NameOf(source) == adapter.NameOf(target)
	switch {
	case cfg == nil || ds.Max() == schema.Error:
	case same:
		out.Hooks, out.Entries, out.Text = len(cfg.Hooks), len(cfg.Hooks), text
	default:
		c := converted(source, target, cfg, ds)
		ds = append(ds, inspect.Idle(source, cfg.Hooks, ds)...)
		ds = append(ds, c.Diagnostics...)
		if out.Hooks = len(cfg.Hooks); out.Hooks == 0 && ds.Max() < schema.Error {
			ds = append(ds, convert.Empty(source, cfg))
		}
		if ds.Max() < schema.Error {
			out.Entries, out.Text = c.Out, string(convert.File(target, c.Document(target)))
			out.Calls = strings.Contains(out.Text, cmdline.Program+" run")
		}
	}

	plain, _ := hookfile.HooksOf(source, name, []byte(text))
	inspect.Place(ds, name, standard(plain))
	out.Findings = findingsOf(ds)
	out.Found = len(out.Findings)
	return out
}

// fileOf returns the file in which the agent reads its hooks.
func fileOf(d adapter.Dialect) string {
	if d.Profile().Modules != nil {
		return "hooks.ts" // a module of the user's own program
	}
	at := schema.Places{OS: "linux", Home: "~", Project: "."}
	file := cmp.Or(install.FileOf(d, at, schema.ScopeProject), install.FileOf(d, at, schema.ScopeUser))
	return filepath.ToSlash(file)
}

// Shown returns the result with at most that many findings.
func (c Converted) Shown(most int) Converted {
	c.Findings = c.Findings[:min(len(c.Findings), most)]
	return c
}

// converted returns the conversion to a file, or to a module if the target's agent has those.
func converted(from, to adapter.Dialect, cfg *schema.Config, ds schema.Diagnostics) *convert.Conversion {
	if to.Profile().Modules != nil {
		return convert.ConvertModule(from, to, cfg, ds, false, cmdline.PolicyOf("", ""))
	}
	return convert.Convert(from, to, cfg, convert.ConvertOptions{})
}

// findingsOf leaves out repeated findings, for example for two hooks of a group.
func findingsOf(ds schema.Diagnostics) []Finding {
	found, known := []Finding{}, map[Finding]bool{}
	ds = slices.Clone(ds)
	slices.SortStableFunc(ds, func(a, b schema.Diagnostic) int { return int(b.Severity) - int(a.Severity) })
	for _, d := range ds {
		f := Finding{d.Severity.String(), string(d.Code), d.Line, d.Col, d.Path, d.Message, d.Remedy()}
		if !known[f] {
			found, known[f] = append(found, f), true
		}
	}
	return found
}

// A Row is one event of a pair of agents in the table.
type Row struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Event   string   `json:"event"`   // the canonical name
	Native  string   `json:"native"`  // the name in the hooks' agent
	SentBy  []string `json:"sentBy"`  // events of the other agent that run the hook
	Support string   `json:"support"` // all, part or none
	Does    []string `json:"does"`    // effects that are supported
	Lost    []string `json:"lost"`    // effects that are reported when a hook uses them
	Less    []string `json:"less"`    // effects that single programs of the agent lack
	Sources []string `json:"sources"` // the evidence
}

// Matrix lists every event of every ordered pair of agents.
func Matrix() []Row {
	var rows []Row
	for _, hooks := range adapter.Dialects() {
		for _, host := range adapter.Dialects() {
			if hooks.Profile().Name != host.Profile().Name {
				rows = append(rows, rowsOf(inspect.NewPair(hooks, host))...)
			}
		}
	}
	return rows
}

func rowsOf(p inspect.Pair) []Row {
	rows := make([]Row, len(p.Rows))
	for i := range p.Rows {
		c := &p.Rows[i]
		r := Row{From: p.From, To: p.To, Event: c.Event.String(), Native: c.From, SentBy: append([]string{}, c.To...),
			Support: c.Support.String(), Does: effects(c), Lost: []string{}, Less: []string{},
			Sources: []string{}}
		if c.Support != inspect.NotSupported {
			r.Lost = names(c.Lost)
		}
		for _, d := range c.Programs {
			r.Less = append(r.Less, d.Program+": "+strings.Join(append(names(d.Lost), d.Never...), ", "))
		}
		for _, e := range c.Evidence {
			r.Sources = append(r.Sources, e.Agent+" "+e.Native+": "+e.Source)
		}
		rows[i] = r
	}
	return rows
}

// effects lists the supported effects, with restrictions of some.
func effects(c *inspect.Coverage) []string {
	all := []string{}
	(c.Supported | c.Passed).Each(func(f schema.Feature) {
		n := f.Name()
		switch {
		case c.Passed&f != 0:
			n += " (no opinion)"
		case c.HooksOnly&f != 0:
			n += " (hooks)"
		case c.AsksLater && f == schema.EffectAsk:
			n += " (denied)"
		}
		all = append(all, n)
	})
	return all
}

func names(f schema.Feature) []string { return append([]string{}, f.Names()...) }
