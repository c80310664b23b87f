package main

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/schema"
)

// state compares the entries for the hooks of one agent with the needed ones. Entries
// at other events are fine: a teammate may have hooks that need them.
func (p *bridged) state() string {
	if len(p.own) == 0 {
		return "absent"
	}
	at := func(e convert.OwnEntry) func(convert.Placed) bool {
		return func(w convert.Placed) bool { return w.Pointer == e.Array }
	}
	same := func(e convert.OwnEntry, w convert.Placed) bool {
		return at(e)(w) && convert.CompareEntry(e.Value, w.Value)
	}
	missing := slices.ContainsFunc(p.want, func(w convert.Placed) bool {
		return !slices.ContainsFunc(p.own, func(e convert.OwnEntry) bool { return same(e, w) })
	})
	strange := false // our call in another frame
	for _, e := range p.own {
		switch {
		case slices.ContainsFunc(p.want, func(w convert.Placed) bool { return same(e, w) }):
		case !strings.Contains(string(e.Value), p.in.CommandAt(path.Base(e.Array))+`"`):
			return "edited"
		case slices.ContainsFunc(p.want, at(e)) || !e.Alone:
			strange = true
		}
	}
	switch {
	case strange && missing:
		return "edited"
	case strange || missing:
		return "stale"
	}
	return "current"
}

// status tells the state for each agent whose hooks are concerned. auto leaves out
// what is neither there nor needed.
func (t *target) status(auto bool) (results []installed) {
	for _, p := range t.parts {
		if auto && len(p.own)+len(p.want) == 0 {
			continue
		}
		r := t.result(p.state(), p)
		r.needed, r.entries = true, len(p.want)
		results = append(results, r)
	}
	return results
}

// result is the report about the file.
func (t *target) result(state string, parts ...*bridged) installed {
	r := installed{host: t.host.Profile().Name, scope: t.call.scope, file: t.file, state: state, notes: t.notes}
	for _, p := range parts {
		r.hooks = append(r.hooks, p.in.Hooks.Profile().Name)
		for _, d := range p.found {
			if d.Severity > schema.Note {
				r.found = append(r.found, d)
			}
		}
	}
	return r
}
