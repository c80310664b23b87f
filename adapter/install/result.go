package install

import (
	"bytes"
	"errors"
	"path"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Result is the report of install, uninstall or status on one file.
type Result struct {
	Host    string             `json:"host"`
	Hooks   []string           `json:"hooks"`
	Scope   string             `json:"scope"`
	File    string             `json:"file"`
	State   string             `json:"state"`
	Entries int                `json:"entries"`
	Written bool               `json:"written"`
	Diff    string             `json:"diff"` // of a change that isn't written
	Notes   []string           `json:"notes"`
	Found   schema.Diagnostics `json:"diagnostics"`

	// Fails: the file exists or is needed, and doesn't do its job for hookbridge.
	Fails  bool     `json:"-"`
	needed bool     // Entries counts the needed entries
	change *rewrite // not written yet; nil: none
}

// Pending reports whether the result's change isn't written yet.
func (r *Result) Pending() bool { return r.change != nil }

// Needed reports whether Entries counts the needed entries, as in status.
func (r *Result) Needed() bool { return r.needed }

func (t *Target) install() ([]Result, error) {
	if len(t.parts) == 0 { // only its import is switched off
		return nil, nil
	}

	after, count, stale := t.file.before, 0, false
	for _, p := range t.parts {
		count += len(p.want)
		if t.state(p) == "current" && len(p.own) <= len(p.want) { // no entries at events that no hook here needs
			continue
		}
		stale = true
		var err error
		if after, err = t.file.added(after, entriesFor(t.Host, after, p.all...), p.want); err != nil {
			return nil, err
		}
	}

	if stale {
		off := unheededChange(t.Host, t.file.before, after, t.file.source())
		if off.Max() == schema.Error {
			return nil, errors.New(off[0].String())
		}
		if h := silenced(t.Host, t.job.Places, t.file.path, t.file.before, after); h != nil {
			return nil, errors.New(silence(t.Host, h, t.file.path) +
				": move its hooks into that file and install again; nothing was written")
		}
		t.parts[0].found = append(t.parts[0].found, off...)
	}

	t.note(append(t.file.unreviewed(after, Install), t.file.copyNotes(after)...)...)
	r := t.result("installed", t.parts...)
	r.Entries = count
	if stale {
		r.change = t.job.pending.rewrite(&t.file, after, false, func() error { return t.file.write(after) })
	} else {
		r.State, r.Entries = "current", 0
	}

	return []Result{r}, nil
}

// state returns the state of a part's entries and of the file around them.
func (t *Target) state(p *part) string {
	s := p.state()
	if other := t.file.whoWrote(); other != "" {
		return other
	}
	if s == "current" && wholeFile(t.Host) != nil && !t.file.hasCopies() {
		return "stale"
	}
	return s
}

// state compares the entries of a part with the needed ones. Entries at other events are fine: a teammate may have
// hooks that need them.
func (p *part) state() string {
	if !slices.ContainsFunc(p.own, func(e convert.OwnEntry) bool {
		return slices.ContainsFunc(p.named, func(d adapter.Dialect) bool {
			return e.Call.RunsHooksOf(d.Profile().Name)
		})
	}) {
		return "absent"
	}

	at := func(e convert.OwnEntry) func(convert.Placed) bool {
		return func(w convert.Placed) bool { return w.Pointer == e.Array }
	}
	same := func(e convert.OwnEntry, w convert.Placed) bool {
		return at(e)(w) && ordjson.Equal(e.Value, w.Value)
	}
	missing := slices.ContainsFunc(p.want, func(w convert.Placed) bool {
		return !slices.ContainsFunc(p.own, func(e convert.OwnEntry) bool { return same(e, w) })
	})
	strange, older := false, false // our call in another form, or for other agents' hooks
	for _, e := range p.own {
		call := p.in.CallAt(path.Base(e.Array))
		switch {
		case slices.ContainsFunc(p.want, func(w convert.Placed) bool { return same(e, w) }):
		case !slices.Equal(stated(e.Call), stated(call)) || e.Call.Path != call.Path:
			return "edited"
		case !slices.Equal(e.Call.Owners(), call.Owners()) || (e.Call.ProjectLauncher != "") != (p.in.Launch != nil),
			slices.ContainsFunc(p.want, func(w convert.Placed) bool { return at(e)(w) && p.startsOtherwise(e, w) }):
			older = true
		case slices.ContainsFunc(p.want, at(e)) || !e.Alone:
			strange = true
		}
	}

	switch {
	case strange && missing && !older:
		return "edited"
	case strange || missing || older:
		return "stale"
	}

	return "current"
}

// startsOtherwise reports whether an entry starts the launcher with other words than the wanted entry, as an older
// hookbridge wrote them.
func (p *part) startsOtherwise(e convert.OwnEntry, w convert.Placed) bool {
	want := convert.NewOwnEntry(p.in.Host, path.Base(w.Pointer), w.Value).Call
	sameWords := want.ProjectLauncher == e.Call.ProjectLauncher && want.Refusal == e.Call.Refusal
	return !sameWords || w.Windows != "" && !bytes.Contains(e.Value, ordjson.AppendString(nil, w.Windows))
}

// stated returns the flags of a call that a user may have edited.
func stated(c cmdline.Call) []cmdline.Flag {
	return slices.DeleteFunc(slices.Clone(c.Flags), func(f cmdline.Flag) bool {
		row := cmdline.Row(f.Name)
		return f.Name == "hooks" || f.Name == "missing" || row == nil || row.Removed
	})
}

// status returns the state for the hooks of each part. auto leaves out parts that neither have nor need entries.
func (t *Target) status(auto bool) (results []Result) {
	for _, p := range t.parts {
		if auto && len(p.own)+len(p.want) == 0 {
			continue
		}
		r := t.result(t.state(p), p)
		r.needed, r.Entries = true, len(p.want)
		r.Fails = t.file.whoWrote() != ""
		results = append(results, r)
	}
	return results
}

func (t *Target) result(state string, parts ...*part) Result {
	r := Result{Host: t.Host.Profile().Name, Scope: t.job.Scope.String(), File: t.file.path, State: state,
		Notes: t.Notes}
	for _, p := range parts {
		r.Hooks = append(r.Hooks, adapter.NamesOf(p.in.Hooks)...)
		for _, d := range p.found {
			if d.Severity > schema.Note {
				r.Found = append(r.Found, d)
			}
		}
	}
	return r
}
