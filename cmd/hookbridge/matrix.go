package main

import (
	"io"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// matrixFlags is the command line of matrix.
type matrixFlags struct {
	from, to, format string
	json             bool
}

func (f *matrixFlags) define(fs *flags) {
	fs.text(&f.from, "from", "", "D", "the agent that the hooks are written for (default: all)")
	fs.text(&f.to, "to", "", "D", "the agent that runs them (default: all)")
	fs.text(&f.format, "format", "table", "table|markdown|json|html", "output format (default table)")
	fs.yes(&f.json, "json", "short for --format json")
}

func matrixCommand(args []string, std stdio) int {
	f := &matrixFlags{}
	fs := newFlags("matrix")
	f.define(fs)
	err := fs.only(args)
	var pairs []inspect.Pair
	if err == nil {
		pairs, err = choosePairs(f.from, f.to)
	}
	if err != nil {
		return failed(std, "matrix", err)
	}
	if f.json {
		f.format = "json"
	}
	matrixFormats()[f.format](std.out, pairs, f.from != "" || f.to != "")
	return exitOK
}

// choosePairs lists the pairs asked for.
func choosePairs(from, to string) (pairs []inspect.Pair, err error) {
	for _, side := range []struct{ flag, name string }{{"--from", from}, {"--to", to}} {
		if side.name != "" {
			if _, err := findDialect(side.flag, side.name); err != nil {
				return nil, err
			}
		}
	}
	sides := func(name string) []adapter.Dialect {
		if d, err := adapter.Find(name); err == nil {
			return []adapter.Dialect{d}
		}
		return adapter.Dialects()
	}
	for _, hooks := range sides(from) {
		for _, host := range sides(to) {
			if hooks.Profile().Name != host.Profile().Name {
				pairs = append(pairs, inspect.NewPair(hooks, host))
			}
		}
	}
	if len(pairs) == 0 {
		return nil, errUsage{"an agent runs its own hooks without hookbridge; name two different agents"}
	}
	return pairs, nil
}

// matrixFormats are the ways to show pairs: detail says that some were chosen.
func matrixFormats() map[string]func(w io.Writer, pairs []inspect.Pair, detail bool) {
	return map[string]func(io.Writer, []inspect.Pair, bool){"table": matrixTable, "markdown": matrixMarkdown, "json": matrixJSON, "html": matrixHTML}
}

// A matrixDoc is the pairs, and each dialect's own events.
type matrixDoc struct {
	Pairs    []pairDoc    `json:"pairs"`
	Dialects []dialectDoc `json:"dialects"`
}

type pairDoc struct {
	From     string        `json:"from"`
	To       string        `json:"to"`
	Events   []coverageDoc `json:"events"`
	Settings struct {
		Shared  []string `json:"shared"`
		Missing []string `json:"missing"`
	} `json:"settings"`
}

type coverageDoc struct {
	Event     string        `json:"event"`
	From      string        `json:"from"`
	To        []string      `json:"to"`
	Support   string        `json:"support"`
	Supported []string      `json:"supported"`
	NoOpinion []string      `json:"no_opinion"`
	HooksOnly []string      `json:"hooks_only"`
	Lost      []string      `json:"lost"`
	Unsent    []string      `json:"unsent"`
	Programs  []programDoc  `json:"programs"`
	Evidence  []evidenceDoc `json:"evidence"`
}

type programDoc struct {
	Program string   `json:"program"`
	Lost    []string `json:"lost"`
	Never   []string `json:"never"`
	Sources []string `json:"sources"`
}

type evidenceDoc struct {
	Dialect string   `json:"dialect"`
	Native  string   `json:"native"`
	Honors  []string `json:"honors"`
	Since   string   `json:"since"`
	Source  string   `json:"source"`
}

type dialectDoc struct {
	Name   string        `json:"name"`
	Events []ownEventDoc `json:"events"`
}

type ownEventDoc struct {
	Event  string   `json:"event"`
	Native string   `json:"native"`
	Honors []string `json:"honors"`
	Since  string   `json:"since"`
	Source string   `json:"source"`
}

func matrixJSON(w io.Writer, pairs []inspect.Pair, _ bool) {
	printJSON(w, matrixDoc{each(pairs, pairDocOf), each(dialectsOf(pairs), dialectDocOf)})
}

// dialectsOf lists the dialects of the pairs.
func dialectsOf(pairs []inspect.Pair) (out []adapter.Dialect) {
	for _, d := range adapter.Dialects() {
		for _, p := range pairs {
			if p.From == d.Profile().Name || p.To == d.Profile().Name {
				out = append(out, d)
				break
			}
		}
	}
	return out
}

func pairDocOf(p inspect.Pair) pairDoc {
	doc := pairDoc{From: p.From, To: p.To, Events: each(p.Rows, coverageDocOf)}
	doc.Settings.Shared, doc.Settings.Missing = names(p.Settings), names(p.MissingSettings)
	return doc
}

func coverageDocOf(r inspect.Coverage) coverageDoc {
	return coverageDoc{r.Event.String(), r.From, array(r.To), r.Grade().String(), names(r.Supported), names(r.Passed), names(r.HooksOnly),
		names(r.Lost), array(r.Unsent),
		each(r.Programs, func(d inspect.Difference) programDoc {
			return programDoc{d.Program, names(d.Lost), array(d.Never), array(d.Sources)}
		}),
		each(r.Evidence, func(e inspect.Evidence) evidenceDoc {
			return evidenceDoc{e.Dialect, e.Native, names(e.Honors), e.Since, e.Source}
		})}
}

func dialectDocOf(d adapter.Dialect) dialectDoc {
	return dialectDoc{d.Profile().Name, each(d.Profile().Events, func(r schema.EventRow) ownEventDoc {
		return ownEventDoc{r.Event.String(), r.Native, names(r.Honors), r.Since, r.Source}
	})}
}

// names lists the names of a set of features.
func names(f schema.Feature) []string {
	out := []string{}
	f.Each(func(one schema.Feature) { out = append(out, one.Name()) })
	return out
}
