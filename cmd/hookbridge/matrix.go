package main

import (
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

func (f *matrixFlags) run(_ *flags, _ []string, std stdio) (int, error) {
	pairs, err := choosePairs(f.from, f.to)
	detail := f.from != "" || f.to != "" // some were chosen
	switch {
	case err != nil:
		return 0, err
	case f.json || f.format == "json":
		printJSON(std.out, document{{"pairs", each(pairs, pairDoc)}, {"dialects", each(dialectsOf(pairs), dialectDoc)}})
	case f.format == "markdown":
		matrixMarkdown(std.out, pairs, detail)
	case f.format == "html":
		matrixHTML(std.out, pairs)
	default:
		matrixTable(std.out, pairs, detail)
	}
	return exitOK, nil
}

// choosePairs lists the pairs asked for.
func choosePairs(from, to string) (pairs []inspect.Pair, err error) {
	side := func(flag, name string) []adapter.Dialect {
		if name == "" {
			return adapter.Dialects()
		}
		d, wrong := findDialect(flag, name)
		if wrong != nil && err == nil {
			err = wrong
		}
		return []adapter.Dialect{d}
	}
	owners, hosts := side("--from", from), side("--to", to)
	if err != nil {
		return nil, err
	}
	for _, hooks := range owners {
		for _, host := range hosts {
			if !sameAgent(hooks, host) {
				pairs = append(pairs, inspect.NewPair(hooks, host))
			}
		}
	}
	if len(pairs) == 0 {
		return nil, errUsage{"an agent runs its own hooks without hookbridge; name two different agents"}
	}
	return pairs, nil
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

func pairDoc(p inspect.Pair) document {
	return document{
		{"from", p.From}, {"to", p.To}, {"events", each(p.Rows, coverageDoc)},
		{"settings", document{{"shared", p.Settings}, {"missing", p.MissingSettings}}},
	}
}

func coverageDoc(r inspect.Coverage) document {
	severity := ""
	if r.Code != "" {
		severity = r.Severity.String()
	}
	return document{
		{"event", r.Event}, {"from", r.From}, {"to", r.To}, {"support", r.Grade()}, {"supported", r.Supported},
		{"no_opinion", r.Passed}, {"hooks_only", r.HooksOnly}, {"lost", r.Lost}, {"unsent", r.Unsent},
		{"finding", optional(string(r.Code))}, {"severity", optional(severity)}, {"why", optional(r.Why)},
		{"programs", each(r.Programs, func(d inspect.Difference) document {
			return document{{"program", d.Program}, {"lost", d.Lost}, {"never", d.Never}, {"sources", d.Sources}}
		})},
		{"evidence", each(r.Evidence, func(e inspect.Evidence) document {
			return document{{"dialect", e.Dialect}, {"native", e.Native}, {"honors", e.Honors}, {"since", e.Since}, {"source", e.Source}}
		})},
	}
}

// dialectDoc is an agent with its own events.
func dialectDoc(d adapter.Dialect) document {
	return document{{"name", d.Profile().Name}, {"events", each(d.Profile().Events, func(r schema.EventRow) document {
		return document{{"event", r.Event}, {"native", r.Native}, {"honors", r.Honors}, {"since", r.Since}, {"source", r.Source}}
	})}}
}

// names lists the names of a set of features.
func names(f schema.Feature) []string {
	out := []string{}
	f.Each(func(one schema.Feature) { out = append(out, one.Name()) })
	return out
}
