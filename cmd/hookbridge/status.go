package main

import (
	"path"
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
	missing, strange := 0, 0
	for _, w := range p.want {
		if !holds(p.own, w) {
			missing++
		}
	}
	for _, e := range p.own {
		h := convert.Placed{Pointer: e.Array, Value: e.Value}
		if placed(p.want, h) {
			continue
		}
		if !strings.Contains(string(h.Value), p.in.CommandAt(path.Base(h.Pointer))+`"`) {
			return "edited"
		}
		if at(p.want, h.Pointer) || !e.Alone {
			strange++ // our call in another frame
		}
	}
	switch {
	case missing == 0 && strange == 0:
		return "current"
	case strange > 0 && missing > 0:
		return "edited"
	}
	return "stale"
}

func holds(own []convert.OwnEntry, w convert.Placed) bool {
	for _, e := range own {
		if e.Array == w.Pointer && convert.CompareEntry(e.Value, w.Value) {
			return true
		}
	}
	return false
}

func placed(list []convert.Placed, p convert.Placed) bool {
	for _, l := range list {
		if l.Pointer == p.Pointer && convert.CompareEntry(l.Value, p.Value) {
			return true
		}
	}
	return false
}

// at reports whether the list has an entry at the event.
func at(list []convert.Placed, pointer string) bool {
	for _, l := range list {
		if l.Pointer == pointer {
			return true
		}
	}
	return false
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
