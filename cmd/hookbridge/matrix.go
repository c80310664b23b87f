package main

import (
	"io"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
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

// matrixJSON writes one object: the pairs, and each dialect's own events.
func matrixJSON(w io.Writer, pairs []inspect.Pair, _ bool) {
	o := ordjson.NewWriter(nil)
	o.Raw("pairs", arrayJSON(pairs, pairJSON))
	o.Raw("dialects", arrayJSON(dialectsOf(pairs), dialectJSON))
	w.Write(append(o.Bytes(), '\n'))
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

func pairJSON(dst []byte, p inspect.Pair) []byte {
	o := ordjson.NewWriter(dst)
	o.String("from", p.From)
	o.String("to", p.To)
	o.Raw("events", arrayJSON(p.Rows, coverageJSON))
	said := ordjson.NewWriter(nil)
	said.Strings("shared", names(p.Settings))
	said.Strings("missing", names(p.MissingSettings))
	o.Raw("settings", said.Bytes())
	return o.Bytes()
}

func coverageJSON(dst []byte, r inspect.Coverage) []byte {
	o := ordjson.NewWriter(dst)
	o.String("event", r.Event.String())
	o.String("from", r.From)
	o.Strings("to", r.To)
	o.String("support", r.Grade().String())
	o.Strings("supported", names(r.Supported))
	o.Strings("no_opinion", names(r.Passed))
	o.Strings("hooks_only", names(r.HooksOnly))
	o.Strings("lost", names(r.Lost))
	o.Strings("unsent", r.Unsent)
	o.Raw("programs", arrayJSON(r.Programs, func(dst []byte, d inspect.Difference) []byte {
		o := ordjson.NewWriter(dst)
		o.String("program", d.Program)
		o.Strings("lost", names(d.Lost))
		o.Strings("never", d.Never)
		o.Strings("sources", d.Sources)
		return o.Bytes()
	}))
	o.Raw("evidence", arrayJSON(r.Evidence, func(dst []byte, e inspect.Evidence) []byte {
		o := ordjson.NewWriter(dst)
		o.String("dialect", e.Dialect)
		evidenceJSON(&o, e.Native, e.Honors, e.Since, e.Source)
		return o.Bytes()
	}))
	return o.Bytes()
}

func dialectJSON(dst []byte, d adapter.Dialect) []byte {
	o := ordjson.NewWriter(dst)
	o.String("name", d.Profile().Name)
	o.Raw("events", arrayJSON(d.Profile().Events, func(dst []byte, r schema.EventRow) []byte {
		o := ordjson.NewWriter(dst)
		o.String("event", r.Event.String())
		evidenceJSON(&o, r.Native, r.Honors, r.Since, r.Source)
		return o.Bytes()
	}))
	return o.Bytes()
}

func evidenceJSON(o *ordjson.Writer, native string, honors schema.Feature, since, source string) {
	o.String("native", native)
	o.Strings("honors", names(honors))
	o.String("since", since)
	o.String("source", source)
}

// names lists the names of a set of features.
func names(f schema.Feature) (out []string) {
	f.Each(func(one schema.Feature) { out = append(out, one.Name()) })
	return out
}

func arrayJSON[T any](list []T, write func(dst []byte, one T) []byte) []byte {
	out := []byte{'['}
	for i, one := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = write(append(out, '\n'), one)
	}
	return append(out, ']')
}
