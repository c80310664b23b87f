package adapter

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// standsInstead says where a hook runs that has not all events that it needs.
func standsInstead(entries []schema.Entry) string {
	if len(entries) == 0 {
		return "the hook would never run"
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Native)
	}
	return "the hook runs at " + strings.Join(names, " and ") + " only"
}

// plan asks the target for the entries of a hook: on the event that tells of it,
// and on those that tell of what its own event may turn out to be, a
// failed command say. With wide also where the target's event only may be the
// hook's: for a hook that runs through the bridge, which looks closer.
// What the target's version has not yet is left out.
func plan(from, to Dialect, h *schema.Hook, sel schema.Selection, wide bool) []schema.Entry {
	entries := planned(from, to, h, sel, wide)
	all := len(entries)
	if has, ok := to.(dated); ok && has.Follows() != "" {
		entries = slices.DeleteFunc(entries, func(e schema.Entry) bool {
			row := rowOf(to, e.Native)
			return row != nil && !has.Has(row)
		})
	}
	if len(entries) < all && wide {
		entries = append(entries, gates(to, h, sel, entries)...)
	}
	return entries
}

// gates are entries on the target's events about single acts, for a hook whose
// own event the target's version has not: the bridge asks the hook's matcher.
func gates(to Dialect, h *schema.Hook, sel schema.Selection, have []schema.Entry) (out []schema.Entry) {
	for _, row := range to.EventRows() {
		known := slices.ContainsFunc(have, func(e schema.Entry) bool { return e.Native == row.Native })
		if known || !row.Gate || row.Inline || row.Event != h.Event || !to.(dated).Has(&row) {
			continue
		}
		meant := sel.All || slices.ContainsFunc(sel.Picks, func(p schema.Pick) bool { return slices.Contains(row.Kinds, p.Kind) })
		if meant {
			out = append(out, schema.Entry{Native: row.Native, Pointer: hooksIn(to) + "/" + row.Native})
		}
	}
	return out
}

// late tells which event of the target the hook would stand on if the target's
// version had it, "" if that version has all that it needs.
func late(from, to Dialect, h *schema.Hook, sel schema.Selection) string {
	has, ok := to.(dated)
	if !ok || has.Follows() == "" {
		return ""
	}
	for _, e := range planned(from, to, h, sel, false) {
		if row := rowOf(to, e.Native); row != nil && !has.Has(row) {
			return e.Native
		}
	}
	return ""
}

// planned is the plan for the newest version of the target.
func planned(from, to Dialect, h *schema.Hook, sel schema.Selection, wide bool) []schema.Entry {
	at := *h
	if sel.Event != 0 {
		at.Event = sel.Event
		return to.Plan(&at, sel)
	}
	entries := to.Plan(&at, sel)
	add := func(e schema.Event, s schema.Selection) {
		at.Event = e
		for _, more := range to.Plan(&at, s) {
			known := false
			for _, have := range entries {
				known = known || have.Native == more.Native
			}
			if !known {
				entries = append(entries, more)
			}
		}
	}
	own := rowOf(from, h.Native)
	if own != nil && (wide || own.Gate) {
		for _, e := range own.Also {
			if s, ok := failing(own, e, sel); ok {
				add(e, s)
			}
		}
	}
	for _, row := range to.EventRows() {
		if wide && row.Event != h.Event && !row.Gate && row.Raises(h.Event) {
			if s, ok := failing(&row, h.Event, sel); ok {
				add(row.Event, s)
			}
		}
	}
	return entries
}

// failing narrows a selection to the tools of which row may stand for e: only a
// result of an MCP server says of itself that it is an error.
func failing(row *schema.EventRow, e schema.Event, sel schema.Selection) (schema.Selection, bool) {
	if row.Gate || row.Event != schema.PostTool || e != schema.PostToolFailure {
		return sel, true
	}
	if sel.All {
		return schema.Selection{Picks: []schema.Pick{{Kind: schema.MCP}}, Exact: sel.Exact}, true
	}
	narrow := schema.Selection{Exact: sel.Exact}
	for _, p := range sel.Picks {
		if p.Kind == schema.MCP {
			narrow.Picks = append(narrow.Picks, p)
		}
	}
	return narrow, len(narrow.Picks) > 0
}
